package skill

import "math"

// The errors of coding, as measured on held-back labels: TestPrintedShares holds that they cover them, and
// README.md in the folder above has the figures. Of a share p of n adverts the variance of what
// coding gets wrong is RandomError·p/n + SystematicError²·p(1−p).
const (
	RandomError     = 0.46 // finds that are wrong or missed in one advert and not in the next
	SystematicError = 0.05 // wordings of a skill that are wrong or missing wherever they stand
)

// confidence is how many standard deviations hold 95 % of normal errors.
const confidence = 1.96

// CodingMargin returns half of the 95 % interval that coding alone leaves around the share p, 0 to 1, of n
// adverts that are found to ask for a skill. Chance of few adverts comes on top of it.
func CodingMargin(p, n float64) float64 {
	return confidence * math.Sqrt(RandomError*p/n+SystematicError*SystematicError*p*(1-p))
}
