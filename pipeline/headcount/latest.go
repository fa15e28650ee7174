package headcount

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"labour/snapshots/parquetio"
)

// counted is an outcome that counts for one of the five measures.
type counted struct {
	*outcome
	measure int
}

// The measures, in disclosure's order.
const (
	forTheSkill = iota
	hiredWith
	hiredWithout
	downWith
	downWithout
)

// latest are the outcomes that count: of each person the most recent one turned down
// for the skill, the most recent hired and the most recent turned down.
func (s *Skill) latest() ([]counted, error) {
	if err := s.sort(); err != nil {
		return nil, err
	}
	var out []counted
	var named, was, down bool // seen of the person
	for i := range s.outcomes {
		o := &s.outcomes[i]
		if i == 0 || s.outcomes[i-1].person != o.person {
			named, was, down = false, false, false
		}
		without := 1
		if o.flags&had != 0 {
			without = 0
		}
		if o.flags&hired != 0 {
			if !was {
				out, was = append(out, counted{o, hiredWith + without}), true
			}
			continue
		}
		if o.flags&turnedDownFor != 0 && !named {
			out, named = append(out, counted{o, forTheSkill}), true
		}
		if !down {
			out, down = append(out, counted{o, downWith + without}), true
		}
	}
	return out, nil
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

// Oldest is how many months before people_as_of's month the oldest outcome that counts
// is, at most 23; 0 without outcomes. Before it nobody was counted, as everybody knows.
// Most often it is as old as any outcome is, and found at once.
func (c *Counter) Oldest(ctx context.Context) (age int, err error) {
	bound, err := c.oldestOfAll(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the outcomes: %w", err)
	}
	for s, err := range c.Skills(ctx) {
		if err != nil {
			return 0, err
		}
		latest, err := s.latest()
		if err != nil {
			return 0, err
		}
		for _, o := range latest {
			age = max(age, int(o.age))
		}
		if age == bound {
			break
		}
	}
	return age, nil
}

// oldestOfAll is the age of the oldest outcome, whether it counts or not.
func (c *Counter) oldestOfAll(ctx context.Context) (age int, err error) {
	parts, err := c.parts()
	if err != nil {
		return 0, err
	}
	for _, file := range slices.Concat(parts...) {
		err := parquetio.Codes(ctx, file, []parquetio.Coded{{Column: "age"}}, func(b [][]uint32) error {
			for _, a := range b[0] {
				age = max(age, int(a))
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return age, nil
}
