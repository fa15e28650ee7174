package buildinput

import (
	"os"
	"strings"
	"testing"
	"time"

	"labour/pipeline/options"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
	"labour/sources/sourcetest"
)

// rebuilt is the provider of a build that leaves nothing for later runs.
type rebuilt struct{ RunInputs }

func (rebuilt) IsNewBuild() bool { return false }

// The cache of adverts that are no longer listed is kept by a whole run of today, and by no other:
// not by a light run, a rebuild or a run of a past day.
func TestWhoKeepsPastAdverts(t *testing.T) {
	past := sources.Date{Year: 2026, Month: 11, Day: 19}
	for name, c := range map[string]struct {
		only    string
		asOf    sources.Date
		rebuild bool
		want    bool
	}{
		"a whole run":         {"", sources.DateOf(noon), false, true},
		"a light run":         {options.OnlyPlatform, sources.DateOf(noon), false, false},
		"a rebuild":           {"", sources.DateOf(noon), true, false},
		"a run of a past day": {"", past, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			p := dataDir(data, c.only)
			p.Options.AsOf, p.Options.Threads = c.asOf, 3
			a, err := archive.Open(options.ArchiveDir(data))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			var of Provider = p
			if c.rebuild {
				of = rebuilt{p}
			}
			got, err := Reading{Options: p.Options, Provider: of, Archive: a, AsOf: c.asOf}.IngestOptions()
			if err != nil || (got.PastAdverts != nil) != c.want {
				t.Fatalf("past adverts %t, %v; want %t", got.PastAdverts != nil, err, c.want)
			}
			if got.AsOf != c.asOf || got.JobsDay != c.asOf || got.Threads != 3 ||
				got.StagingDir != p.Options.ProtectedPath("staging") {
				t.Errorf("the settings are %+v", got)
			}
		})
	}
}

// A light run lists jobs and events of the day on which the feed was last fetched, and keeps the
// date of the data.
func TestDayOfTheJobs(t *testing.T) {
	p := dataDir(t.TempDir(), options.OnlyPlatform)
	p.Options.OnlyFetchedByDate = false
	asOf := sources.Date{Year: 2026, Month: 11, Day: 18}
	a := sourcetest.OpenArchive(t)
	yesterday := noon.AddDate(0, 0, -1)
	sha, n, err := a.PutBody(platform.Key, strings.NewReader("{}"), 2)
	if err != nil {
		t.Fatal(err)
	}
	err = a.AppendExtract(sources.Extract{Source: platform.Key, FetchedAt: yesterday,
		Objects: []sources.ArchivedObject{{Name: "adverts", SHA256: sha, Bytes: n, FetchedAt: yesterday}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Reading{Options: p.Options, Provider: p, Archive: a, AsOf: asOf}.IngestOptions()
	if want := (sources.Date{Year: 2026, Month: 11, Day: 19}); err != nil || got.JobsDay != want ||
		got.AsOf != asOf {
		t.Errorf("the jobs are of %s, %v; want %s", got.JobsDay, err, want)
	}
}

// Files of earlier runs that cannot be read are an error.
func TestUnreadableFilesOfEarlierRuns(t *testing.T) {
	data := t.TempDir()
	p := dataDir(data, "")
	a, err := archive.Open(options.ArchiveDir(data))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := os.WriteFile(p.Options.ProtectedPath("past"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	reading := Reading{Options: p.Options, Provider: p, Archive: a, AsOf: p.Options.AsOf}
	if _, err := reading.IngestOptions(); err == nil {
		t.Error("a file in place of the cache is no error")
	}
}

// Residents and applications are needed for figures that nobody has published. If they are
// published, the first whole run of a week reads the files to check them.
func TestWhoReadsPeople(t *testing.T) {
	for name, c := range map[string]struct {
		only, feed, current string
		copied              bool
		needed, checked     bool
	}{
		"a light run":                      {options.OnlyPlatform, "feed", "2026-11-12", true, false, false},
		"no feed":                          {"", "", "2026-11-12", false, false, false},
		"figures that are not published":   {"", "feed", "2026-11-20", false, true, false},
		"published, the same week":         {"", "feed", "2026-11-16", true, false, false},
		"published, the week before":       {"", "feed", "2026-11-15", true, false, true},
		"published, the same day":          {"", "feed", "2026-11-20", true, false, false},
		"published, none is current":       {"", "feed", "", true, false, true},
		"published, an older one promoted": {"", "feed", "2025-11-20", true, false, true},
	} {
		p := dataDir(t.TempDir(), c.only)
		p.Options.Config.Platform.FeedAddress = c.feed
		reading := Reading{Options: p.Options, Provider: p, AsOf: p.Options.AsOf}
		if c.current != "" {
			day, err := time.Parse(time.DateOnly, c.current)
			if err != nil {
				t.Fatal(err)
			}
			reading.Current = &previous.Snapshot{Manifest: snapshots.Manifest{AsOf: snapshots.DateOf(day)}}
		}
		needed, checked := reading.readsPeople(c.copied)
		if needed != c.needed || checked != c.checked {
			t.Errorf("%s: needed %t, checked %t; want %t, %t", name, needed, checked, c.needed, c.checked)
		}
	}
}
