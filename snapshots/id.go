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

// ID names one sealed snapshot, such as "2026-11-20.1". It consists of the date that the data
// describe and the number of the run for that date, counted from 1. The zero value names no
// snapshot.
type ID string

// ErrInvalidID is the error for text that is not a snapshot ID.
var ErrInvalidID = errors.New("not a snapshot id (want a date and a run number, like 2026-11-20.1)")

const maxRun = 999_999

// NewID returns the ID of run number run for a date, which is taken in UTC. run must be from 1 to
// 999999; otherwise ParseID does not accept the result.
func NewID(date time.Time, run int) ID {
	return ID(date.UTC().Format(time.DateOnly) + "." + strconv.Itoa(run))
}

// ParseID parses a snapshot ID. Each ID has exactly one spelling. A date that does not exist, or a
// run number with a leading zero or a sign, is an error (ErrInvalidID).
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

// Compare returns -1, 0 or 1, to sort snapshot IDs by date and then by run number, so that .10
// comes after .9.
func (id ID) Compare(other ID) int {
	return cmp.Or(id.Date().Compare(other.Date()), cmp.Compare(id.Run(), other.Run()))
}

// String returns the snapshot ID as text, such as "2026-11-20.1".
func (id ID) String() string { return string(id) }

// UnmarshalText parses a snapshot ID. Text that is not an ID is an error.
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

// ManifestKey is the operator's secret key for keyed hashes (HMAC). Manifests name the files of the
// platform's feed by these hashes. With a plain hash, an outsider who guesses the content of a
// small file could confirm the guess.
type ManifestKey []byte

// HMAC returns the HMAC-SHA-256 of a text, in lower-case hexadecimal.
func (k ManifestKey) HMAC(text string) string {
	h := hmac.New(sha256.New, k)
	h.Write([]byte(text))
	return fmt.Sprintf("%x", h.Sum(nil))
}

// NameInManifest returns the hash by which a manifest names the archived file: the keyed hash if
// it has one, otherwise the SHA-256.
func (o ArchivedObject) NameInManifest() string {
	if o.HMACSHA256 != "" {
		return o.HMACSHA256
	}
	return o.SHA256
}

// NameInManifest returns the keyed hash by which a snapshot's manifest names a file of the
// platform's feed. sha256 is the hash of the file. The snapshot's ID is the salt, so that equal
// files have different names in two snapshots.
func (k ManifestKey) NameInManifest(id ID, sha256 string) string {
	return k.HMAC(string(id) + "\x00" + sha256)
}

// WithKeyedHash returns a copy of an archived file's entry with a keyed hash in place of the SHA-256.
// The manifest of the snapshot lists this copy.
func (o ArchivedObject) WithKeyedHash(k ManifestKey, id ID) ArchivedObject {
	return ArchivedObject{Name: o.Name, HMACSHA256: k.NameInManifest(id, o.SHA256)}
}
