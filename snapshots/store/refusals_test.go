package store

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
)

// replace writes a file, which may be read-only, again.
func replace(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, []byte(text), openFile)); err != nil {
		t.Fatal(err)
	}
}

// TestSealNeedsWhatItsCallerKnows: each of the fields that only the caller has.
func TestSealNeedsWhatItsCallerKnows(t *testing.T) {
	s := openStore(t, t.TempDir())
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	day := snapshots.DateOf(asOfTest)
	late := snapshots.DateOf(asOfTest.AddDate(0, 0, 1))
	rows := int64(1)
	whole := snapshots.Manifest{PlatformName: "London", ToolVersion: "1", CreatedAt: asOfTest}
	for name, c := range map[string]struct {
		change func(m *snapshots.Manifest)
		words  string // empty = taken
	}{
		"whole":           {func(*snapshots.Manifest) {}, ""},
		"no platform":     {func(m *snapshots.Manifest) { m.PlatformName = "" }, "must be given"},
		"no version":      {func(m *snapshots.Manifest) { m.ToolVersion = "" }, "must be given"},
		"no time":         {func(m *snapshots.Manifest) { m.CreatedAt = time.Time{} }, "must be given"},
		"people of today": {func(m *snapshots.Manifest) { m.PeopleAsOf = &day }, ""},
		"people of later": {func(m *snapshots.Manifest) { m.PeopleAsOf = &late },
			"people_as_of 2026-11-21 is after as_of 2026-11-20"},
		"dataset not made": {func(m *snapshots.Manifest) { m.Embargoed = []snapshots.EmbargoedState{{Name: "reach"}} }, ""},
		"dataset without a file": {func(m *snapshots.Manifest) {
			m.Embargoed = []snapshots.EmbargoedState{{Name: "demand"}, {Name: "reach", Rows: &rows}}
		}, "embargoed dataset reach has rows and no file"},
	} {
		m := whole
		c.change(&m)
		got, err := w.complete(m)
		if c.words == "" && (err != nil || got.ID != "2026-11-20.1" || got.AsOf != day ||
			got.Format != snapshots.Format || got.Previous != nil) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words)) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.words)
		}
	}
	replace(t, filepath.Join(s.root, snapshots.CurrentFileName), "2026-11-19.1\n")
	if _, err := w.complete(whole); err == nil || !strings.Contains(err.Error(), "previous snapshot") {
		t.Errorf("after a snapshot that cannot be read: %v", err)
	}
	replace(t, filepath.Join(s.root, snapshots.CurrentFileName), "today\n")
	if _, err := w.complete(whole); !errors.Is(err, ErrUnreadableCurrent) {
		t.Errorf("after a CURRENT that cannot be read: %v", err)
	}
}

// TestManifestListsWhatWasWritten: every table once with the rows that were given, and every other file.
func TestManifestListsWhatWasWritten(t *testing.T) {
	var files []snapshots.File
	var given []snapshots.TableFile
	for i, table := range snapshots.Tables() {
		files = append(files, snapshots.File{Path: snapshots.TableFileName(table.Name), SHA256: table.Name,
			Bytes: int64(i)})
		given = append(given, snapshots.TableFile{Name: table.Name, Rows: int64(100 + i)})
	}
	files = append(files, snapshots.File{Path: "x", SHA256: "y", Bytes: 7})
	got, err := fillFileLists(snapshots.Manifest{Tables: given, Files: []snapshots.File{{Path: "old"}}}, files)
	if err != nil || len(got.Files) != 1 || got.Files[0] != files[len(files)-1] || len(got.Tables) != len(given) {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, table := range snapshots.Tables() {
		e := got.Tables[i]
		if e.Name != table.Name || e.Rows != int64(100+i) || e.SHA256 != table.Name || e.Bytes != int64(i) ||
			!slices.Equal(e.SortColumns, table.SortColumns) || !slices.Equal(e.Columns, table.Columns) {
			t.Errorf("%s: %+v", table.Name, e)
		}
	}
	twice := append(slices.Clone(given), given[0])
	strange := append(slices.Clone(given), snapshots.TableFile{Name: "truth"})
	for name, c := range map[string]struct {
		given []snapshots.TableFile
		files []snapshots.File
		words string
	}{
		"given twice":     {twice, files, "table " + given[0].Name + " is given twice"},
		"rows of no file": {strange, files, "tables were written"},
		"a file of no table": {strange, append([]snapshots.File{{Path: "tables/truth.parquet"}}, files...),
			"tables/truth.parquet: no such table"},
		"rows not given": {given[1:], files, "or its rows were not given"},
		"a table less":   {given[1:], files[1:], "of"},
	} {
		if _, err := fillFileLists(snapshots.Manifest{Tables: c.given}, c.files); err == nil ||
			!strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.words)
		}
	}
}

// TestSumsAreInTheOrderOfPaths, the manifest among them.
func TestSumsAreInTheOrderOfPaths(t *testing.T) {
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	got := string(sumsOf([]byte("abc"), []snapshots.File{{Path: "z", SHA256: "1"}, {Path: "a/b", SHA256: "2"}}))
	if want := "2  a/b\n" + abc + "  manifest.json\n1  z\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestUnsealedManifestIsRemoved: what an earlier attempt in the directory sealed is not sealed again.
func TestUnsealedManifestIsRemoved(t *testing.T) {
	s := openStore(t, t.TempDir())
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{snapshots.ManifestFileName, snapshots.SumsFileName, snapshots.SignatureFileName}
	for _, name := range names {
		replace(t, w.FilePath(name), "old")
	}
	if err := w.writeDerived(snapshots.Manifest{}, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if _, err := os.Stat(w.FilePath(name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left, %v", name, err)
		}
	}
	descriptor, err := os.ReadFile(w.FilePath(snapshots.DataPackageFileName))
	report, err2 := os.ReadFile(w.FilePath(snapshots.ReportFileName))
	if err != nil || err2 != nil || string(report) != "{}" ||
		strings.Contains(string(descriptor), snapshots.ChangesFileName) {
		t.Errorf("report %q; a descriptor of changes that are not there: %v, %v", report, err, err2)
	}
	replace(t, w.FilePath(snapshots.ChangesFileName), "")
	if err := w.writeDerived(snapshots.Manifest{}, nil); err != nil {
		t.Fatal(err)
	}
	if descriptor, err = os.ReadFile(w.FilePath(snapshots.DataPackageFileName)); err != nil ||
		!strings.Contains(string(descriptor), snapshots.ChangesFileName) {
		t.Errorf("the descriptor says nothing of the changes, %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestWritersEndOnce: a writer that was closed or has sealed seals nothing, and can be closed again.
func TestWritersEndOnce(t *testing.T) {
	s := openStore(t, t.TempDir())
	if _, err := s.BeginAs("../x"); !errors.Is(err, snapshots.ErrInvalidID) {
		t.Errorf("begun as no ID: %v", err)
	}
	w, err := s.BeginAs("2026-11-18.7")
	if err != nil {
		t.Fatal(err)
	}
	m := fill(t, w, "a")
	partners := w.partnersDir()
	if id, err := w.Seal(t.Context(), m, nil); err != nil || id != "2026-11-18.7" {
		t.Fatal(id, err)
	}
	if _, err := w.Seal(t.Context(), m, nil); err == nil || !strings.Contains(err.Error(), "the writer has ended") {
		t.Errorf("sealed twice: %v", err)
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	w, err = s.BeginAs("2026-11-18.8")
	if err != nil {
		t.Fatal(err)
	}
	m = fill(t, w, "b")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{partners, w.Dir(), w.partnersDir()} {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", dir, err)
		}
	}
	if _, err := w.Seal(t.Context(), m, nil); err == nil || !strings.Contains(err.Error(), "the writer has ended") {
		t.Errorf("sealed after its end: %v", err)
	}
}

// TestBeginGivesBackItsLock when it fails, so that the next run can begin.
func TestBeginGivesBackItsLock(t *testing.T) {
	s := openStore(t, t.TempDir())
	s.fault = func(string) error { return errKilled }
	if _, err := s.Begin(asOfTest); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	s.fault = nil
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatalf("the next run: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestSweepSparesOthers: only directories with the prefix are removed, and never the one that is kept.
func TestSweepSparesOthers(t *testing.T) {
	s := openStore(t, t.TempDir())
	kept := filepath.Join(s.root, copyPrefix+"2026-11-20.1")
	for _, name := range []string{copyPrefix + "2026-11-20.1", copyPrefix + "2026-11-20.2", "2026-11-20.3", ".other"} {
		if err := os.MkdirAll(filepath.Join(s.root, name), openDir); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.sweep(copyPrefix, kept); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(s.root)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{copyPrefix + "2026-11-20.1", ".other", "2026-11-20.3"}; err != nil ||
		!slices.Equal(left, want) {
		t.Errorf("left are %q, %v; want %q", left, err, want)
	}
	absent := openStore(t, t.TempDir())
	if err := absent.sweep(copyPrefix, ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a store that cannot be listed: %v", err)
	}
}

// TestReusedFilesAreOfAnotherSnapshot: they have its bytes; a file that is not there is named.
func TestReusedFilesAreOfAnotherSnapshot(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := sealOne(t, s, "first ")
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	name := snapshots.TableFileName("people")
	if err := w.CopyFile(snapshots.JoinPath(s.SnapshotDir(id), name), name); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(w.TablePath("people")); err != nil || string(got) != "first people" {
		t.Errorf("%q, %v", got, err)
	}
	name = "tables/truth.parquet"
	err = w.CopyFile(snapshots.JoinPath(s.SnapshotDir(id), name), name)
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "reuse "+name) {
		t.Errorf("what is not there: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestWithdrawalsAreDecoded: one without a reason, or which is no JSON, still withdraws its snapshot. Who withdrew it
// and when are kept if they can be read.
func TestWithdrawalsAreDecoded(t *testing.T) {
	at := time.Date(2026, 11, 20, 8, 0, 0, 9, time.FixedZone("x", 3600))
	b, err := Withdrawal{At: at, By: "A", Reason: "wrong"}.Encode()
	if err != nil || !json.Valid(b) || !strings.HasSuffix(string(b), "}\n") ||
		!strings.Contains(string(b), `"at": "2026-11-20T07:00:00Z"`) {
		t.Errorf("%s, %v", b, err)
	}
	if w := DecodeWithdrawal(b); w.By != "A" || w.Reason != "wrong" || w.At.Hour() != 7 {
		t.Errorf("%+v", w)
	}
	const unknown = "the reason cannot be read"
	utc := at.UTC().Truncate(time.Second)
	for record, want := range map[string]Withdrawal{
		"":                               {Reason: unknown},
		"{":                              {Reason: unknown},
		`{"by": 1, "reason": "x"}`:       {Reason: unknown},
		`{"by": "A"}`:                    {By: "A", Reason: unknown},
		`{"by": "A", "reason": ""}`:      {By: "A", Reason: unknown},
		`{"at": "2026-11-20T07:00:00Z"}`: {At: utc, Reason: unknown},
	} {
		if w := DecodeWithdrawal([]byte(record)); w != want {
			t.Errorf("%q: %+v, want %+v", record, w, want)
		}
	}
}

// TestContextEndsLists of snapshots and their chain.
func TestContextEndsLists(t *testing.T) {
	s := openStore(t, t.TempDir())
	sealOne(t, s, "a")
	ended, end := context.WithCancel(t.Context())
	end()
	_, err := s.List(ended)
	_, _, err2 := s.CheckChain(ended)
	_, err3 := hashTree(ended, s.root)
	for name, err := range map[string]error{"list": err, "chain": err2, "hashes": err3} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
