package eventfiles_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/eventfiles"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// sealed builds a snapshot of events of two partners and of none, and gives its
// directory.
func sealed(t *testing.T) (dir string, m snapshots.Manifest) {
	t.Helper()
	data := t.TempDir()
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = store.Manifest(id); err != nil {
		t.Fatal(err)
	}
	return store.SnapshotDir(id), m
}

// TestEachPartnerHasAFileOfItsOwn: the table has what is everybody's, a partner's file
// only its own, and applications and outcomes of no partner are nowhere.
func TestEachPartnerHasAFileOfItsOwn(t *testing.T) {
	dir, m := sealed(t)
	files, err := eventfiles.FindFiles(dir, m)
	if err != nil || len(files) != 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	want := map[string]int{}
	for _, e := range snaptest.DefaultContent(t, "2026-11-20").Events {
		if e.Partner != "" || strings.HasPrefix(e.Type, "click") || strings.HasPrefix(e.Type, "opportunity") {
			want[fmt.Sprint(e.Partner, " ", e.ID)]++
		}
	}
	for i, file := range files {
		rows, err := parquetio.ReadAll[snapshots.EventsRow](file)
		if err != nil || len(rows) == 0 {
			t.Fatalf("%s: %d rows, %v", file, len(rows), err)
		}
		for _, r := range rows {
			if r.Partner != rows[0].Partner || (i == 0) != (r.Partner == "") {
				t.Errorf("%s of partner %q is in %s", r.ID, r.Partner, file)
			}
			want[fmt.Sprint(r.Partner, " ", r.ID)]--
		}
	}
	for e, n := range want {
		if n != 0 {
			t.Errorf("%s: %d too few", e, n)
		}
	}
}

// TestOwnersOnly: nobody but the owner of the files may read them, and the snapshot's own
// directory has no byte of a partner's name or events.
func TestOwnersOnly(t *testing.T) {
	dir, m := sealed(t)
	partners := filepath.Join(filepath.Dir(filepath.Dir(dir)), store.PartnersDirName)
	err := filepath.WalkDir(partners, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm() != map[bool]fs.FileMode{true: 0o700, false: 0o600}[e.IsDir()] {
			t.Errorf("%s has mode %s", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := store.PartnerFiles(dir, m)
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if strings.Contains(f.File, f.Partner) {
			t.Errorf("%s names its partner", f.File)
		}
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, f := range files {
			for _, secret := range []string{f.Partner, f.SHA256, f.File} {
				if strings.Contains(string(b), secret) {
					t.Errorf("%s has %q", path, secret)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOtherBytesAreRefused: the manifest leads to the hash of every file, so what was
// changed is an error and what is not there is said.
func TestOtherBytesAreRefused(t *testing.T) {
	dir, m := sealed(t)
	files, err := store.PartnerFiles(dir, m)
	if err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(filepath.Dir(files[0].Path), "index.json")
	for _, file := range []string{files[1].Path, index} {
		before, err := os.ReadFile(file)
		if err := errors.Join(err, os.WriteFile(file, append(slices.Clone(before), ' '), 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := eventfiles.FindFiles(dir, m); err == nil || errors.Is(err, store.ErrNoPartnerFiles) {
			t.Errorf("%s was changed: %v", file, err)
		}
		if err := os.WriteFile(file, before, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(files[0].Path); err != nil {
		t.Fatal(err)
	}
	got, err := eventfiles.FindFiles(dir, m)
	if !errors.Is(err, store.ErrNoPartnerFiles) || len(got) != 1 {
		t.Errorf("one file is missing: %v, %v", got, err)
	}
}
