package cells

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"labour/pipeline/counting"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/periods"
)

// QueryInputs holds the parameters and tables that the SQL queries read in addition to the staged
// files.
type QueryInputs struct {
	AsOf time.Time
	// first day of the twelve months that counts of people describe; zero = people are not counted
	PeopleFirstDay time.Time
	PeopleLastDay  time.Time             // last day of these twelve months; zero = people are not counted
	Boroughs       []snapshots.PlacesRow // served boroughs, with the codes of their councils
	PlaceMembers   []snapshots.PlaceMembersRow
	// register of skills, sorted by slug; staged rows refer to a skill by its index in this list,
	// from 0
	Skills  []Skill
	Sources []snapshots.SourcesRow
}

// Skill is a row of the register of skills, for SQL queries.
type Skill struct {
	Slug         string
	DefaultLevel int8 // level, 1 to 5, that is used if an advert states none
}

type skill struct {
	Number int16  `col:"number"`
	Skill  string `col:"skill"`
	Level  int8   `col:"level"`
}

// runRow holds the parameters of a run for SQL queries. It is the only row of its table.
type runRow struct {
	AsOf time.Time `col:"as_of"`
	// month of as_of as a number: 12 times the year plus the month
	AsOfMonth     int32 `col:"month"`
	LongestWindow int32 `col:"longest_window"` // longest window of adverts, in months
	// first day of the longest window up to as_of
	RecentFrom time.Time `col:"recent"`
	// the constant counting.SameVacancyDays: after this number of days, a vacancy that is
	// advertised again counts in a later month too
	SameVacancyDays int32 `col:"same_vacancy_days"`
	// first day of the twelve months that counts of people describe
	PeopleFrom time.Time `col:"people_from"`
	// last day of the twelve months that counts of people describe
	PeopleTo time.Time `col:"people_to"`
}

// windowRow is one of the windows (3, 6, 12 and 24 months) for which adverts are counted. Each
// window is a row of an SQL table.
type windowRow struct {
	Months int32 `col:"months"` // length of the window
}

func windowRows() (rows []windowRow) {
	for _, months := range periods.Windows() {
		rows = append(rows, windowRow{int32(months)})
	}
	return rows
}

func (in *QueryInputs) run() runRow {
	months := func(t time.Time) int32 { return int32(12*t.Year() + int(t.Month())) }
	return runRow{AsOf: in.AsOf, AsOfMonth: months(in.AsOf), LongestWindow: periods.LongestWindow,
		RecentFrom:      periods.WindowStart(in.AsOf, periods.LongestWindow),
		SameVacancyDays: counting.SameVacancyDays, PeopleFrom: in.PeopleFirstDay, PeopleTo: in.PeopleLastDay}
}

// writeTo writes the inputs of the queries to files in dir. It returns the paths of all input files
// and staged files, by table name. It leaves out staged events, because no query reads them.
func (in *QueryInputs) writeTo(dir string) (map[string]string, error) {
	staged, err := fs.Glob(os.DirFS(dir), "*.parquet")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, name := range staged {
		if file := filepath.Join(dir, name); file != staging.EventsFile(dir) {
			files["staged_"+strings.TrimSuffix(name, ".parquet")] = file
		}
	}
	skills := make([]skill, len(in.Skills))
	for number, s := range in.Skills {
		skills[number] = skill{int16(number), s.Slug, s.DefaultLevel}
	}
	if err := errors.Join(write(files, dir, "run", []runRow{in.run()}), write(files, dir, "advert_window", windowRows()),
		write(files, dir, "borough", in.Boroughs), write(files, dir, "member", in.PlaceMembers),
		write(files, dir, "skill", skills), write(files, dir, "source", in.Sources)); err != nil {
		return nil, fmt.Errorf("write the inputs of the queries: %w", err)
	}
	return files, nil
}

func write[T any](files map[string]string, dir, name string, rows []T) (err error) {
	files[name], err = staging.WriteRows(dir, "input_"+name, rows)
	return err
}
