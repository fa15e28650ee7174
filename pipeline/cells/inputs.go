package cells

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"labour/pipeline/staging"
)

// Inputs are what one run knows beside the staged rows.
type Inputs struct {
	AsOf       time.Time
	PeopleAsOf time.Time // the month end which the counts of people describe
	Boroughs   []Borough
	Members    []Member
	Skills     []string // slugs in their order; staged rows say the place in it, from 0
	Sources    []Source
	PartRows   int64 // about how many outcomes are looked at together; 0 = a million
}

// Source is what evidence says of where a figure comes from.
type Source struct {
	Key     string `col:"key"`
	Licence string `col:"licence"`
	Link    string `col:"link"`
}

// Borough is a served borough and the code of its council.
type Borough struct {
	Place string `col:"place"`
	Code  string `col:"code"`
}

// Member says that a borough is part of a served area.
type Member struct {
	Area    string `col:"area"`
	Borough string `col:"borough"`
}

type skill struct {
	Number int16  `col:"number"`
	Skill  string `col:"skill"`
}

// run is the one row of what questions ask about the run. Times are microseconds of Unix
// time, and months are counted from the year 0.
type run struct {
	AsOf        time.Time `col:"as_of"`
	Month       int32     `col:"month"`        // of as_of
	Recent      time.Time `col:"recent"`       // first day of the 24 months up to it
	PeopleMonth int32     `col:"people_month"` // of people_as_of
	PeopleFirst int64     `col:"people_first"` // start of the 24 months up to people_as_of
	PeopleAfter int64     `col:"people_after"` // end of them
	PartRows    int64     `col:"part_rows"`
}

func (in *Inputs) run() run {
	months := func(t time.Time) int32 { return int32(12*t.Year() + int(t.Month())) }
	first := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month()-23, 1, 0, 0, 0, 0, time.UTC) }
	return run{AsOf: in.AsOf, Month: months(in.AsOf), Recent: first(in.AsOf), PeopleMonth: months(in.PeopleAsOf),
		PeopleFirst: first(in.PeopleAsOf).UnixMicro(), PeopleAfter: in.PeopleAsOf.AddDate(0, 0, 1).UnixMicro(), PartRows: cmp.Or(in.PartRows, 1_000_000)}
}

// writeTo adds the inputs to the staged files of dir, and gives the files of both by the
// names that questions read them under. Events are in no question.
func (in *Inputs) writeTo(dir string) (map[string]string, error) {
	files := map[string]string{}
	for _, name := range staging.Names() {
		if name != "events" {
			files["staged_"+name] = filepath.Join(dir, name+".parquet")
		}
	}
	skills := make([]skill, len(in.Skills))
	for number, s := range in.Skills {
		skills[number] = skill{int16(number), s}
	}
	if err := errors.Join(write(files, dir, "run", []run{in.run()}), write(files, dir, "borough", in.Boroughs), write(files, dir, "member", in.Members),
		write(files, dir, "skill", skills), write(files, dir, "source", in.Sources)); err != nil {
		return nil, fmt.Errorf("write the inputs of the questions: %w", err)
	}
	return files, nil
}

func write[T any](files map[string]string, dir, name string, rows []T) (err error) {
	files[name], err = staging.WriteRows(dir, "input_"+name, rows)
	return err
}
