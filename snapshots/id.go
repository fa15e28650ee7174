package snapshots

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ID names one sealed snapshot, such as "2026-11-20.1". It consists of the date that the data
// describe and the number of the run for that date, counted from 1. The zero value names no
// snapshot.
type ID string

// ErrInvalidID is the error for text that is not a snapshot ID.
var ErrInvalidID = errors.New("not a snapshot id (want a date and a run number, like 2026-11-20.1)")

const maxRun = 999_999

// NewID returns the snapshot ID for a date and the number of the run for that date. The date is the
// day in UTC. run must be from 1 to 999999; ParseID does not accept other numbers.
func NewID(date time.Time, run int) ID {
	return ID(date.UTC().Format(time.DateOnly) + "." + strconv.Itoa(run))
}

// ParseID parses a snapshot ID such as "2026-11-20.1". The error is ErrInvalidID if the date does
// not exist, or if the run number has a leading zero or a sign.
func ParseID(s string) (ID, error) {
	id := ID(s)
	if run := id.Run(); run < 1 || run > maxRun || NewID(id.Date(), run) != id {
		return "", fmt.Errorf("%q: %w", s, ErrInvalidID)
	}
	return id, nil
}

// Date returns the date that the snapshot describes, at midnight UTC. It returns the zero time if
// the ID is not valid.
func (id ID) Date() time.Time {
	day, _, _ := strings.Cut(string(id), ".")
	date, _ := time.Parse(time.DateOnly, day) // the zero time on an error
	return date
}

// Run returns the run number of the snapshot among the snapshots for the same date, counted from 1.
// It returns 0 if the ID is not valid.
func (id ID) Run() int {
	_, run, _ := strings.Cut(string(id), ".")
	n, _ := strconv.Atoi(run)
	return n
}

// Compare returns -1, 0 or 1 if the snapshot ID sorts before, with or after other. IDs are sorted
// by date and then by run number, so 2026-11-20.10 comes after 2026-11-20.9.
func (id ID) Compare(other ID) int {
	return cmp.Or(id.Date().Compare(other.Date()), cmp.Compare(id.Run(), other.Run()))
}

// String returns the snapshot ID as text, such as "2026-11-20.1".
func (id ID) String() string { return string(id) }

// UnmarshalText parses a snapshot ID such as "2026-11-20.1". The error is ErrInvalidID for any
// other text.
func (id *ID) UnmarshalText(b []byte) error {
	parsed, err := ParseID(string(b))
	*id = parsed
	return err
}

// Date is a calendar day at midnight UTC, written YYYY-MM-DD in JSON.
type Date struct{ time.Time }

// DateOf returns the calendar day of t in UTC.
func DateOf(t time.Time) Date {
	y, m, d := t.UTC().Date()
	return Date{time.Date(y, m, d, 0, 0, 0, 0, time.UTC)}
}

// ParseDate parses a date of the form YYYY-MM-DD.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is not a date (want YYYY-MM-DD)", s)
	}
	return Date{t}, nil
}

// String returns the day as YYYY-MM-DD.
func (d Date) String() string { return d.Format(time.DateOnly) }

// MarshalJSON writes the day as JSON, in the form "YYYY-MM-DD".
func (d Date) MarshalJSON() ([]byte, error) { return []byte(`"` + d.String() + `"`), nil }

// UnmarshalJSON reads a day that is written as "YYYY-MM-DD".
func (d *Date) UnmarshalJSON(b []byte) error {
	parsed, err := ParseDate(strings.Trim(string(b), `"`))
	*d = parsed
	return err
}
