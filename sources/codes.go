package sources

import "regexp"

var (
	areaCodePattern = regexp.MustCompile(`^[EKNSW][0-9]{8}$`)
	socPattern      = regexp.MustCompile(`^[1-9][0-9]{0,3}$`)
	yearPattern     = regexp.MustCompile(`^(?:19|20)[0-9]{2}$`)
)

// IsAreaCode reports whether a text has the form of a national statistics code of an area, such as
// E09000007. K is the first letter of areas in several nations.
func IsAreaCode(text string) bool { return areaCodePattern.MatchString(text) }

// IsSOC reports whether a text has the form of a code of SOC 2020: 1 digit for a major group, up to 4
// digits for a unit group.
func IsSOC(text string) bool { return socPattern.MatchString(text) }

// IsYear reports whether a text is a year from 1900 to 2099.
func IsYear(text string) bool { return yearPattern.MatchString(text) }
