package figure

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestCountTokens(t *testing.T) {
	for n, want := range map[int64]string{-3: "null", 0: "0", 1: "<5", 4: "<5", 5: "5", 1234: "1234"} {
		if got := CountOf(n).String(); got != want {
			t.Errorf("CountOf(%d) = %s, want %s", n, got, want)
		}
	}
	if got := (Count{}).String(); got != "null" {
		t.Errorf("zero value prints %s, want null", got)
	}
}

// TestRoundedCount holds both ways of rounding against the multiples of 5 around a number.
func TestRoundedCount(t *testing.T) {
	for n := int64(-1); n < 40; n++ {
		down, up := RoundedCount(n, false), RoundedCount(n, true)
		if n < SmallestShown {
			if down != CountOf(n) || up != CountOf(n) {
				t.Errorf("%d prints %v and %v, want %v", n, down, up, CountOf(n))
			}
			continue
		}
		above := n
		for above%RoundingStep != 0 {
			above++
		}
		below := above
		if above != n {
			below -= RoundingStep
		}
		if down != CountOf(below) || up != CountOf(above) {
			t.Errorf("%d prints %v and %v, want %d and %d", n, down, up, below, above)
		}
	}
}

func TestCountNeverHoldsSmall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-10, 10).Draw(t, "n")
		if got, ok := CountOf(n).Number(); ok && (got < 0 || got > 0 && got < 5) {
			t.Fatalf("CountOf(%d) shows %d", n, got)
		}
		_, err := ParseCount(&n, StatusNumber)
		if small := n < 0 || n > 0 && n < 5; small != errors.Is(err, ErrSmallNumber) {
			t.Fatalf("ParseCount(%d) = %v", n, err)
		}
	})
}

func TestCountRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := CountOf(rapid.Int64Range(-1, 1000).Draw(t, "n"))
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var back Count
		if err := json.Unmarshal(b, &back); err != nil || back != c {
			t.Fatalf("%v came back from %s as %v, %v", c, b, back, err)
		}
		if again, err := ParseCount(c.Value(), c.Status()); err != nil || again != c {
			t.Fatalf("%v parsed back as %v, %v", c, again, err)
		}
	})
}

// roundHalfAway is the oracle: num/den rounded half away from zero, in rationals.
func roundHalfAway(num, den int64) int64 {
	r := new(big.Rat).SetFrac64(num, den)
	r.Add(r, big.NewRat(1, 2))
	return new(big.Int).Div(r.Num(), r.Denom()).Int64()
}

func TestSharesAgainstRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.Int64Range(1, 5_000_000).Draw(t, "whole")
		part := rapid.Int64Range(0, whole).Draw(t, "part")
		step := rapid.SampledFrom([]int64{1, 10, 50}).Draw(t, "step")
		if got, want := int64(ShareTenths(part, whole)), roundHalfAway(part*1000, whole); got != want {
			t.Fatalf("ShareTenths(%d, %d) = %d, want %d", part, whole, got, want)
		}
		if got, want := int64(ShareInSteps(part, whole, step)), step*roundHalfAway(part*1000, whole*step); got != want {
			t.Fatalf("ShareInSteps(%d, %d, %d) = %d, want %d", part, whole, step, got, want)
		}
	})
}

func TestScore(t *testing.T) {
	for v, want := range map[[2]Tenths]string{{175, 777}: "13.5975", {123, 450}: "5.5350", {0, 450}: "0.0000",
		{1000, 1000}: "100.0000", {1, 1}: "0.0001"} {
		if got := string(AppendScore(nil, int64(v[0]*v[1]))); got != want {
			t.Errorf("score of %v = %s, want %s", v, got, want)
		}
	}
	for v, want := range map[Tenths]string{0: "0.0", 7: "0.7", 1000: "100.0", -45: "-4.5"} {
		if got := string(AppendTenths(nil, v)); got != want {
			t.Errorf("AppendTenths(%d) = %s, want %s", v, got, want)
		}
	}
}

// Number is a number only where one is printed.
func TestStatusNumber(t *testing.T) {
	for n, want := range map[int64]bool{-1: false, 0: true, 4: false, 5: true} {
		if got, ok := CountOf(n).Number(); ok != want || ok && got != n {
			t.Errorf("%d: %d, %t", n, got, ok)
		}
	}
}

// TestWholePercent: halves are rounded up, and only all of it is 100.
func TestWholePercent(t *testing.T) {
	for _, c := range []struct{ part, total, want int64 }{{0, 5, 0}, {1, 8, 13}, {1, 3, 33}, {2, 3, 67}, {1, 2, 50},
		{197, 200, 99}, {199, 200, 99}, {999, 1000, 99}, {200, 200, 100}} {
		if got := WholePercent(c.part, c.total); got != c.want {
			t.Errorf("%d of %d are %d %%, want %d", c.part, c.total, got, c.want)
		}
	}
}
