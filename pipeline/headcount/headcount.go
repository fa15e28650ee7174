// Package headcount finds the people who count for each skill, with true counts to come
// of them, so that nothing of it may leave the protected zone; it writes no file.
//
// The unit of counting is one row per skill, person and kind: the person's most
// recent such event in the 24 months up to people_as_of, with that event's place,
// sector, SOC, level, source and month. Every person is then in exactly one cell of
// every filter, and every count is a plain count of rows. Of two events at one instant
// the one with the later application, by its text, is the more recent.
package headcount

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"labour/pipeline/disclosure"
	"labour/snapshots/parquetio"
)

// Inputs are what is counted, and where.
type Inputs struct {
	// Outcomes is the directory of the outcomes, in parts of a few skills; Asked the
	// combinations that adverts ask for. Both are answers of package cells.
	Outcomes, Asked string
	Places          *disclosure.Places
}

// Counter counts the people of one run.
type Counter struct {
	in               Inputs
	asked            map[string][]disclosure.Combination // by skill
	sectors, sources register
}

// Skill is one skill with the outcomes of those who applied where it was asked for.
type Skill struct {
	Name     string
	Asked    []disclosure.Combination
	outcomes []outcome
	files    []string // they came from
	names    disclosure.Names
}

// register numbers texts. Number 0 is the empty text.
type register struct {
	number map[string]uint32
	texts  []string
}

func newRegister() register { return register{number: map[string]uint32{"": 0}, texts: []string{""}} }

// of returns the number of a text, a new one if need be. The text need not stay.
func (r *register) of(text string) uint32 {
	n, ok := r.number[text]
	if !ok {
		n, text = uint32(len(r.texts)), strings.Clone(text)
		r.number[text], r.texts = n, append(r.texts, text)
	}
	return n
}

// Open reads which combinations can be asked for.
func Open(ctx context.Context, in Inputs) (*Counter, error) {
	c := &Counter{in: in, asked: map[string][]disclosure.Combination{}, sectors: newRegister(), sources: newRegister()}
	err := parquetio.Scan(in.Asked, append(combined(), "skill"), func(_ int64, v []parquetio.Value) error {
		skill := v[len(v)-1].Text
		if _, known := c.asked[skill]; !known {
			skill = strings.Clone(skill)
		}
		c.asked[skill] = append(c.asked[skill], c.combination(v))
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("read which counts of people can be asked for: %w", err)
	}
	return c, nil
}

// combined are the columns of a combination.
func combined() []string { return []string{"place", "sector", "soc", "level", "source"} }

// combination returns that of a row that begins with the combined columns.
func (c *Counter) combination(v []parquetio.Value) disclosure.Combination {
	return disclosure.Combination{Borough: uint16(c.in.Places.Borough(v[0].Text)), Sector: uint16(c.sectors.of(v[1].Text)),
		SOC: disclosure.ParseSOC(v[2].Text), Level: uint8(v[3].Int), Source: uint8(c.sources.of(v[4].Text))}
}

// errStopped ends a reading that nobody listens to any more.
var errStopped = errors.New("stopped")

// Skills yields all skills that are asked for or of which there are outcomes, by their
// slugs. A part of the outcomes is in memory at a time.
func (c *Counter) Skills(ctx context.Context) iter.Seq2[Skill, error] {
	return func(yield func(Skill, error) bool) {
		if err := c.each(ctx, yield); err != nil && !errors.Is(err, errStopped) {
			yield(Skill{}, fmt.Errorf("read the outcomes: %w", err))
		}
	}
}

func (c *Counter) each(ctx context.Context, yield func(Skill, error) bool) error {
	parts, err := c.parts()
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(c.asked)) // that are still to come, of skills that are asked for
	give := func(s Skill) error {
		s.Asked = c.asked[s.Name]
		s.names = disclosure.Names{Sectors: c.sectors.texts, Sources: c.sources.texts}
		if !yield(s, nil) {
			return errStopped
		}
		return nil
	}
	for _, files := range parts {
		skills, err := c.load(ctx, files)
		if err != nil {
			return err
		}
		for _, s := range skills {
			for ; len(names) > 0 && names[0] <= s.Name; names = names[1:] {
				if names[0] == s.Name {
					continue
				}
				if err := give(Skill{Name: names[0]}); err != nil {
					return err
				}
			}
			if err := give(s); err != nil {
				return err
			}
		}
	}
	for _, name := range names {
		if err := give(Skill{Name: name}); err != nil {
			return err
		}
	}
	return nil
}

// People returns the skill as package disclosure prints it: what can be asked for, and who counts.
func (s *Skill) People() (*disclosure.Skill, error) {
	people, err := s.latest()
	return &disclosure.Skill{Names: s.names, Asked: s.Asked, People: people}, err
}
