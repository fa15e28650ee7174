package store

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
)

// TestUnlistableStoreWithdrawsAll holds that "nothing was withdrawn" is never said of a store that
// cannot be listed.
func TestUnlistableStoreWithdrawsAll(t *testing.T) {
	root := filepath.Join(t.TempDir(), "data")
	s := openStore(t, root)
	publish(t, s, "a")
	if all, err := s.Withdrawals(); err != nil || len(all) != 0 {
		t.Fatalf("%v, %v", all, err)
	}
	at := s.root
	if err := errors.Join(os.Rename(at, at+".gone"), os.WriteFile(at, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if all, err := s.Withdrawals(); err == nil {
		t.Errorf("withdrawals of a store that is a file: %v", all)
	}
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
	if all, err := s.Withdrawals(); err != nil || len(all) != 0 {
		t.Errorf("withdrawals of a store that is not there yet: %v, %v", all, err)
	}
}

// TestIndexInOrder refuses an index with entries out of order, or with an entry that is there twice.
func TestIndexInOrder(t *testing.T) {
	s := openStore(t, t.TempDir())
	publish(t, s, "a")
	publish(t, s, "b")
	good, err := s.Index()
	if err != nil || len(good.Snapshots) != 2 {
		t.Fatalf("%+v, %v", good, err)
	}
	first, second := good.Snapshots[0], good.Snapshots[1]
	for _, c := range []struct {
		name    string
		entries []IndexEntry
		ok      bool
	}{
		{"in order", []IndexEntry{first, second}, true},
		{"one", []IndexEntry{second}, true},
		{"none", []IndexEntry{}, true},
		{"out of order", []IndexEntry{second, first}, false},
		{"the first twice", []IndexEntry{first, first, second}, false},
		{"the last twice", []IndexEntry{first, second, second}, false},
	} {
		x := good
		x.Snapshots = slices.Clone(c.entries)
		text, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(s.root, snapshots.IndexFileName)
		if err := errors.Join(os.Remove(file), os.WriteFile(file, text, 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Index(); (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "twice") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
