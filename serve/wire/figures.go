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

// Time is the moment that the day was taken from, in UTC.
func (d Date) Time() time.Time { return d.t }

// AppendJSON appends "2026-11-20".
func (d Date) AppendJSON(b []byte) []byte { return d.t.AppendFormat(b, `"2006-01-02"`) }

// MarshalJSON is AppendJSON for encoding/json.
func (d Date) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil), nil }

// Schema describes a date.
func (Date) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date", Examples: []any{"2026-11-20"}}
}

// Timestamp is a moment in UTC, written in RFC 3339 with Z and whole seconds.
type Timestamp struct{ t time.Time }

// TimestampOf is t in UTC, cut to whole seconds.
func TimestampOf(t time.Time) Timestamp { return Timestamp{t.UTC()} }

// Time is the moment, not yet cut to whole seconds.
func (t Timestamp) Time() time.Time { return t.t }

// AppendJSON appends "2026-11-20T06:00:00Z".
func (t Timestamp) AppendJSON(b []byte) []byte { return t.t.AppendFormat(b, `"2006-01-02T15:04:05Z"`) }

// MarshalJSON is AppendJSON for encoding/json.
func (t Timestamp) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

const timestampPattern = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`

// Schema describes a timestamp.
func (Timestamp) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Pattern: timestampPattern, Examples: []any{"2026-11-20T06:00:00Z"}}
}

// MaybeTimestamp is a Timestamp, or null when T is nil.
type MaybeTimestamp struct{ T *time.Time }

// AppendJSON appends the timestamp or null.
func (t MaybeTimestamp) AppendJSON(b []byte) []byte {
	if t.T == nil {
		return append(b, "null"...)
	}
	return TimestampOf(*t.T).AppendJSON(b)
}

// MarshalJSON is AppendJSON for encoding/json.
func (t MaybeTimestamp) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// Schema describes a timestamp or null.
func (MaybeTimestamp) Schema(r huma.Registry) *huma.Schema {
	s := Timestamp{}.Schema(r)
	s.Nullable = true
	return s
}

// Count is a count as it may be printed: an integer, "<5" or null. It encodes as
// figure.Count does.
type Count struct{ figure.Count }

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

// AppendJSON appends the number with one decimal.
func (s Share) AppendJSON(b []byte) []byte { return figure.AppendTenths(b, s.Tenths) }

// MarshalJSON is AppendJSON for encoding/json.
func (s Share) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// Schema describes a percentage of 0 to 100.
func (Share) Schema(huma.Registry) *huma.Schema {
	low, high := 0.0, 100.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &low, Maximum: &high, Examples: []any{12.3}}
}

// Percent is a percentage with at most one decimal, or null when Tenths is nil.
type Percent struct{ Tenths *figure.Tenths }

// AppendJSON appends the number, without a decimal when that would be 0, or null.
func (p Percent) AppendJSON(b []byte) []byte {
	if p.Tenths == nil {
		return append(b, "null"...)
	}
	b = figure.AppendTenths(b, *p.Tenths)
	if *p.Tenths%10 == 0 {
		b = b[:len(b)-len(".0")]
	}
	return b
}

// MarshalJSON is AppendJSON for encoding/json.
func (p Percent) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

// Schema describes a percentage or null.
func (Percent) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Nullable: true, Examples: []any{45}}
}

// Score is a score with two decimals, or null when Hundredths is nil.
type Score struct{ Hundredths *int64 }

// AppendJSON appends the number with two decimals, or null.
func (s Score) AppendJSON(b []byte) []byte {
	if s.Hundredths == nil {
		return append(b, "null"...)
	}
	return figure.AppendHundredths(b, *s.Hundredths)
}

// MarshalJSON is AppendJSON for encoding/json.
func (s Score) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// Schema describes a score or null.
func (Score) Schema(huma.Registry) *huma.Schema {
	low, high := 0.0, 100.0
	return &huma.Schema{Type: huma.TypeNumber, Nullable: true, Minimum: &low, Maximum: &high, Examples: []any{5.54}}
}
