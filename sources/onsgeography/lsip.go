package onsgeography

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

//go:embed lsip.tsv
var lsipTSV string

// lsipSlugs are the slugs of the local skills improvement plan areas that have
// existed, by code. The codes outlive their names (on 29 September 2025
// "Brighton and Hove, East Sussex, West Sussex" became "Sussex and Brighton"
// under the same code), so an area has the slug of its code whatever a list calls
// it. An area that ended and whose name went to a new one has the year added.
var lsipSlugs = sync.OnceValue(func() map[string]string {
	slugs := map[string]string{}
	for line := range strings.Lines(lsipTSV) {
		code, slug, _ := strings.Cut(strings.TrimSpace(line), "\t")
		slugs[code] = slug
	}
	return slugs
})

// Slug is the slug of a local skills improvement plan area: the fixed one of its
// code, or, for a code that is newer than this program, its name in lower case
// without accents, words joined by hyphens.
func Slug(code, name string) string {
	if s, ok := lsipSlugs()[code]; ok {
		return s
	}
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), name)
	if err != nil {
		plain = name
	}
	return strings.Join(strings.FieldsFunc(strings.ToLower(plain), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
}
