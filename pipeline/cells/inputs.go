package cells

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"labour/pipeline/staging"
	"labour/snapshots"
)

// Inputs holds the parameters and tables that the queries need in addition to the staged files.
type Inputs struct {
	AsOf       time.Time
	PeopleFrom time.Time             // the first day of the twelve months of the figures of people
	PeopleTo   time.Time             // the last day of them
	Boroughs   []snapshots.PlacesRow // served boroughs, with the codes of their councils
	Members    []snapshots.PlaceMembersRow
	Skills     []Skill // sorted by slug; staged rows have the index in it, from 0
	Sources    []snapshots.SourcesRow
}

// Skill is a row of the list of skills that queries read.
type Skill struct {
	Slug  string
	Level int8 // level that counts for an advert that states no level
}

type skill struct {
	Number int16  `col:"number"`
	Skill  string `col:"skill"`
	Level  int8   `col:"level"`
}

// runRow is the only row of a table with the parameters of the run. Months are counted from January
// of the year 0.
type runRow struct {
	AsOf       time.Time `col:"as_of"`
	Month      int32     `col:"month"`       // month of as_of
	Recent     time.Time `col:"recent"`      // first day of the 24 months up to as_of
	PeopleFrom time.Time `col:"people_from"` // first day of the figures of people
	PeopleTo   time.Time `col:"people_to"`   // last day of the figures of people
}

func (in *Inputs) run() runRow {
	months := func(t time.Time) int32 { return int32(12*t.Year() + int(t.Month())) }
	recent := time.Date(in.AsOf.Year(), in.AsOf.Month()-23, 1, 0, 0, 0, 0, time.UTC)
	return runRow{AsOf: in.AsOf, Month: months(in.AsOf), Recent: recent, PeopleFrom: in.PeopleFrom, PeopleTo: in.PeopleTo}
}

// writeTo writes the inputs to files in dir. It returns the paths of these files and of the staged
// files in dir, by table name. Staged events are left out, since no query reads them.
func (in *Inputs) writeTo(dir string) (map[string]string, error) {
	staged, err := fs.Glob(os.DirFS(dir), "*.parquet")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, name := range staged {
		if name != "events.parquet" {
			files["staged_"+strings.TrimSuffix(name, ".parquet")] = filepath.Join(dir, name)
		}
	}
	skills := make([]skill, len(in.Skills))
	for number, s := range in.Skills {
		skills[number] = skill{int16(number), s.Slug, s.Level}
	}
	if err := errors.Join(write(files, dir, "run", []runRow{in.run()}), write(files, dir, "borough", in.Boroughs),
		write(files, dir, "member", in.Members),
		write(files, dir, "skill", skills), write(files, dir, "source", in.Sources)); err != nil {
		return nil, fmt.Errorf("write the inputs of the questions: %w", err)
	}
	return files, nil
}

func write[T any](files map[string]string, dir, name string, rows []T) (err error) {
	files[name], err = staging.WriteRows(dir, "input_"+name, rows)
	return err
}
