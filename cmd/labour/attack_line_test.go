package main

import (
	"fmt"
	"maps"
	"slices"

	"labour/pipeline/disclosure/attackertest"
)

// attackedLine is a printed total and its parts, such as people employed by place. Parts that
// are areas are sums of others.
type attackedLine struct {
	Name  string
	Total string            // token
	Parts map[string]string // tokens
	Areas map[string][]string
	Truth map[string]int64 // of the parts but areas
	Rest  int64            // people of no part
	Exact bool             // numbers are not rounded
	Whole bool             // everybody is in a part, as a reader knows
}

// system returns what a reader of the line knows.
func (l attackedLine) system() (*attackertest.System, error) {
	s, vars := &attackertest.System{Name: l.Name}, map[string]int32{}
	var all []int32
	add := func(name string, n int64) {
		vars[name] = s.Var(n)
		all = append(all, vars[name])
	}
	for _, name := range slices.Sorted(maps.Keys(l.Truth)) {
		add(name, l.Truth[name])
	}
	if !l.Whole {
		add("", l.Rest)
	}
	total := s.Var(s.Truth(all, nil))
	s.Bound(0, 0, all, []int32{total})
	if err := tell(s, "in all", l.Total, total, l.Exact); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(l.Parts)) {
		v, ok := vars[name]
		if boroughs, area := l.Areas[name]; area {
			var within []int32
			for _, b := range boroughs {
				within = append(within, vars[b])
			}
			v = s.Var(s.Truth(within, nil))
			s.Bound(0, 0, within, []int32{v})
		} else if !ok {
			v = s.Var(0)
		}
		if err := tell(s, name, l.Parts[name], v, l.Exact); err != nil {
			return nil, err
		}
	}
	return s, s.Holds()
}

// tell adds a printed token of an unknown.
func tell(s *attackertest.System, name, token string, v int32, exact bool) error {
	low, high, err := attackertest.Range(token, exact)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", s.Name, name, err)
	}
	s.Bound(low, high, []int32{v}, nil)
	s.Small(name, []int32{v})
	return nil
}
