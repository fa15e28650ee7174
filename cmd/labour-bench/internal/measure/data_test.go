package measure

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/sources"
	"labour/sources/sandbox"
)

// TestBenchDataRunsThroughThePipeline makes a small world twice: the bytes are the
// same, and the pipeline publishes from the kept answers what they hold.
func TestBenchDataRunsThroughThePipeline(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the pipeline")
	}
	a := &Program{Stdout: io.Discard, Stderr: io.Discard, Now: time.Now, Version: "test", Log: func() *slog.Logger { return slog.New(slog.DiscardHandler) },
		Progress: func() cli.Progress { return cli.NewProgress(io.Discard, time.Now, false) }, ForBatch: func() {},
		Secret: func(name string) (string, bool) { return "sandbox", name != pipeline.KeySecret }}
	size := worldSize{"small", sandbox.Size{Adverts: 600, Residents: 800, Applications: 2000}}
	asOf := sources.Date{Year: 2026, Month: 11, Day: 20}
	var dirs []string
	for range 2 {
		o := dataOptions{Dir: t.TempDir(), AsOf: asOf.String(), Seed: 7}
		made, err := a.makeData(context.Background(), o, size, asOf)
		if err != nil || made.FeedBytes == 0 || made.AnswerBytes == 0 {
			t.Fatalf("%+v, %v", made, err)
		}
		dirs = append(dirs, o.Dir)
	}
	sameFiles(t, dirs[0], dirs[1])
	played, err := replay(filepath.Join(dirs[0], answersDir))
	if err != nil {
		t.Fatal(err)
	}
	base, stop, err := cli.Loopback(played)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	m, err := a.measurePipeline(context.Background(), pipelineOptions{measureOptions{Dir: dirs[0], Data: t.TempDir()}, base})
	if err != nil {
		t.Fatal(err)
	}
	if m.Rows["table adverts"] == 0 || m.Rows["read find_an_apprenticeship"] != 60 || m.Rows["read employer_boards"] == 0 || len(m.Stages) < 5 || m.PeakMB == 0 {
		t.Errorf("measured %+v", m)
	}
}

// sameFiles compares two directories byte for byte.
func sameFiles(t *testing.T, one, other string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(one, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(one, path)
		if err != nil {
			return err
		}
		x, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		y, err := os.ReadFile(filepath.Join(other, rel))
		if err != nil {
			return err
		}
		files++
		if !bytes.Equal(x, y) {
			t.Errorf("%s differs", rel)
		}
		return nil
	})
	if err != nil || files < 10 {
		t.Errorf("%d files, %v", files, err)
	}
}
