package figure

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// TestCountsAreParsedWithTheirStatus: a number and its status must say the same.
func TestCountsAreParsedWithTheirStatus(t *testing.T) {
	number := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		n      *int64
		status Status
		want   string // empty = refused
		says   string
	}{
		{number(0), StatusNumber, "0", ""}, {number(5), StatusNumber, "5", ""}, {nil, StatusUnderFive, "<5", ""}, {nil,
			StatusNotPublished, "null", ""},
		{number(4), StatusNumber, "", "value 4: "}, {number(1), StatusNumber, "", "value 1: "}, {number(-5), StatusNumber,
			"", "value -5: "},
		{nil, StatusNumber, "", "status number without a value"}, {number(7), StatusUnderFive, "",
			`status "under_5" with a value`},
		{number(7), StatusNotPublished, "", `status "" with a value`}, {nil, "hidden", "", `unknown status "hidden"`},
	} {
		got, err := ParseCount(c.n, c.status)
		if c.want != "" && (err != nil || got.String() != c.want) {
			t.Errorf("%v with the status %q: %s, %v; want %s", c.n, c.status, got, err, c.want)
		}
		if c.want == "" && (err == nil || !strings.Contains(err.Error(), c.says) || got != (Count{})) {
			t.Errorf("%v with the status %q: %s, %v; want the error %q", c.n, c.status, got, err, c.says)
		}
	}
}

func TestCountsInJSON(t *testing.T) {
	for text, want := range map[string]string{"null": "null", `"<5"`: `"<5"`, `"\u003c5"`: `"<5"`, "0": "0",
		"12": "12"} {
		var c Count
		if err := c.UnmarshalJSON([]byte(text)); err != nil || string(c.AppendJSON([]byte("x"))) != "x"+want {
			t.Errorf("%s is read as %s, %v; want %s", text, c.AppendJSON(nil), err, want)
		}
	}
	for _, bad := range []string{"3", "-1", `"5"`, "true", "1.5"} {
		c := CountOf(9)
		if err := json.Unmarshal([]byte(bad), &c); err == nil {
			t.Errorf("%s is read as %s, want an error", bad, c)
		}
	}
	c := CountOf(9)
	if err := c.UnmarshalJSON([]byte("3")); !errors.Is(err, ErrSmallNumber) || c != (Count{}) {
		t.Errorf("3 is read as %s, %v", c, err)
	}
	if err := c.UnmarshalJSON([]byte("true")); err == nil || !strings.HasPrefix(err.Error(), "count true: ") {
		t.Errorf("%v, want an error with the text", err)
	}
}

// TestValueOfACount: only a number has one.
func TestValueOfACount(t *testing.T) {
	for n, want := range map[int64]int32{0: 0, 5: 5, 1234: 1234} {
		if got := ValueOf[int32](CountOf(n)); got == nil || *got != want {
			t.Errorf("%d has the value %v, want %d", n, got, want)
		}
	}
	for _, n := range []int64{-1, 1, 4} {
		if got := CountOf(n).Value(); got != nil {
			t.Errorf("%d has the value %d, want none", n, *got)
		}
	}
}

func TestRoundedUpAndDown(t *testing.T) {
	for n, want := range map[int64][2]string{0: {"0", "0"}, 4: {"<5", "<5"}, 5: {"5", "5"}, 6: {"5", "10"},
		9: {"5", "10"}, 10: {"10", "10"}, -1: {"null", "null"}} {
		if down, up := RoundedCount(n, false).String(), RoundedCount(n, true).String(); down != want[0] || up != want[1] {
			t.Errorf("%d is rounded to %s and %s, want %s and %s", n, down, up, want[0], want[1])
		}
	}
}

// TestSharesAtTheirEdges: one half of a step goes up.
func TestSharesAtTheirEdges(t *testing.T) {
	for _, c := range []struct {
		part, whole, step int64
		want              Tenths
	}{{1, 3, 1, 333}, {2, 3, 1, 667}, {1, 2000, 1, 1}, {1, 2001, 1, 0}, {0, 7, 1, 0}, {7, 7, 1, 1000},
		{1, 200, 10, 10}, {1, 201, 10, 0}, {3, 8, 50, 400}, {1, 40, 50, 50}, {1, 41, 50, 0}} {
		if got := ShareInSteps(c.part, c.whole, c.step); got != c.want {
			t.Errorf("%d of %d in steps of %d: %d tenths, want %d", c.part, c.whole, c.step, got, c.want)
		}
		if got := ShareTenths(c.part, c.whole); c.step == 1 && got != c.want {
			t.Errorf("%d of %d: %d tenths, want %d", c.part, c.whole, got, c.want)
		}
	}
}

func TestSamplesAreAddedAndTakenAway(t *testing.T) {
	a, b := AdvertSample{3, 10}, AdvertSample{2, 7}
	if got := a.Union(b); got != (AdvertSample{5, 17}) {
		t.Errorf("both are %+v", got)
	}
	if got := a.Without(b); got != (AdvertSample{1, 3}) {
		t.Errorf("without a part: %+v", got)
	}
	for s, want := range map[AdvertSample]Tenths{{}: 0, {0, 5}: 0, {1, 3}: 333, {3, 3}: 1000} {
		if got := s.Share(); got != want {
			t.Errorf("the share of %+v is %d tenths, want %d", s, got, want)
		}
	}
}

func TestSmallBases(t *testing.T) {
	for adverts, want := range map[int64]bool{5: true, 19: true, 20: false, 1000: false} {
		if got := BaseOf(adverts).IsUnderTwenty(); got != want {
			t.Errorf("a base of %d adverts is under twenty: %t", adverts, got)
		}
	}
}

// TestDifferAtTheEdge holds the smallest difference that counts, by hand: of 250 adverts
// each, 50 and x ask for a skill, p = (50+x)/500, and x/250 - 0.2 - 0.004 must exceed
// 1.96·√((p·(1-p) + r·p)·0.008).
func TestDifferAtTheEdge(t *testing.T) {
	for _, c := range []struct {
		random float64
		from   int64 // the first x that differs
	}{
		{0, 70},    // p = 0.240: 0.076 exceeds 0.0749; at 69 p = 0.238: 0.072 does not exceed 0.0747
		{0.46, 76}, // p = 0.252: 0.100 exceeds 0.0967; at 75 p = 0.250: 0.096 does not exceed 0.0964
		{1, 81},    // p = 0.262: 0.120 exceeds 0.1183; at 80 p = 0.260: 0.116 does not exceed 0.1179
	} {
		coding := CodingErrors{RandomError: c.random}
		first := int64(0)
		for x := int64(51); x < 120 && first == 0; x++ {
			if coding.SharesDiffer(AdvertSample{50, 250}, AdvertSample{x, 250}) {
				first = x
			}
		}
		if first != c.from {
			t.Errorf("with a random error of %v the first that differs is %d, want %d", c.random, first, c.from)
		}
	}
	if got := string(AppendScore(nil, 9)); got != "0.0009" {
		t.Errorf("a score of 9 is %s", got)
	}
	if got := string(AppendScore(nil, 123456789)); got != "12345.6789" {
		t.Errorf("a score of 123456789 is %s", got)
	}
}
