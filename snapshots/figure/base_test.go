package figure

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestBaseOf(t *testing.T) {
	for adverts, want := range map[int64]string{0: "5-19", 5: "5-19", 19: "5-19", 20: "20-49", 49: "20-49", 50: "50-99",
		99: "50-99", 100: "100-249",
		249: "100-249", 250: "250-999", 999: "250-999", 1000: "1000+", 1_000_000: "1000+"} {
		if got := BaseOf(adverts).Band; got != want {
			t.Errorf("%d adverts are %s, want %s", adverts, got, want)
		}
	}
}

// The margin of every share and band is that of the formula.
func TestMargin(t *testing.T) {
	c := CodingErrors{RandomError: 0.46, SystematicError: 0.05}
	for _, b := range BaseBands {
		for share := Tenths(0); share <= 1000; share++ {
			p, n := float64(share)/1000, float64(b.LowerEnd)
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
	// 12.5 % of 1,000 adverts: 1.96·√(0.109375/1000 + 0.375·0.125/1000) = 2.45 points exactly.
	if got := (CodingErrors{RandomError: 0.375}).Margin(125, BaseOf(1000)); got != 25 {
		t.Errorf("24.5 tenths are rounded to %d", got)
	}
	// 50 % of 1,000 adverts: 1.96·√(0.25/1000 + 0.375·0.5/1000 + 0.25·0.25) = 49.17 points.
	if got := (CodingErrors{RandomError: 0.375, SystematicError: 0.5}).Margin(500, BaseOf(1000)); got != 492 {
		t.Errorf("50 %% with large errors: %d tenths", got)
	}
}

// sampled draws how many of so many adverts ask, with a share, and what coding finds of them: an
// advert that asks is missed or found twice with the rate of its random errors.
func sampled(random *rand.Rand, c CodingErrors, share float64, adverts int64) AdvertSample {
	s := AdvertSample{Adverts: adverts}
	for range adverts {
		if random.Float64() >= share {
			continue
		}
		s.Requiring++
		switch chance := random.Float64(); {
		case chance < c.RandomError/2:
			s.Requiring--
		case chance < c.RandomError:
			s.Requiring++
		}
	}
	s.Requiring = min(s.Requiring, adverts)
	return s
}

// differing is how many of so many pairs of samples of two shares differ.
func differing(random *rand.Rand, c CodingErrors, pairs int, was, is AdvertSample) (differ int) {
	share := func(s AdvertSample) float64 { return float64(s.Requiring) / float64(s.Adverts) }
	for range pairs {
		if c.SharesDiffer(sampled(random, c, share(was), was.Adverts), sampled(random, c, share(is), is.Adverts)) {
			differ++
		}
	}
	return differ
}

// Of two quarters without any change at most 5 % of the skills are called movers, at each base and
// where the bases are unlike, and with shares as adverts have them, most of them small.
func TestQuartersWithoutChange(t *testing.T) {
	c := CodingErrors{RandomError: 0.46, SystematicError: 0.05}
	random := rand.New(rand.NewPCG(1, 2))
	const skills, quarters = 679, 20
	for _, bases := range [][2]int64{{60, 60}, {100, 100}, {250, 250}, {350, 90}, {1000, 1000}, {1000, 60},
		{2500, 2500}} {
		movers := 0
		for skill := range int64(skills) {
			asking := 1000 / (skill + 2) // of 1,000 adverts: one half, one third and so on
			was := AdvertSample{asking * bases[0], 1000 * bases[0]}
			for range quarters {
				first := sampled(random, c, float64(was.Requiring)/float64(was.Adverts), bases[0])
				second := sampled(random, c, float64(was.Requiring)/float64(was.Adverts), bases[1])
				if c.SharesDiffer(first, second) {
					movers++
				}
			}
		}
		share := float64(movers) / float64(skills*quarters)
		t.Logf("%d and %d adverts: %.2f %% of skills that did not change are called movers", bases[0], bases[1],
			100*share)
		if share > 0.05 {
			t.Errorf("%d and %d adverts: %.4f of skills are called movers without a change", bases[0], bases[1], share)
		}
	}
	// The share that a citizen sees first, one fifth, without the many small ones.
	for _, n := range []int64{60, 250, 1000} {
		if got := differing(random, c, 5000, AdvertSample{n, 5 * n}, AdvertSample{n, 5 * n}); got > 5000*6/100 {
			t.Errorf("of %d adverts %d of 5,000 equal pairs differ", 5*n, got)
		}
	}
}

// A true change from 20 to 30 % at a base of 1,000 is called one nine times in ten.
func TestQuartersWithAChange(t *testing.T) {
	c := CodingErrors{RandomError: 0.46, SystematicError: 0.05}
	const pairs = 2000
	found := differing(rand.New(rand.NewPCG(3, 4)), c, pairs, AdvertSample{200, 1000}, AdvertSample{300, 1000})
	t.Logf("%.1f %% of true changes from 20 to 30 %% of 1,000 adverts are found", 100*float64(found)/pairs)
	if found < pairs*9/10 {
		t.Errorf("%d of %d true changes are found", found, pairs)
	}
}

func TestSharesDiffer(t *testing.T) {
	c := CodingErrors{RandomError: 0.46, SystematicError: 0.05}
	for _, test := range []struct {
		a, b AdvertSample
		want bool
	}{
		{AdvertSample{50, 250}, AdvertSample{71, 250}, false}, // 20 and 28.4 %, where chance makes 9.5 points
		{AdvertSample{50, 250}, AdvertSample{78, 250}, true},  // 20 and 31.2 %
		{AdvertSample{0, 20}, AdvertSample{10, 200}, false},   // none of a handful is no zero
		{AdvertSample{0, 300}, AdvertSample{30, 300}, true},
		{AdvertSample{3, 9}, AdvertSample{6, 9}, false},
		{AdvertSample{}, AdvertSample{6, 9}, false},
		{AdvertSample{6, 9}, AdvertSample{}, false},
	} {
		if got := c.SharesDiffer(test.a, test.b); got != test.want {
			t.Errorf("%v and %v differ: %t", test.a, test.b, got)
		}
		if c.SharesDiffer(test.b, test.a) != test.want {
			t.Errorf("%v and %v are not the same the other way round", test.a, test.b)
		}
	}
	if same := (AdvertSample{50_000_000, 100_000_000}); c.SharesDiffer(same, same) {
		t.Error("a share differs from itself")
	}
}

func TestBaseNamed(t *testing.T) {
	for _, want := range BaseBands {
		if got, ok := ParseBase(want.Band); !ok || got != want {
			t.Errorf("%s is %v", want.Band, got)
		}
	}
	if got, ok := ParseBase("12"); ok {
		t.Errorf("12 is %v", got)
	}
}

func TestCodingErrorsValid(t *testing.T) {
	for c, want := range map[CodingErrors]bool{{}: true, {1, 1}: true, {0, 0.5}: true, {-0.001, 0}: false,
		{0, -0.001}: false, {1.001, 0}: false, {0, 1.001}: false} {
		if got := c.IsValid(); got != want {
			t.Errorf("%+v: valid %t, want %t", c, got, want)
		}
	}
}
