// Package sector assigns a sector to a job advert. The sectors are the fifteen apprenticeship
// routes (official groups of occupations). The route stated by the publisher is used, otherwise the
// one of the occupation code (SOC 2020). Free text is never read. Without either, the sector is
// unknown.
package sector

import (
	_ "embed" // for the tables
	"slices"
	"strings"
)

// The built-in tables: slug, name and other names of each route, and prefixes of SOC 2020 with the
// slug of their route. Tests check that they are complete.
var (
	//go:embed routes.tsv
	routesTSV string
	//go:embed prefixes.tsv
	prefixesTSV string
)

// noRoute marks an occupation that belongs to no apprenticeship route, such as clergy.
const noRoute = "-"

// Sector is one of the fifteen apprenticeship routes.
type Sector struct {
	Slug string // lower case, words joined by hyphens; the value of the parameter `sector`
	Name string // official name
}

// Register maps names of routes, and occupation codes, to sectors. It does not change after loading
// and is safe for concurrent use.
type Register struct {
	sectors  []Sector
	byName   map[string]string // folded name -> slug
	prefixes map[string]string // SOC 2020 prefix -> slug or noRoute
}

// Load returns the built-in register.
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
	slices.SortFunc(r.sectors, func(a, b Sector) int { return strings.Compare(a.Slug, b.Slug) })
	return r
}

// Sectors returns a copy of the sectors, sorted by slug.
func (r *Register) Sectors() []Sector { return slices.Clone(r.sectors) }

// Slugs returns the slugs of the sectors, in the order of Sectors.
func (r *Register) Slugs() (slugs []string) {
	for _, s := range r.sectors {
		slugs = append(slugs, s.Slug)
	}
	return slugs
}

// SectorName returns the official name of the sector with this slug. It returns false if there is none.
func (r *Register) SectorName(slug string) (string, bool) {
	i, ok := slices.BinarySearchFunc(r.sectors, slug,
		func(s Sector, slug string) int { return strings.Compare(s.Slug, slug) })
	if !ok {
		return "", false
	}
	return r.sectors[i].Name, true
}

// ByRoute returns the slug of the route with this name, older name or slug. Case, spaces and
// punctuation are ignored. ok is false if there is none.
func (r *Register) ByRoute(name string) (slug string, ok bool) {
	slug, ok = r.byName[fold(name)]
	return slug, ok
}

// BySOC returns the slug of the sector of an occupation code (SOC 2020) with 2 to 4 digits. ok is
// false if the code is invalid, or its occupations have no sector or different ones.
func (r *Register) BySOC(soc string) (slug string, ok bool) {
	slug, found := r.prefixOf(soc)
	return slug, found && slug != ""
}

// prefixOf returns the sector of a code in the table of prefixes. found reports whether the table
// has the code. slug is "" if the code has no sector.
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

// fold returns the lower-case letters and digits of a name, without spaces. "&" is read as "and".
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

// readTable returns the rows of a table with tabs between the columns. Lines that begin with # are
// skipped.
func readTable(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	return rows
}
