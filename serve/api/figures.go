package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"labour/snapshots/figure"
)

// Date is a calendar day, written YYYY-MM-DD.
type Date struct{ t time.Time }

// DateOf returns the day of t in UTC.
func DateOf(t time.Time) Date { return Date{t.UTC()} }

// Time returns the underlying time, in UTC.
func (d Date) Time() time.Time { return d.t }

// Equal reports whether d and o are the same day.
func (d Date) Equal(o Date) bool { return d.t.Equal(o.t) }

// MarshalJSON writes "2026-11-20".
func (d Date) MarshalJSON() ([]byte, error) { return d.t.AppendFormat(nil, `"2006-01-02"`), nil }

// Scan reads a column of days.
func (d *Date) Scan(v any) error { return scanTime(v, &d.t) }

// Timestamp is a moment in UTC, written in RFC 3339 with Z and whole seconds.
type Timestamp struct{ t time.Time }

// TimestampOf returns t in UTC.
func TimestampOf(t time.Time) Timestamp { return Timestamp{t.UTC()} }

// Time returns the moment, not truncated to whole seconds.
func (t Timestamp) Time() time.Time { return t.t }

// Equal reports whether t and o are the same moment.
func (t Timestamp) Equal(o Timestamp) bool { return t.t.Equal(o.t) }

// MarshalJSON writes "2026-11-20T06:00:00Z".
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return t.t.AppendFormat(nil, `"2006-01-02T15:04:05Z"`), nil
}

// Scan reads a column of moments.
func (t *Timestamp) Scan(v any) error { return scanTime(v, &t.t) }

// Maybe is a Date or a Timestamp, or null if T is nil.
type Maybe[M interface {
	Date | Timestamp
	json.Marshaler
}] struct{ T *time.Time }

// The types of Maybe: a nullable Date and a nullable Timestamp.
type (
	MaybeDate      = Maybe[Date]
	MaybeTimestamp = Maybe[Timestamp]
)

// MaybeDateOf returns null for the zero time.
func MaybeDateOf(t time.Time) MaybeDate {
	if t.IsZero() {
		return MaybeDate{}
	}
	return MaybeDate{&t}
}

// MarshalJSON writes the value or null.
func (m Maybe[M]) MarshalJSON() ([]byte, error) {
	if m.T == nil {
		return []byte("null"), nil
	}
	return M{m.T.UTC()}.MarshalJSON()
}

// Scan reads a column of times or NULL.
func (m *Maybe[M]) Scan(v any) error { return scanMaybe(v, &m.T, scanTime) }

// Count is a count of people as published: an integer, the string "<5" or null.
type Count struct{ figure.Count }

// Share is a percentage, always with one decimal: 12.0.
type Share struct{ Tenths figure.Tenths }

// MarshalJSON writes the number with one decimal.
func (s Share) MarshalJSON() ([]byte, error) { return figure.AppendTenths(nil, s.Tenths), nil }

// Scan reads a column of tenths.
func (s *Share) Scan(v any) error { return scanInt(v, &s.Tenths) }

// Percent is a percentage with at most one decimal, or null if Tenths is nil.
type Percent struct{ Tenths *figure.Tenths }

// MarshalJSON writes the number, without the decimal if it is 0, or null.
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

// Scan reads a column of tenths or NULL.
func (p *Percent) Scan(v any) error { return scanMaybe(v, &p.Tenths, scanInt[figure.Tenths]) }

// Score is a score with four decimals, or null if TenThousandths is nil.
type Score struct{ TenThousandths *int64 }

// MarshalJSON writes the number with four decimals, or null.
func (s Score) MarshalJSON() ([]byte, error) {
	if s.TenThousandths == nil {
		return []byte("null"), nil
	}
	return figure.AppendScore(nil, *s.TenThousandths), nil
}

// Scan reads a column of ten-thousandths or NULL.
func (s *Score) Scan(v any) error { return scanMaybe(v, &s.TenThousandths, scanInt[int64]) }

// Keys is a list of names, such as source keys. The database stores it as text, separated by
// commas.
type Keys []string

// Scan reads the names from a database value: a text of names separated by commas. An empty text is
// an empty list.
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

// scanTime scans a time, or the seconds that the state database stores for a time.
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

// scanMaybe scans a value, or NULL as nil.
func scanMaybe[T any](v any, to **T, scan func(any, *T) error) error {
	*to = nil
	if v == nil {
		return nil
	}
	*to = new(T)
	return scan(v, *to)
}
