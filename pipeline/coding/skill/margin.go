package skill

// The errors of coding, as measured on held-back labels: TestPrintedShares holds that they cover them, and
// README.md in the folder above has the figures. Of a share p of n adverts the variance of what
// coding gets wrong is RandomError·p/n + SystematicError²·p(1−p).
const (
	RandomError     = 0.46 // finds that are wrong or missed in one advert and not in the next
	SystematicError = 0.05 // wordings of a skill that are wrong or missing everywhere
)
