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
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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

// The flags of an outcome.
const (
	hired         = 1
	turnedDownFor = 2
	had           = 4
)

// outcome is one application's end for one skill that the role asked for.
type outcome struct {
	person   uint32
	row      uint32 // in its part, to find its application
	at       uint64 // microseconds since the first of the months
	employer uint32
	disclosure.Combination
	age   uint8 // months before that of people_as_of
	flags uint8
}

// parts are the files of each part, the parts in the order of their skills.
func (c *Counter) parts() (parts [][]string, err error) {
	dirs, err := os.ReadDir(c.in.Outcomes)
	if err != nil {
		return nil, err
	}
	numbers := map[int]string{}
	for _, d := range dirs {
		n, err := strconv.Atoi(strings.TrimPrefix(d.Name(), "part="))
		if err != nil {
			return nil, fmt.Errorf("%s is no part", d.Name())
		}
		numbers[n] = filepath.Join(c.in.Outcomes, d.Name())
	}
	for _, n := range slices.Sorted(maps.Keys(numbers)) {
		files, err := filepath.Glob(filepath.Join(numbers[n], "*.parquet"))
		if err != nil {
			return nil, err
		}
		parts = append(parts, files)
	}
	return parts, nil
}

func (c *Counter) load(ctx context.Context, files []string) ([]Skill, error) {
	columns := append(combined(), "person", "second", "microsecond", "employer", "age", "flags", "skill")
	skillAt := len(columns) - 1
	skills := newRegister()
	by := [][]outcome{nil}
	row := uint32(0)
	for _, file := range files {
		err := parquetio.Scan(file, columns, func(_ int64, v []parquetio.Value) error {
			skill := skills.of(v[skillAt].Text)
			if int(skill) == len(by) {
				by = append(by, nil)
			}
			by[skill] = append(by[skill], outcome{Combination: c.combination(v), person: uint32(v[5].Int), row: row,
				at: uint64(v[6].Int)*1_000_000 + uint64(v[7].Int), employer: uint32(v[8].Int), age: uint8(v[9].Int), flags: uint8(v[10].Int)})
			row++
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	out := make([]Skill, 0, len(by))
	for s, outcomes := range by {
		if len(outcomes) > 0 {
			out = append(out, Skill{Name: skills.texts[s], outcomes: outcomes, files: files})
		}
	}
	slices.SortFunc(out, func(a, b Skill) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// applicationRow is what tells two outcomes at one instant apart.
type applicationRow struct {
	Application string `col:"application"`
}

// applications reads the applications of some rows, which is rarely needed: of one
// person and skill at one instant.
func (s *Skill) applications(rows map[uint32]string) error {
	row := uint32(0)
	for _, file := range s.files {
		err := parquetio.Read(file, func(r applicationRow) error {
			if _, wanted := rows[row]; wanted {
				rows[row] = r.Application
			}
			row++
			return nil
		})
		if err != nil {
			return fmt.Errorf("applications at one instant: %w", err)
		}
	}
	return nil
}

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
