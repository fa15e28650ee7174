package chart

import (
	"math"

	"labour/snapshots/figure"
)

// Point is one value of a line. A nil value is not published and breaks the line.
type Point struct {
	Label  string
	Value  *figure.Tenths
	Margin figure.Tenths // half of the 95 % interval of the value
	Base   figure.Base   // base of the value; the zero base = not known
}

// low and high return the ends of the 95 % interval of a value, within 0 and 100 per cent. A share
// of zero has no printed margin. Its upper end is the largest share with which none of the adverts
// would require the skill in 5 of 100 cases, with the lower end of the band as the number of
// adverts. The lower end of a share of 100 per cent is calculated in the same way, unless its
// margin is wider.
func (p Point) low() figure.Tenths {
	low := *p.Value - p.Margin
	if *p.Value == 1000 {
		low = min(low, 1000-unseen(p.Base))
	}
	return max(0, low)
}

func (p Point) high() figure.Tenths {
	high := *p.Value + p.Margin
	if *p.Value == 0 {
		high = max(high, unseen(p.Base))
	}
	return min(1000, high)
}

// few reports whether a value is based on fewer than 20 adverts.
func (p Point) few() bool { return p.Base.Lowest > 0 && p.Base.UnderTwenty() }

// unseen returns the 95 % bound of a share if none of n adverts has a case: 1 − 0.05^(1/n), about
// 3/n, with n the lower end of the band. It is 0 if the base is not known.
func unseen(b figure.Base) figure.Tenths {
	if b.Lowest <= 0 {
		return 0
	}
	return figure.Tenths(math.Round(1000 * (1 - math.Pow(0.05, 1/float64(b.Lowest)))))
}

// Few reports whether any value of the line is based on fewer than 20 adverts. Such values are drawn as
// squares.
func (t Trend) Few() bool {
	for _, p := range t.Points {
		if p.Value != nil && p.few() {
			return true
		}
	}
	return false
}

// Ends reports whether a value of the line is 0 or 100 per cent.
func (t Trend) Ends() bool {
	for _, p := range t.Points {
		if p.Value != nil && (*p.Value == 0 || *p.Value == 1000) {
			return true
		}
	}
	return false
}
