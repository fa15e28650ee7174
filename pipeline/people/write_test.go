package people

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"labour/pipeline/cells"
	"labour/pipeline/disclosure"
	"labour/pipeline/internal/writertest"
	"labour/pipeline/staging"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

// staged are 30 residents of Camden. 20 of them have the skill python at level 2 and were turned
// down for the role of one of 20 adverts that require it.
func staged(s *staging.StagedFiles) (err error) {
	add := func(one error) { err = errors.Join(err, one) }
	posted := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for i := range int32(30) {
		add(s.Residents.Append(staging.Resident{Ordinal: i, ID: id(i), Borough: "camden", SeekingWork: i < 12}))
		if i >= 20 {
			continue
		}
		add(s.ResidentSkills.Append(staging.ResidentSkill{Resident: i, Skill: 1, Level: 2}))
		add(s.Adverts.Append(staging.Advert{Ordinal: i, ID: id(i), Source: platform.Key, FirstSource: platform.Key,
			Sector: "care", SOC: "2134", Employer: id(i), Posted: posted, PlacePrecision: 3, Readable: true}))
		add(s.AdvertPlaces.Append(staging.AdvertPlace{Ordinal: i, CouncilCode: "E09000007", IsCertain: true}))
		add(s.AdvertSkills.Append(staging.AdvertSkill{Ordinal: i, Skill: 1, Level: 2}))
		add(s.AdvertVacancies.Append(staging.AdvertVacancy{Ordinal: i, CountedAs: i, AppliedAs: i}))
		add(s.Outcomes.Append(staging.ApplicationOutcome{Ordinal: i, ApplicationID: id(i), ResidentID: id(i), AdvertID: id(i),
			RecordedMicros: posted.Add(time.Hour).UnixMicro(), Day: posted}))
		add(s.OutcomeSkills.Append(staging.OutcomeSkill{Outcome: i, Skill: 1, RequiredLevel: 2, RecordedLevel: 2,
			TurnedDownFor: true}))
	}
	return err
}

// openStaged returns a writer that counts the staged people, and the inputs of their figures.
func openStaged(t *testing.T) (*tablewriter.Writer, Inputs) {
	in := world(t)
	in.Places = disclosure.NewPlaces([]string{"camden"}, nil)
	in.Developments = []sources.S106Development{{ID: "d1", Borough: "camden", JobsCreated: 7}}
	asOf := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	w := writertest.OpenWithQueries(t, cells.QueryInputs{AsOf: asOf, PeopleFirstDay: asOf.AddDate(-1, 0, 0),
		PeopleLastDay: asOf,
		Boroughs: []snapshots.PlacesRow{{Place: "camden", Name: "Camden", AreaKind: snapshots.AreaKindBorough,
			Code: "E09000007"}},
		Skills:  []cells.Skill{{Slug: "care", DefaultLevel: 2}, {Slug: "python", DefaultLevel: 2}},
		Sources: []snapshots.SourcesRow{{Key: platform.Key, Kind: string(sources.KindPlatform), AdvertsCounted: true}},
	}, staged)
	return w, in
}

// If all figures are withdrawn, all four tables are empty.
func TestAllWithdrawnFiguresAreInNoTable(t *testing.T) {
	w, in := openStaged(t)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := WriteTables(ended, w, in, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	tally, err := WriteTables(t.Context(), w, in, []snapshots.PeopleWithdrawal{{Skill: ""}})
	if err := errors.Join(err, w.Finish()); err != nil || tally != (disclosure.ValueTally{}) {
		t.Fatalf("the tally is %+v, %v", tally, err)
	}
	var written []string
	for _, f := range w.Files() {
		if written = append(written, f.Name); f.Rows != 0 {
			t.Errorf("%s has %d rows, want none", f.Name, f.Rows)
		}
	}
	if slices.Sort(written); !slices.Equal(written, []string{"candidates", "people", "residents", "s106_people"}) {
		t.Errorf("written are %q", written)
	}
}

// The four tables are written, sorted and without withdrawn figures.
func TestTablesOfAQuarterAreWritten(t *testing.T) {
	w, in := openStaged(t)
	var steps []string
	w.OnStep = func(name string) { steps = append(steps, name) }
	tally, err := WriteTables(t.Context(), w, in, []snapshots.PeopleWithdrawal{{Skill: "care"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"count people", "round people", "sort people"}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %q, want %q", steps, want)
	}
	people := writertest.Rows[snapshots.PeopleRow](t, w, "people")
	if len(people) == 0 || tally.Numbers != int64(len(people)) || tally.UnderFive != 0 {
		t.Fatalf("people has %d rows, the tally is %+v", len(people), tally)
	}
	for i, r := range people {
		if n, err := r.Count(); err != nil || r.Skill != "python" || n.String() != "20" {
			t.Errorf("%+v: %v people were turned down, %v; want 20 for python", r, n, err)
		}
		if i > 0 && people[i-1].Signature > r.Signature {
			t.Errorf("%s stands before %s", people[i-1].Signature, r.Signature)
		}
	}
	residents := writertest.Rows[snapshots.ResidentsRow](t, w, "residents")
	for _, r := range residents {
		below := map[bool]string{true: "33", false: "100"}[r.Level <= 2] // 10 of 30 have no level on record
		if r.Skill != "python" || share(r.PeopleBelowSharePct) != below {
			t.Errorf("%+v: the share is %s, want %s of python", r, share(r.PeopleBelowSharePct), below)
		}
	}
	if want := 2 * disclosure.LevelCount; len(residents) != want {
		t.Errorf("residents has %d rows, want %d", len(residents), want)
	}
	if rows := writertest.Rows[snapshots.CandidatesRow](t, w, "candidates"); len(rows) != 10 || count(t, rows[0]) != "30" {
		t.Errorf("candidates has %+v, want 10 rows and 30 residents", rows)
	}
	if rows := writertest.Rows[snapshots.S106PeopleRow](t, w, "s106_people"); len(rows) != 2 || *rows[0].JobsCreated != 7 {
		t.Errorf("s106_people has %+v, want 7 jobs in both places", rows)
	}
}

// Withdrawn counts that would be published as "<5" are not in the tally either.
func TestWithdrawnSmallCountsAreNotTallied(t *testing.T) {
	in := world(t)
	people := events()
	for i := range people {
		people[i].IsLatestForSkill = people[i].IsLatestForSkill && people[i].Person >= 28
	}
	in.QueryResults.People = answer(t, t.TempDir(), "people", people)
	for skill, want := range map[string]int64{"python": 6, "care": 0} {
		hidden := HiddenCounts{Withdrawn: []snapshots.PeopleWithdrawal{{Skill: skill}}}
		made, err := writeUnsorted(t.Context(), in, t.TempDir()+"/people.parquet", hidden)
		if err != nil || made.PeopleTally.UnderFive != want || made.PeopleTally.Numbers != 0 {
			t.Errorf("withdrawn %q: the tally %+v, %v; want %d under five", skill, made.PeopleTally, err, want)
		}
	}
}
