// Package sector has the sectors of vacancies: the fifteen apprenticeship routes. A sector comes
// from the route that a source states, or from the occupation (SOC 2020) through a built-in table
// of prefixes. Free text is never read: department names differ from employer to employer, and a
// title leads to its sector through its occupation. A vacancy without a route stays unknown.
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

// noRoute marks a prefix whose occupations have no route (elected representatives, betting, clergy,
// players of sport).
const noRoute = "-"

// Sector is one apprenticeship route.
type Sector struct {
	Slug string // lower case, words joined by hyphens; the value of the parameter `sector`
	Name string // official name
}

// Register maps names and occupations to sectors. It does not change after loading, so any number
// of goroutines may share it.
type Register struct {
	sectors  []Sector
	byName   map[string]string // folded name -> slug
	prefixes map[string]string // SOC 2020 prefix -> slug or noRoute
}

// Load reads the built-in tables.
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

// All returns the sectors sorted by slug. The slice is the caller's own.
func (r *Register) All() []Sector { return slices.Clone(r.sectors) }

// Slugs returns the slugs of the sectors, in the order of All.
func (r *Register) Slugs() (slugs []string) {
	for _, s := range r.sectors {
		slugs = append(slugs, s.Slug)
	}
	return slugs
}

// Name returns the official name of a slug.
func (r *Register) Name(slug string) (string, bool) {
	i, ok := slices.BinarySearchFunc(r.sectors, slug,
		func(s Sector, slug string) int { return strings.Compare(s.Slug, slug) })
	if !ok {
		return "", false
	}
	return r.sectors[i].Name, true
}

// ByRoute returns the slug of a route by its name, an older name or its slug. Case, spaces,
// punctuation and "&" for "and" do not matter.
func (r *Register) ByRoute(name string) (slug string, ok bool) {
	slug, ok = r.byName[fold(name)]
	return slug, ok
}

// BySOC returns the slug of the route of a SOC 2020 group with 2 to 4 digits. ok is false for texts
// that are not a SOC code, for occupations without a route, and for groups whose unit groups have
// different routes. The longest matching prefix of the table decides.
func (r *Register) BySOC(soc string) (slug string, ok bool) {
	slug, found := r.prefixOf(soc)
	return slug, found && slug != ""
}

// prefixOf returns the route of a code, and reports whether the table has a line for the code. The
// slug is empty if that line has no route.
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

// fold keeps letters and digits in lower case and writes "&" as "and". Names of sectors are compared
// without spaces, so that "health care" and "Healthcare" are one.
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

// readTable splits the lines of a table; lines that begin with # are comments.
func readTable(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	return rows
}
