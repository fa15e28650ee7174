package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"labour/pipeline/protected"
	"labour/pipeline/pruning"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// bodies are the files of archived bodies.
func bodies(t *testing.T, data string) map[string]bool {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(protected.ArchiveDir(data), "sha256", "*", "*.zst"))
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	for _, f := range found {
		set[f] = true
	}
	return set
}

// TestCollectArchive: while a snapshot stands, everything it was built from stays;
// when it is removed, the description that only it had read goes. The feed that the
// carried counts of people were made from stays, and so do the boards' lists of the
// past, which later builds read.
func TestCollectArchive(t *testing.T) {
	s := newSmall(t)
	first := s.run()
	s.feed["residents.ndjson"] += `{"id":"r-2","borough":"camden","seeking_work":true}` + "\n"
	s.boards["acme"] = `{"apiVersion":"1","jobs":[{"id":"acme-2","title":"Data analyst","location":"Camden, London",` +
		`"isListed":true,"publishedAt":"2026-11-05T09:00:00Z","jobUrl":"https://jobs.example/acme/2",` +
		`"applyUrl":"https://jobs.example/acme/2/apply","descriptionPlain":"You know SQL."}]}`
	second := s.run()
	before := bodies(t, s.data)
	collect := func(dry bool) (kept, removed int) {
		t.Helper()
		c, err := pruning.RemoveUnneededResponses(context.Background(), *s.last, nil, dry)
		if err != nil {
			t.Fatal(err)
		}
		return c.Kept, c.Removed
	}
	if kept, removed := collect(false); removed != 0 || kept != len(before) {
		t.Fatalf("with both snapshots %d bodies of %d were removed", removed, len(before))
	}
	if c, err := pruning.RemoveUnneededResponses(context.Background(), *s.last, []snapshots.ID{first.ID},
		true); err != nil || c.Removed != 1 {
		t.Errorf("as if the first snapshot were gone: %+v, %v", c, err)
	}
	snaptest.MakeRemovable(t, s.data)
	store, err := store.Open(s.data)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Remove(context.Background(), first.ID); err != nil {
		t.Fatal(err)
	}
	// The feed of residents and the data set's description changed between the runs.
	if _, removed := collect(true); removed != 1 || len(bodies(t, s.data)) != len(before) {
		t.Errorf("a dry run would remove %d, want 1, and left %d", removed, len(bodies(t, s.data)))
	}
	if kept, removed := collect(false); removed != 1 || kept != len(before)-1 || len(bodies(t, s.data)) != kept {
		t.Errorf("%d removed, %d kept, %d there", removed, kept, len(bodies(t, s.data)))
	}
	m, err := store.Manifest(second.ID)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for name, sum := range s.named(m) {
		there[sum], there[name] = true, true
	}
	listings := 0
	for _, in := range m.Inputs {
		for _, object := range in.Objects {
			if (object.SHA256 == "") != (in.Source == "platform") || !there[object.HashInManifest()] {
				t.Errorf("%s of %s is gone, or not named as it should be: %+v", object.Name, in.Source, object)
			}
		}
		if in.Source == "employer_boards" {
			listings++
		}
	}
	if listings != 2 {
		t.Errorf("%d extracts of the boards are inputs, want both", listings)
	}
	if r := s.run(); len(r.FailedSources) != 0 || r.Report.Tables["jobs"] == 0 {
		t.Errorf("the next run: %+v", r)
	}
}

// TestCollectArchiveStopsAtAnUnreadableManifest removes nothing.
func TestCollectArchiveStopsAtAnUnreadableManifest(t *testing.T) {
	s := newSmall(t)
	s.run()
	snaptest.MakeRemovable(t, s.data)
	odd := filepath.Join(snapshots.SnapshotsDir(s.data), "2026-01-01.1")
	if err := os.MkdirAll(odd, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(odd, snapshots.ManifestFileName), []byte(`{"format":"labour/99"}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pruning.RemoveUnneededResponses(context.Background(), *s.last, nil, false); err == nil {
		t.Error("bodies were collected although a manifest cannot be read")
	}
}
