package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/snapshots"
)

// TestPartnerFilesAreWhatWasSealed: a changed or missing file or list is refused.
func TestPartnerFilesAreWhatWasSealed(t *testing.T) {
	data := t.TempDir()
	s := openStore(t, data)
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	m := fill(t, w, "a") // of North Works
	path, err := w.AddPartnerFile("Aid")
	if err := errors.Join(err, os.WriteFile(path, []byte("of Aid"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if got := w.PartnerFiles(); len(got) != 2 || got[1].Partner != "Aid" || got[1].Path != path {
		t.Errorf("partners %+v", got)
	}
	id, err := w.Seal(t.Context(), m, nil)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(data, PartnersDirName, string(id))
	m, err = s.Manifest(id)
	files, err2 := PartnerFiles(s.SnapshotDir(id), m)
	if err != nil || err2 != nil || len(files) != 2 || files[0].Partner != "Aid" || files[1].Partner != "North Works" ||
		files[0].Path != filepath.Join(dir, files[0].File) {
		t.Fatalf("%+v, %v, %v", files, err, err2)
	}
	for path, want := range map[string]fs.FileMode{dir: 0o700, files[0].Path: 0o600,
		filepath.Join(dir, "index.json"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want the mode %o", path, info, err, want)
		}
	}
	if got, err := PartnerFiles(s.SnapshotDir(id), snapshots.Manifest{ID: id}); got != nil || err != nil {
		t.Errorf("a manifest without partners: %v, %v", got, err)
	}
	index := filepath.Join(dir, "index.json")
	list, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, text, words string }{
		{files[1].Path, "other", files[1].File + " is not the file that was sealed"},
		{index, string(list) + "\n", "index.json is not the one that was sealed"},
	} {
		replace(t, c.path, c.text)
		if got, err := PartnerFiles(s.SnapshotDir(id), m); got != nil || err == nil || errors.Is(err, ErrNoPartnerFiles) ||
			!strings.Contains(err.Error(), c.words) ||
			!strings.HasPrefix(err.Error(), "read the events of partners of "+string(id)) {
			t.Errorf("%v, %v; want an error with %q", got, err, c.words)
		}
	}
	replace(t, index, string(list))
	if err := os.Remove(files[0].Path); err != nil {
		t.Fatal(err)
	}
	if got, err := PartnerFiles(s.SnapshotDir(id), m); got != nil || !errors.Is(err, ErrNoPartnerFiles) {
		t.Errorf("a file is missing: %v, %v", got, err)
	}
}

// TestSweptPartnerFilesAreOfSnapshots: what the store did not write stays.
func TestSweptPartnerFilesAreOfSnapshots(t *testing.T) {
	s := openStore(t, t.TempDir())
	if err := s.sweepPartners(); err != nil {
		t.Errorf("no partners: %v", err)
	}
	id := sealOne(t, s, "a")
	other := filepath.Join(s.partnersRoot(), "README")
	replace(t, other, "")
	if err := s.sweepPartners(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{other, s.partnersDir(id)} {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("swept: %v", err)
		}
	}
	if err := os.RemoveAll(s.partnersRoot()); err != nil {
		t.Fatal(err)
	}
	replace(t, s.partnersRoot(), "")
	if err := s.sweepPartners(); err == nil {
		t.Error("a file in the place of the folder was swept")
	}
}

// TestAccessibleToOthers: a file is, if its own modes and those of its folder let others in.
func TestAccessibleToOthers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dir")
	file := filepath.Join(dir, "file")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, dir fs.FileMode
		want      bool
	}{{0o600, 0o700, false}, {0o644, 0o700, false}, {0o600, 0o755, false}, {0o644, 0o755, true}, {0o640, 0o710, true},
		{0o601, 0o701, true}} {
		if err := errors.Join(os.Chmod(file, c.file), os.Chmod(dir, c.dir)); err != nil {
			t.Fatal(err)
		}
		if got, err := AccessibleToOthers(file); got != c.want || err != nil {
			t.Errorf("%o in %o: %t, %v; want %t", c.file, c.dir, got, err, c.want)
		}
	}
	if got, err := AccessibleToOthers(file + ".gone"); got || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %t, %v", got, err)
	}
}
