package headcount

import (
	"cmp"
	"slices"
	"strings"

	"labour/pipeline/disclosure"
)

// latest returns who counts: each person by the most recent event of being turned down
// for the skill, of being hired and of being turned down.
func (s *Skill) latest() ([]disclosure.Person, error) {
	if err := s.sort(); err != nil {
		return nil, err
	}
	var out []disclosure.Person
	var seen [3]bool // kinds of the person
	for i := range s.outcomes {
		o := &s.outcomes[i]
		if i == 0 || s.outcomes[i-1].person != o.person {
			seen = [3]bool{}
		}
		for _, kind := range o.kinds() {
			if !seen[kind] {
				seen[kind] = true
				out = append(out, disclosure.Person{Combination: o.Combination, Kind: kind, Had: o.flags&had != 0, Age: o.age, Employer: o.employer})
			}
		}
	}
	return out, nil
}

func (o *outcome) kinds() []disclosure.Kind {
	switch {
	case o.flags&hired != 0:
		return []disclosure.Kind{disclosure.Hired}
	case o.flags&turnedDownFor != 0:
		return []disclosure.Kind{disclosure.TurnedDown, disclosure.TurnedDownFor}
	}
	return []disclosure.Kind{disclosure.TurnedDown}
}

// sort brings a person's outcomes together, the most recent first.
func (s *Skill) sort() error {
	slices.SortFunc(s.outcomes, func(a, b outcome) int { return cmp.Or(cmp.Compare(a.person, b.person), cmp.Compare(b.at, a.at)) })
	tied := map[uint32]string{}
	for i := 1; i < len(s.outcomes); i++ {
		if a, b := s.outcomes[i-1], s.outcomes[i]; a.person == b.person && a.at == b.at {
			tied[a.row], tied[b.row] = "", ""
		}
	}
	if len(tied) == 0 {
		return nil
	}
	if err := s.applications(tied); err != nil {
		return err
	}
	slices.SortFunc(s.outcomes, func(a, b outcome) int {
		return cmp.Or(cmp.Compare(a.person, b.person), cmp.Compare(b.at, a.at), strings.Compare(tied[b.row], tied[a.row]))
	})
	return nil
}
