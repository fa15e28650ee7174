package sources

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

var (
	slugPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	idPattern   = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)
	notInSlug   = regexp.MustCompile(`[^a-z0-9]+`)
)

// IsSlug reports whether a text is a slug: lower-case letters and digits, in words joined by hyphens.
func IsSlug(text string) bool { return slugPattern.MatchString(text) }

// IsID reports whether a text can name an entry of a source in the configuration: lower-case letters and
// digits, in words joined by underscores.
func IsID(text string) bool { return idPattern.MatchString(text) }

// SlugOf returns the slug of a name, without accents and apostrophes: that of "Bristol, City of" is
// bristol-city-of, that of "King's Lynn" is kings-lynn.
func SlugOf(name string) string {
	letters := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, norm.NFKD.String(name))
	return strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(letters), "-"), "-")
}
