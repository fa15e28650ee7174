package headcount

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"labour/pipeline/disclosure"
	"labour/snapshots/parquetio"
)

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
