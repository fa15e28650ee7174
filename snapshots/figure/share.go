package figure

// Tenths is a percentage in tenths of a per cent: 123 is 12.3 %.
type Tenths int64

// MaxTenths is the largest percentage that a column has room for, 99,999.9 %. A change
// beyond it is not printed.
const MaxTenths Tenths = 999_999

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

// AppendTenths appends a percentage with exactly one decimal: "12.3", "-4.0".
func AppendTenths(b []byte, t Tenths) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = appendInt(b, int64(t)/10)
	return append(b, '.', byte('0'+t%10))
}

// AppendScore appends adverts_share_pct × people_below_share_pct / 100 of the printed values,
// given in ten-thousandths and so exact, with four decimals: "13.5975". It reads as how many of
// every 100 advert-person pairings are an advert asking for the skill and a person who does
// not yet meet it.
func AppendScore(b []byte, n int64) []byte {
	b = appendInt(b, n/10_000)
	return append(b, '.', byte('0'+n/1000%10), byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
}

func appendInt(b []byte, n int64) []byte {
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, byte('0'+n%10))
}
