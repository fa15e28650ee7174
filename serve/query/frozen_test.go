package query

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots"
)

// frozenWorld is a copy of the frozen sample of the format.
func frozenWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	if err := os.CopyFS(w.data, os.DirFS("../../snapshots/testdata/labour-1")); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestFrozenSampleIsAnswered: "A frozen sample must open for ever."
func TestFrozenSampleIsAnswered(t *testing.T) {
	w := frozenWorld(t)
	l := w.newLive()
	w.reload(l)
	s, release, err := l.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	page, err := s.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{Window: 24, Limit: 5})
	if err != nil || len(page.Rows) == 0 || s.ID() != "2026-11-20.1" {
		t.Errorf("%s: %d rows, %v", s.ID(), len(page.Rows), err)
	}
	demand, err := s.Demand(context.Background(), api.EmbargoedQuery{Limit: 50})
	if err != nil || len(demand.Rows) == 0 {
		t.Errorf("demand: %d rows, %v", len(demand.Rows), err)
	}
}

// TestAnotherFormatIsNotServed: what names another format, or none, is refused with one sentence.
func TestAnotherFormatIsNotServed(t *testing.T) {
	for _, format := range []string{`"format_version": 2`, `"format": "labour/2"`} {
		w := frozenWorld(t)
		file := filepath.Join(snapshots.SnapshotsDir(w.data), "2026-11-20.1", snapshots.ManifestFileName)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = []byte(strings.Replace(string(text), `"format": "labour/1"`, format, 1))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		err = w.newLive().Reload(context.Background())
		if err == nil || !strings.HasSuffix(err.Error(), "start a new data directory and fetch again") {
			t.Errorf("%s: %v", format, err)
		}
	}
}
