package figure

// Tenths is a percentage in tenths of a per cent: 123 is 12.3 %.
type Tenths int64

// ShareTenths is part / whole as a percentage with one decimal, half away from
// zero. whole must be positive, part must not be negative.
func ShareTenths(part, whole int64) Tenths {
	return Tenths((2*part*1000 + whole) / (2 * whole))
}

// ShareStep is part / whole as a percentage rounded to whole steps of step
// tenths (1 = 0.1 %, 10 = 1 %, 50 = 5 %), half away from zero.
func ShareStep(part, whole, step int64) Tenths {
	units := (2*part*1000 + whole*step) / (2 * whole * step)
	return Tenths(units * step)
}

// ScoreHundredths is adverts_share_pct × people_below_share_pct / 100 of the
// printed values, in hundredths, half away from zero. It reads as how many of
// every 100 advert-person pairings are an advert asking for the skill and a
// person who does not yet meet it.
func ScoreHundredths(adverts, people Tenths) int64 {
	return (int64(adverts)*int64(people) + 50) / 100
}

// AppendTenths appends a percentage with exactly one decimal: "12.3", "-4.0".
func AppendTenths(b []byte, t Tenths) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = appendInt(b, int64(t)/10)
	return append(b, '.', byte('0'+t%10))
}

// AppendHundredths appends a score with exactly two decimals: "5.54".
func AppendHundredths(b []byte, h int64) []byte {
	if h < 0 {
		b, h = append(b, '-'), -h
	}
	b = appendInt(b, h/100)
	return append(b, '.', byte('0'+h/10%10), byte('0'+h%10))
}

func appendInt(b []byte, n int64) []byte {
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, byte('0'+n%10))
}
