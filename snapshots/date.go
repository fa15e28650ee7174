package snapshots

import (
	"fmt"
	"time"
)

// Date is a calendar day at midnight UTC, written YYYY-MM-DD in JSON.
type Date struct{ time.Time }

// DateOf is the calendar day of t in UTC.
func DateOf(t time.Time) Date {
	y, m, d := t.UTC().Date()
	return Date{time.Date(y, m, d, 0, 0, 0, 0, time.UTC)}
}

// ParseDate reads YYYY-MM-DD.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(dayLayout, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is not a date (want YYYY-MM-DD)", s)
	}
	return Date{t}, nil
}

// String is the day as YYYY-MM-DD.
func (d Date) String() string { return d.Format(dayLayout) }

// MarshalJSON writes the day as "YYYY-MM-DD".
func (d Date) MarshalJSON() ([]byte, error) { return []byte(`"` + d.String() + `"`), nil }

// UnmarshalJSON reads "YYYY-MM-DD".
func (d *Date) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return fmt.Errorf("%s is not a date (want \"YYYY-MM-DD\")", b)
	}
	parsed, err := ParseDate(string(b[1 : len(b)-1]))
	*d = parsed
	return err
}
