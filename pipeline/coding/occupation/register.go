package occupation

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed register.tsv titles.tsv
var embedded embed.FS

// Group is one group of SOC 2020.
type Group struct {
	Code   string // 1 to 4 digits
	Name   string // official name of the group
	Digits int    // length of Code: 1 major, 2 sub-major, 3 minor, 4 unit group
}

// Register holds the groups of SOC 2020 and the titles known for its unit groups. It is never
// changed after it is made, so any number of goroutines may share one.
type Register struct {
	groups []Group
	names  map[string]string
	index  *index
	model  func() *model // made when the first title asks for it: most of what loading would take
}

// Load reads the embedded register and titles. All faults found in them are
// returned together; there is no register then.
func Load() (*Register, error) {
	reg := &Register{names: map[string]string{}}
	faults := reg.loadGroups()
	titles, more := reg.loadTitles()
	faults = append(faults, more...)
	if len(faults) > 0 {
		return nil, fmt.Errorf("load the SOC 2020 register: %w", errors.Join(faults...))
	}
	office, err := officeTitles()
	if err != nil {
		return nil, fmt.Errorf("load the SOC 2020 register: %w", err)
	}
	reg.index = newIndex(joinTitles(titles, office))
	reg.model = sync.OnceValue(func() *model { return newModel(reg.Groups(), append(titles, office...)) })
	return reg, nil
}

// Name gives the official name of a group of 1 to 4 digits.
func (r *Register) Name(code string) (string, bool) {
	name, ok := r.names[code]
	return name, ok
}

// Valid says whether a code of 1 to 4 digits is a group of SOC 2020.
func (r *Register) Valid(code string) bool {
	_, ok := r.names[code]
	return ok
}

// Groups gives all groups sorted by code, so each group is followed by its
// parts. The slice is the caller's own.
func (r *Register) Groups() []Group { return slices.Clone(r.groups) }

func (r *Register) loadGroups() []error {
	rows, faults := readTable("register.tsv")
	for i, row := range rows {
		code, name := row[0], row[1]
		switch {
		case !digits(code) || len(code) > 4:
			faults = append(faults, fmt.Errorf("register row %d: %q is no SOC 2020 code", i+1, code))
		case name == "":
			faults = append(faults, fmt.Errorf("register row %d: group %s has no name", i+1, code))
		case r.Valid(code):
			faults = append(faults, fmt.Errorf("register row %d: group %s is listed twice", i+1, code))
		default:
			r.names[code] = name
			r.groups = append(r.groups, Group{Code: code, Name: name, Digits: len(code)})
		}
	}
	for _, g := range r.groups {
		if g.Digits > 1 && !r.Valid(g.Code[:g.Digits-1]) {
			faults = append(faults, fmt.Errorf("group %s has no parent in the register", g.Code))
		}
	}
	slices.SortFunc(r.groups, func(a, b Group) int { return strings.Compare(a.Code, b.Code) })
	return faults
}

func (r *Register) loadTitles() ([]phrase, []error) {
	rows, faults := readTable("titles.tsv")
	seen := make(map[string]string, len(rows))
	var titles []phrase
	for i, row := range rows {
		code, words := row[0], foldWords(row[1])
		if len(code) != 4 || !r.Valid(code) {
			faults = append(faults, fmt.Errorf("titles row %d: %q is no unit group", i+1, code))
			continue
		}
		if len(words) == 0 {
			faults = append(faults, fmt.Errorf("titles row %d: the title %q has no words", i+1, row[1]))
			continue
		}
		key := strings.Join(words, " ")
		if other, ok := seen[key]; ok {
			if other != code {
				faults = append(faults, fmt.Errorf("titles row %d: %q is both %s and %s", i+1, row[1], other, code))
			}
			continue
		}
		seen[key] = code
		titles = append(titles, phrase{words: words, soc: code})
	}
	return titles, faults
}

// readTable reads a two-column table; lines that begin with # are remarks.
func readTable(name string) ([][2]string, []error) {
	raw, err := embedded.ReadFile(name)
	if err != nil {
		return nil, []error{fmt.Errorf("read %s: %w", name, err)}
	}
	var rows [][2]string
	var faults []error
	for i, line := range strings.Split(strings.TrimRight(string(raw), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		left, right, ok := strings.Cut(line, "\t")
		if !ok || strings.Contains(right, "\t") {
			faults = append(faults, fmt.Errorf("%s line %d: not two columns", name, i+1))
			continue
		}
		rows = append(rows, [2]string{left, right})
	}
	return rows, faults
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
