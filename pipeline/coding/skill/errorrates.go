package skill

// The error rates of recognising skills, measured on hand-labelled adverts. For a share p of n
// adverts, errors add the variance RandomErrorRate·p/n + SystematicErrorRate²·p(1−p).
const (
	// RandomErrorRate is the measured rate of recognition errors that affect single adverts
	// independently. They increase the variance of a share p of n adverts by RandomErrorRate·p/n.
	RandomErrorRate = 0.46
	// SystematicErrorRate is the measured rate of recognition errors that affect every advert with
	// a skill. Their cause is a wrong or missing wording of the skill. They increase the variance
	// of a share p of adverts by SystematicErrorRate²·p(1−p).
	SystematicErrorRate = 0.05
)
