package trace_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/pipeline/trace"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
)

func built(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	id := snaptest.Build(t, root, "2026-11-20", snaptest.Default(t, "2026-11-20"))
	store, err := snapshots.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return store.Dir(id)
}

func of(t *testing.T, dir, table string, key ...trace.Condition) *trace.Trace {
	t.Helper()
	got, err := trace.Of(context.Background(), dir, table, key)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func keys(t *trace.Trace) []string {
	all := []string{}
	for _, s := range t.Sources {
		all = append(all, s.Key)
	}
	return all
}

// TestSourcesOfRows: those that the rows name, else those of the table's kinds.
func TestSourcesOfRows(t *testing.T) {
	dir := built(t)
	for _, tt := range []struct {
		table string
		key   []trace.Condition
		want  []string
	}{
		{"course_demand", nil, []string{"dfe_apprenticeships"}},
		{"regions", []trace.Condition{{Column: "code", Value: "E12000007"}}, []string{"ons_geography"}},
		{"sources", []trace.Condition{{Column: "key", Value: "platform"}}, []string{"platform"}},
		{"people", nil, []string{"platform"}},
		{"levels", []trace.Condition{{Column: "level", Value: "3"}}, []string{}},
	} {
		got := of(t, dir, tt.table, tt.key...)
		if !slices.Equal(keys(got), tt.want) {
			t.Errorf("%s: %v, want %v", tt.table, keys(got), tt.want)
		}
		if got.Rows == nil || *got.Rows == 0 {
			t.Errorf("%s: no rows", tt.table)
		}
	}
	if got := of(t, dir, "people"); got.PeopleAsOf == nil || len(got.DisclosureRules) != len(trace.PeopleRules()) {
		t.Errorf("people: %v, %d rules", got.PeopleAsOf, len(got.DisclosureRules))
	}
	if got := of(t, dir, "adverts"); got.PeopleAsOf != nil || len(got.DisclosureRules) != 0 {
		t.Errorf("adverts are not people: %+v", got)
	}
	if got := of(t, dir, "events"); got.Rows != nil {
		t.Errorf("the rows of events are not counted: %d", *got.Rows)
	}
}

// TestSearchFindsTheRows holds the search against a plain filter.
func TestSearchFindsTheRows(t *testing.T) {
	snaptest.FewerDraws(t, "30")
	dir := built(t)
	rows, err := parquetio.ReadAll[snapshots.AdvertsRow](snapshots.Within(dir, snapshots.TableFileName("adverts")))
	if err != nil {
		t.Fatal(err)
	}
	text := func(r snapshots.AdvertsRow) map[string]string {
		return map[string]string{"skill": r.Skill, "level": fmt.Sprint(r.Level), "area_kind": r.AreaKind,
			"place":  r.Place,
			"sector": r.Sector, "soc": r.SOC, "source": r.Source, "month": r.Month.Format("2006-01-02")}
	}
	rapid.Check(t, func(rt *rapid.T) {
		var key []trace.Condition
		for _, column := range slices.Sorted(maps.Keys(text(rows[0]))) {
			if rapid.Bool().Draw(rt, column) {
				key = append(key,
					trace.Condition{Column: column, Value: text(rapid.SampledFrom(rows).Draw(rt, "value"))[column]})
			}
		}
		var want int64
		named := map[string]bool{}
		for _, r := range rows {
			values := text(r)
			if !slices.ContainsFunc(key, func(c trace.Condition) bool { return values[c.Column] != c.Value }) {
				want++
				named[r.Source] = true
			}
		}
		got, err := trace.Of(context.Background(), dir, "adverts", key)
		var unknown *snapshots.UnknownError
		if want == 0 {
			if !errors.As(err, &unknown) {
				rt.Fatalf("%v: %v, want that no row has it", key, err)
			}
			return
		}
		if err != nil || *got.Rows != want || !slices.Equal(keys(got), slices.Sorted(maps.Keys(named))) {
			rt.Fatalf("%v: %v, want %d rows of %v; got %+v", key, err, want, named, got)
		}
	})
}

// TestTimesOfAKey: a moment is found as it is printed, and in another zone.
func TestTimesOfAKey(t *testing.T) {
	dir := built(t)
	rows, err := parquetio.ReadAll[snapshots.EventsRow](snapshots.Within(dir, snapshots.TableFileName("events")))
	if err != nil {
		t.Fatal(err)
	}
	at := rows[0].OccurredAt
	for _, value := range []string{at.Format(time.RFC3339), at.In(time.FixedZone("", 3600)).Format(time.RFC3339)} {
		of(t, dir, "events", trace.Condition{Column: "occurred_at", Value: value})
	}
	_, err = trace.Of(context.Background(), dir, "events",
		[]trace.Condition{{Column: "occurred_at", Value: at.Add(time.Second).Format(time.RFC3339)}})
	var unknown *snapshots.UnknownError
	if !errors.As(err, &unknown) {
		t.Errorf("a second later: %v", err)
	}
}

// TestWhatIsNotThere names the nearest, but no other advert or event.
func TestWhatIsNotThere(t *testing.T) {
	dir := built(t)
	for _, tt := range []struct {
		table         string
		column, value string
		nearest       string
	}{
		{"skill", "", "", "skills"},
		{"skills", "skil", "sql", "skill"},
		{"skills", "skill", "pyton", "python"},
		{"levels", "level", "9", "1"},
		{"events", "id", "x", ""},
	} {
		_, err := trace.Of(context.Background(), dir, tt.table, []trace.Condition{{Column: tt.column, Value: tt.value}})
		var unknown *snapshots.UnknownError
		if !errors.As(err, &unknown) || unknown.Nearest != tt.nearest {
			t.Errorf("%s %s=%s: %v, want the nearest %q", tt.table, tt.column, tt.value, err, tt.nearest)
		}
	}
	for _, key := range [][]trace.Condition{{{Column: "level", Value: "three"}},
		{{Column: "level", Value: "1"}, {Column: "level", Value: "1"}}} {
		if _, err := trace.Of(context.Background(), dir, "levels", key); !errors.Is(err, trace.ErrKey) {
			t.Errorf("%v: %v, want that the key cannot be understood", key, err)
		}
	}
}

// TestReportOfASource: every rule is listed, small numbers of adverts are not, and
// neither is an advert, of which the report has samples.
func TestReportOfASource(t *testing.T) {
	dir := built(t)
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	report := `{"only":"","rules":{"undated":"U.","duplicate":"D.","not_listed":"N."},"sources":[{"source":"employer_boards","records":30,
		"faults":{"bad_value":4,"schema":7},"fault_samples":[{"where":"row 58"}],"carried":[{"part":"ashby/acme"}],
		"adverts":{"read":30,"counted":20,"excluded":{"duplicate":6,"undated":4}}}]}`
	path := snapshots.Within(copied, snapshots.ReportName)
	if err := errors.Join(os.Chmod(copied, 0o755), os.RemoveAll(path),
		os.WriteFile(path, []byte(report), 0o600)); err != nil {
		t.Fatal(err)
	}
	got := of(t, copied, "adverts", trace.Condition{Column: "source", Value: "employer_boards"})
	b, err := json.Marshal(got.Sources[0])
	if err != nil {
		t.Fatal(err)
	}
	want := `"adverts":{"counted":20,"excluded":[{"rule":"duplicate","sentence":"D.","adverts":6},{"rule":"not_listed","sentence":"N.","adverts":"fewer than 5"},` +
		`{"rule":"undated","sentence":"U.","adverts":"fewer than 5"}]},"faults":[{"code":"bad_value","records":"fewer than 5"},{"code":"schema","records":7}],"carried":["ashby/acme"]`
	if !strings.Contains(string(b), want) {
		t.Errorf("%s\nlacks %s", b, want)
	}
	if strings.Contains(string(b), "row 58") || strings.Contains(string(b), "ashby/acme/1") ||
		strings.Contains(string(b), "The employer told us") {
		t.Errorf("%s names a single advert", b)
	}
	if c := got.Sources[0].Corrections; len(c) != 1 || c[0].Record != nil || c[0].Field != "soc" {
		t.Errorf("corrections %+v", c)
	}
}

// FuzzParseCondition: what is read is what was written.
func FuzzParseCondition(f *testing.F) {
	f.Add("place=camden")
	f.Add("a=b=c")
	f.Add("=")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := trace.ParseCondition(text)
		if err == nil && c.Column+"="+c.Value != text || err != nil && !errors.Is(err, trace.ErrKey) {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
	})
}
