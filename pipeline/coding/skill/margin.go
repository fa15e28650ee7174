package skill

// The error rates of recognising skills, measured on hand-labelled adverts. For a share p of n
// adverts, errors add the variance RandomErrorRate·p/n + SystematicErrorRate²·p(1−p).
const (
	// RandomErrorRate is the rate of random errors in recognising skills. A random error occurs in
	// a single advert.
	RandomErrorRate = 0.46
	// SystematicErrorRate is the rate of systematic errors in recognising skills. A systematic
	// error comes from a wrong or missing wording, and affects every advert with the skill.
	SystematicErrorRate = 0.05
)
