package store

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
)

var asOfTest = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

// fill writes every table with a content of its own, which need not be Parquet
// here, and gives the manifest that the caller of Seal knows.
func fill(t *testing.T, w *Writer, content string) snapshots.Manifest {
	t.Helper()
	m := snapshots.Manifest{PlatformName: "London Works", ToolVersion: "test", CreatedAt: asOfTest.Add(6 * time.Hour)}
	for _, table := range snapshots.Tables() {
		if err := os.WriteFile(w.TablePath(table.Name), []byte(content+table.Name), 0o600); err != nil {
			t.Fatal(err)
		}
		m.Tables = append(m.Tables, snapshots.TableFile{Name: table.Name, Rows: 3})
	}
	w.ManifestKey = snapshots.ManifestKey("of the tests")
	partner, err := w.AddPartnerFile("North Works")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(partner, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.FilePath("embargoed/demand.parquet"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.FilePath(snapshots.ChangesFileName), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return m
}

func openStore(t *testing.T, data string) *Store {
	t.Helper()
	s, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // sealed directories are read-only, and t.TempDir must remove them
		if err := chmodTree(s.root, openFile, openDir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
	return s
}

func sealOne(t *testing.T, s *Store, content string) snapshots.ID {
	t.Helper()
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.Seal(context.Background(), fill(t, w, content), []byte("{}\n"))
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return id
}

// requireWhole fails unless every file of a snapshot has the hash its manifest says and
// there is no other.
func requireWhole(t *testing.T, s *Store, id snapshots.ID) snapshots.Manifest {
	t.Helper()
	m, err := s.Manifest(id)
	if err != nil {
		t.Fatal(err)
	}
	files, err := hashTree(context.Background(), s.SnapshotDir(id))
	if err != nil {
		t.Fatal(err)
	}
	if files, err := PartnerFiles(s.SnapshotDir(id), m); err != nil || len(files) != 1 ||
		files[0].Partner != "North Works" {
		t.Errorf("%s: events of partners %v, %v", id, files, err)
	}
	known := map[string]string{}
	for _, f := range m.Files {
		known[f.Path] = f.SHA256
	}
	for _, f := range m.Tables {
		known[snapshots.TableFileName(f.Name)] = f.SHA256
	}
	for _, f := range files {
		if f.Path == snapshots.ManifestFileName || f.Path == snapshots.SumsFileName || f.Path == snapshots.SignatureFileName {
			continue
		}
		if known[f.Path] != f.SHA256 {
			t.Errorf("%s: %s is not as the manifest says", id, f.Path)
		}
		delete(known, f.Path)
	}
	if len(known) > 0 {
		t.Errorf("%s: missing %v", id, known)
	}
	return m
}

func TestSealMakesAWholeReadOnlySnapshot(t *testing.T) {
	s := openStore(t, t.TempDir())
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	w.SignSums = func(sums []byte) ([]byte, error) { return append([]byte("signed "), sums[:4]...), nil }
	if list, err := s.List(context.Background()); err != nil || len(list) != 0 {
		t.Fatalf("seen before it was sealed: %v, %v", list, err)
	}
	id, err := w.Seal(context.Background(), fill(t, w, "a"), []byte("{}\n"))
	if err != nil || id != "2026-11-20.1" || w.Close() != nil {
		t.Fatal(id, err)
	}
	m := requireWhole(t, s, id)
	if len(m.Tables) != len(snapshots.Tables()) || len(m.Files) != 4 || m.Previous != nil {
		t.Errorf("%d tables, %d files, previous %v", len(m.Tables), len(m.Files), m.Previous)
	}
	err = filepath.WalkDir(s.SnapshotDir(id), func(p string, e fs.DirEntry, err error) error {
		info, statErr := e.Info()
		if err == nil && statErr == nil && info.Mode().Perm()&0o222 != 0 {
			t.Errorf("%s can be written: %s", p, info.Mode())
		}
		return errors.Join(err, statErr)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestStockToolReadsTheSums(t *testing.T) {
	tool, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip("sha256sum is not installed")
	}
	s := openStore(t, t.TempDir())
	id := sealOne(t, s, "a")
	check := exec.Command(tool, "--strict", "-c", snapshots.SumsFileName)
	check.Dir = s.SnapshotDir(id)
	out, err := check.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "manifest.json: OK") || strings.Count(string(out), ": OK") != len(
		snapshots.Tables())+5 {
		t.Errorf("sha256sum -c: %v\n%s", err, out)
	}
}

func TestRunsOfADayAreNumbered(t *testing.T) {
	s := openStore(t, t.TempDir())
	for i := range 11 {
		if id := sealOne(t, s, "same bytes"); id.Run() != i+1 {
			t.Fatalf("run %d is %s", i+1, id)
		}
	}
	if err := s.Promote(context.Background(), "2026-11-20.11", ""); err != nil {
		t.Fatal(err)
	}
	id := sealOne(t, s, "b")
	_, sum, err := snapshots.ReadManifest(s.SnapshotDir("2026-11-20.11"))
	if m := requireWhole(t, s, id); err != nil || m.Previous == nil || m.Previous.ID != "2026-11-20.11" ||
		m.Previous.ManifestSHA256 != sum {
		t.Errorf("previous is %v, %v", m.Previous, err)
	}
	list, err := s.List(context.Background())
	if err != nil || len(list) != 12 || list[9].ID.Run() != 10 || !list[10].Current || list[11].Current {
		t.Errorf("list: %v, %v", list, err)
	}
}

func TestSealedNameKeepsItsBytes(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := sealOne(t, s, "a")
	for content, want := range map[string]error{"a": nil, "b": ErrSealedManifestDiffers} {
		w, err := s.BeginAs(id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Seal(context.Background(), fill(t, w, content), []byte("{}\n")); !errors.Is(err, want) {
			t.Errorf("sealing %q again: %v, want %v", content, err, want)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	requireWhole(t, s, id)
}

func TestSealRefusesWhatIsNotWhole(t *testing.T) {
	s := openStore(t, t.TempDir())
	for name, spoil := range map[string]func(w *Writer, m *snapshots.Manifest) error{
		"missing table": func(w *Writer, m *snapshots.Manifest) error { return os.Remove(w.TablePath("people")) },
		"missing rows":  func(w *Writer, m *snapshots.Manifest) error { m.Tables = m.Tables[1:]; return nil },
		"strange table": func(w *Writer, m *snapshots.Manifest) error {
			return os.WriteFile(w.TablePath("truth"), nil, 0o600)
		},
		"link":    func(w *Writer, m *snapshots.Manifest) error { return os.Symlink("/etc/hostname", w.FilePath("x")) },
		"no date": func(w *Writer, m *snapshots.Manifest) error { m.CreatedAt = time.Time{}; return nil },
		"people later": func(w *Writer, m *snapshots.Manifest) error {
			d := snapshots.DateOf(asOfTest.AddDate(0, 1, 0))
			m.PeopleAsOf = &d
			return nil
		},
	} {
		w, err := s.Begin(asOfTest)
		if err != nil {
			t.Fatal(err)
		}
		m := fill(t, w, "a")
		if err := spoil(w, &m); err != nil {
			t.Fatal(err)
		}
		if id, err := w.Seal(context.Background(), m, nil); err == nil {
			t.Errorf("%s: sealed as %s", name, id)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.List(context.Background()); err != nil || len(list) != 0 {
		t.Errorf("list: %v, %v", list, err)
	}
}

func TestOneWriterAtATime(t *testing.T) {
	data := t.TempDir()
	w, err := openStore(t, data).Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(t, data).Begin(asOfTest); !errors.Is(err, ErrWriterActive) {
		t.Errorf("second writer: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.Dir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("hidden directory is still there: %v", err)
	}
	sealOne(t, openStore(t, data), "a")
}

// The name is chosen under the lock: one that another writer sealed until then is taken.
func TestNameIsChosenUnderTheLock(t *testing.T) {
	s := openStore(t, t.TempDir())
	s.fault = func(step string) error {
		if step != "writer's lock taken" {
			return nil
		}
		return os.Mkdir(s.SnapshotDir("2026-11-20.1"), openDir)
	}
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	if w.ID() != "2026-11-20.2" {
		t.Errorf("the writer begins %s, which another has sealed", w.ID())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestManifestThatCannotBeEncodedSealsNothing: a number that JSON lacks.
func TestManifestThatCannotBeEncodedSealsNothing(t *testing.T) {
	s := openStore(t, t.TempDir())
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	m := fill(t, w, "a")
	m.CodingErrors = &figure.CodingErrors{RandomError: math.NaN()}
	id, err := w.Seal(t.Context(), m, []byte("{}\n"))
	if err == nil || !strings.Contains(err.Error(), "encode manifest") {
		t.Errorf("%s is sealed: %v", id, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func TestSealRefusesEmbargoedRowsWithoutAFile(t *testing.T) {
	s := openStore(t, t.TempDir())
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	m := fill(t, w, "a")
	rows := int64(1)
	m.Embargoed = []snapshots.EmbargoedState{{Name: "reach", Rows: &rows}}
	if id, err := w.Seal(t.Context(), m, nil); err == nil {
		t.Errorf("sealed as %s", id)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
