package skill

// The error rates of recognising skills, measured on hand-labelled adverts. For a share p of n
// adverts, errors add the variance RandomErrorRate·p/n + SystematicErrorRate²·p(1−p).
const (
	// RandomErrorRate is the rate of errors in recognising skills that occur in single adverts.
	RandomErrorRate = 0.46
	// SystematicErrorRate is the rate of errors in recognising skills that come from wrong or missing
	// wordings, which affect every advert with the skill.
	SystematicErrorRate = 0.05
)
