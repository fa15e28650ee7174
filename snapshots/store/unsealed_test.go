package store

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"labour/snapshots"
)

// TestSealNeedsItsLastFiles holds that a snapshot whose sums, signature or manifest cannot be written
// is not sealed, and that the error names the file.
func TestSealNeedsItsLastFiles(t *testing.T) {
	for _, name := range []string{snapshots.SumsFileName, snapshots.SignatureFileName, snapshots.ManifestFileName} {
		s := openStore(t, t.TempDir())
		w, err := s.Begin(asOfTest)
		if err != nil {
			t.Fatal(err)
		}
		w.SignSums = func([]byte) ([]byte, error) { return []byte("signed"), nil }
		s.fault = func(step string) error {
			if step != "files synced" {
				return nil
			}
			return os.Mkdir(w.FilePath(name), openDir) // where the file belongs
		}
		id, err := w.Seal(t.Context(), fill(t, w, "a"), []byte("{}\n"))
		if !errors.Is(err, syscall.EISDIR) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: sealed as %q, %v", name, id, err)
		}
		if list, err := s.List(t.Context()); err != nil || len(list) != 0 {
			t.Errorf("%s: listed are %v, %v", name, list, err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestUnsignedIsNotSealed: a signature that cannot be made leaves no snapshot.
func TestUnsignedIsNotSealed(t *testing.T) {
	s := openStore(t, t.TempDir())
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	locked := errors.New("the key is locked")
	w.SignSums = func([]byte) ([]byte, error) { return nil, locked }
	if id, err := w.Seal(t.Context(), fill(t, w, "a"), []byte("{}\n")); !errors.Is(err, locked) {
		t.Errorf("sealed as %q, %v", id, err)
	}
	if list, err := s.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("listed are %v, %v", list, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
