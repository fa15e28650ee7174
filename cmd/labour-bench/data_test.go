package main

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/protected"
)

// TestBenchDataRunsThroughThePipeline makes a small world twice: the archived bodies are
// the same, and the pipeline publishes from them what they hold.
func TestBenchDataRunsThroughThePipeline(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the pipeline")
	}
	var dirs []string
	for range 2 {
		o := dataOptions{Dir: t.TempDir(), Size: "600,800,2000", AsOf: "2026-11-20", Seed: 7}
		made, err := makeData(context.Background(), o)
		if err != nil || made.FeedBytes == 0 || made.Adverts != 600 {
			t.Fatalf("%+v, %v", made, err)
		}
		dirs = append(dirs, o.Dir)
	}
	one, other := bodies(t, dirs[0]), bodies(t, dirs[1])
	if len(one) < 10 || !slices.Equal(one, other) {
		t.Errorf("archived\n%v\nand then\n%v", one, other)
	}
	m, err := measurePipeline(context.Background(), &runOptions{Dir: dirs[0], Data: t.TempDir()},
		madeWorld{AsOf: "2026-11-20"})
	if err != nil {
		t.Fatal(err)
	}
	if m.Rows["table adverts"] == 0 || m.Rows["read find_an_apprenticeship"] != 60 ||
		m.Rows["read employer_boards"] == 0 || len(m.Stages) < 5 || m.PeakMB == 0 {
		t.Errorf("measured %+v", m)
	}
}

// bodies are the names of the archived bodies, which are their hashes.
func bodies(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(protected.ArchiveDir(filepath.Join(dir, fetchedDir)),
		func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && len(strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))) == 64 {
				names = append(names, e.Name())
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
