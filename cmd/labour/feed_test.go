package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/archive"
)

// A file that is too large for a run is refused, with advice, and is not read.
func TestFeedCheckLimitsTheSizeOfFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "adverts.ndjson")
	if err := os.WriteFile(path, []byte("{}\n{}\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int64]error{8: archive.ErrTooLarge, 9: nil} {
		feed := &feedDir{}
		_, err := feed.Get(t.Context(), sources.Request{Name: "adverts.ndjson", URL: path, MaxBytes: limit})
		if !errors.Is(err, want) || (err == nil) != (want == nil) || (err == nil) != (len(feed.extract.Objects) == 1) {
			t.Errorf("9 bytes and a limit of %d: %v, %d objects", limit, err, len(feed.extract.Objects))
		}
	}
	feed := &feedDir{}
	feed.MarkFailed("adverts.ndjson", archive.ErrTooLarge)
	if !strings.Contains(feed.faults[0].Detail, "split it into several files") {
		t.Errorf("%+v", feed.faults)
	}
}
