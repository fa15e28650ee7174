package ingest

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"labour/pipeline/report"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// A journal of fetches that cannot be read is an error of each step that reads it.
func TestDamagedJournalsAreErrors(t *testing.T) {
	dir := t.TempDir()
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, source := range []string{"s", platform.Key} {
		fetched(t, a, source, day(0), "part")
		file := filepath.Join(dir, "extracts", source+".ndjson")
		if err := os.WriteFile(file, []byte("not json\nnor this\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all := archive.AllExtracts
	src := boards{parts: []string{"ashby/acme"}}
	for name, err := range map[string]error{
		"the day of the feed": func() error { _, err := LightSnapshotDay(a, all, dayOf(0)); return err }(),
		"carried parts": ReportCarriedParts(a, src, all, dayOf(0), report.New(dayOf(0)),
			slog.New(slog.DiscardHandler)),
		"parts never fetched": func() error { _, err := missingParts(a, src, all); return err }(),
		"a listing": func() error {
			_, _, err := ExtractSelector{Archive: a, MayRead: all}.Select(
				recorded{info: sources.Info{Key: "s", ListsLiveOnly: true}}, day(0))
			return err
		}(),
		"a whole source": func() error {
			_, _, err := ExtractSelector{Archive: a, MayRead: all}.Select(recorded{info: sources.Info{Key: "s"}}, day(0))
			return err
		}(),
	} {
		if !errors.Is(err, sources.ErrDamaged) {
			t.Errorf("%s: %v, want that the journal is damaged", name, err)
		}
	}
}
