package sources

import (
	"fmt"
	"time"
)

// Date is a calendar day without a time zone. The zero value means "not stated".
type Date struct {
	// Year, Month and Day are numbered as in time.Date; all are zero if the date is not stated.
	Year  int
	Month time.Month
	Day   int
}

// ParseDate parses a date such as "2026-01-02". It returns the zero Date for an empty string.
func ParseDate(s string) (Date, error) {
	if s == "" {
		return Date{}, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("date %q is not YYYY-MM-DD", s)
	}
	return DateOf(t), nil
}

// DateOf returns the calendar day of t in UTC. It returns the zero Date for the zero time.
func DateOf(t time.Time) Date {
	if t.IsZero() {
		return Date{}
	}
	y, m, d := t.UTC().Date()
	return Date{Year: y, Month: m, Day: d}
}

// LocalDateOf returns the calendar day of t in t's own time zone. It returns the zero Date for the
// zero time.
func LocalDateOf(t time.Time) Date {
	if t.IsZero() {
		return Date{}
	}
	y, m, d := t.Date()
	return Date{Year: y, Month: m, Day: d}
}

// IsZero reports whether d is the zero Date, which means "not stated".
func (d Date) IsZero() bool { return d == Date{} }

// Time returns midnight UTC at the start of the day. It returns the zero time for the zero Date.
func (d Date) Time() time.Time {
	if d.IsZero() {
		return time.Time{}
	}
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)
}

// String returns the date in the format "2026-01-02", or "" for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return d.Time().Format(time.DateOnly)
}

// Before reports whether d is an earlier day than o. The zero Date is before every other date.
func (d Date) Before(o Date) bool { return d.Time().Before(o.Time()) }

// AddDays returns the date n days after d. A negative n gives an earlier date.
func (d Date) AddDays(n int) Date { return DateOf(d.Time().AddDate(0, 0, n)) }

// UnmarshalText sets d to a date such as "2026-01-02". An empty text gives the zero Date.
func (d *Date) UnmarshalText(b []byte) (err error) {
	*d, err = ParseDate(string(b))
	return err
}

// MarshalText returns the date in the format "2026-01-02", or an empty text for the zero Date.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
