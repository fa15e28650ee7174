package occupation

import (
	_ "embed" // for the titles
	"fmt"
	"slices"
	"strings"
	"sync"

	"labour/sources"
	"labour/sources/soc2020"
)

// titlesTSV is a table of job titles as adverts write them. Each row has the code of a SOC 2020
// unit group and a title.
//
//go:embed titles.tsv
var titlesTSV string

// Group is a group of the occupation classification SOC 2020.
type Group struct {
	Code   string // SOC 2020 code of 1 to 4 digits, such as 2136
	Name   string // official name of the group
	Digits int    // length of Code: 1 major, 2 sub-major, 3 minor, 4 unit group
}

// Register holds the groups of SOC 2020 and the known job titles. It does not change after loading
// and is safe for concurrent use.
type Register struct {
	groups []Group // all groups of SOC 2020, sorted by code
	index  *index
	// returns the model for ambiguous titles; only the first call computes the model, and is slow
	model func() *model
}

// Load returns the built-in register: the groups of SOC 2020 and the known job titles.
func Load() (*Register, error) {
	reg := &Register{}
	for _, g := range soc2020.Groups() {
		reg.groups = append(reg.groups, Group{Code: g.Code, Name: g.Name, Digits: len(g.Code)})
	}
	titles := ownTitles()
	office, err := officeTitles()
	if err != nil {
		return nil, fmt.Errorf("load the SOC 2020 register: %w", err)
	}
	reg.index = newIndex(joinTitles(titles, office))
	reg.model = sync.OnceValue(func() *model { return newModel(reg.Groups(), append(titles, office...)) })
	return reg, nil
}

// group returns the index in r.groups of the group with the given code. ok is false if the code is
// not known.
func (r *Register) group(code string) (i int, ok bool) {
	return slices.BinarySearchFunc(r.groups, code,
		func(g Group, code string) int { return strings.Compare(g.Code, code) })
}

// GroupName returns the official name of the SOC 2020 group with the given code, such as "2136". It
// returns false if there is no such group.
func (r *Register) GroupName(code string) (string, bool) {
	i, ok := r.group(code)
	if !ok {
		return "", false
	}
	return r.groups[i].Name, true
}

// IsGroup reports whether code is the code of a SOC 2020 group, such as "21" or "2136".
func (r *Register) IsGroup(code string) bool {
	_, ok := r.group(code)
	return ok
}

// Groups returns a copy of all groups of SOC 2020, sorted by code. The subgroups of a group follow
// it.
func (r *Register) Groups() []Group { return slices.Clone(r.groups) }

// UnitGroupOfTitle returns the unit group of a known job title, such as "6135" for "carer". ok is
// false if the title is not known.
func (r *Register) UnitGroupOfTitle(title string) (soc string, ok bool) {
	words := foldWords(title)
	if len(words) == 0 {
		return "", false
	}
	return r.index.find(words)
}

// ownTitles returns the built-in job titles that come from adverts, without duplicates.
func ownTitles() (titles []phrase) {
	seen := map[string]bool{}
	for _, row := range readTable(titlesTSV) {
		words := foldWords(row[1])
		if key := strings.Join(words, " "); !seen[key] {
			seen[key] = true
			titles = append(titles, phrase{words: words, soc: row[0]})
		}
	}
	return titles
}

// readTable returns the rows of a tab-separated table with two columns. It skips lines that begin
// with #.
func readTable(text string) (rows [][2]string) {
	for line := range strings.Lines(text) {
		if left, right, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); !strings.HasPrefix(line, "#") {
			rows = append(rows, [2]string{left, right})
		}
	}
	return rows
}

// WithTitles returns a copy of r with more titles of the Office for National Statistics, and the
// numbers of titles that were added and left out. Titles that r already has keep their code. A new
// title of one word matches only a whole title: "Engineer" does not match "Sales Engineer".
func (r *Register) WithTitles(list []sources.OccupationTitle) (*Register, TitleCounts) {
	var added TitleCounts
	var usable []phrase
	for _, t := range list {
		words := foldWords(t.Title)
		_, known := r.index.find(words)
		switch {
		case len(words) == 0 || len(t.SOC) != 4 || !r.IsGroup(t.SOC):
			added.Uncoded++
		case t.Qualified:
			added.IndustrySpecific++
		case known:
			added.AlreadyKnown++
		default:
			usable = append(usable, phrase{words: words, soc: t.SOC})
		}
	}
	usable, added.Ambiguous = distinct(usable)
	added.Added = len(usable)
	return &Register{groups: r.groups, index: newIndex(slices.Concat(r.index.phrases, usable)), model: r.model}, added
}

// WithGroups returns a copy of r in which groups have the official names in list. unknownCodes are
// the codes in list that r does not have. They are not added, and no advert is coded to them.
func (r *Register) WithGroups(list []sources.OccupationGroup) (register *Register, unknownCodes []string) {
	register = &Register{groups: slices.Clone(r.groups), index: r.index, model: r.model}
	for _, g := range list {
		i, found := r.group(g.SOC)
		switch {
		case !found:
			unknownCodes = append(unknownCodes, g.SOC)
		case strings.EqualFold(g.Name, r.groups[i].Name):
			register.groups[i].Name = r.groups[i].Name
		default:
			register.groups[i].Name = g.Name
		}
	}
	slices.Sort(unknownCodes)
	return register, slices.Compact(unknownCodes)
}
