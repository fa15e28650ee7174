// Package sector assigns a sector to a job advert. The sectors are the fifteen apprenticeship
// routes, which are official groups of occupations. If the publisher states a route, that is the
// sector. Otherwise the occupation code (SOC 2020) determines the sector. An advert with neither has
// an unknown sector. Free text is never read.
package sector

import (
	_ "embed" // for the tables
	"slices"
	"strings"
)

// The built-in tables: the slug and names of each apprenticeship route, and the route of each
// prefix of SOC 2020 codes. Tests check that they are complete.
var (
	// routesTSV lists the slug, the official name and other names of each apprenticeship route.
	//
	//go:embed routes.tsv
	routesTSV string
	// prefixesTSV lists first digits of SOC 2020 codes, each with the slug of a route.
	//
	//go:embed prefixes.tsv
	prefixesTSV string
)

// noRoute marks an occupation that is in no apprenticeship route, such as clergy.
const noRoute = "-"

// Sector is one of the fifteen sectors of the service. They are the official apprenticeship routes.
type Sector struct {
	// name in lower case with hyphens, such as engineering-and-manufacturing; value of the API's
	// parameter `sector`
	Slug string
	Name string // official name of the apprenticeship route
}

// Register finds the sector for the name of an apprenticeship route or for an occupation code. It
// does not change after loading and is safe for concurrent use.
type Register struct {
	sectors []Sector
	byName  map[string]string // slug of each route, by its names in lower case without spaces
	// slug of the route, or noRoute if there is none, by the first digits of SOC 2020 codes
	prefixes map[string]string
}

// Load returns the built-in register of sectors.
func Load() *Register {
	r := &Register{byName: map[string]string{}, prefixes: map[string]string{}}
	for _, row := range readTable(routesTSV) {
		s := Sector{Slug: row[0], Name: row[1]}
		r.sectors = append(r.sectors, s)
		for _, name := range append([]string{s.Name}, strings.Split(row[2], "|")...) {
			r.byName[fold(name)] = s.Slug
		}
	}
	for _, row := range readTable(prefixesTSV) {
		r.prefixes[row[0]] = row[1]
	}
	return r
}

// Sectors returns a copy of the list of sectors, sorted by slug.
func (r *Register) Sectors() []Sector { return slices.Clone(r.sectors) }

// Slugs returns the slugs of all sectors, sorted.
func (r *Register) Slugs() (slugs []string) {
	for _, s := range r.sectors {
		slugs = append(slugs, s.Slug)
	}
	return slugs
}

// SectorName returns the official name of the sector with the given slug. It returns false if there
// is no such sector.
func (r *Register) SectorName(slug string) (string, bool) {
	i, ok := slices.BinarySearchFunc(r.sectors, slug,
		func(s Sector, slug string) int { return strings.Compare(s.Slug, slug) })
	if !ok {
		return "", false
	}
	return r.sectors[i].Name, true
}

// SlugOfRoute returns the slug of the apprenticeship route with the given name or slug. It also
// knows older and other names. It compares only ASCII letters and digits, ignores case, and reads
// "&" as "and". ok is false if there is no such route.
func (r *Register) SlugOfRoute(name string) (slug string, ok bool) {
	slug, ok = r.byName[fold(name)]
	return slug, ok
}

// SlugOfSOC returns the slug of the sector of an occupation. soc is a SOC 2020 code of 2 to 4
// digits. ok is false if the code is not valid, or if its occupations have no sector or different
// ones.
func (r *Register) SlugOfSOC(soc string) (slug string, ok bool) {
	slug, found := r.prefixOf(soc)
	return slug, found && slug != ""
}

// prefixOf returns the slug of the sector for an occupation code of 2 to 4 digits. It looks for the
// longest prefix of the code in a table. slug is "" if the occupation has no sector. found is false
// if the code is not valid or not in the table. It is also false if longer codes have other
// sectors.
func (r *Register) prefixOf(soc string) (slug string, found bool) {
	if len(soc) < 2 || len(soc) > 4 || strings.Trim(soc, "0123456789") != "" {
		return "", false
	}
	for n := len(soc); n > 0 && !found; n-- {
		slug, found = r.prefixes[soc[:n]]
	}
	for prefix, other := range r.prefixes {
		if len(soc) < 4 && strings.HasPrefix(prefix, soc) && other != slug {
			return "", false
		}
	}
	if slug == noRoute {
		slug = ""
	}
	return slug, found
}

// fold returns the ASCII letters and digits of a name, in lower case. It replaces "&" with "and".
// Names of sectors are compared without spaces, so that "health care" and "Healthcare" are equal.
func fold(name string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(name) {
		switch {
		case c == '&':
			b.WriteString("and")
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b.WriteRune(c)
		}
	}
	return b.String()
}

// readTable returns the rows of a tab-separated table. It skips lines that begin with #.
func readTable(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	return rows
}
