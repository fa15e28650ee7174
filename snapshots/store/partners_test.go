package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"labour/snapshots"
)

// TestPartnerFilesGoWithTheirSnapshot: when it is removed or withdrawn, and by the next
// run when it never came in sight or a kill left them.
func TestPartnerFilesGoWithTheirSnapshot(t *testing.T) {
	ctx, data := context.Background(), t.TempDir()
	s := openStore(t, data)
	removed, withdrawn, stays := sealOne(t, s, "a"), sealOne(t, s, "b"), sealOne(t, s, "c")
	there := func(id snapshots.ID) bool {
		_, err := os.Stat(filepath.Join(data, PartnersDirName, string(id)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return err == nil
	}
	_, err := s.Withdraw(ctx, withdrawn, Withdrawal{At: time.Now(), By: "me", Reason: "wrong"})
	if err := errors.Join(err, s.Remove(ctx, removed)); err != nil {
		t.Fatal(err)
	}
	if there(removed) || there(withdrawn) || !there(stays) {
		t.Errorf("removed %t, withdrawn %t, other %t", there(removed), there(withdrawn), there(stays))
	}
	m, err := s.Manifest(withdrawn)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := PartnerFiles(s.SnapshotDir(withdrawn), m); !errors.Is(err, ErrNoPartnerFiles) {
		t.Errorf("of a withdrawn snapshot: %v", err)
	}
	left := []snapshots.ID{removed, withdrawn, ".tmp-2026-11-20.9"}
	for _, id := range left {
		if err := os.Mkdir(filepath.Join(data, PartnersDirName, string(id)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	sealOne(t, s, "d")
	for _, id := range left {
		if there(id) {
			t.Errorf("%s was not swept away", id)
		}
	}
	if !there(stays) {
		t.Errorf("%s was swept away", stays)
	}
}

// TestPartnersNeedTheKey: without the secret the hash in the manifest would tell what is
// in a small file.
func TestPartnersNeedTheKey(t *testing.T) {
	s := openStore(t, t.TempDir())
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	m := fill(t, w, "a")
	w.ManifestKey = nil
	if _, err := w.Seal(context.Background(), m, []byte("{}\n")); err == nil {
		t.Error("sealed without a key")
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestListOfNoPartners: a manifest names the list of the events of partners, also if there are
// none, so that it does not show when the first one came. The hash differs in each snapshot.
func TestListOfNoPartners(t *testing.T) {
	data := t.TempDir()
	s := openStore(t, data)
	sums := map[string]bool{"": true}
	for range 2 {
		w, err := s.Begin(asOfTest)
		if err != nil {
			t.Fatal(err)
		}
		m := fill(t, w, "a")
		if err := os.Remove(w.partners[0].Path); err != nil {
			t.Fatal(err)
		}
		w.partners = nil
		id, err := w.Seal(t.Context(), m, []byte("{}\n"))
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		if m, err = s.Manifest(id); err != nil {
			t.Fatal(err)
		}
		if files, err := PartnerFiles(s.SnapshotDir(id), m); len(files) > 0 || files == nil || err != nil {
			t.Errorf("the files of %s are %v, %v; want an empty list", id, files, err)
		}
		sums[m.PartnersSHA256] = true
		if err := os.RemoveAll(filepath.Join(data, PartnersDirName, string(id))); err != nil {
			t.Fatal(err)
		}
		if _, err := PartnerFiles(s.SnapshotDir(id), m); !errors.Is(err, ErrNoPartnerFiles) {
			t.Errorf("without the list: %v", err)
		}
	}
	if len(sums) != 3 {
		t.Errorf("the hashes of two empty lists are %v, want two", sums)
	}
}
