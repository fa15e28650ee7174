package diff_test

import (
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

func input(source string, sums ...string) snapshots.ArchivedFetch {
	in := snapshots.ArchivedFetch{Source: source}
	for _, s := range sums {
		in.Objects = append(in.Objects, snapshots.ArchivedObject{Name: "part " + s, SHA256: s})
	}
	return in
}

func course(period string, value int64) snapshots.CourseDemandRow {
	c := figure.CountOf(value)
	return snapshots.CourseDemandRow{SourceKey: "dfe", Metric: "apprenticeship_starts", Country: "GB",
		RegionCode: "E12000007", SubjectArea: "Total",
		PeriodEnd: date(period).Time, Value: c.Value(), ValueStatus: c.Status()}
}

// published is the row of evidence of one figure, as published on a day.
func published(day, value string) snapshots.EvidenceRow {
	return snapshots.EvidenceRow{ID: "dfe:camden", PublishedOn: date(day).Time, Country: "GB", SourceKey: "dfe",
		Statement: "Apprenticeship starts in Camden, period to 31 July 2025: " + value + "."}
}

func person(n int64, skill string) snapshots.PeopleRow {
	r := snapshots.PeopleRow{Signature: snapshots.Unfiltered, Skill: skill}
	r.SetTurnedDown(figure.CountOf(n))
	return r
}

// TestReasons plants one change of each kind.
func TestReasons(t *testing.T) {
	quarter, next := date("2026-09-30"), date("2026-12-31")
	type content = map[string]func(string, snapshots.Table, time.Time) error
	dfe := rowsOf([]snapshots.SourcesRow{{Key: "dfe", Kind: "statistics"}, {Key: "platform", Kind: "platform"}})
	people := func(rows ...snapshots.PeopleRow) content { return content{"people": rowsOf(rows)} }
	courses := func(rows ...snapshots.CourseDemandRow) content {
		return content{"course_demand": rowsOf(rows), "sources": dfe}
	}
	same := []snapshots.ArchivedFetch{input("dfe", "aa"), input("platform", "pp")}
	tests := []struct {
		name         string
		before       content
		after        content
		m            snapshots.Manifest // of the second; the first has same, tool 1 and the quarter
		reason       snapshots.ChangeReason
		old, new     string
		sources, sum string
	}{
		{"a figure falls under five", people(person(7, "sql")), people(person(3, "sql")),
			snapshots.Manifest{PeopleAsOf: &quarter, Inputs: same},
			snapshots.ReasonPeriod, `{"people_turned_down":7}`, `{"people_turned_down":"<5"}`, "platform", ""},
		{"another quarter", people(person(7, "sql")), people(person(9, "sql")),
			snapshots.Manifest{PeopleAsOf: &next, Inputs: []snapshots.ArchivedFetch{input("platform", "qq")}},
			snapshots.ReasonPeriod, `{"people_turned_down":7}`, `{"people_turned_down":9}`, "platform", ""},
		{"no longer published", people(person(7, "sql")), people(),
			snapshots.Manifest{PeopleAsOf: &quarter, Inputs: same},
			snapshots.ReasonPeriod,
			`{"people_turned_down":7,"hired_with_skill_pct":null,"turned_down_with_skill_pct":null}`, "", "platform",
			""},
		{"revised by the publisher", courses(course("2026-07-31", 10)), courses(course("2026-07-31", 12)),
			snapshots.Manifest{PeopleAsOf: &quarter, Inputs: []snapshots.ArchivedFetch{input("dfe", "aa", "cc", "bb")}},
			snapshots.ReasonRevision, `{"value":10}`, `{"value":12}`, "dfe", "bb,cc"},
		{"withheld by the publisher", courses(course("2026-07-31", 10)), courses(course("2026-07-31", -1)),
			snapshots.Manifest{PeopleAsOf: &quarter, Inputs: []snapshots.ArchivedFetch{input("dfe", "bb")}},
			snapshots.ReasonRevision, `{"value":10}`, `{"value":null}`, "dfe", "bb"},
		{"a period later", courses(course("2026-07-31", 10)),
			courses(course("2026-07-31", 10), course("2027-07-31", 11)),
			snapshots.Manifest{PeopleAsOf: &quarter, Inputs: []snapshots.ArchivedFetch{input("dfe", "bb")}},
			snapshots.ReasonPeriod, "", "*", "dfe", ""},
		{"the same bytes, another program", courses(course("2026-07-31", 10)), courses(course("2026-07-31", 12)),
			snapshots.Manifest{PeopleAsOf: &quarter, Inputs: same, ToolVersion: "2"},
			snapshots.ReasonMethod, `{"value":10}`, `{"value":12}`, "dfe", ""},
		{"a source that left the configuration", courses(course("2026-07-31", 10)), courses(),
			snapshots.Manifest{PeopleAsOf: &quarter, Inputs: []snapshots.ArchivedFetch{input("platform", "zz")}},
			snapshots.ReasonMethod,
			`{"source_key":"dfe","region_name":"","region_kind":"","value":10,"previous_value":null,"change_pct":null}`,
			"", "dfe", ""},
		{"a register of the program", content{"levels": rowsOf([]snapshots.LevelsRow{{Level: 1, Name: "One"}})},
			content{"levels": rowsOf([]snapshots.LevelsRow{{Level: 1, Name: "First <&>"}})},
			snapshots.Manifest{PeopleAsOf: &quarter, Inputs: []snapshots.ArchivedFetch{input("platform", "zz")}},
			snapshots.ReasonMethod, `{"name":"One"}`, `{"name":"First <&>"}`, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.m.ToolVersion == "" {
				tt.m.ToolVersion = "1"
			}
			from := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{PeopleAsOf: &quarter, Inputs: same,
				ToolVersion: "1"}, tt.before)
			to := side(t, t.TempDir(), "2026-11-21", tt.m, tt.after)
			rows, _ := compare(t, from, to, diff.Options{})
			if len(rows) != 1 {
				t.Fatalf("%d changes: %+v", len(rows), rows)
			}
			r := rows[0]
			if r.Reason != tt.reason || r.SourceKeys != tt.sources || r.ArchiveSHA256 != tt.sum {
				t.Errorf("because %s of %s (%s), want %s of %s (%s)", r.Reason, r.SourceKeys, r.ArchiveSHA256,
					tt.reason, tt.sources, tt.sum)
			}
			if got := deref(r.Old); got != tt.old {
				t.Errorf("old %s, want %s", got, tt.old)
			}
			if got := deref(r.New); got != tt.new && (tt.new != "*" || got == "") {
				t.Errorf("new %s, want %s", got, tt.new)
			}
		})
	}
}

// TestEvidenceOfARepublishedDataSet: a publisher corrects a figure and publishes the data set on another
// day. The statement that is gone and the one that is new are a revision of the source, with the new
// bytes, although neither snapshot has a statement of the other's day.
func TestEvidenceOfARepublishedDataSet(t *testing.T) {
	files := func(row snapshots.EvidenceRow) map[string]func(string, snapshots.Table, time.Time) error {
		return map[string]func(string, snapshots.Table, time.Time) error{
			"evidence": rowsOf([]snapshots.EvidenceRow{row}),
			"sources":  rowsOf([]snapshots.SourcesRow{{Key: "dfe", Kind: "statistics"}})}
	}
	manifest := func(sum string) snapshots.Manifest {
		return snapshots.Manifest{Inputs: []snapshots.ArchivedFetch{input("dfe", sum)}, ToolVersion: "1"}
	}
	from := side(t, t.TempDir(), "2026-09-19", manifest("aa"), files(published("2025-11-27", "1,610")))
	to := side(t, t.TempDir(), "2026-09-20", manifest("bb"), files(published("2026-09-14", "1,710")))
	rows, _ := compare(t, from, to, diff.Options{Tables: []string{"evidence"}})
	if len(rows) != 2 {
		t.Fatalf("%d changes: %+v", len(rows), rows)
	}
	for _, row := range rows {
		if row.Reason != snapshots.ReasonRevision || row.ArchiveSHA256 != "bb" {
			t.Errorf("%s because %s (%s), want %s (bb)", row.Change, row.Reason, row.ArchiveSHA256,
				snapshots.ReasonRevision)
		}
	}
}

// TestSameFilesOnTheSameDay: two snapshots of one day, built from the same files by the same program,
// differ only by the configuration or by corrections. The changed correction is itself a change.
func TestSameFilesOnTheSameDay(t *testing.T) {
	files := func(value int64, corrections ...snapshots.CorrectionsRow) map[string]func(string, snapshots.Table,
		time.Time) error {
		return map[string]func(string, snapshots.Table, time.Time) error{"course_demand": rowsOf(
			[]snapshots.CourseDemandRow{course("2026-07-31", value)}),
			"sources":     rowsOf([]snapshots.SourcesRow{{Key: "dfe", Kind: "statistics"}}),
			"corrections": rowsOf(corrections)}
	}
	m := snapshots.Manifest{Inputs: []snapshots.ArchivedFetch{input("dfe", "aa")}, ToolVersion: "1"}
	from := side(t, t.TempDir(), "2026-11-20", m, files(10))
	to := side(t, t.TempDir(), "2026-11-20", m, files(12, snapshots.CorrectionsRow{SourceKey: "dfe", Kind: "statistic",
		Record: "x", Field: "value", Outcome: "applied"}))
	rows, _ := compare(t, from, to, diff.Options{})
	if len(rows) != 2 || rows[0].Table != "corrections" || rows[0].Change != snapshots.RowAdded ||
		rows[1].Table != "course_demand" || rows[1].Reason != snapshots.ReasonMethod {
		t.Errorf("%+v", rows)
	}
}

// TestReceivedAgainOnTheSameDay: the time at which a source was last received belongs to no method, so
// its change has a period as its reason even between two snapshots of one day, made by two programs.
func TestReceivedAgainOnTheSameDay(t *testing.T) {
	files := func(hour int) map[string]func(string, snapshots.Table, time.Time) error {
		at := date("2026-11-20").Add(time.Duration(hour) * time.Hour)
		return map[string]func(string, snapshots.Table, time.Time) error{
			"freshness": rowsOf([]snapshots.FreshnessRow{{SourceKey: "dfe", LastSuccessAt: &at}}),
			"sources":   rowsOf([]snapshots.SourcesRow{{Key: "dfe", Kind: "statistics"}})}
	}
	same := []snapshots.ArchivedFetch{input("dfe", "aa")}
	from := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{Inputs: same, ToolVersion: "1"}, files(6))
	for _, version := range []string{"1", "2"} {
		to := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{Inputs: same, ToolVersion: version}, files(18))
		rows, _ := compare(t, from, to, diff.Options{Tables: []string{"freshness"}})
		if len(rows) != 1 || rows[0].Reason != snapshots.ReasonPeriod {
			t.Errorf("program %s: %+v, want the reason %s", version, rows, snapshots.ReasonPeriod)
		}
	}
}

// TestReasonsOfKeyedFiles: a file that is named by a keyed hash has another name in each snapshot.
// Only a fetch at another time counts as another file, and its hash is never listed.
func TestReasonsOfKeyedFiles(t *testing.T) {
	noon := date("2026-11-20").Add(12 * time.Hour)
	keyed := func(name string, at time.Time) snapshots.Manifest {
		return snapshots.Manifest{ToolVersion: "1", Inputs: []snapshots.ArchivedFetch{{Source: "dfe", FetchedAt: at,
			Objects: []snapshots.ArchivedObject{{Name: "feed", HMACSHA256: name}}}}}
	}
	files := func(value int64) map[string]func(string, snapshots.Table, time.Time) error {
		return map[string]func(string, snapshots.Table, time.Time) error{"course_demand": rowsOf(
			[]snapshots.CourseDemandRow{course("2026-07-31", value)}),
			"sources": rowsOf([]snapshots.SourcesRow{{Key: "dfe", Kind: "statistics"}})}
	}
	from := side(t, t.TempDir(), "2026-11-20", keyed("aa", noon), files(10))
	for at, want := range map[time.Time]snapshots.ChangeReason{
		noon: snapshots.ReasonPeriod, noon.Add(time.Second): snapshots.ReasonRevision} {
		to := side(t, t.TempDir(), "2026-11-21", keyed("bb", at), files(12))
		rows, _ := compare(t, from, to, diff.Options{Tables: []string{"course_demand"}})
		if len(rows) != 1 || rows[0].Reason != want || rows[0].ArchiveSHA256 != "" {
			t.Errorf("fetched at %s: %+v, want %s", at, rows, want)
		}
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// TestOtherColumnsStandForTheWholeTable: rows of another layout cannot be compared.
func TestOtherColumnsStandForTheWholeTable(t *testing.T) {
	levels, _ := snapshots.FindTable("levels")
	sectors := []snapshots.SectorsRow{{Sector: "a", Name: "A"}}
	from := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{},
		map[string]func(string, snapshots.Table, time.Time) error{
			"levels": func(path string, _ snapshots.Table, at time.Time) error {
				other, _ := snapshots.FindTable("sectors")
				return rowsOf(sectors)(path, other, at)
			}})
	to := side(t, t.TempDir(), "2026-11-21", snapshots.Manifest{},
		map[string]func(string, snapshots.Table, time.Time) error{
			"levels": rowsOf([]snapshots.LevelsRow{{Level: 1, Name: "One"}, {Level: 2, Name: "Two"}})})
	rows, totals := compare(t, from, to, diff.Options{Tables: []string{levels.Name}})
	if len(rows) != 1 || rows[0].Keys != 2 || rows[0].Key != nil || rows[0].Reason != snapshots.ReasonMethod ||
		totals[0].Changed != 2 {
		t.Errorf("%+v, %+v", rows, totals)
	}
}

// TestSealedSnapshotsSayWhatChanged: the file of a snapshot names what it compares
// with, and the next day of a lifelike snapshot differs in what it should.
func TestSealedSnapshotsSayWhatChanged(t *testing.T) {
	root := t.TempDir()
	first := snaptest.BuildSnapshot(t, root, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	second := snaptest.BuildSnapshot(t, root, "2026-12-21", snaptest.DefaultContent(t, "2026-12-21"))
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	changed := readChanges(t, store.SnapshotDir(second))
	if len(readChanges(t, store.SnapshotDir(first))) != 0 || len(changed) == 0 {
		t.Errorf("the first has changes, or the second has none")
	}
	tables := map[string]bool{}
	for _, r := range changed {
		tables[r.Table] = true
		if strings.Contains(deref(r.Old)+deref(r.New), `"as_of"`) {
			t.Errorf("as_of is not a change: %+v", r)
		}
	}
	if !tables["adverts"] || !tables["freshness"] || tables["skills"] {
		t.Errorf("tables %v", tables)
	}
}
