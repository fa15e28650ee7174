package snapshots

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ID names one sealed snapshot: the date that the data describe and the number of the run for that
// date, from 1, as in "2026-11-20.1". A date without a run number is not an ID, since a second run
// on the same day must not take the name of the first. The zero value names no snapshot.
type ID string

// ErrID is returned for text that is not the ID of a snapshot.
var ErrID = errors.New("not a snapshot id (want a date and a run number, like 2026-11-20.1)")

const maxRun = 999_999

// NewID returns the ID of a run for a date. The date is taken in UTC. The run must be from 1 to
// 999999, else the result is not an ID that ParseID accepts.
func NewID(date time.Time, run int) ID {
	return ID(date.UTC().Format(time.DateOnly) + "." + strconv.Itoa(run))
}

// ParseID reads an ID. Each ID has exactly one spelling: a run number with a leading zero or a sign
// is refused, and so is a date that does not exist.
func ParseID(s string) (ID, error) {
	id := ID(s)
	if run := id.Run(); run < 1 || run > maxRun || NewID(id.Date(), run) != id {
		return "", fmt.Errorf("%q: %w", s, ErrID)
	}
	return id, nil
}

// Date returns the date the snapshot describes, at midnight UTC; the zero time for text that is not
// an ID.
func (id ID) Date() time.Time {
	day, _, _ := strings.Cut(string(id), ".")
	date, _ := time.Parse(time.DateOnly, day) // the zero time on an error
	return date
}

// Run returns the number of the run for the date, from 1; 0 for text that is not an ID.
func (id ID) Run() int {
	_, run, _ := strings.Cut(string(id), ".")
	n, _ := strconv.Atoi(run)
	return n
}

// Compare orders IDs by date, then by run number (so .10 comes after .9).
func (id ID) Compare(other ID) int {
	return cmp.Or(id.Date().Compare(other.Date()), cmp.Compare(id.Run(), other.Run()))
}

// String returns the ID in its only spelling.
func (id ID) String() string { return string(id) }

// UnmarshalText parses an ID. It returns an error for any other text, which a manifest cannot hold.
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

// ParseDate reads YYYY-MM-DD.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is not a date (want YYYY-MM-DD)", s)
	}
	return Date{t}, nil
}

// String returns the day as YYYY-MM-DD.
func (d Date) String() string { return d.Format(time.DateOnly) }

// MarshalJSON writes the day as "YYYY-MM-DD".
func (d Date) MarshalJSON() ([]byte, error) { return []byte(`"` + d.String() + `"`), nil }

// UnmarshalJSON reads "YYYY-MM-DD".
func (d *Date) UnmarshalJSON(b []byte) error {
	parsed, err := ParseDate(strings.Trim(string(b), `"`))
	*d = parsed
	return err
}

// Key is a secret of the operator for keyed hashes. A manifest names the files of the platform's
// feed by keyed hashes: the content of a small file, such as the count of people of one site, could
// be guessed and confirmed with a plain hash.
type Key []byte

// Sum returns the HMAC-SHA-256 of a text, in lower-case hexadecimal.
func (k Key) Sum(text string) string {
	h := hmac.New(sha256.New, k)
	h.Write([]byte(text))
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Named returns the hash by which a manifest names the file: its SHA-256, or the keyed hash.
func (o Object) Named() string {
	if o.HMACSHA256 != "" {
		return o.HMACSHA256
	}
	return o.SHA256
}

// Names returns the keyed hash that names a file of the platform's feed in the manifest of a
// snapshot, given the file's SHA-256. The snapshot's id is the salt, so that equal files have
// different names in two snapshots.
func (k Key) Names(id ID, sha256 string) string { return k.Sum(string(id) + "\x00" + sha256) }

// Keyed returns the object as it is in the manifest of a snapshot, named by a keyed hash.
func (o Object) Keyed(k Key, id ID) Object {
	return Object{Name: o.Name, HMACSHA256: k.Names(id, o.SHA256)}
}
