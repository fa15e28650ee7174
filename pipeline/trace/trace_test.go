package trace_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/trace"
	"labour/snapshots"
	"labour/snapshots/filestest"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

func built(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	id := snaptest.BuildSnapshot(t, root, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return store.SnapshotDir(id)
}

func of(t *testing.T, dir, table string) *trace.Trace {
	t.Helper()
	got, err := trace.TraceTable(context.Background(), dir, table)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestSnapshotsThatLackAFile: a table that the snapshot lacks is not there; a report or corrections
// may lack; each other file, and each that is damaged, is an error.
func TestSnapshotsThatLackAFile(t *testing.T) {
	dir := built(t)
	table := snapshots.TableFileName
	for _, tt := range []struct {
		file, text string // no text: it is missing
		want       string // no text: no error
		missing    bool
	}{
		{snapshots.ManifestFileName, "", "trace: ", true},
		{snapshots.ManifestFileName, "{", "trace: ", false},
		{table("levels"), "", "has no table levels: ", true},
		{table("levels"), "{", "trace: ", false},
		{table("sources"), "", "trace: read the sources: ", true},
		{table("sources"), "{", "trace: read the sources: ", false},
		{table("corrections"), "", "", false},
		{table("corrections"), "{", "trace: read the corrections: ", false},
		{snapshots.ReportFileName, "", "", false},
		{snapshots.ReportFileName, "{", "trace: ", false},
	} {
		copied := t.TempDir()
		path := snapshots.JoinPath(copied, tt.file)
		err := errors.Join(os.CopyFS(copied, os.DirFS(dir)), os.Chmod(filepath.Dir(path), 0o755), os.RemoveAll(path))
		if tt.text != "" {
			err = errors.Join(err, os.WriteFile(path, []byte(tt.text), 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := trace.TraceTable(context.Background(), copied, "levels")
		if tt.want == "" && (err != nil || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "No source is named")) {
			t.Errorf("%s %q: %+v, %v", tt.file, tt.text, got, err)
		}
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) ||
			errors.Is(err, fs.ErrNotExist) != tt.missing) {
			t.Errorf("%s %q: %v, want %s", tt.file, tt.text, err, tt.want)
		}
	}
}

// TestATraceThatIsCancelled: the database is not asked any more.
func TestATraceThatIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := trace.TraceTable(ctx, built(t), "levels"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestATraceClosesItsDatabase, with which it counts the rows of the table.
func TestATraceClosesItsDatabase(t *testing.T) {
	dir := built(t)
	filestest.CheckFilesClosed(t, map[string]func() error{
		"levels": func() error { _, err := trace.TraceTable(t.Context(), dir, "levels"); return err },
	})
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
	for table, want := range map[string][]string{
		"course_demand": {"dfe_apprenticeships"},
		"regions":       {"ons_geography"},
		"people":        {"platform"},
		"levels":        {},
	} {
		got := of(t, dir, table)
		if !slices.Equal(keys(got), want) {
			t.Errorf("%s: %v, want %v", table, keys(got), want)
		}
		if got.Rows == nil || *got.Rows == 0 {
			t.Errorf("%s: no rows", table)
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

// TestRowsAndTheirSources holds the rows and sources of the adverts against a plain count.
func TestRowsAndTheirSources(t *testing.T) {
	dir := built(t)
	rows, err := parquetio.ReadAll[snapshots.AdvertsRow](snapshots.JoinPath(dir, snapshots.TableFileName("adverts")))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, r := range rows {
		named[r.Source] = true
	}
	got := of(t, dir, "adverts")
	if *got.Rows != int64(len(rows)) || !slices.Equal(keys(got), slices.Sorted(maps.Keys(named))) {
		t.Errorf("%d rows of %v, want %d of %v", *got.Rows, keys(got), len(rows), named)
	}
}

// TestUnknownTable names the nearest.
func TestUnknownTable(t *testing.T) {
	_, err := trace.TraceTable(context.Background(), built(t), "skill")
	var unknown *snapshots.UnknownNameError
	if !errors.As(err, &unknown) || unknown.Suggestion != "skills" {
		t.Errorf("%v, want the nearest skills", err)
	}
}

// TestReportOfASource: every rule is listed. Small numbers of adverts are not, nor are single adverts,
// although the report has samples of them.
func TestReportOfASource(t *testing.T) {
	dir := built(t)
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	report := `{"only":"","rules":{"undated":"U.","duplicate":"D.","not_listed":"N."},"sources":[{"source":"employer_boards","records":30,
		"faults":{"bad_value":4,"schema":7},"fault_samples":[{"where":"row 58"}],"carried":[{"part":"ashby/acme"}],
		"adverts":{"read":30,"counted":20,"excluded":{"duplicate":6,"undated":4}}}]}`
	path := snapshots.JoinPath(copied, snapshots.ReportFileName)
	if err := errors.Join(os.Chmod(copied, 0o755), os.RemoveAll(path),
		os.WriteFile(path, []byte(report), 0o600)); err != nil {
		t.Fatal(err)
	}
	got := of(t, copied, "adverts")
	b, err := json.Marshal(got.Sources[slices.Index(keys(got), "employer_boards")])
	if err != nil {
		t.Fatal(err)
	}
	want := `"adverts":{"counted":20,"excluded":[{"rule":"duplicate","sentence":"D.","adverts":6},` +
		`{"rule":"not_listed","sentence":"N.","adverts":"fewer than 5"},` +
		`{"rule":"undated","sentence":"U.","adverts":"fewer than 5"}]},"faults":[{"code":"bad_value","records":"fewer ` +
		`than 5"},{"code":"schema","records":7}],"carried":["ashby/acme"]`
	if !strings.Contains(string(b), want) {
		t.Errorf("%s\nlacks %s", b, want)
	}
	if strings.Contains(string(b), "row 58") || strings.Contains(string(b), "ashby/acme/1") {
		t.Errorf("%s names a single advert", b)
	}
}
