package headcount

import (
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
