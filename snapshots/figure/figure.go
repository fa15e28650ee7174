// Package figure holds printed figures: counts of people, where 1 to 4 are printed as "<5", and
// exact decimal percentages.
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

// SmallestShown is the smallest count of people, other than 0, that is printed as a number.
const SmallestShown = 5

// UnderFiveText is "<5", the text that is printed for a count of people from 1 to 4. The
// specification says: "A count of people from 1 to 4 is never a number and never 0. It is the
// string "<5"."
const UnderFiveText string = "<5"

// Status states how a count of people is printed: as a number, as "<5" or not at all. The status
// columns of a snapshot have these values.
type Status string

// The values of Status. They state how a count of people is printed.
const (
	// StatusNotPublished means that the count is null, because it is withheld or not published. The
	// true count may be any number, including 0.
	StatusNotPublished Status = ""
	// StatusUnderFive means that the count is printed as "<5".
	StatusUnderFive Status = "under_5"
	// StatusNumber means that the count is printed as a number: 0, or at least 5.
	StatusNumber Status = "number"
)

// ErrSmallNumber is the error for a count of people from 1 to 4 or below 0. Such a count must not
// be printed as a number.
var ErrSmallNumber = errors.New("a count of people from 1 to 4 must not be held as a number")

// Count is a count of people as it is printed: a number (0 or at least 5), "<5", or not published.
type Count struct {
	status Status
	n      int64
}

// CountOf returns the printed count for a true count of people. A number from 1 to 4 becomes "<5",
// and a negative number becomes "not published". Other numbers are unchanged.
func CountOf(n int64) Count {
	switch {
	case n < 0:
		return Count{}
	case n > 0 && n < SmallestShown:
		return Count{status: StatusUnderFive}
	}
	return Count{status: StatusNumber, n: n}
}

// RoundingStep is 5. Counts of people on the platform are published as multiples of it.
const RoundingStep = 5

// RoundedCount returns the printed count for n, a true count of people. It rounds n to the next
// multiple of 5, up if up is true and down otherwise. A true count from 1 to 4 becomes "<5", and a
// negative number becomes "not published".
func RoundedCount(n int64, up bool) Count {
	c := CountOf(n)
	above := c.n % RoundingStep
	c.n -= above
	if up && above > 0 {
		c.n += RoundingStep
	}
	return c
}

// ParseCount returns the printed count of people for a number and a status, which a snapshot has in
// two columns. It returns an error if number and status contradict each other.
func ParseCount[N int32 | int64](n *N, s Status) (Count, error) {
	switch {
	case s == StatusNumber && n != nil:
		if *n != 0 && *n < SmallestShown {
			return Count{}, fmt.Errorf("value %d: %w", *n, ErrSmallNumber)
		}
		return Count{status: StatusNumber, n: int64(*n)}, nil
	case s == StatusNumber:
		return Count{}, errors.New("status number without a value")
	case n != nil:
		return Count{}, fmt.Errorf("status %q with a value", s)
	case s == StatusUnderFive || s == StatusNotPublished:
		return Count{status: s}, nil
	}
	return Count{}, fmt.Errorf("unknown status %q", s)
}

// Status returns how the count of people is printed: as a number, as "<5" or not at all.
func (c Count) Status() Status { return c.status }

// Number returns the printed number of people; ok is false if the count is "<5" or not published.
func (c Count) Number() (n int64, ok bool) { return c.n, c.status == StatusNumber }

// Value returns a pointer to the printed number of people, or nil if the count is "<5" or not
// published.
func (c Count) Value() *int64 { return ValueOf[int64](c) }

// ValueOf returns a pointer to the printed number of people, or nil if the count is "<5" or not
// published. Unlike Count.Value, it returns a pointer to the integer type N.
func ValueOf[N int32 | int64](c Count) *N {
	if c.status != StatusNumber {
		return nil
	}
	n := N(c.n)
	return &n
}

// String returns the count of people as text: a number such as "15", the text "<5", or "null" if
// the count is not published.
func (c Count) String() string {
	switch c.status {
	case StatusNumber:
		return strconv.FormatInt(c.n, 10)
	case StatusUnderFive:
		return UnderFiveText
	}
	return "null"
}

// AppendJSON appends a count of people to b as JSON: an integer, the string "<5", or null if the
// count is not published.
func (c Count) AppendJSON(b []byte) []byte {
	if c.status == StatusUnderFive {
		return append(b, `"<5"`...)
	}
	return append(b, c.String()...)
}

// MarshalJSON returns a count of people as JSON: an integer, the string "<5", or null. Use an
// encoder with SetEscapeHTML(false): json.Marshal would write "<5" as "\u003c5".
func (c Count) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil), nil }

// UnmarshalJSON reads a count of people from JSON: 0, an integer of at least 5, the string "<5",
// or null. Anything else is an error.
func (c *Count) UnmarshalJSON(b []byte) error {
	switch s := string(b); s {
	case "null":
		*c = Count{}
		return nil
	case `"<5"`, `"\u003c5"`:
		*c = Count{status: StatusUnderFive}
		return nil
	}
	var n int64
	if err := json.Unmarshal(b, &n); err != nil {
		return fmt.Errorf("count %s: %w", b, err)
	}
	parsed, err := ParseCount(&n, StatusNumber)
	*c = parsed
	return err
}

// Tenths is a percentage in tenths of a per cent: 123 is 12.3 %.
type Tenths int64

// MaxTenths is 99,999.9 %, the largest percentage that a table column can hold. A change of a
// figure by more than this percentage is not printed.
const MaxTenths Tenths = 999_999

// ShareTenths returns part / total as a percentage with one decimal, rounded half away from zero.
// total must be positive, and part must not be negative.
func ShareTenths(part, total int64) Tenths {
	return Tenths((2*part*1000 + total) / (2 * total))
}

// ShareInSteps returns part / total as a percentage, rounded half away from zero to a multiple of
// step. step is in tenths of a per cent: 1 is 0.1 %, 50 is 5 %.
func ShareInSteps(part, total, step int64) Tenths {
	units := (2*part*1000 + total*step) / (2 * total * step)
	return Tenths(units * step)
}

// WholePercent returns part / total in whole per cent, rounded half up. It returns 100 only if part
// is not less than total, because a share of nearly all is not all.
func WholePercent(part, total int64) int64 {
	if part < total {
		return min((200*part+total)/(2*total), 99)
	}
	return 100
}

// AppendTenths appends a percentage as text with exactly one decimal, such as "12.3" or "-4.0".
func AppendTenths(b []byte, t Tenths) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = strconv.AppendInt(b, int64(t)/10, 10)
	return append(b, '.', byte('0'+t%10))
}

// AppendScore appends a ranking score as text with four decimals, such as "13.5975". n is the score
// in ten-thousandths.
//
// The score is adverts_share_pct × people_below_share_pct / 100. It is the probability, in per
// cent, that a random advert requires the skill and a random person lacks it.
func AppendScore(b []byte, n int64) []byte {
	b = strconv.AppendInt(b, n/10_000, 10)
	return append(b, '.', byte('0'+n/1000%10), byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
}
