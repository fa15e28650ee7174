package trace

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Fewer than 5 adverts are not a number, in a text nor in JSON.
func TestSmallCounts(t *testing.T) {
	const few = "fewer than 5"
	for n, want := range map[SuppressedCount][2]string{0: {few, `"fewer than 5"`},
		4: {few, `"fewer than 5"`}, 5: {"5", "5"},
		12: {"12", "12"}} {
		b, err := json.Marshal(n)
		if err != nil || n.String() != want[0] || string(b) != want[1] {
			t.Errorf("%d is %q and %s, %v; want %v", int64(n), n.String(), b, err, want)
		}
	}
}

// A file that was used several times is one input, with its first and last use. Files are sorted by
// name and hash.
func TestInputsOfASource(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 11, 20, hour, 0, 0, 0, time.UTC) }
	use := func(source string, hour int, objects ...snapshots.ArchivedObject) snapshots.ArchivedFetch {
		return snapshots.ArchivedFetch{Source: source, FetchedAt: at(hour), Objects: objects}
	}
	b1, b2 := snapshots.ArchivedObject{Name: "b", SHA256: "1", Bytes: 7},
		snapshots.ArchivedObject{Name: "b", SHA256: "2", Bytes: 8}
	a := snapshots.ArchivedObject{Name: "a", HMACSHA256: "9"}
	got := inputsOf(snapshots.Manifest{Inputs: []snapshots.ArchivedFetch{use("s", 3, b2, b1), use("s", 2, b1),
		use("s", 4, a),
		use("s", 5, b1), use("other", 1, b1)}}, "s")
	want := []Input{{Name: "a", HMACSHA256: "9", FirstUsed: at(4), LastUsed: at(4)},
		{Name: "b", SHA256: "1", Bytes: 7, FirstUsed: at(2), LastUsed: at(5)},
		{Name: "b", SHA256: "2", Bytes: 8, FirstUsed: at(3), LastUsed: at(3)}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the inputs are %+v, want %+v", got, want)
	}
	if none := inputsOf(snapshots.Manifest{}, "s"); none == nil || len(none) != 0 {
		t.Errorf("without inputs: %v, want an empty list", none)
	}
}

func TestCorrectionsOfASource(t *testing.T) {
	dir := t.TempDir()
	if all, err := correctionsOf(dir); err != nil || len(all) != 0 {
		t.Errorf("without the table: %v, %v", all, err)
	}
	file := snapshots.TablePath(dir, "corrections")
	table, _ := snapshots.FindTable("corrections")
	row := snapshots.CorrectionsRow{SourceKey: "s", Kind: "area", Record: "r", Field: "f", Old: new("o"), New: new("n"),
		Reason: "why", DecidedBy: "who", DecidedOn: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), Outcome: "applied"}
	other := row
	other.Kind, other.SourceKey = "statistic", "t"
	if err := os.MkdirAll(strings.TrimSuffix(file, "corrections.parquet"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := parquetio.WriteTable(file, table, nil, row.DecidedOn, snapshots.SortedRows(table,
		[]snapshots.CorrectionsRow{row, other})); err != nil {
		t.Fatal(err)
	}
	want := map[string][]Correction{
		"s": {{Kind: "area", Record: "r", Field: "f", Old: new("o"), New: new("n"), Reason: "why", DecidedBy: "who",
			DecidedOn: "2026-11-01", Outcome: "applied"}},
		"t": {{Kind: "statistic", Record: "r", Field: "f", Old: new("o"), New: new("n"), Reason: "why", DecidedBy: "who",
			DecidedOn: "2026-11-01", Outcome: "applied"}}}
	if all, err := correctionsOf(dir); err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("the corrections are %+v, %v; want %+v", all, err, want)
	}
	if err := os.WriteFile(file, []byte("no Parquet"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := correctionsOf(dir); err == nil || !strings.HasPrefix(err.Error(), "trace: read the corrections: ") {
		t.Errorf("a damaged table: %v", err)
	}
}

// A table of counts of our own people has all rules, one of counts published by others only that on
// small numbers.
func TestRulesOfATable(t *testing.T) {
	for name, want := range map[string]int{"people": len(PeopleRules()), "course_demand": 1, "skills": 0} {
		table, _ := snapshots.FindTable(name)
		if got := disclosureRules(table); got == nil || len(got) != want || want == 1 && got[0].Name != "small_number" {
			t.Errorf("%s has the rules %+v, want %d", name, got, want)
		}
	}
	one := snapshots.Table{Name: "other", Columns: []snapshots.Column{{Name: "value"}, {Name: "value_status"}}}
	if got := disclosureRules(one); len(got) != 1 || got[0].Name != "small_number" {
		t.Errorf("a table with one count has the rules %+v", got)
	}
	for table, want := range map[string]bool{"jobs": true, "events": true, "adverts": false, "people": false} {
		if got := hasSingleRecords(table); got != want {
			t.Errorf("%s has single records: %v, want %v", table, got, want)
		}
	}
}

// The notes say what a reader must know of this table and this snapshot, and nothing else.
func TestNotesOfATrace(t *testing.T) {
	const single, none = "A row of this table is about one advert", "No source is named"
	const inputs = "The inputs are all files"
	const quarter, light = "the year to 2026-09-30", "Only platform was read for this snapshot; tables of other " +
		"sources are those of " +
		"2026-11-20.1."
	to, _ := snapshots.ParseDate("2026-09-30")
	n := int64(7)
	before := &snapshots.PreviousSnapshot{ID: "2026-11-20.1"}
	for _, c := range []struct {
		trace Trace
		prev  *snapshots.PreviousSnapshot
		only  string
		want  []string
	}{
		{Trace{Rows: &n}, before, "", []string{none}},
		{Trace{Sources: []Source{{}}}, nil, "platform", []string{single, inputs}},
		{Trace{Rows: &n, Sources: []Source{{}}, PeopleAsOf: &to}, before, "platform", []string{inputs, quarter, light}},
	} {
		c.trace.addNotes(snapshots.Manifest{Previous: c.prev}, &report.Report{OnlySource: c.only})
		same := slices.EqualFunc(c.trace.Notes, c.want, strings.Contains)
		if !same {
			t.Errorf("the notes are %q, want %q", c.trace.Notes, c.want)
		}
	}
}

// A source that the report does not have, or that was taken over, has what is known of it.
func TestReportedSources(t *testing.T) {
	r := &report.Report{Sources: []*report.SourceEntry{{Source: "s", TakenOver: true}}}
	s, other := Source{Key: "s"}, Source{Key: "other"}
	describe(&s, r, true)
	describe(&other, r, true)
	if !s.TakenOver || s.Adverts != nil || other.TakenOver {
		t.Errorf("the sources are %+v and %+v; only the first is taken over", s, other)
	}
}
