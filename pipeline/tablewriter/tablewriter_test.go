package tablewriter_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/cells"
	"labour/pipeline/internal/writertest"
	"labour/pipeline/previous"
	"labour/pipeline/staging"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

var (
	asOf    = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	quarter = time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC)
)

func sectors(slugs ...string) (rows []snapshots.SectorsRow) {
	for _, s := range slugs {
		rows = append(rows, snapshots.SectorsRow{Sector: s, Name: strings.ToUpper(s)})
	}
	return rows
}

func footer(t *testing.T, file string) parquetio.Footer {
	t.Helper()
	f, err := parquetio.ReadFooter(file)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A table is written in its order, with its number of rows and the snapshot that it was made for.
func TestRowsAreWrittenInOrder(t *testing.T) {
	w := writertest.Open(t, asOf)
	if err := tablewriter.WriteRows(w, "sectors", sectors("care", "arts", "digital")); err != nil {
		t.Fatal(err)
	}
	w.RecordTable("events", 7)
	got := writertest.Rows[snapshots.SectorsRow](t, w, "sectors")
	if !slices.Equal(got, sectors("arts", "care", "digital")) {
		t.Errorf("the rows are %+v", got)
	}
	files := w.Files()
	if len(files) != 2 || files[0].Name != "sectors" || files[0].Rows != 3 || files[1].Name != "events" ||
		files[1].Rows != 7 {
		t.Errorf("the entries are %+v", files)
	}
	if of := footer(t, w.Snapshot.TablePath("sectors")).Metadata[snapshots.MetaSnapshot]; of != string(w.Snapshot.ID()) {
		t.Errorf("the file is made for %s, want %s", of, w.Snapshot.ID())
	}
	if err := os.Mkdir(w.Snapshot.TablePath("levels"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := tablewriter.WriteRows(w, "levels", []snapshots.LevelsRow{})
	if err == nil || !strings.HasPrefix(err.Error(), "table levels: ") || len(w.Files()) != 2 {
		t.Errorf("a table that cannot be written: %v, %+v", err, w.Files())
	}
}

// A light run that writes the same rows gets the same bytes. Other rows are of the new snapshot.
func TestSameRowsHaveTheSameBytes(t *testing.T) {
	first := writertest.Open(t, asOf)
	if err := tablewriter.WriteRows(first, "sectors", sectors("arts", "care")); err != nil {
		t.Fatal(err)
	}
	sum, err := snapshots.HashFile(first.Snapshot.TablePath("sectors"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(filepath.Dir(first.Snapshot.TablePath("sectors")))
	before := &previous.Snapshot{Dir: dir, Manifest: snapshots.Manifest{ID: first.Snapshot.ID(),
		Tables: []snapshots.TableFile{{Name: "sectors", SHA256: sum.SHA256}}}}
	for _, c := range []struct {
		name   string
		before *previous.Snapshot
		rows   []snapshots.SectorsRow
		same   bool
	}{
		{"the same rows", before, sectors("care", "arts"), true},
		{"other rows", before, sectors("care"), false},
		{"a whole run", nil, sectors("care", "arts"), false},
		{"no table before", &previous.Snapshot{Dir: t.TempDir()}, sectors("care", "arts"), false},
		{"no sum before", &previous.Snapshot{Dir: dir}, sectors("care", "arts"), false},
	} {
		w := writertest.Open(t, asOf.AddDate(0, 0, 1))
		w.AsOf, w.Previous = asOf, c.before
		if err := tablewriter.WriteRows(w, "sectors", c.rows); err != nil {
			t.Fatal(err)
		}
		now, err := snapshots.HashFile(w.Snapshot.TablePath("sectors"))
		if err != nil || (now.SHA256 == sum.SHA256) != c.same {
			t.Errorf("%s: the same bytes %v, %v; want %v", c.name, now.SHA256 == sum.SHA256, err, c.same)
		}
		want := w.Snapshot.ID()
		if c.same {
			want = first.Snapshot.ID()
		}
		if of := footer(t, w.Snapshot.TablePath("sectors")).Metadata[snapshots.MetaSnapshot]; of != string(want) {
			t.Errorf("%s: the file is made for %s, want %s", c.name, of, want)
		}
		if rows := writertest.Rows[snapshots.SectorsRow](t, w, "sectors"); len(rows) != len(c.rows) {
			t.Errorf("%s: %d rows, want %d", c.name, len(rows), len(c.rows))
		}
	}
}

// Tables of people describe the last day of their quarter, all others the date of the data.
func TestDaysThatTablesDescribe(t *testing.T) {
	for _, c := range []struct{ peopleTo, want time.Time }{{quarter, quarter}, {time.Time{}, asOf}} {
		w := writertest.Open(t, asOf)
		w.PeopleLastDay = c.peopleTo
		if err := errors.Join(tablewriter.WriteRows(w, "candidates", []snapshots.CandidatesRow{{Dimension: "all"}}),
			tablewriter.WriteRows(w, "sectors", sectors("care"))); err != nil {
			t.Fatal(err)
		}
		for table, want := range map[string]time.Time{"candidates": c.want, "sectors": asOf} {
			rows := writertest.Rows[struct {
				AsOf time.Time `col:"as_of"`
			}](t, w, table)
			if len(rows) != 1 || !rows[0].AsOf.Equal(want) {
				t.Errorf("%s describes %+v, want %s", table, rows, want)
			}
		}
	}
}

// Results of queries are imported while others run. Their entries appear when the writer is finished.
func TestQueriesAreImported(t *testing.T) {
	source := snapshots.SourcesRow{Key: "platform", Publisher: "Works", Licence: "Own", AttributionStatement: "By us."}
	w := writertest.OpenWithQueries(t, cells.QueryInputs{AsOf: asOf, PeopleFirstDay: asOf, PeopleLastDay: asOf,
		Sources: []snapshots.SourcesRow{source}}, func(s *staging.StagedFiles) error {
		return errors.Join(s.AdvertVacancies.Append(staging.AdvertVacancy{}),
			s.Adverts.Append(staging.Advert{ID: "1", Source: "platform", FirstSource: "platform", Posted: asOf}),
			s.Jobs.Append(staging.Job{ID: "platform:1", Type: "job", PostedAt: asOf, FirstSeen: asOf, SourceKey: "platform"}))
	})
	w.ProtectedDir = filepath.Join(w.ProtectedDir, "new", "folder")
	var steps []string
	w.OnStep = func(name string) { steps = append(steps, name) }
	if err := w.WriteQueries(t.Context(), cells.QueryJobs, cells.QueryCourseDemand); err != nil {
		t.Fatal(err)
	}
	if len(w.Files()) != 0 {
		t.Errorf("before the end there are %+v", w.Files())
	}
	if err := tablewriter.AddRowsAsView(t.Context(), w, "shown", sectors("care")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(w.ProtectedDir, "input_shown.parquet")); err != nil {
		t.Error(err)
	}
	if err := w.WriteQueries(t.Context(), "no_such_query"); err == nil {
		t.Error("a query that does not exist is no error")
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	rows := map[string]int64{}
	for _, f := range w.Files() {
		rows[f.Name] = f.Rows
	}
	if len(rows) != 2 || rows["jobs"] != 1 || rows["course_demand"] != 0 {
		t.Errorf("the entries are %v, want one job", rows)
	}
	if want := []string{"count jobs", "count course_demand", "count no_such_query"}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %q, want %q", steps, want)
	}
	if w.QueryRunner != nil {
		t.Error("the engine is not closed")
	}
	if about, err := os.Stat(w.ProtectedDir); err != nil || about.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the results is not private: %v, %v", about, err)
	}
	table, _ := snapshots.FindTable("jobs")
	credits, err := parquetio.ReadCredits(w.Snapshot.TablePath("jobs"), table)
	if err != nil || len(table.CreditedSources(credits, w.Sources)) != 1 {
		t.Errorf("the jobs credit %+v, %v; want the platform", credits, err)
	}
}

// An import that fails is an error of the end.
func TestFailedImportsAreErrors(t *testing.T) {
	w := writertest.Open(t, asOf)
	w.StartImport("jobs", filepath.Join(t.TempDir(), "none.parquet"))
	if err := w.Finish(); err == nil || !strings.HasPrefix(err.Error(), "table jobs: ") || len(w.Files()) != 0 {
		t.Errorf("the error is %v, the entries are %+v", err, w.Files())
	}
	if err := w.Close(); err == nil {
		t.Error("closing again forgets the error")
	}
	missing := writertest.Open(t, asOf)
	missing.ProtectedDir = filepath.Join(missing.ProtectedDir, "none")
	if err := tablewriter.AddRowsAsView(t.Context(), missing, "x", sectors("care")); err == nil {
		t.Error("rows that cannot be written are no error")
	}
	if err := os.WriteFile(missing.ProtectedDir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if file, err := missing.RunQuery(t.Context(), cells.QueryJobs); err == nil || file != "" {
		t.Errorf("a file in the place of the folder: %q, %v", file, err)
	}
}

// A missing table is an error; a missing embargoed dataset was not built.
func TestCreditsOfWrittenFiles(t *testing.T) {
	w := writertest.Open(t, asOf)
	if _, err := w.Credits(); err != nil {
		t.Errorf("without files: %v", err)
	}
	if err := tablewriter.WriteRows(w, "jobs", []snapshots.JobsRow{{ID: "boards:1", SourceKey: "boards"}}); err != nil {
		t.Fatal(err)
	}
	credits, err := w.Credits()
	table, _ := snapshots.FindTable("jobs")
	rows := table.CreditedSources(credits["jobs"], []snapshots.SourcesRow{{Key: "boards"}, {Key: "others"}})
	if err != nil || len(rows) != 1 || rows[0].Key != "boards" {
		t.Errorf("the credits are %+v, %v; want the boards for the jobs", credits, err)
	}
	if err := os.WriteFile(w.Snapshot.TablePath("evidence"), []byte("no Parquet"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Credits(); err == nil {
		t.Error("a damaged file is no error")
	}
}

// TestAClosedWriterHasClosedItsDatabase, which it can close only once.
func TestAClosedWriterHasClosedItsDatabase(t *testing.T) {
	w := writertest.OpenWithQueries(t, cells.QueryInputs{AsOf: asOf}, func(*staging.StagedFiles) error { return nil })
	queries := w.QueryRunner
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if err := queries.AddView(t.Context(), "shown", "none"); err == nil || !strings.Contains(err.Error(), "is closed") {
		t.Errorf("a view of a closed database: %v", err)
	}
}
