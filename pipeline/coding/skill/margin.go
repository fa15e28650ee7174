package skill

// The error rates of recognising skills, measured on hand-labelled adverts. For a share p of n
// adverts, errors add the variance RandomError·p/n + SystematicError²·p(1−p).
const (
	// RandomError is the rate of errors in recognising skills that occur in single adverts.
	RandomError = 0.46
	// SystematicError is the rate of errors in recognising skills that come from wrong or missing
	// wordings, which affect every advert with the skill.
	SystematicError = 0.05
)
