package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"labour/snapshots"
)

// replaceBy puts something else in the place of a file or folder: an empty file, a folder that is not empty, a
// link to itself, or nothing.
func replaceBy(t *testing.T, path, by string) {
	t.Helper()
	err := os.RemoveAll(path)
	switch by {
	case "a file":
		err = errors.Join(err, os.WriteFile(path, nil, openFile))
	case "a folder":
		err = errors.Join(err, os.MkdirAll(filepath.Join(path, "sub"), openDir))
	case "a loop":
		err = errors.Join(err, os.Symlink(path, path))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// spoiltCase is a file of a store that something else replaces, and the error of what is then asked.
type spoiltCase struct {
	path, by string
	do       func(*Store) error
	is       error
	says     string
}

// spoiltCases are of a store with two snapshots, the second of them current.
func spoiltCases(ctx context.Context) map[string]spoiltCase {
	const first, second, third = snapshots.ID("2026-11-20.1"), snapshots.ID("2026-11-20.2"), snapshots.ID("2026-11-20.3")
	begin := func(s *Store) error { _, err := s.Begin(asOfTest); return err }
	list := func(s *Store) error { _, err := s.List(ctx); return err }
	checked := func(s *Store) error { _, _, err := s.CheckChain(ctx); return err }
	times := func(s *Store) error { _, err := s.SupersededTimes(ctx); return err }
	next := func(s *Store) error { _, err := s.NextID(asOfTest); return err }
	adopt := func(s *Store) error {
		return s.AddFromOtherStore(ctx, third, func(string) error { return errors.New("it was asked to fill") })
	}
	promoteFirst := func(s *Store) error { return s.Promote(ctx, first, second) }
	remove := func(s *Store) error { return s.Remove(ctx, first) }
	withdraw := func(s *Store) error {
		_, err := s.Withdraw(ctx, first, Withdrawal{At: asOfTest, By: "A", Reason: "wrong"})
		return err
	}
	rebuild := func(s *Store) error { return s.RebuildIndex(ctx) }
	return map[string]spoiltCase{
		"next ID of a file":           {".", "a file", next, syscall.ENOTDIR, "list snapshots: "},
		"chain of a file":             {".", "a file", checked, syscall.ENOTDIR, "list snapshots: "},
		"times in a file":             {".", "a file", times, syscall.ENOTDIR, "list snapshots: "},
		"begin in a file":             {".", "a file", begin, syscall.ENOTDIR, "begin a snapshot: "},
		"adopt in a file":             {".", "a file", adopt, syscall.ENOTDIR, "adopt 2026-11-20.3: "},
		"list without a current file": {"CURRENT", "a folder", list, syscall.EISDIR, "read CURRENT: "},
		"chain without a current file": {"CURRENT", "a folder", checked, syscall.EISDIR,
			"read CURRENT: "},
		"promote without a current file":  {"CURRENT", "a folder", promoteFirst, syscall.EISDIR, "promote 2026-11-20.1: "},
		"remove without a current file":   {"CURRENT", "a folder", remove, syscall.EISDIR, "remove 2026-11-20.1: "},
		"withdraw without a current file": {"CURRENT", "a folder", withdraw, syscall.EISDIR, "withdraw 2026-11-20.1: "},
		"rebuild without a current file": {"CURRENT", "a folder", rebuild, syscall.EISDIR,
			"rebuild index.json: update index.json: "},
		"rebuild over a folder": {"index.json", "a folder", rebuild, fs.ErrExist, "rebuild index.json: update index.json: "},
		"remove with no index":  {"index.json", "a folder", remove, fs.ErrExist, "remove 2026-11-20.1: update index.json: "},
		"promote with no lock":  {currentLockName, "a folder", promoteFirst, syscall.EISDIR, "promote 2026-11-20.1: "},
		"begin with no lock":    {writerLockName, "a folder", begin, syscall.EISDIR, "begin a snapshot: "},
		"adopt with no lock":    {writerLockName, "a folder", adopt, syscall.EISDIR, "adopt 2026-11-20.3: "},
		"adopt over a file":     {copyPrefix + "2026-11-20.3", "a file", adopt, syscall.ENOTDIR, "adopt 2026-11-20.3: "},
		"no time of the first": {supersededPrefix + "2026-11-20.1", "a loop", times, syscall.ELOOP,
			"when 2026-11-20.1 was superseded: "},
		"no note of the second": {supersededPrefix + "2026-11-20.2", "a folder", promoteFirst, syscall.EISDIR,
			"promote 2026-11-20.1: "},
		"no new current file": {currentNewName, "a folder", promoteFirst, syscall.EISDIR, "promote 2026-11-20.1: "},
		"no partners":         {"../partners", "a file", begin, syscall.ENOTDIR, "begin a snapshot: "},
	}
}

// TestSpoiltStoreIsAnError of what is asked next, and both of its snapshots are there as before.
func TestSpoiltStoreIsAnError(t *testing.T) {
	whole := t.TempDir()
	made := openStore(t, whole)
	first, second := publish(t, made, "a"), publish(t, made, "b")
	for name, c := range spoiltCases(t.Context()) {
		t.Run(name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			if err := os.CopyFS(data, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			s := openStore(t, data)
			aside := s.root + ".aside"
			if c.path == "." {
				if err := os.Rename(s.root, aside); err != nil {
					t.Fatal(err)
				}
			}
			replaceBy(t, filepath.Join(s.root, c.path), c.by)
			if err := c.do(s); !errors.Is(err, c.is) || !strings.HasPrefix(err.Error(), c.says) {
				t.Errorf("%v, want %v: %s", err, c.is, c.says)
			}
			if c.path == "." {
				if err := errors.Join(os.Remove(s.root), os.Rename(aside, s.root)); err != nil {
					t.Fatal(err)
				}
			}
			if c.path == "../partners" { // which are part of what is whole
				return
			}
			for _, id := range []snapshots.ID{first, second} {
				requireWhole(t, s, id)
				if s.IsWithdrawn(id) {
					t.Errorf("%s is withdrawn", id)
				}
			}
			if id, err := s.Current(); c.path != "CURRENT" && (id != second || err != nil) {
				t.Errorf("current is %s, %v", id, err)
			}
		})
	}
}

// TestSpoiltWriterSealsNothing: with a file that cannot be replaced or read.
func TestSpoiltWriterSealsNothing(t *testing.T) {
	s := openStore(t, t.TempDir())
	for name, c := range map[string]struct {
		path func(w *Writer) string
		by   string
		is   error
	}{
		"manifest": {func(w *Writer) string { return w.FilePath(snapshots.ManifestFileName) }, "a folder", fs.ErrExist},
		"sums":     {func(w *Writer) string { return w.FilePath(snapshots.SumsFileName) }, "a folder", fs.ErrExist},
		"report":   {func(w *Writer) string { return w.FilePath(snapshots.ReportFileName) }, "a folder", syscall.EISDIR},
		"package":  {func(w *Writer) string { return w.FilePath(snapshots.DataPackageFileName) }, "a folder", syscall.EISDIR},
		"events of a partner": {func(w *Writer) string { return w.PartnerFiles()[0].Path }, "",
			fs.ErrNotExist},
		"list of partners": {func(w *Writer) string { return filepath.Join(w.partnersDir(), partnersIndexName) }, "a folder",
			syscall.EISDIR},
	} {
		w, err := s.Begin(asOfTest)
		if err != nil {
			t.Fatal(err)
		}
		m := fill(t, w, "a")
		replaceBy(t, c.path(w), c.by)
		if _, err := w.Seal(t.Context(), m, []byte("{}")); !errors.Is(err, c.is) ||
			!strings.HasPrefix(err.Error(), "seal 2026-11-20.1: ") {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
		if ids, err := s.ids(); len(ids) > 0 || err != nil {
			t.Errorf("%s: sealed %v, %v", name, ids, err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	replaceBy(t, s.partnersRoot(), "a file")
	if path, err := w.AddPartnerFile("North Works"); path != "" || !errors.Is(err, syscall.ENOTDIR) ||
		len(w.PartnerFiles()) > 0 {
		t.Errorf("a partner's file without a folder: %q, %v", path, err)
	}
	replaceBy(t, s.partnersRoot(), "")
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestListOfPartnersIsJSON, even if it is the one that the manifest names.
func TestListOfPartnersIsJSON(t *testing.T) {
	data := t.TempDir()
	m := snapshots.Manifest{ID: "2026-11-20.1", PartnersSHA256: fmt.Sprintf("%x", sha256.Sum256([]byte("no JSON")))}
	dir := filepath.Join(data, PartnersDirName, string(m.ID))
	if err := errors.Join(os.MkdirAll(dir, ownerDir),
		os.WriteFile(filepath.Join(dir, partnersIndexName), []byte("no JSON"), ownerFile)); err != nil {
		t.Fatal(err)
	}
	got, err := PartnerFiles(filepath.Join(data, "snapshots", string(m.ID)), m)
	if got != nil || err == nil || errors.Is(err, ErrNoPartnerFiles) ||
		!strings.Contains(err.Error(), "invalid character") {
		t.Errorf("%v, %v", got, err)
	}
}
