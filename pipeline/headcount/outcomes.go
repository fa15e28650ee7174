package headcount

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
	place    uint32
	sector   uint16
	soc      uint16
	level    uint8
	source   uint8
	age      uint8 // months before that of people_as_of
	flags    uint8
}

// Skill is one skill with the outcomes of those who applied where it was asked for.
type Skill struct {
	Name     string
	outcomes []outcome
	files    []string // they came from
	texts    texts
}

// errStopped ends a reading that nobody listens to any more.
var errStopped = errors.New("stopped")

// Skills are all skills that are asked for or of which there are outcomes, by their
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
	var asked []string
	for name := range c.asked {
		asked = append(asked, name)
	}
	slices.Sort(asked)
	give := func(s Skill) error {
		s.texts = c.codes.texts()
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
			for ; len(asked) > 0 && asked[0] < s.Name; asked = asked[1:] {
				if err := give(Skill{Name: asked[0]}); err != nil {
					return err
				}
			}
			if len(asked) > 0 && asked[0] == s.Name {
				asked = asked[1:]
			}
			if err := give(s); err != nil {
				return err
			}
		}
	}
	for _, name := range asked {
		if err := give(Skill{Name: name}); err != nil {
			return err
		}
	}
	return nil
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
	order := make([]int, 0, len(numbers))
	for n := range numbers {
		order = append(order, n)
	}
	slices.Sort(order)
	for _, n := range order {
		files, err := filepath.Glob(filepath.Join(numbers[n], "*.parquet"))
		if err != nil {
			return nil, err
		}
		parts = append(parts, files)
	}
	return parts, nil
}

// load reads one part, by skill.
func (c *Counter) load(ctx context.Context, files []string) ([]Skill, error) {
	skills := newRegister()
	by := [][]outcome{nil}
	row := uint32(0)
	for _, file := range files {
		err := parquetio.Codes(ctx, file, []parquetio.Coded{{Column: "skill", Text: skills.of}, {Column: "person"}, {Column: "second"}, {Column: "microsecond"},
			{Column: "employer"}, {Column: "place", Text: c.codes.places.of}, {Column: "sector", Text: c.codes.sectors.of}, {Column: "soc", Text: c.codes.socs.of},
			{Column: "level"}, {Column: "source", Text: c.codes.sources.of}, {Column: "age"}, {Column: "flags"}},
			func(b [][]uint32) error {
				for len(by) < len(skills.texts) {
					by = append(by, nil)
				}
				for i, s := range b[0] {
					by[s] = append(by[s], outcome{person: b[1][i], row: row, at: uint64(b[2][i])*1_000_000 + uint64(b[3][i]), employer: b[4][i],
						place: b[5][i], sector: uint16(b[6][i]), soc: uint16(b[7][i]), level: uint8(b[8][i]), source: uint8(b[9][i]), age: uint8(b[10][i]), flags: uint8(b[11][i])})
					row++
				}
				return nil
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
