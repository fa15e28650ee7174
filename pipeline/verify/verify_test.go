package verify_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/filestest"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

const day = "2026-11-20"

func dirOf(t *testing.T, root string, id snapshots.ID) string {
	t.Helper()
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return store.SnapshotDir(id)
}

func report(t *testing.T, dir string) verify.Report {
	t.Helper()
	r, err := verify.VerifyDir(context.Background(), dir, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// has reports whether a fault of the check is in the file, at the row, with the words.
func has(r verify.Report, check, file string, row int64, words string) bool {
	for _, f := range r.Faults {
		if f.Check == check && f.File == file && f.Row == row && strings.Contains(f.Text, words) {
			return true
		}
	}
	return false
}

func TestSoundSnapshotHasNoFault(t *testing.T) {
	root := t.TempDir()
	first := snaptest.BuildSnapshot(t, root, day, snaptest.DefaultContent(t, day))
	second := snaptest.BuildSnapshot(t, root, "2026-11-21", snaptest.DefaultContent(t, "2026-11-21"))
	for _, id := range []snapshots.ID{first, second} {
		r := report(t, dirOf(t, root, id))
		if !r.HasNoFaults() || r.ID != id || r.Err() != nil {
			t.Errorf("%s: %v", id, r.Err())
		}
		if r.Files != 40 || r.Rows < 2000 { // 29 tables, 6 embargoed datasets, manifest, sums, report, data package
			t.Errorf("%s: looked at %d files and %d rows", id, r.Files, r.Rows)
		}
	}
}

// TestAChangedBitIsFoundInEveryFile flips one in every file that is listed at once, and in those
// that list the others by itself.
func TestAChangedBitIsFoundInEveryFile(t *testing.T) {
	root := t.TempDir()
	dir := dirOf(t, root, snaptest.BuildSnapshot(t, root, day, snaptest.DefaultContent(t, day)))
	lists := []string{"manifest.json", "SHA256SUMS"}
	var listed []string
	err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if name, _ := filepath.Rel(dir, p); err == nil && !e.IsDir() && !slices.Contains(lists, name) {
			listed = append(listed, name)
		}
		return err
	})
	if err != nil || len(listed) < 35 {
		t.Fatalf("%d files, %v", len(listed), err)
	}
	for _, name := range lists {
		flip(t, dir, name)
		if r := report(t, dir); r.HasNoFaults() {
			t.Errorf("%s: not found", name)
		}
		flip(t, dir, name)
	}
	if r := report(t, dir); !r.HasNoFaults() {
		t.Errorf("put back, but: %v", r.Err())
	}
	for _, name := range listed {
		flip(t, dir, name)
	}
	r := report(t, dir)
	for _, name := range listed {
		if !has(r, "files", name, verify.WholeFile, "") || !has(r, "sums", name, verify.WholeFile, "") {
			t.Errorf("%s: not found in %v", name, r.Err())
		}
	}
}

// flip turns a bit of a file, or turns it back.
func flip(t *testing.T, dir, name string) {
	t.Helper()
	path := filepath.Join(dir, name)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	b[len(b)*2/3] ^= 0x10
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestStrangersAndMissingFiles(t *testing.T) {
	root := t.TempDir()
	dir := dirOf(t, root, snaptest.BuildSnapshot(t, root, day, snaptest.DefaultContent(t, day)))
	for _, p := range []string{dir, filepath.Join(dir, "tables")} {
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	stranger := filepath.Join(dir, "tables", "truth.parquet")
	if err := os.WriteFile(stranger, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"tables/people.parquet", "report.json"} {
		if err := os.Remove(filepath.Join(dir, gone)); err != nil {
			t.Fatal(err)
		}
	}
	r := report(t, dir)
	for _, want := range []struct{ check, file, words string }{
		{"files", "tables/truth.parquet", "not in the manifest"},
		{"sums", "tables/truth.parquet", "not in SHA256SUMS"},
		{"files", "link", "not a plain file"},
		{"files", "tables/people.parquet", "missing"},
		{"files", "report.json", "missing"},
		{"schema", "tables/people.parquet", "cannot be read"},
	} {
		if !has(r, want.check, want.file, verify.WholeFile, want.words) {
			t.Errorf("not found: %v, in %v", want, r.Err())
		}
	}
}

// plant writes a table again, as given, before the snapshot is sealed.
func plant[T any](w *store.Writer, name string, asOf time.Time, rows []T) error {
	table, _ := snapshots.FindTable(name)
	return parquetio.WriteTable(w.TablePath(name), table, snapshots.TableMetadata(table, w.ID(), nil), asOf, rows)
}

// smallRow has a number that may break the rule, which a row
// made with SetTurnedDown cannot have.
func smallRow(skill string, n int32) snapshots.PeopleRow {
	return snapshots.PeopleRow{Signature: "none", Skill: skill, PeopleTurnedDown: &n,
		PeopleTurnedDownStatus: figure.StatusNumber}
}

func TestAllPlantedFaultsAreReportedAtOnce(t *testing.T) {
	root := t.TempDir()
	asOf := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	c := snaptest.DefaultContent(t, day)
	c.Sources[0].AttributionStatement = " "
	c.Evidence[1].SourceKey = "nobody"
	over := figure.Tenths(1001)
	c.Residents[0].PeopleBelowSharePct = &over
	five := int64(3)
	c.CourseDemand[0].PreviousValue = &five
	c.People = []snapshots.PeopleRow{smallRow("a", 12), smallRow("b", 3), smallRow("c", 5)}
	c.Outlines[0].Outline = "MULTIPOLYGON(((530000 180000,530100 180000,530100 180100,530000 180000)))"
	c.Outlines[1].Code = "E09000099"
	c.Sectors = append(c.Sectors, snapshots.SectorsRow{Sector: "zoos", Name: "Zoos"})
	c.Levels = []snapshots.LevelsRow{{Level: 1, Name: "One"}, {Level: 2, Name: "Two"}, {Level: 3, Name: "Three"}}
	c.BeforeSeal = func(w *store.Writer) error {
		levels := []snapshots.LevelsRow{c.Levels[0], c.Levels[2], c.Levels[1]}
		if err := plant(w, "levels", asOf, levels); err != nil {
			return err
		}
		table, _ := snapshots.FindTable("sectors")
		twice := snapshots.SortedRows(table, c.Sectors)
		twice = append(twice[:1:1], twice[:3]...) // the last one, which nothing names, is not there
		if err := plant(w, "sectors", asOf, twice); err != nil {
			return err
		}
		return plant(w, "place_members", asOf.AddDate(0, 0, -1), snaptest.DefaultContent(t, day).PlaceMembers)
	}
	dir := dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c))
	r := report(t, dir)
	for _, want := range []struct {
		check, file string
		row         int64
		words       string
	}{
		{"attribution", "tables/sources.parquet", 5, "attribution_statement is empty"},
		{"order", "tables/levels.parquet", 2, "comes before"},
		{"order", "tables/sectors.parquet", 1, "same key"},
		{"as_of", "tables/place_members.parquet", 0, "2026-11-19"},
		{"as_of", "tables/place_members.parquet", 1, "2026-11-19"},
		{"small numbers", "tables/people.parquet", 1, "1 to 4"},
		{"small numbers", "tables/people.parquet", 0, "12, which is not rounded to 5"},
		{"small numbers", "tables/course_demand.parquet", 20, "previous_value"},
		{"percent", "tables/residents.parquet", 0, "100.1 %"},
		{"outlines", "tables/outlines.parquet", 0, "no longitude and latitude"},
		{"outlines", "tables/outlines.parquet", 1, "no borough of the table places"},
	} {
		if !has(r, want.check, want.file, want.row, want.words) {
			t.Errorf("not found: %v, in %v", want, r.Err())
		}
	}
	if !strings.Contains(r.Err().Error(), `source_key "nobody" is not in the sources table (sources)`) {
		t.Errorf("the unknown source is not found: %v", r.Err())
	}
	if len(r.Faults) != 14 { // the planted previous_value contradicts the change and the earlier row too
		t.Errorf("%d faults, want the 14 planted: %v", len(r.Faults), r.Err())
	}
	verify.ReadAnew(t)
	if d := cmp.Diff(r, report(t, dir)); d != "" {
		t.Errorf("files that are read by every question have other faults (-once +each):\n%s", d)
	}
}

func TestAnotherFormatIsAFault(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(`{"format": "labour/99"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := report(t, dir); !has(r, "manifest", "manifest.json", verify.WholeFile,
		"start a new data directory and fetch again") {
		t.Errorf("not refused: %v", r.Err())
	}
}

func TestNoDirectoryIsAnError(t *testing.T) {
	if _, err := verify.VerifyDir(context.Background(), filepath.Join(t.TempDir(), "none"), verify.Options{}); err == nil {
		t.Error("no error")
	}
}

// TestVerifiedSnapshotsAreClosed: the database and the files of a snapshot.
func TestVerifiedSnapshotsAreClosed(t *testing.T) {
	root := t.TempDir()
	dir := dirOf(t, root, snaptest.SealSnapshot(t, root, day, snaptest.Content{PlatformName: "Works"}))
	filestest.CheckFilesClosed(t, map[string]func() error{
		"a snapshot": func() error { _, err := verify.VerifyDir(t.Context(), dir, verify.Options{}); return err },
	})
}
