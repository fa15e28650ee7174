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

// IsSlug reports whether a text is a slug: words of lower-case letters and digits, joined by
// hyphens.
func IsSlug(text string) bool { return slugPattern.MatchString(text) }

// IsID reports whether a text is a valid id in a configuration: words of lower-case letters and
// digits, joined by underscores.
func IsID(text string) bool { return idPattern.MatchString(text) }

// MakeSlug returns the slug of a name, without accents and apostrophes: bristol-city-of for "Bristol,
// City of", kings-lynn for "King's Lynn".
func MakeSlug(name string) string {
	letters := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, norm.NFKD.String(name))
	return strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(letters), "-"), "-")
}
