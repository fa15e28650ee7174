package skill

// The error rates of coding, as measured on held-out labels. TestPrintedShares checks that they
// cover the measured errors, and README.md in the folder above has the figures. For a share p of n
// adverts the variance due to coding errors is RandomError·p/n + SystematicError²·p(1−p).
const (
	RandomError     = 0.46 // errors in single adverts
	SystematicError = 0.05 // wordings of a skill that are wrong or missing everywhere
)
