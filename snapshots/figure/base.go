package figure

import "math"

// Base is a band, such as "20-49", that contains the number of adverts behind a share. The exact
// number is not published.
type Base struct {
	Band     string // the band as printed, such as "20-49"
	LowerEnd int64  // smallest number of adverts in the band
}

// BaseBands lists the bands in which a base (the number of adverts behind a share) is published.
// The largest band comes first.
var BaseBands = []Base{{"1000+", 1000}, {"250-999", 250}, {"100-249", 100}, {"50-99", 50}, {"20-49", 20}, {"5-19", 5}}

// IsUnderTwenty reports whether the band is "5-19" adverts, which is too few for a reliable share.
func (b Base) IsUnderTwenty() bool { return b.LowerEnd < 20 }

// BaseOf returns the band that contains a number of adverts, such as "20-49" for 30. The number
// must be at least 5.
func BaseOf(adverts int64) Base {
	for _, b := range BaseBands {
		if adverts >= b.LowerEnd {
			return b
		}
	}
	return BaseBands[len(BaseBands)-1]
}

// ParseBase returns the band for a printed text such as "20-49". ok is false if there is no such
// band.
func ParseBase(band string) (b Base, ok bool) {
	for _, b := range BaseBands {
		if b.Band == band {
			return b, true
		}
	}
	return Base{}, false
}

// Z95 is 1.96, the z-score of a two-sided 95 % interval.
const Z95 = 1.96

// CodingErrors holds the measured error rates of coding, which assigns skills to adverts. Both
// rates are from 0 to 1 and are used with three decimals. Coding errors add RandomError·p/n +
// SystematicError²·p(1−p) to the variance of a share p of n adverts.
type CodingErrors struct {
	RandomError     float64 `json:"random_error"`
	SystematicError float64 `json:"systematic_error"`
}

// IsValid reports whether both error rates of coding adverts are from 0 to 1.
func (c CodingErrors) IsValid() bool {
	return isRate(c.RandomError) && isRate(c.SystematicError)
}

func isRate(r float64) bool { return r >= 0 && r <= 1 }

// Margin returns half of the 95 % interval of a share of adverts, in tenths of a percentage point,
// rounded half away from zero. The formula is 1.96·√(p(1−p)/n + RandomError·p/n +
// SystematicError²·p(1−p)) × 100. Here n is the lower end of the base's band, so that the margin
// discloses no more than the band.
func (c CodingErrors) Margin(share Tenths, b Base) Tenths {
	const confidence = int64(100 * Z95)
	random, systematic := int64(math.Round(1000*c.RandomError)), int64(math.Round(1000*c.SystematicError))
	p, n := int64(share), b.LowerEnd
	both := p * (1000 - p)
	// The square of the margin in tenths is confidence² × variance / (10⁶·10⁴·n).
	square := confidence * confidence * (1_000_000*both + 1_000_000*random*p + systematic*systematic*both*n)
	unit := 10_000_000_000 * n
	m := int64(math.Sqrt(float64(square) / float64(unit))) // rounded down, which may be one too low
	if (2*m+1)*(2*m+1)*unit <= 4*square {                  // m + ½ is not above the margin
		m++
	}
	return Tenths(m)
}

// AdvertSample holds the number of adverts in a sample, and the number of those that require a
// skill. The numbers are used in significance tests and never published.
type AdvertSample struct {
	Requiring, Adverts int64
}

// Union returns both samples of adverts as one. The two samples must have no advert in common.
func (s AdvertSample) Union(o AdvertSample) AdvertSample {
	return AdvertSample{s.Requiring + o.Requiring, s.Adverts + o.Adverts}
}

// Without returns the sample without the adverts of part, which must be a subset of the sample.
func (s AdvertSample) Without(part AdvertSample) AdvertSample {
	return AdvertSample{s.Requiring - part.Requiring, s.Adverts - part.Adverts}
}

// Share returns the share of adverts in the sample that require the skill, from 0 to 100 per cent.
// It returns 0 if the sample has no adverts.
func (s AdvertSample) Share() Tenths {
	if s.Adverts == 0 {
		return 0
	}
	return ShareTenths(s.Requiring, s.Adverts)
}

// SharesDiffer reports whether the shares of two samples of adverts differ significantly at the 95
// % level. It returns false if a sample has no adverts.
//
// The shares must differ by more than 1.96·√(v₁+v₂). For each sample, v is (p(1−p) +
// RandomError·p)/n, where n is the size of the sample and p the share in both samples together. The
// difference is first reduced by 1/(2n₁) + 1/(2n₂) (continuity correction). The systematic error is
// left out, because it is the same in both samples.
func (c CodingErrors) SharesDiffer(a, b AdvertSample) bool {
	if a.Adverts <= 0 || b.Adverts <= 0 {
		return false
	}
	both := a.Union(b)
	p := float64(both.Requiring) / float64(both.Adverts)
	chance := p*(1-p) + c.RandomError*p // variance for one advert
	eachOne := 1/float64(a.Adverts) + 1/float64(b.Adverts)
	difference := float64(a.Requiring)/float64(a.Adverts) - float64(b.Requiring)/float64(b.Adverts)
	half := eachOne / 2 // Yates's continuity correction: numbers of adverts are whole numbers
	return math.Abs(difference)-half > Z95*math.Sqrt(chance*eachOne)
}
