// Package sector names the sectors that vacancies are counted in: the fifteen apprenticeship
// routes. A sector comes from the route that a source states, or from the occupation (SOC 2020)
// through an embedded table of prefixes. Nothing is read from free text: department names are each
// employer's own, and a title says its sector through its occupation. What resolves to no route
// stays unknown.
package sector

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
)

//go:embed routes.tsv prefixes.tsv
var embedded embed.FS

// noRoute marks a prefix whose occupations belong to no route (elected
// representatives, betting, clergy, players of sport).
const noRoute = "-"

// Sector is one apprenticeship route.
type Sector struct {
	Slug string // lower case, words joined by hyphens; the value of the parameter `sector`
	Name string // official name
}

// Register resolves names and occupations to sectors. It is never changed
// after it is made, so any number of goroutines may share one.
type Register struct {
	sectors   []Sector
	asWritten map[string]string // slug or name -> slug
	byName    map[string]string // folded name -> slug
	prefixes  map[string]string // SOC 2020 prefix -> slug or noRoute
}

// Load reads the embedded tables. All faults found in them are returned
// together; there is no register then.
func Load() (*Register, error) {
	reg := &Register{asWritten: map[string]string{}, byName: map[string]string{}, prefixes: map[string]string{}}
	faults := append(reg.loadRoutes(), reg.loadPrefixes()...)
	if len(faults) > 0 {
		return nil, fmt.Errorf("load the sectors: %w", errors.Join(faults...))
	}
	slices.SortFunc(reg.sectors, func(a, b Sector) int { return strings.Compare(a.Slug, b.Slug) })
	return reg, nil
}

// All gives the sectors sorted by slug. The slice is the caller's own.
func (r *Register) All() []Sector { return slices.Clone(r.sectors) }

// Name gives the official name of a slug.
func (r *Register) Name(slug string) (string, bool) {
	i, ok := slices.BinarySearchFunc(r.sectors, slug, func(s Sector, slug string) int { return strings.Compare(s.Slug, slug) })
	if !ok {
		return "", false
	}
	return r.sectors[i].Name, true
}

// ByRoute gives the slug of a route by its name, an older name or its slug.
// Case, spaces, punctuation and "&" for "and" do not matter.
func (r *Register) ByRoute(name string) (slug string, ok bool) {
	if slug, ok = r.asWritten[name]; !ok && name != "" {
		slug, ok = r.byName[fold(name)]
	}
	return slug, ok
}

// BySOC returns the slug of the route of a group of SOC 2020 with 2 to 4 digits. It is
// false for codes that are no group in form, for occupations without a route, and for
// groups whose unit groups have different routes. The longest prefix of the table wins.
func (r *Register) BySOC(soc string) (slug string, ok bool) {
	slug, found := r.prefixOf(soc)
	return slug, found && slug != ""
}

// prefixOf also tells whether the table has a line for the code; the slug is
// empty when that line says it has no route.
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

// fold keeps letters and digits in lower case and writes "&" as "and".
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

func (r *Register) loadRoutes() []error {
	rows, faults := readTable("routes.tsv", 3)
	for _, row := range rows {
		s := Sector{Slug: row[0], Name: row[1]}
		if want := slugOf(s.Name); s.Slug != want {
			faults = append(faults, fmt.Errorf("route %q has the slug %q, want %q", s.Name, s.Slug, want))
			continue
		}
		r.sectors = append(r.sectors, s)
		for _, name := range append([]string{s.Name}, strings.Split(row[2], "|")...) {
			key := fold(name)
			if other, ok := r.byName[key]; ok && other != s.Slug || key == "" {
				faults = append(faults, fmt.Errorf("the name %q of %s is empty or also of %q", name, s.Slug, other))
			}
			r.byName[key] = s.Slug
			r.asWritten[name] = s.Slug
		}
		if r.byName[fold(s.Slug)] == s.Slug {
			r.asWritten[s.Slug] = s.Slug
		}
	}
	return faults
}

func slugOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return c < 'a' || c > 'z' })
	return strings.Join(words, "-")
}

func (r *Register) loadPrefixes() []error {
	rows, faults := readTable("prefixes.tsv", 2)
	for _, row := range rows {
		prefix, slug := row[0], row[1]
		known := slug == noRoute || slices.ContainsFunc(r.sectors, func(s Sector) bool { return s.Slug == slug })
		switch _, twice := r.prefixes[prefix]; {
		case len(prefix) < 1 || len(prefix) > 4 || strings.Trim(prefix, "0123456789") != "":
			faults = append(faults, fmt.Errorf("%q is no SOC 2020 prefix", prefix))
		case twice:
			faults = append(faults, fmt.Errorf("prefix %s is listed twice", prefix))
		case !known:
			faults = append(faults, fmt.Errorf("prefix %s leads to the unknown sector %q", prefix, slug))
		default:
			r.prefixes[prefix] = slug
		}
	}
	return faults
}

// readTable reads a table of so many columns; lines that begin with # are remarks.
func readTable(name string, columns int) ([][]string, []error) {
	raw, err := embedded.ReadFile(name)
	if err != nil {
		return nil, []error{fmt.Errorf("read %s: %w", name, err)}
	}
	var rows [][]string
	var faults []error
	for i, line := range strings.Split(strings.TrimRight(string(raw), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != columns {
			faults = append(faults, fmt.Errorf("%s line %d: %d columns, want %d", name, i+1, len(row), columns))
			continue
		}
		rows = append(rows, row)
	}
	return rows, faults
}
