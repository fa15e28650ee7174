package wire

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"labour/snapshots/figure"
)

// Date is a calendar day, written YYYY-MM-DD.
type Date struct{ t time.Time }

// DateOf is the day of t in UTC.
func DateOf(t time.Time) Date { return Date{t.UTC()} }

// MarshalJSON writes "2026-11-20".
func (d Date) MarshalJSON() ([]byte, error) { return []byte(d.t.Format(`"2006-01-02"`)), nil }

// Schema describes a date.
func (Date) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date", Examples: []any{"2026-11-20"}}
}

// Timestamp is a moment in UTC, written in RFC 3339 with Z and whole seconds.
type Timestamp struct{ t time.Time }

// TimestampOf is t in UTC, cut to whole seconds.
func TimestampOf(t time.Time) Timestamp { return Timestamp{t.UTC()} }

// MarshalJSON writes "2026-11-20T06:00:00Z".
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return []byte(t.t.Format(`"2006-01-02T15:04:05Z"`)), nil
}

const timestampPattern = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`

// Schema describes a timestamp.
func (Timestamp) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Pattern: timestampPattern, Examples: []any{"2026-11-20T06:00:00Z"}}
}

// MaybeTimestamp is a Timestamp, or null when T is nil.
type MaybeTimestamp struct{ T *time.Time }

// MarshalJSON writes the timestamp or null.
func (t MaybeTimestamp) MarshalJSON() ([]byte, error) {
	if t.T == nil {
		return []byte("null"), nil
	}
	return TimestampOf(*t.T).MarshalJSON()
}

// Schema describes a timestamp or null.
func (MaybeTimestamp) Schema(r huma.Registry) *huma.Schema {
	s := Timestamp{}.Schema(r)
	s.Nullable = true
	return s
}

// Count is a count as it may be printed: an integer, "<5" or null.
type Count struct{ figure.Count }

// MarshalJSON writes an integer, "<5" or null.
func (c Count) MarshalJSON() ([]byte, error) { return c.Count.AppendJSON(nil), nil }

// Schema describes the three forms of a count.
func (Count) Schema(huma.Registry) *huma.Schema {
	five := float64(figure.SmallestShown)
	return &huma.Schema{
		AnyOf: []*huma.Schema{
			{Type: huma.TypeInteger, Format: "int64", Minimum: &five, Description: "The count."},
			{Type: huma.TypeInteger, Enum: []any{0}, Description: "None."},
			{Type: huma.TypeString, Enum: []any{figure.UnderFive}, Description: "A count of people from 1 to 4: never a number and never 0."},
			{Type: "null", Description: "No figure: suppressed for another reason, or not published. Never zero."},
		},
		Examples: []any{12, figure.UnderFive, nil},
	}
}

// Share is a percentage that always has one decimal: 12.0.
type Share struct{ Tenths figure.Tenths }

// MarshalJSON writes the number with one decimal.
func (s Share) MarshalJSON() ([]byte, error) { return figure.AppendTenths(nil, s.Tenths), nil }

// Schema describes a percentage of 0 to 100.
func (Share) Schema(huma.Registry) *huma.Schema {
	low, high := 0.0, 100.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &low, Maximum: &high, Examples: []any{12.3}}
}

// Percent is a percentage with at most one decimal, or null when Tenths is nil.
type Percent struct{ Tenths *figure.Tenths }

// MarshalJSON writes the number, without a decimal when that would be 0, or null.
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

// Schema describes a percentage or null.
func (Percent) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Nullable: true, Examples: []any{45}}
}

// Score is a score with two decimals, or null when Hundredths is nil.
type Score struct{ Hundredths *int64 }

// MarshalJSON writes the number with two decimals, or null.
func (s Score) MarshalJSON() ([]byte, error) {
	if s.Hundredths == nil {
		return []byte("null"), nil
	}
	return figure.AppendHundredths(nil, *s.Hundredths), nil
}

// Schema describes a score or null.
func (Score) Schema(huma.Registry) *huma.Schema {
	low, high := 0.0, 100.0
	return &huma.Schema{Type: huma.TypeNumber, Nullable: true, Minimum: &low, Maximum: &high, Examples: []any{5.54}}
}
