package sources

import (
	"fmt"
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

// IsSlug reports whether text is a slug, such as "kings-lynn": words of lower-case letters and
// digits, joined by hyphens.
func IsSlug(text string) bool { return slugPattern.MatchString(text) }

// IsConfigID reports whether text is a valid id in a configuration, such as "kings_lynn": words of
// lower-case letters and digits, joined by underscores.
func IsConfigID(text string) bool { return idPattern.MatchString(text) }

// CheckConfigID returns an error if text is not a valid id in a configuration (IsConfigID).
func CheckConfigID(text string) error {
	if !IsConfigID(text) {
		return fmt.Errorf("id %q must be lower-case letters, digits and underscores", text)
	}
	return nil
}

// MakeSlug returns the slug of a name, without accents and apostrophes. For example, "King's Lynn"
// gives "kings-lynn". Slugs are published, so they do not share the normalisation of names for
// coding, which may change.
func MakeSlug(name string) string {
	letters := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, norm.NFKD.String(name))
	return strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(letters), "-"), "-")
}
