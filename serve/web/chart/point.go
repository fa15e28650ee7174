package chart

import (
	"math"

	"labour/snapshots/figure"
)

// Point is one value of a line chart, with its margin of error. If Value is nil, the value is not
// published and the line has a gap.
type Point struct {
	Label  string
	Value  *figure.Tenths
	Margin figure.Tenths // half of the 95 % interval of the value, in tenths of a per cent
	Base   figure.Base   // how many adverts the value is based on, as a band; zero = not known
}

// low returns the lower end of the value's 95 % interval, at least 0. For a value of 100 per cent,
// the margin of error is too small. For such a value, low uses the bound of zeroShareBound if this
// gives a wider interval.
func (p Point) low() figure.Tenths {
	low := *p.Value - p.Margin
	if *p.Value == 1000 {
		low = min(low, 1000-zeroShareBound(p.Base))
	}
	return max(0, low)
}

// high returns the upper end of the value's 95 % interval, at most 100 per cent. For a value of 0,
// the margin of error is too small. For such a value, high uses the bound of zeroShareBound if this
// gives a wider interval.
func (p Point) high() figure.Tenths {
	high := *p.Value + p.Margin
	if *p.Value == 0 {
		high = max(high, zeroShareBound(p.Base))
	}
	return min(1000, high)
}

// hasSmallBase reports whether the value is based on fewer than 20 adverts.
func (p Point) hasSmallBase() bool { return p.Base.LowerEnd > 0 && p.Base.IsUnderTwenty() }

// zeroShareBound returns the upper end of the 95 % interval of a share that is 0 of n adverts. It
// is 1 − 0.05^(1/n), which is about 3/n. n is the smallest number of adverts in the band b. The
// result is 0 if the base is not known.
func zeroShareBound(b figure.Base) figure.Tenths {
	if b.LowerEnd <= 0 {
		return 0
	}
	return figure.Tenths(math.Round(1000 * (1 - math.Pow(0.05, 1/float64(b.LowerEnd)))))
}

// HasSmallSamples reports whether any value of the line is based on fewer than 20 adverts.
func (t LineChart) HasSmallSamples() bool {
	for _, p := range t.Points {
		if p.Value != nil && p.hasSmallBase() {
			return true
		}
	}
	return false
}

// HasZeroOrHundred reports whether any value of the line is 0 or 100 per cent.
func (t LineChart) HasZeroOrHundred() bool {
	for _, p := range t.Points {
		if p.Value != nil && (*p.Value == 0 || *p.Value == 1000) {
			return true
		}
	}
	return false
}
