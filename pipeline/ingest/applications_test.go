package ingest

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/pipeline/coding"
	"labour/pipeline/report"
	"labour/pipeline/staging"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
	"labour/sources/sourcetest"
)

// Only applications that ended in hired or turned down by the day of the data are staged, each with
// the skills of the register that its role required. A licence has one level, held or not, whatever
// the feed states.
func TestEndedApplicationsAreStaged(t *testing.T) {
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	var ordinary, licence string
	for _, s := range registers.Skills.Skills() {
		if s.IsLicence() {
			licence = s.Slug
		} else {
			ordinary = s.Slug
		}
	}
	files, err := staging.Create(filepath.Join(t.TempDir(), "staging"))
	if err != nil {
		t.Fatal(err)
	}
	s := &stager{reader: &reader{files: files, options: Options{AsOf: sources.DateOf(noon)}},
		report: report.New(sources.DateOf(noon)).EnsureSource(platform.Key)}
	s.reader.result.Registers = registers
	end := func(id string, outcome sources.ApplicationOutcome, at time.Time, skills ...sources.RequiredSkill) {
		s.application(&sources.Application{ID: id, Resident: "r-" + id, Advert: "a", Outcome: outcome, RecordedAt: at,
			Skills: skills})
	}
	early := day(-9).Truncate(24 * time.Hour).Add(250 * time.Millisecond).In(time.FixedZone("", 60*60))
	early = early.Add(-time.Hour)
	asked := sources.RequiredSkill{Skill: ordinary, AskedLevel: 3, HeldLevel: 2, TurnedDownFor: true}
	held := sources.RequiredSkill{Skill: licence, AskedLevel: 4, HeldLevel: 3}
	lacked := sources.RequiredSkill{Skill: licence, AskedLevel: 4}
	unknown := sources.RequiredSkill{Skill: "no-such-skill-of-the-register", AskedLevel: 2}
	end("hired", sources.OutcomeHired, noon, asked, held, asked)
	end("pending", sources.OutcomePending, noon, asked)
	end("withdrawn", sources.OutcomeWithdrawn, noon, asked)
	end("tomorrow", sources.OutcomeHired, noon.AddDate(0, 0, 1), asked)
	end("no skill", sources.OutcomeTurnedDown, noon)
	end("unknown skill", sources.OutcomeTurnedDown, noon, unknown)
	// In UTC it is the day before.
	end("turned down", sources.OutcomeTurnedDown, early, unknown, lacked)
	if err := errors.Join(s.writeError, files.Close()); err != nil {
		t.Fatal(err)
	}
	outcomes, err := parquetio.ReadAll[staging.ApplicationOutcome](files.Dir + "/outcomes.parquet")
	if err != nil || len(outcomes) != 2 || s.reader.result.Outcomes != 2 {
		t.Fatalf("staged are %+v, %v", outcomes, err)
	}
	want := []staging.ApplicationOutcome{
		{ApplicationID: "hired", ResidentID: "r-hired", AdvertID: "a", Hired: true,
			Day: noon.Truncate(24 * time.Hour), RecordedMicros: noon.UnixMicro()},
		{Ordinal: 1, ApplicationID: "turned down", ResidentID: "r-turned down", AdvertID: "a",
			Day: day(-9).Truncate(24 * time.Hour), RecordedMicros: early.UnixMicro()}}
	if diff := cmp.Diff(want, outcomes); diff != "" {
		t.Error(diff)
	}
	number := func(slug string) int16 { n, _ := registers.Skills.FindIndexByLabel(slug); return int16(n) }
	skills, err := parquetio.ReadAll[staging.OutcomeSkill](files.Dir + "/outcome_skills.parquet")
	if err != nil || !slices.Equal(skills, []staging.OutcomeSkill{
		{Skill: number(ordinary), RequiredLevel: 3, RecordedLevel: 2, TurnedDownFor: true},
		{Skill: number(licence), RequiredLevel: 1, RecordedLevel: 1},
		{Outcome: 1, Skill: number(licence), RequiredLevel: 1}}) {
		t.Errorf("the skills are %+v, %v", skills, err)
	}
	if n := s.report.UnknownSkills(); n != 2 {
		t.Errorf("%d unknown skills are counted", n)
	}
}

// Jobs are live on the day of the newest fetch of the feed that a run may read, never before the
// date of the data.
func TestDayOfTheFeed(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	fetched(t, a, platform.Key, day(0), "adverts")
	fetched(t, a, platform.Key, day(2), "adverts")
	for _, c := range []struct{ asOf, known, want int }{
		{0, 9, 2}, {2, 9, 2}, {3, 9, 3}, {0, 2, 0}, {-1, 2, 0}, {-1, 0, -1},
	} {
		got, err := LightSnapshotDay(a, before(day(c.known)), sources.DateOf(day(c.asOf)))
		if err != nil || got != sources.DateOf(day(c.want)) {
			t.Errorf("data of day %d, fetches before day %d: %s, %v", c.asOf, c.known, got, err)
		}
	}
	none, err := LightSnapshotDay(sourcetest.OpenArchive(t), archive.AllExtracts, sources.DateOf(noon))
	if err != nil || none != sources.DateOf(noon) {
		t.Errorf("without a feed the day is %s, %v", none, err)
	}
}
