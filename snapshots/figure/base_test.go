package figure

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestBaseOf(t *testing.T) {
	for adverts, want := range map[int64]string{5: "5-19", 19: "5-19", 20: "20-49", 49: "20-49", 50: "50-99", 99: "50-99", 100: "100-249",
		249: "100-249", 250: "250-999", 999: "250-999", 1000: "1000+", 1_000_000: "1000+"} {
		if got := BaseOf(adverts).Band; got != want {
			t.Errorf("%d adverts are %s, want %s", adverts, got, want)
		}
	}
}

// The margin of every share and band is that of the formula.
func TestMargin(t *testing.T) {
	c := CodingErrors{RandomError: 0.46, SystematicError: 0.05}
	for _, b := range Bases {
		for share := Tenths(0); share <= 1000; share++ {
			p, n := float64(share)/1000, float64(b.Lowest)
			want := 1000 * 1.96 * math.Sqrt(p*(1-p)/n+c.RandomError*p/n+c.SystematicError*c.SystematicError*p*(1-p))
			got := c.Margin(share, b)
			if math.Abs(float64(got)-want) > 0.5+1e-9 {
				t.Fatalf("%d of %s: %d, want %f", share, b.Band, got, want)
			}
		}
	}
	// 20 % of 1,000 adverts: 1.96·√(0.16/1000 + 0.46·0.2/1000 + 0.0025·0.16) = 5.003 points.
	if got := c.Margin(200, BaseOf(1000)); got != 50 {
		t.Errorf("20 %% of 1,000: %d tenths", got)
	}
	if got := c.Margin(667, BaseOf(9)); got != 639 {
		t.Errorf("66.7 %% of nine: %d tenths", got)
	}
	if got := c.Margin(0, BaseOf(5)); got != 0 {
		t.Errorf("0 %%: %d tenths", got)
	}
}

// Two samples of one share seldom differ, and those of 20 and 30 % of 1,000 adverts nearly always do.
func TestDiffer(t *testing.T) {
	c := CodingErrors{SystematicError: 0.05}
	random := rand.New(rand.NewPCG(1, 2))
	sample := func(p float64, n int64) (asking Tenths) {
		var count int64
		for range n {
			if random.Float64() < p {
				count++
			}
		}
		return ShareTenths(count, n)
	}
	differ := func(p, q float64, b Base) (share float64) {
		const rounds = 2000
		for range rounds {
			if c.Differ(sample(p, b.Lowest), b, sample(q, b.Lowest), b) {
				share += 1. / rounds
			}
		}
		return share
	}
	for _, b := range []Base{BaseOf(100), BaseOf(250), BaseOf(1000)} {
		if got := differ(0.2, 0.2, b); got > 0.07 {
			t.Errorf("of %s adverts %.3f of equal pairs differ", b.Band, got)
		}
	}
	if got := differ(0.2, 0.3, BaseOf(1000)); got < 0.95 {
		t.Errorf("only %.3f of unequal pairs differ", got)
	}
	// 1.96·√(2·(0.16+0.46·0.2)/250) is 8.8 points at 20 % of 250 adverts on both sides.
	c.RandomError = 0.46
	if c.Differ(200, BaseOf(250), 285, BaseOf(250)) || !c.Differ(200, BaseOf(250), 310, BaseOf(250)) {
		t.Error("8.5 points of 20 % are chance and 11 are not")
	}
}

func TestBaseNamed(t *testing.T) {
	for _, want := range Bases {
		if got, ok := BaseNamed(want.Band); !ok || got != want {
			t.Errorf("%s is %v", want.Band, got)
		}
	}
	if got, ok := BaseNamed("12"); ok {
		t.Errorf("12 is %v", got)
	}
}
