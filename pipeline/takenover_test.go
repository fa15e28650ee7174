package pipeline

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnEarlierDataDirectoryIsTakenOver: with the journals of all sources in one file, and
// what the earlier protection of people remembered, a run says so in one line and goes on.
func TestAnEarlierDataDirectoryIsTakenOver(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	s.run()
	protected := filepath.Join(s.data, "protected")
	for _, kind := range []string{"fetches", "extracts"} {
		joinJournals(t, filepath.Join(protected, "archive"), kind)
	}
	if err := os.Mkdir(filepath.Join(protected, "ledger"), 0o700); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	o := *s.last
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	for range 2 {
		if result, err := Run(t.Context(), o); err != nil || len(result.Failed) > 0 {
			t.Fatalf("%v, failed sources %v, %+v", err, result.Failed, result.Report.Fetched)
		}
	}
	for _, part := range []string{"taken over", "ledger", "extracts.ndjson.taken-over", "fetches.ndjson.taken-over"} {
		if strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), part) {
			t.Errorf("not one line with %q: %q", part, log.String())
		}
	}
}

// joinJournals makes of the journals of a kind one of all sources, as there was before.
func joinJournals(t *testing.T, dir, kind string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, kind, "*.ndjson"))
	if err != nil || len(files) < 3 {
		t.Fatalf("journals %v, %v", files, err)
	}
	var all []byte
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, kind)), os.WriteFile(filepath.Join(dir, kind+".ndjson"), all, 0o600)); err != nil {
		t.Fatal(err)
	}
}
