package platform

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/fetching"
	"labour/sources/sourcetest"
)

// A feed in a directory: files come and go, and one that cannot be read is
// carried over.
func TestDirectory(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	for path, body := range feed(t) {
		if path != "/index.json" {
			os.WriteFile(filepath.Join(dir, path), []byte(body), 0o600)
		}
	}
	os.WriteFile(filepath.Join(dir, ".residents-new.ndjson"), []byte("half"), 0o600)
	a := sourcetest.OpenArchive(t)
	for _, base := range []string{dir, "file://" + dir + "/"} {
		src := New(Config{FeedAddress: base, Name: "London Works", Link: "https://works.example/"})
		if err := src.Info().Validate(); err != nil {
			t.Fatal(err)
		}
		fetch := func() (sources.Extract, []sources.Fault) {
			t.Helper()
			now = now.Add(24 * time.Hour)
			x, faults, err := fetching.FetchSource(context.Background(), src, fetching.Options{Archive: a,
				UserAgent: "test (data@works.example)", Now: func() time.Time { return now }})
			if err != nil {
				t.Fatal(err)
			}
			return x, faults
		}
		x, faults := fetch()
		records, bad, err := sourcetest.ReadExtract(src, x, a)
		if err != nil || len(faults)+len(bad) != 0 {
			t.Fatalf("%v %v %v", err, faults, bad)
		}
		wantExamples(t, records)

		residents := filepath.Join(dir, "residents-b.ndjson")
		os.Rename(residents, residents+".away")
		os.Mkdir(residents, 0o700) // there, but not a file: it is not listed
		os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "residents-c.ndjson"))
		x, faults = fetch()
		if len(faults) != 1 || faults[0].Object != "residents-c.ndjson" || len(x.Objects) != 8 {
			t.Errorf("faults %+v, %d objects", faults, len(x.Objects))
		}
		_, bad, _ = sourcetest.ReadExtract(src, x, a)
		// The application of the resident in that file is the second fault.
		if len(bad) != 2 || !strings.Contains(bad[0].Detail, "residents-b.ndjson.away") {
			t.Errorf("a file of another name: %+v", bad)
		}
		os.Remove(filepath.Join(dir, "residents-c.ndjson"))
		os.Remove(residents)
		os.Rename(residents+".away", residents)
	}
}

func TestInfoNeedsALink(t *testing.T) {
	if err := New(Config{FeedAddress: "./feed", Name: "London Works"}).Info().Validate(); err == nil ||
		!strings.Contains(err.Error(), "link") {
		t.Errorf("got %v", err)
	}
	const address = "https://feed.works.example/v1"
	if got := New(Config{FeedAddress: address}).Info().Link; got != address {
		t.Errorf("link %q", got)
	}
}
