package embargoed

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/cells"
	"labour/pipeline/coding"
	"labour/pipeline/coding/occupation"
	"labour/pipeline/internal/writertest"
	"labour/pipeline/staging"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// writerOver runs queries over 20 nurses' vacancies of the source open, live on the day in Camden.
func writerOver(t *testing.T) *tablewriter.Writer {
	t.Helper()
	in := cells.QueryInputs{AsOf: asOf, PeopleFirstDay: asOf, PeopleLastDay: asOf,
		Boroughs: []snapshots.PlacesRow{{Place: "camden", Name: "Camden", AreaKind: snapshots.AreaKindBorough,
			Code: "E09000007"}},
		Sources: []snapshots.SourcesRow{{Key: "open", Publisher: "Office", Licence: "Open Government Licence v3.0"}}}
	w := writertest.OpenWithQueries(t, in, func(s *staging.StagedFiles) (err error) {
		for i := range int32(20) {
			err = errors.Join(err, s.Adverts.Append(staging.Advert{Ordinal: i, ID: string('a' + i), Source: "open",
				FirstSource: "open", SOC: "2231", Employer: string('a' + i), Posted: asOf.AddDate(0, 0, -9), PlacePrecision: 3,
				Readable: true}),
				s.AdvertVacancies.Append(staging.AdvertVacancy{Ordinal: i, CountedAs: i, AppliedAs: i}),
				s.AdvertPlaces.Append(staging.AdvertPlace{Ordinal: i, CouncilCode: "E09000007", IsCertain: true}),
				s.ShareableAdverts.Append(staging.ShareableAdvert{Ordinal: i, SourceKey: "open", Posted: asOf.AddDate(0, 0, -9),
					LiveUntil: asOf}),
				s.ShareablePlaces.Append(staging.ShareablePlace{Ordinal: i, Latitude: 51.54, Longitude: -0.14}))
		}
		return err
	})
	if err := tablewriter.WriteRows(w, "occupations", []snapshots.OccupationsRow{{SOC: "2", Name: "Professionals"},
		{SOC: "22", Name: "Health"}, {SOC: "223", Name: "Nurses"}, {SOC: "2231", Name: "Midwives"}}); err != nil {
		t.Fatal(err)
	}
	return w
}

func datasetRows[T any](t *testing.T, w *tablewriter.Writer, name string) []T {
	t.Helper()
	rows, err := parquetio.ReadAll[T](w.Snapshot.FilePath(snapshots.EmbargoedFileName(name)))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// All six datasets are built, with their numbers of rows in the states. Codes that are in no list
// are faults.
func TestSixDatasetsAreBuilt(t *testing.T) {
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := writerOver(t)
	var steps []string
	w.OnStep = func(name string) { steps = append(steps, name) }
	day := sources.Date{Year: 2026, Month: 11, Day: 12}
	priority := func(kind, code string) sources.PlanPriority {
		return sources.PlanPriority{Source: "open", Plan: "p", Title: "The plan", Kind: kind, Code: code, Published: day}
	}
	sector, skill := registers.Sectors.Sectors()[0].Slug, registers.Skills.Skills()[0].Slug
	stranger := priority("skill", registers.Skills.Skills()[1].Slug)
	stranger.Source = "a source that is not configured"
	ward := sources.Ward{Source: "open", Code: "W1", Name: "Ward", Council: "E09000007", Latitude: 51.54, Longitude: -0.14}
	again := ward
	again.Name = "A second name"
	in := Inputs{SourceInfos: infos(), FirstFetchTime: func(string) (time.Time, error) {
		return asOf.AddDate(-3, 0, 0),
			nil
	},
		Registers: registers, Wards: []sources.Ward{ward, again},
		Headlines: []sources.Headline{{Source: "open", ID: "1", Published: day, Topics: []sources.Topic{"pay"}}},
		Priorities: []sources.PlanPriority{priority("occupation", "2231"), priority("sector", sector),
			priority("skill", skill),
			priority("skill", "none"), priority("other", "2231"), stranger},
		Boundaries: []sources.Boundary{{Code: "E09000007", GeoJSON: []byte(
			`{"type":"Polygon","coordinates":[[[-0.2,51.5],[-0.1,51.5],[-0.1,51.6],[-0.2,51.6],[-0.2,51.5]]]}`)}}}
	for _, name := range DatasetNames() {
		in.States = append(in.States, snapshots.EmbargoedState{Name: name})
	}
	got, err := WriteDatasets(t.Context(), w, in)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(steps, []string{"build the embargoed datasets"}) {
		t.Errorf("the steps are %q", steps)
	}
	if len(got.States) != 6 || in.States[0].Rows != nil {
		t.Errorf("the states are %+v; those given are not changed", got.States)
	}
	rows := map[string]int64{}
	for _, s := range got.States {
		if s.Rows == nil {
			t.Fatalf("%s has no number of rows", s.Name)
		}
		rows[s.Name] = *s.Rows
	}
	if rows["signals"] != 1 || rows["priorities"] != 3 || rows["demand"] == 0 || rows["reach"] == 0 {
		t.Errorf("the numbers of rows are %v", rows)
	}
	want := []sources.Fault{{Source: "open", Where: "skill none", Code: sources.FaultBadValue,
		Detail: `"none" is the code of no skill in the lists of the service; it is left out`},
		{Source: "open", Where: "other 2231", Code: sources.FaultBadValue,
			Detail: `"2231" is the code of no other in the lists of the service; it is left out`}}
	if !slices.Equal(got.Faults, want) {
		t.Errorf("the faults are %+v, want %+v", got.Faults, want)
	}
	if n := len(datasetRows[snapshots.DemandRow](t, w, "demand")); int64(n) != rows["demand"] {
		t.Errorf("demand has %d rows, the state says %d", n, rows["demand"])
	}
	for _, r := range datasetRows[snapshots.ReachRow](t, w, "reach") {
		if r.WardCode != "W1" || r.WardName != "Ward" {
			t.Errorf("%+v: the first of two wards of one code is used", r)
		}
	}
}

// Names of codes are those of the service's lists.
func TestNamesOfPriorities(t *testing.T) {
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	in := Inputs{Registers: registers}
	sector, skill := registers.Sectors.Sectors()[0], registers.Skills.Skills()[0]
	var group occupation.Group = registers.Occupations.Groups()[0]
	for _, c := range []struct{ kind, code, want string }{
		{"occupation", group.Code, group.Name}, {"sector", sector.Slug, sector.Name}, {"skill", skill.Slug, skill.Name},
		{"occupation", skill.Slug, ""}, {"sector", skill.Slug, ""}, {"skill", group.Code, ""}, {"other", skill.Slug, ""},
	} {
		if got, ok := in.priorityName(c.kind, c.code); got != c.want || ok != (c.want != "") {
			t.Errorf("%s %s is named %q, %v; want %q", c.kind, c.code, got, ok, c.want)
		}
	}
}

// A table that cannot be read or written stops the build; the error names the dataset.
func TestDatasetsThatCannotBeWritten(t *testing.T) {
	w := writertest.Open(t, asOf)
	d := &datasets{Writer: w, states: []snapshots.EmbargoedState{{Name: "signals"}}}
	if err := w.Snapshot.Close(); err != nil {
		t.Fatal(err)
	}
	err := writeRows(d, "signals", []snapshots.SignalsRow{})
	if err == nil || !strings.HasPrefix(err.Error(), "embargoed dataset signals: ") || d.states[0].Rows != nil {
		t.Errorf("the error is %v, the states are %+v", err, d.states)
	}
	broken := errors.New("unreadable")
	in := Inputs{SourceInfos: infos(), FirstFetchTime: func(string) (time.Time, error) { return time.Time{}, broken }}
	in.SourceInfos[0].ListsLiveOnly = true
	w = writerOver(t)
	if _, err := WriteDatasets(t.Context(), w, in); !errors.Is(err, broken) {
		t.Errorf("a source whose first fetch is not known: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	d = &datasets{Writer: w, in: in}
	if err := writeQuery[snapshots.DemandRow](ended, d, cells.QueryDemand); !errors.Is(err, context.Canceled) {
		t.Errorf("a dataset of a run that has ended: %v", err)
	}
	if err := d.prepareShared(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("the vacancies of a run that has ended: %v", err)
	}
}

// TestOccupationsAreNeeded: without the table of occupations no dataset is counted.
func TestOccupationsAreNeeded(t *testing.T) {
	w := writerOver(t)
	if err := os.Remove(w.Snapshot.TablePath("occupations")); err != nil {
		t.Fatal(err)
	}
	d := &datasets{Writer: w}
	if err := d.prepareShared(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "read occupations: ") {
		t.Errorf("%v", err)
	}
}
