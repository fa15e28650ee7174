package cells

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"labour/pipeline/cells/engine"
	"labour/pipeline/staging"
	"labour/snapshots/parquetio"
)

// The people of a country do not fit into the memory that counts them: here each of 150,000
// outcomes asks for three skills, and ids are as long as those of feeds.
func TestManyPeopleAreCountedInLittleMemory(t *testing.T) {
	r := raw{limits: engine.Limits{MemoryMB: 100, TempDir: t.TempDir()}}
	id := func(kind string, n int) string { return fmt.Sprintf("%s-%032d", kind, n) }
	for i := range 20_000 {
		r.adverts = append(r.adverts, staging.Advert{Ordinal: int32(i), ID: id("advert", i), Source: "platform",
			FirstSource: "platform", Sector: "care", SOC: "6135", Employer: "x", Posted: asOf, Readable: true})
		r.verdicts = append(r.verdicts, countedVacancy(i, i))
		r.people = append(r.people, staging.Resident{Ordinal: int32(i), ID: id("resident", i), Borough: "camden"})
	}
	for i := range 150_000 {
		o := outcome{ApplicationOutcome: staging.ApplicationOutcome{Ordinal: int32(i), ApplicationID: id("application", i),
			ResidentID: r.people[i*7%20_000].ID, AdvertID: r.adverts[i*13%20_000].ID,
			Hired: i%3 == 0}}
		recorded := peopleTo.Add(-time.Duration(i*31%5_000) * time.Hour)
		o.RecordedMicros = recorded.UnixMicro()
		o.Day = recorded.Truncate(24 * time.Hour)
		for k := range skillList {
			o.OutcomeSkill = staging.OutcomeSkill{Outcome: int32(i), Skill: int16(k), RequiredLevel: 3,
				RecordedLevel: int8(i % 5), TurnedDownFor: i%4 == 1}
			r.outcomes = append(r.outcomes, o)
		}
	}
	dir := t.TempDir()
	e := r.stage(t, dir, nil)
	defer e.Close()
	file := filepath.Join(dir, "people.parquet")
	if err := e.WriteResult(context.Background(), QueryDecidedApplicants, file); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	if err := parquetio.ForEachRow(file, func(p personRow) error {
		got["latest"] += map[bool]int{true: 1}[p.Latest]
		got["latest for"] += map[bool]int{true: 1}[p.LatestFor]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	latest, latestFor := map[string]bool{}, map[string]bool{}
	for _, o := range r.outcomes {
		latest[fmt.Sprint(o.Skill, o.ResidentID, o.Hired)] = true
		if o.TurnedDownFor && !o.Hired {
			latestFor[fmt.Sprint(o.Skill, o.ResidentID)] = true
		}
	}
	if got["latest"] != len(latest) || got["latest for"] != len(latestFor) {
		t.Errorf("%v, want %d and %d", got, len(latest), len(latestFor))
	}
}

// TestOutcomesOfOneMomentAreInOrderOfTheirIDs: of two outcomes of a person that were recorded at the same
// time, the one of the later application id is the latest, in whatever order they were read.
func TestOutcomesOfOneMomentAreInOrderOfTheirIDs(t *testing.T) {
	for _, ids := range [][]string{{"p1", "p2"}, {"p2", "p1"}} {
		r := raw{people: []staging.Resident{{ID: "r", Borough: "camden"}}}
		for i, id := range ids {
			advert := "of " + id
			r.adverts = append(r.adverts, staging.Advert{Ordinal: int32(i), ID: advert, Source: "platform",
				FirstSource: "platform", Sector: id, Employer: "x", Posted: peopleTo, Readable: true})
			r.verdicts = append(r.verdicts, countedVacancy(i, i))
			r.outcomes = append(r.outcomes, outcome{
				ApplicationOutcome: staging.ApplicationOutcome{Ordinal: int32(i), ApplicationID: id, ResidentID: "r",
					AdvertID: advert, RecordedMicros: peopleTo.UnixMicro(), Day: peopleTo},
				OutcomeSkill: staging.OutcomeSkill{Outcome: int32(i), RequiredLevel: 3}})
		}
		dir := t.TempDir()
		e := r.stage(t, dir, nil)
		rows := ask[personRow](t, e, dir, QueryDecidedApplicants)
		if len(rows) != 1 || rows[0].Sector != "p2" || !rows[0].Latest {
			t.Errorf("read in the order %q: %+v, want the outcome of p2", ids, rows)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}
