// Package figure holds the values that may be printed for a count of people, and the exact decimal
// figures computed from shares.
//
// A Count cannot hold 1 to 4. Its zero value is "not published", so a forgotten assignment
// withholds a figure instead of leaking it.
package figure

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// SmallestShown is the smallest count of people that is shown as a number:
// "Minimum shown count of people: 5; values 1 to 4 appear as "<5"".
const SmallestShown = 5

// UnderFive is how a count of people from 1 to 4 is printed: "A count of people
// from 1 to 4 is never a number and never 0. It is the string "<5"."
const UnderFive = "<5"

// Status is the form in which a count is printed. It is also the text in a snapshot's status
// columns.
type Status string

// The statuses of a printed count.
const (
	NotPublished Status = ""        // null: withheld, or not published; makes no claim about zero
	Small        Status = "under_5" // "<5"
	Number       Status = "number"  // 0, or at least 5
)

// ErrSmall is returned for a number from 1 to 4 (or below 0) that was about to be printed.
var ErrSmall = errors.New("a count of people from 1 to 4 must not be held as a number")

// Count is a printed count of people: not published, "<5", 0, or a number of at least 5.
type Count struct {
	status Status
	n      int64
}

// CountOf returns a true count in printed form: 0 and numbers from 5 unchanged, 1 to 4 as "<5". A
// negative number is not published.
func CountOf(n int64) Count {
	switch {
	case n < 0:
		return Count{}
	case n > 0 && n < SmallestShown:
		return Count{status: Small}
	}
	return Count{status: Number, n: n}
}

// RoundedTo is the number that printed counts of the platform's own people are multiples of.
const RoundedTo = 5

// Rounded returns a true count in rounded form: 0 unchanged, 1 to 4 as "<5", and from 5 the
// multiple of 5 below it or, if up is true, the one above; a multiple of 5 is unchanged. A negative
// number is not published.
func Rounded(n int64, up bool) Count {
	c := CountOf(n)
	above := c.n % RoundedTo
	c.n -= above
	if up && above > 0 {
		c.n += RoundedTo
	}
	return c
}

// Parse rebuilds a printed count from a snapshot's value and status columns.
func Parse[N int32 | int64](n *N, s Status) (Count, error) {
	switch {
	case s == Number && n != nil && (*n == 0 || *n >= SmallestShown):
		return Count{status: Number, n: int64(*n)}, nil
	case s == Number && n != nil:
		return Count{}, fmt.Errorf("value %d: %w", *n, ErrSmall)
	case s == Number:
		return Count{}, errors.New("status number without a value")
	case n != nil:
		return Count{}, fmt.Errorf("status %q with a value", s)
	case s == Small || s == NotPublished:
		return Count{status: s}, nil
	}
	return Count{}, fmt.Errorf("unknown status %q", s)
}

// Status returns how the count is printed.
func (c Count) Status() Status { return c.status }

// Number returns the printed number; ok is false for "<5" and for not published.
func (c Count) Number() (n int64, ok bool) { return c.n, c.status == Number }

// Value returns the number as the value of a nullable column.
func (c Count) Value() *int64 { return ValueOf[int64](c) }

// ValueOf does what Value does for a column of any integer type.
func ValueOf[N int32 | int64](c Count) *N {
	if c.status != Number {
		return nil
	}
	n := N(c.n)
	return &n
}

// String returns the printed token: "0", "12", "<5" or "null".
func (c Count) String() string {
	switch c.status {
	case Number:
		return strconv.FormatInt(c.n, 10)
	case Small:
		return UnderFive
	}
	return "null"
}

// AppendJSON appends the JSON token to b: an integer, "<5" or null.
func (c Count) AppendJSON(b []byte) []byte {
	if c.status == Small {
		return append(b, `"<5"`...)
	}
	return append(b, c.String()...)
}

// MarshalJSON writes an integer, "<5" or null. Use an encoder with
// SetEscapeHTML(false): json.Marshal would write "<5" as "\u003c5".
func (c Count) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil), nil }

// UnmarshalJSON reads an integer that is 0 or at least 5, "<5" or null.
func (c *Count) UnmarshalJSON(b []byte) error {
	switch s := string(b); s {
	case "null":
		*c = Count{}
		return nil
	case `"<5"`, `"\u003c5"`:
		*c = Count{status: Small}
		return nil
	}
	var n int64
	if err := json.Unmarshal(b, &n); err != nil {
		return fmt.Errorf("count %s: %w", b, err)
	}
	parsed, err := Parse(&n, Number)
	*c = parsed
	return err
}

// Tenths is a percentage in tenths of a per cent: 123 is 12.3 %.
type Tenths int64

// MaxTenths is the largest percentage that fits into a column, 99,999.9 %. A larger change is not
// printed.
const MaxTenths Tenths = 999_999

// ShareTenths returns part / whole as a percentage with one decimal, half away from zero. whole
// must be positive, part must not be negative.
func ShareTenths(part, whole int64) Tenths {
	return Tenths((2*part*1000 + whole) / (2 * whole))
}

// ShareStep returns part / whole as a percentage rounded to whole steps of step tenths (1 = 0.1 %,
// 10 = 1 %, 50 = 5 %), half away from zero.
func ShareStep(part, whole, step int64) Tenths {
	units := (2*part*1000 + whole*step) / (2 * whole * step)
	return Tenths(units * step)
}

// AppendTenths appends a percentage with exactly one decimal: "12.3", "-4.0".
func AppendTenths(b []byte, t Tenths) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = strconv.AppendInt(b, int64(t)/10, 10)
	return append(b, '.', byte('0'+t%10))
}

// AppendScore appends adverts_share_pct × people_below_share_pct / 100 with four decimals:
// "13.5975". n is the product of the printed values in ten-thousandths, and so exact. It means: of
// every 100 pairs of an advert and a person, in so many the advert requires the skill and the
// person does not yet meet it.
func AppendScore(b []byte, n int64) []byte {
	b = strconv.AppendInt(b, n/10_000, 10)
	return append(b, '.', byte('0'+n/1000%10), byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
}
