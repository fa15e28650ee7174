package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"labour/snapshots/figure"
)

// Date is a calendar day.
type Date struct{ t time.Time }

// DateOf converts t to a Date, the calendar day in UTC. The Date keeps the time of day of t for its
// methods Time and Equal, but JSON does not show it.
func DateOf(t time.Time) Date { return Date{t.UTC()} }

// Time returns the date as a time.Time in UTC, with the time of day that DateOf was given.
func (d Date) Time() time.Time { return d.t }

// Equal reports whether d and o have the same Time. Two dates are not equal if they differ only in
// their time of day.
func (d Date) Equal(o Date) bool { return d.t.Equal(o.t) }

// MarshalJSON writes the date as a string such as "2026-11-20".
func (d Date) MarshalJSON() ([]byte, error) { return d.t.AppendFormat(nil, `"2006-01-02"`), nil }

// Scan implements sql.Scanner: it reads a date from a database column.
func (d *Date) Scan(v any) error { return scanTime(v, &d.t) }

// Timestamp is a point in time. JSON has it in UTC, in RFC 3339 with whole seconds.
type Timestamp struct{ t time.Time }

// TimestampOf converts a time.Time to a Timestamp.
func TimestampOf(t time.Time) Timestamp { return Timestamp{t.UTC()} }

// Time returns the exact time, including fractions of a second that JSON leaves out.
func (t Timestamp) Time() time.Time { return t.t }

// Equal reports whether t and o are the same point in time.
func (t Timestamp) Equal(o Timestamp) bool { return t.t.Equal(o.t) }

// MarshalJSON writes the time in UTC as a string such as "2026-11-20T06:00:00Z".
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return t.t.AppendFormat(nil, `"2006-01-02T15:04:05Z"`), nil
}

// Scan implements sql.Scanner: it reads a time or a number of Unix seconds from a database column.
func (t *Timestamp) Scan(v any) error { return scanTime(v, &t.t) }

// NullableTime is a date or a timestamp that may be null in JSON. T is nil for null.
type NullableTime[M interface {
	Date | Timestamp
	json.Marshaler
}] struct{ T *time.Time }

type (
	// NullableDate is a calendar day that may be null in JSON.
	NullableDate = NullableTime[Date]
	// NullableTimestamp is a point in time that may be null in JSON.
	NullableTimestamp = NullableTime[Timestamp]
)

// NullableDateOf returns the calendar day of t, or null if t is the zero time.
func NullableDateOf(t time.Time) NullableDate {
	if t.IsZero() {
		return NullableDate{}
	}
	return NullableDate{&t}
}

// MarshalJSON writes the date or timestamp as a JSON string, or null.
func (m NullableTime[M]) MarshalJSON() ([]byte, error) {
	if m.T == nil {
		return []byte("null"), nil
	}
	return M{m.T.UTC()}.MarshalJSON()
}

// Scan implements sql.Scanner: it reads a time or NULL from a database column.
func (m *NullableTime[M]) Scan(v any) error { return scanMaybe(v, &m.T, scanTime) }

// Count is a published number of people. JSON has it as an integer, as the string "<5" or as null.
type Count struct{ figure.Count }

// Share is a percentage, 0 to 100, which JSON always has with one decimal, such as 12.0.
type Share struct{ Tenths figure.Tenths }

// MarshalJSON writes the percentage with one decimal, such as 12.0.
func (s Share) MarshalJSON() ([]byte, error) { return figure.AppendTenths(nil, s.Tenths), nil }

// Scan implements sql.Scanner: it reads a whole number of tenths of a per cent from a database
// column.
func (s *Share) Scan(v any) error { return scanInt(v, &s.Tenths) }

// Percent is a percentage with at most one decimal. Tenths is the value in tenths of a per cent;
// nil is null in JSON.
type Percent struct{ Tenths *figure.Tenths }

// MarshalJSON writes the percentage with at most one decimal (12, not 12.0), or null.
func (p Percent) MarshalJSON() ([]byte, error) {
	if p.Tenths == nil {
		return []byte("null"), nil
	}
	b := figure.AppendTenths(nil, *p.Tenths)
	if *p.Tenths%10 == 0 {
		b = b[:len(b)-len(".0")]
	}
	return b, nil
}

// Scan implements sql.Scanner: it reads a number of tenths of a per cent, or NULL, from a database
// column.
func (p *Percent) Scan(v any) error { return scanMaybe(v, &p.Tenths, scanInt[figure.Tenths]) }

// Score is the number by which unmet skills are ranked, with four decimals. TenThousandths is the
// value times 10,000; nil is null in JSON.
type Score struct{ TenThousandths *int64 }

// MarshalJSON writes the score with four decimals, or null.
func (s Score) MarshalJSON() ([]byte, error) {
	if s.TenThousandths == nil {
		return []byte("null"), nil
	}
	return figure.AppendScore(nil, *s.TenThousandths), nil
}

// Scan implements sql.Scanner: it reads a number of ten-thousandths, or NULL, from a database
// column.
func (s *Score) Scan(v any) error { return scanMaybe(v, &s.TenThousandths, scanInt[int64]) }

// Keys is a list of identifiers, such as the keys of sources or the slugs of skills.
type Keys []string

// Scan implements sql.Scanner: it splits a text at its commas. An empty text is an empty list.
func (k *Keys) Scan(v any) error {
	text, ok := v.(string)
	if !ok {
		return fmt.Errorf("%T is no list of names", v)
	}
	*k = Keys{}
	if text != "" {
		*k = strings.Split(text, ",")
	}
	return nil
}

// scanTime sets *to from a database value, which is a time or a number of Unix seconds.
func scanTime(v any, to *time.Time) error {
	switch t := v.(type) {
	case time.Time:
		*to = t.UTC()
	case int64:
		*to = time.Unix(t, 0).UTC()
	default:
		return fmt.Errorf("%T is no time", v)
	}
	return nil
}

func scanInt[T ~int64](v any, to *T) error {
	switch n := v.(type) {
	case int64:
		*to = T(n)
	case int32:
		*to = T(n)
	default:
		return fmt.Errorf("%T is no whole number", v)
	}
	return nil
}

// scanMaybe sets *to to nil if the database value v is NULL, and otherwise to the value that scan
// reads from v.
func scanMaybe[T any](v any, to **T, scan func(any, *T) error) error {
	*to = nil
	if v == nil {
		return nil
	}
	*to = new(T)
	return scan(v, *to)
}
