package figure

import "math"

// Base is how many adverts a share rests on, in bands: "The number itself is not published".
type Base struct {
	Band   string // as printed
	Lowest int64  // lower end of the band
}

// Bases lists the bands, the largest first.
var Bases = []Base{{"1000+", 1000}, {"250-999", 250}, {"100-249", 100}, {"50-99", 50}, {"20-49", 20}, {"5-19", 5}}

// BaseOf is the band of a number of adverts, at least 5.
func BaseOf(adverts int64) Base {
	for _, b := range Bases {
		if adverts >= b.Lowest {
			return b
		}
	}
	return Bases[len(Bases)-1]
}

// BaseNamed is the band that is printed as that text.
func BaseNamed(band string) (b Base, ok bool) {
	for _, b := range Bases {
		if b.Band == band {
			return b, true
		}
	}
	return Base{}, false
}

// CodingErrors are the errors of coding adverts as measured on held-back labels. Of a share p of
// n adverts the variance of what coding gets wrong is RandomError·p/n + SystematicError²·p(1−p).
// Three decimals of each count.
type CodingErrors struct {
	RandomError     float64 `json:"random_error"`
	SystematicError float64 `json:"systematic_error"`
}

// Valid reports whether both constants are such as a measurement gives: from 0 to 1.
func (c CodingErrors) Valid() bool {
	return c.RandomError >= 0 && c.RandomError <= 1 && c.SystematicError >= 0 && c.SystematicError <= 1
}

// Margin is half of the 95 % interval of a share of the adverts of a band, in tenths of a point:
// 1.96·√(p(1−p)/n + 0.46·p/n + 0.05²·p(1−p)) × 100 with the constants as measured and n the lower
// end of the band, so that it tells no more than the band. It is exact, half away from zero.
func (c CodingErrors) Margin(share Tenths, b Base) Tenths {
	const confidence = 196 // hundredths of standard deviations that hold 95 % of normal errors
	random, systematic := int64(math.Round(1000*c.RandomError)), int64(math.Round(1000*c.SystematicError))
	p, n := int64(share), b.Lowest
	both := p * (1000 - p)
	// The square of the margin in tenths is confidence² × variance / (10⁶·10⁴·n).
	square := confidence * confidence * (1_000_000*both + 1_000_000*random*p + systematic*systematic*both*n)
	unit := 10_000_000_000 * n
	m := int64(math.Sqrt(float64(square) / float64(unit)))
	for (2*m+1)*(2*m+1)*unit <= 4*square { // m + ½ is not above the margin
		m++
	}
	for m > 0 && (2*m-1)*(2*m-1)*unit > 4*square {
		m--
	}
	return Tenths(m)
}

// Differ reports whether two shares of adverts differ by more than chance and the random errors
// of coding explain 95 times in 100: by more than 1.96·√(v₁+v₂), where v is
// p(1−p)/n + RandomError·p/n and n the lower end of the share's band. The systematic error is left
// out, since coding makes it in both shares.
func (c CodingErrors) Differ(a Tenths, of Base, b Tenths, other Base) bool {
	difference := float64(a-b) / 1000
	return math.Abs(difference) > 1.96*math.Sqrt(c.chance(a, of)+c.chance(b, other))
}

// chance is the variance of a share that differs from sample to sample.
func (c CodingErrors) chance(share Tenths, b Base) float64 {
	p, n := float64(share)/1000, float64(b.Lowest)
	return p*(1-p)/n + c.RandomError*p/n
}
