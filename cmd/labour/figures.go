package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// figuresLine counts the figures of one field of one endpoint in one place.
type figuresLine struct {
	Endpoint     string `json:"endpoint"`
	Field        string `json:"field"`
	Place        string `json:"place"` // "" = all places
	Numbers      int64  `json:"numbers"`
	Under5       int64  `json:"under_5"`
	NotPublished int64  `json:"not_published"`
}

// figuresReport is what `labour snapshot report` prints.
type figuresReport struct {
	Snapshot   snapshots.ID      `json:"snapshot"`
	PeopleAsOf *snapshots.Date   `json:"people_as_of"`
	Figures    []figuresLine     `json:"figures"`
	Withheld   map[string]int64  `json:"withheld"` // people_turned_down by rule, in all places
	Protection *snapshots.People `json:"protection"`
}

func (a *app) reportFigures(_ context.Context, o *listOptions, args []string) error {
	store, id, err := openSnapshot(o.Data, args)
	if err != nil {
		return err
	}
	manifest, err := store.Manifest(id)
	if err != nil {
		return err
	}
	r := figuresReport{Snapshot: id, PeopleAsOf: manifest.PeopleAsOf}
	if r.Figures, err = countFigures(store.Dir(id), manifest.FormatVersion); err != nil {
		return err
	}
	report, err := pipeline.ReadReport(store.Dir(id))
	if err != nil {
		return err
	}
	r.Withheld, r.Protection = report.Withheld, manifest.People
	if o.JSON {
		return cli.PrintJSON(a.stdout, r)
	}
	return printFigures(a.stdout, r)
}

// figuresKey names a line.
type figuresKey struct{ endpoint, field, place string }

type figuresCount map[figuresKey]*figuresLine

func (f figuresCount) add(endpoint, field, place string, s figure.Status) {
	k := figuresKey{endpoint, field, place}
	if f[k] == nil {
		f[k] = &figuresLine{Endpoint: endpoint, Field: field, Place: place}
	}
	switch s {
	case figure.Number:
		f[k].Numbers++
	case figure.Small:
		f[k].Under5++
	default:
		f[k].NotPublished++
	}
}

func (f figuresCount) share(endpoint, field, place string, printed bool) {
	s := figure.NotPublished
	if printed {
		s = figure.Number
	}
	f.add(endpoint, field, place, s)
}

// belowShare and employed are what every format version has of residents and s106.
type belowShare struct {
	Place               string         `col:"place"`
	PeopleBelowSharePct *figure.Tenths `col:"people_below_share_pct"`
}

type employed struct {
	Place                     string        `col:"place"`
	LocalPeopleEmployedStatus figure.Status `col:"local_people_employed_status"`
}

// countFigures counts the released tables of people of a format version.
func countFigures(dir string, version int) ([]figuresLine, error) {
	const unmet = "skills-unmet"
	f := figuresCount{}
	err := errors.Join(
		eachRow(dir, "people", func(r snapshots.PeopleRow) {
			f.add(unmet, "people_turned_down", r.Place, r.PeopleTurnedDownStatus)
			f.share(unmet, "hired_with_skill_pct", r.Place, r.HiredWithSkillPct != nil)
			f.share(unmet, "turned_down_with_skill_pct", r.Place, r.TurnedDownWithSkillPct != nil)
		}),
		eachRow(dir, "residents", func(r belowShare) {
			f.share(unmet, "people_below_share_pct", r.Place, r.PeopleBelowSharePct != nil)
		}),
		eachRow(dir, "candidates", func(r snapshots.CandidatesRow) {
			place := ""
			if r.Dimension == snapshots.CandidatesBorough {
				place = r.Value
			}
			f.add("candidates", "residents", place, r.ResidentsStatus)
		}),
		eachRow(dir, "s106", func(r employed) {
			f.add("s106", "local_people_employed", r.Place, r.LocalPeopleEmployedStatus)
		}),
		eachRow(dir, "course_demand", func(r snapshots.CourseDemandRow) {
			f.add("course-demand", "value", r.RegionCode, r.ValueStatus)
		}))
	if version > 1 { // before, apprenticeships were no figure of people
		err = errors.Join(err, eachRow(dir, "s106", func(r snapshots.S106Row) {
			f.add("s106", "apprenticeships_started", r.Place, r.ApprenticeshipsStartedStatus)
		}))
	}
	lines := make([]figuresLine, 0, len(f))
	for _, l := range f {
		lines = append(lines, *l)
	}
	slices.SortFunc(lines, func(a, b figuresLine) int {
		return cmp.Or(cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Place, b.Place))
	})
	return lines, err
}

func eachRow[T any](dir, table string, row func(T)) error {
	return parquetio.Read(snapshots.Within(dir, snapshots.TableFileName(table)), func(r T) error { row(r); return nil })
}

func printFigures(w io.Writer, r figuresReport) error {
	asOf := "no figures of people"
	if r.PeopleAsOf != nil {
		asOf = "figures of people as of " + r.PeopleAsOf.String()
	}
	fmt.Fprintf(w, "Snapshot %s, %s\n\n", r.Snapshot, asOf)
	t := cli.Table(w, "ENDPOINT\tFIELD\tPLACE\tNUMBERS\t<5\tNOT PUBLISHED")
	for _, l := range r.Figures {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d\n", l.Endpoint, l.Field, cmp.Or(l.Place, "(all)"), l.Numbers, l.Under5, l.NotPublished)
	}
	fmt.Fprintln(t, "\npeople_turned_down withheld by\tFIGURES")
	for _, reason := range slices.Sorted(maps.Keys(r.Withheld)) {
		fmt.Fprintf(t, "%s\t%d\n", reason, r.Withheld[reason])
	}
	if r.Protection != nil {
		fmt.Fprintf(t, "\nprotection\t%s\ngroups of 1 to 4 that can be worked out\t%d\n", r.Protection.Protection, r.Protection.WorkedOut)
	}
	return t.Flush()
}
