package lists

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/cells"
	"labour/pipeline/coding"
	"labour/pipeline/coding/area"
	"labour/pipeline/config"
	"labour/pipeline/corrections"
	"labour/pipeline/internal/writertest"
	"labour/pipeline/servedplaces"
	"labour/pipeline/staging"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/eventfiles"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/platform"
)

var noon = asOf.Time().Add(12 * time.Hour)

// writerOver runs queries over 20 adverts of this month that require the first skill of the
// register at level 5, and over one job of the feed.
func writerOver(t *testing.T, skills ...cells.Skill) *tablewriter.Writer {
	t.Helper()
	in := cells.QueryInputs{AsOf: asOf.Time(), PeopleFirstDay: asOf.Time(), PeopleLastDay: asOf.Time(),
		Boroughs: []snapshots.PlacesRow{{Place: "camden", Name: "Camden", AreaKind: snapshots.AreaKindBorough,
			Code: "E09000007"}},
		Sources: []snapshots.SourcesRow{{Key: platform.Key, Publisher: "Works", Kind: string(sources.KindPlatform),
			Licence: "Own", Link: "https://works.example", AdvertsCounted: true}}}
	in.Skills = skills
	return writertest.OpenWithQueries(t, in, func(s *staging.StagedFiles) (err error) {
		for i := range int32(20) {
			err = errors.Join(err, s.Adverts.Append(staging.Advert{Ordinal: i, ID: string('a' + i), Source: platform.Key,
				FirstSource: platform.Key, Employer: string('a' + i), Posted: asOf.Time(), PlacePrecision: 3, Readable: true}),
				s.AdvertPlaces.Append(staging.AdvertPlace{Ordinal: i, CouncilCode: "E09000007", IsCertain: true}),
				s.AdvertSkills.Append(staging.AdvertSkill{Ordinal: i, Level: 5}),
				s.AdvertVacancies.Append(staging.AdvertVacancy{Ordinal: i, CountedAs: i, AppliedAs: i}))
		}
		return errors.Join(err, s.Jobs.Append(staging.Job{ID: "platform:1", Type: "job", Title: "Nurse",
			PostedAt: asOf.Time(), FirstSeen: noon, SourceKey: platform.Key}))
	})
}

func written(w *tablewriter.Writer) map[string]int64 {
	rows := map[string]int64{}
	for _, f := range w.Files() {
		rows[f.Name] = f.Rows
	}
	return rows
}

// Every list of names is written. The level of a skill is what adverts require, or else that of the
// register.
func TestNamesAreWritten(t *testing.T) {
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	var skills []cells.Skill
	for _, s := range registers.Skills.Skills() {
		skills = append(skills, cells.Skill{Slug: s.Slug, DefaultLevel: int8(s.Level)})
	}
	w := writerOver(t, skills...)
	var steps []string
	w.OnStep = func(name string) { steps = append(steps, name) }
	err = WriteNames(t.Context(), w, NamesInputs{Registers: registers, AreaHistory: area.NewHistory(nil),
		ServedPlaces: servedplaces.NewPlaces([]sources.Borough{{Slug: "camden", Name: "Camden", Code: "E09000007"}}, nil,
			[]config.ServedArea{{Slug: "inner", Name: "Inner", Boroughs: []string{"camden"}}}),
		SourceInfos: []sources.Info{{Key: "open", Terms: sources.Terms{MayRepublish: true}}},
		Areas: []sources.Area{{Source: "open", Kind: "region", Code: "E12000007", Name: "London", NameWelsh: "Llundain",
			NationCode: "E92000001", Slug: "london"}},
		Boundaries: []sources.Boundary{{Source: "open", Code: "E09000007", GeoJSON: []byte(
			`{"type":"Polygon","coordinates":[[[-0.2,53],[-0.1,53],[-0.1,53.1],[-0.2,53.1],[-0.2,53]]]}`)}},
		Corrections: corrections.NewSet([]corrections.Correction{{Source: "open", Kind: "area", Record: "x", Field: "name",
			DecidedDay: "2026-11-01"}})})
	if err != nil {
		t.Fatal(err)
	}
	all := registers.Skills.Skills()
	want := map[string]int64{"skills": int64(len(all)), "levels": 5, "sectors": int64(len(registers.Sectors.Sectors())),
		"occupations": int64(len(registers.Occupations.Groups())), "places": 2, "place_members": 1, "regions": 1,
		"corrections": 1, "outlines": 1}
	got := written(w)
	for name, rows := range want {
		if got[name] != rows {
			t.Errorf("%s has %d rows, want %d", name, got[name], rows)
		}
	}
	if !slices.Equal(steps, []string{"write lists"}) {
		t.Errorf("the steps are %q", steps)
	}
	rows := writertest.Rows[snapshots.SkillsRow](t, w, "skills")
	for i, s := range all {
		usual := int8(s.Level)
		want := snapshots.SkillsRow{Skill: s.Slug, Name: s.Name, ReferenceLevel: usual, Level: usual, Kind: string(s.Kind),
			Wordings: s.Wordings}
		if i == 0 {
			want.Level = 5
		}
		if rows[i] != want {
			t.Errorf("the skill is %+v, want %+v", rows[i], want)
		}
	}
	levels := []snapshots.LevelsRow{{Level: 1, Name: "entry"}, {Level: 2, Name: "basic"}, {Level: 3, Name: "working"},
		{Level: 4, Name: "advanced"}, {Level: 5, Name: "expert"}}
	if got := writertest.Rows[snapshots.LevelsRow](t, w, "levels"); !slices.Equal(got, levels) {
		t.Errorf("the levels are %+v, want %+v", got, levels)
	}
	sectors := writertest.Rows[snapshots.SectorsRow](t, w, "sectors")
	if s := registers.Sectors.Sectors()[0]; !slices.Contains(sectors, snapshots.SectorsRow{Sector: s.Slug, Name: s.Name}) {
		t.Errorf("%+v is not in the sectors", s)
	}
	occupations := writertest.Rows[snapshots.OccupationsRow](t, w, "occupations")
	g := registers.Occupations.Groups()[0]
	if !slices.Contains(occupations, snapshots.OccupationsRow{SOC: g.Code, Name: g.Name}) {
		t.Errorf("%+v is not in the occupations", g)
	}
	r := writertest.Rows[snapshots.RegionsRow](t, w, "regions")[0]
	if r.Code != "E12000007" || r.Name != "London" || r.Kind != "region" || r.SourceKey != "open" ||
		*r.NameWelsh != "Llundain" || *r.NationCode != "E92000001" || *r.Slug != "london" {
		t.Errorf("the region is %+v", r)
	}
}

// Jobs of a whole run are those of the query. A light run adds the other sources' jobs of the
// previous snapshot, without those that have closed or may not be published now.
func TestJobsAreWritten(t *testing.T) {
	before := filepath.Join(t.TempDir(), "jobs.parquet")
	table, _ := snapshots.FindTable("jobs")
	old := []snapshots.JobsRow{{ID: "boards:9", SourceKey: "boards", PostedAt: asOf.Time(), FirstSeen: noon},
		{ID: "platform:0", SourceKey: platform.Key, PostedAt: asOf.Time(), FirstSeen: noon},
		{ID: "platforms:7", SourceKey: "platforms", PostedAt: asOf.Time(), FirstSeen: noon, ClosesOn: new(asOf.Time())},
		{ID: "platforms:8", SourceKey: "platforms", PostedAt: asOf.Time(), FirstSeen: noon,
			ClosesOn: new(asOf.AddDays(-1).Time())},
		{ID: "gone:1", SourceKey: "gone", PostedAt: asOf.Time(), FirstSeen: noon},
		{ID: "gone:2", SourceKey: "gone", PostedAt: asOf.Time(), FirstSeen: noon},
		{ID: "closed:1", SourceKey: "closed", PostedAt: asOf.Time(), FirstSeen: noon}}
	open := sources.Terms{MayRepublish: true}
	infos := []sources.Info{{Key: "boards", Terms: open}, {Key: "platforms", Terms: open}, {Key: "closed"}}
	if err := parquetio.WriteTable(before, table, nil, asOf.Time(), old); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before string
		want   []string
		remark string
	}{
		{"", []string{"platform:1"}, ""},
		{before, []string{"boards:9", "platform:1", "platforms:7"}, "jobs of closed (1), gone (2) are no longer shown: "},
	} {
		w := writerOver(t)
		var steps []string
		w.OnStep = func(name string) { steps = append(steps, name) }
		var leftOut map[string]int
		var err error
		if c.before == "" {
			err = WriteJobs(t.Context(), w)
		} else {
			leftOut, err = UpdateJobs(t.Context(), w, c.before, asOf, infos)
		}
		if err := errors.Join(err, w.Finish()); err != nil {
			t.Fatal(err)
		}
		remark := JobsLeftOutRemark(leftOut)
		if !strings.HasPrefix(remark, c.remark) || (remark == "") != (c.remark == "") {
			t.Errorf("the remark is %q, want %q", remark, c.remark)
		}
		if !slices.Equal(steps, []string{"write the platform's records"}) {
			t.Errorf("the steps are %q", steps)
		}
		var ids []string
		for _, j := range writertest.Rows[snapshots.JobsRow](t, w, "jobs") {
			ids = append(ids, j.ID)
		}
		if !slices.Equal(ids, c.want) || written(w)["jobs"] != int64(len(c.want)) {
			t.Errorf("the jobs are %q in %v, want %q", ids, written(w), c.want)
		}
	}
	w := writerOver(t)
	if _, err := UpdateJobs(t.Context(), w, before+".none", asOf, infos); err == nil {
		t.Error("previous jobs that cannot be read are no error")
	}
	checkEnded(t, w, before)
}

// checkEnded holds that a list which asks the database is not written once the run has ended.
func checkEnded(t *testing.T, w *tablewriter.Writer, before string) {
	t.Helper()
	ended, end := context.WithCancel(t.Context())
	end()
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	files := len(w.Files())
	_, lightJobs := UpdateJobs(ended, w, before, asOf, nil)
	for name, err := range map[string]error{
		"names":      WriteNames(ended, w, NamesInputs{Registers: registers, AreaHistory: area.NewHistory(nil)}),
		"jobs":       lightJobs,
		"whole jobs": WriteJobs(ended, w),
		"events":     WriteEvents(ended, w, before),
		"evidence":   WriteStatistics(ended, w, nil, nil),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(w.Files()) != files {
		t.Errorf("written are %+v", w.Files())
	}
}

// A boundary that is no outline stops the lists before anything is written.
func TestABoundaryThatIsNoOutline(t *testing.T) {
	w := writertest.Open(t, asOf.Time())
	err := WriteNames(t.Context(), w, NamesInputs{AreaHistory: area.NewHistory(nil),
		ServedPlaces: servedplaces.NewPlaces([]sources.Borough{{Slug: "camden", Code: "E09000007"}}, nil, nil),
		SourceInfos:  []sources.Info{{Key: "open", Terms: sources.Terms{MayRepublish: true}}},
		Boundaries: []sources.Boundary{{Source: "open", Code: "E09000007",
			GeoJSON: []byte(`{"type":"Point","coordinates":[0,51]}`)}}})
	if err == nil || err.Error() != "boundary of E09000007: orb.Point is not a polygon" || len(w.Files()) > 0 {
		t.Errorf("%v; written are %+v", err, w.Files())
	}
}

// Events are sorted by time. Those of a partner go to the partner's own file and are not counted in
// the table.
func TestEventsAreWritten(t *testing.T) {
	w := writerOver(t)
	event := func(id, partner string, hours int) snapshots.EventsRow {
		at := noon.Add(-time.Duration(hours) * time.Hour)
		return snapshots.EventsRow{ID: id, Type: "opportunity.published", OccurredAt: at, Partner: partner,
			Advert: new("1"), Borough: new("camden")}
	}
	staged, err := staging.WriteRows(t.TempDir(), "staged", []snapshots.EventsRow{event("c", "", 1), event("p", "acme", 2),
		event("a", "", 3)})
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteEvents(t.Context(), w, staged); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range writertest.Rows[snapshots.EventsRow](t, w, "events") {
		ids = append(ids, e.ID)
	}
	if !slices.Equal(ids, []string{"a", "c"}) || written(w)["events"] != 2 || len(eventfiles.SortColumns()) == 0 {
		t.Errorf("the events are %q in %v, want a and c", ids, written(w))
	}
	if p := w.Snapshot.PartnerFiles(); len(p) != 1 {
		t.Errorf("the partners' files are %+v, want one", p)
	}
	if err := WriteEvents(t.Context(), w, staged+".none"); err == nil {
		t.Error("staged events that cannot be read are no error")
	}
}

// Evidence is what the sources publish and news; an embargoed projection is left out.
func TestEvidenceIsWritten(t *testing.T) {
	w := writerOver(t)
	evidence := []sources.Evidence{{Source: platform.Key, ID: "1", Published: asOf, Title: "A title",
		Statement: "It says.",
		Kind:      "report", Signal: "gap", SOC: "2231", Country: "GB"},
		{Source: platform.Key, ID: "2", Published: asOf, Kind: "report", Embargoed: true}}
	news := []snapshots.SignalsRow{{ID: "platform:n", PublishedOn: asOf.Time(), Summary: "News.", SourceKey: platform.Key,
		Link: "https://works.example/n"}}
	if err := errors.Join(WriteStatistics(t.Context(), w, evidence, news), w.Finish()); err != nil {
		t.Fatal(err)
	}
	rows := writertest.Rows[snapshots.EvidenceRow](t, w, "evidence")
	if len(rows) != 2 || rows[0].ID != "platform:1" || rows[0].Licence != "Own" || rows[1].Statement != "News." {
		t.Errorf("the evidence is %+v, want the report and the news", rows)
	}
	if _, ok := written(w)["skills_gaps"]; !ok {
		t.Error("skills_gaps is not written")
	}
}
