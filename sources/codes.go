package sources

import "regexp"

var (
	areaCodePattern = regexp.MustCompile(`^[EKNSW][0-9]{8}$`)
	yearPattern     = regexp.MustCompile(`^(?:19|20)[0-9]{2}$`)
)

// IsAreaCode reports whether text looks like an ONS area code: one of the letters E, K, N, S and W,
// then eight digits, such as E09000007. It does not check that the area exists.
func IsAreaCode(text string) bool { return areaCodePattern.MatchString(text) }

// IsYear reports whether text is a year from 1900 to 2099.
func IsYear(text string) bool { return yearPattern.MatchString(text) }
