package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"labour/snapshots/filestest"
)

// TestJournalIsOpenedAgain after it was closed, with the mode it was made with; signs of HTML stay
// as they are.
func TestJournalIsOpenedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ndjson")
	j := New(path, 0o600)
	if err := errors.Join(j.Append("<5 & more"), j.Close(), j.Close(), j.Append("second"), j.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "\"<5 & more\"\n\"second\"\n" {
		t.Errorf("%q, %v", got, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want the mode 600", info, err)
	}
	if err := j.Append(func() {}); err == nil {
		t.Error("a record that JSON lacks was written")
	}
	if err := j.Append("third"); err != nil {
		t.Fatal(err)
	}
	if again := all(t, j); len(again) != 3 || again[2] != `"third"` {
		t.Errorf("%q", again)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}

// TestJournalClosesItsFiles after reading, closing and failing.
func TestJournalClosesItsFiles(t *testing.T) {
	dir := t.TempDir()
	path, device := filepath.Join(dir, "a.ndjson"), filepath.Join(dir, "device")
	if err := os.Symlink(os.DevNull, device); err != nil {
		t.Fatal(err)
	}
	filestest.CheckFilesClosed(t, map[string]func() error{
		"append": func() error { j := New(path, 0o600); return errors.Join(j.Append("x"), j.Close()) },
		"read": func() (err error) {
			for _, err = range New(path, 0o600).Lines() {
				break
			}
			return err
		},
		"folder": func() error { return SyncDir(dir) },
		"device": func() error {
			if New(device, 0o600).Append("x") == nil {
				return errors.New("a device was cut to its lines")
			}
			return nil
		},
	})
}
