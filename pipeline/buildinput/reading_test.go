package buildinput

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"labour/pipeline/options"
	"labour/pipeline/previous"
	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/snaptest"
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
			a, err := archive.Open(protected.ArchiveDir(data))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			var of Provider = p
			if c.rebuild {
				of = rebuilt{p}
			}
			got, err := ReadPlan{Options: p.Options, Provider: of, Archive: a, AsOf: c.asOf}.IngestOptions()
			if err != nil || (got.PastAdverts != nil) != c.want {
				t.Fatalf("past adverts %t, %v; want %t", got.PastAdverts != nil, err, c.want)
			}
			if got.AsOf != c.asOf || got.JobsDay != c.asOf || got.Threads != 3 ||
				got.StagingDir != protected.StagingDir(p.Options.DataDir) {
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
	got, err := ReadPlan{Options: p.Options, Provider: p, Archive: a, AsOf: asOf}.IngestOptions()
	if want := (sources.Date{Year: 2026, Month: 11, Day: 19}); err != nil || got.JobsDay != want ||
		got.AsOf != asOf {
		t.Errorf("the jobs are of %s, %v; want %s", got.JobsDay, err, want)
	}
}

// Files of earlier runs that cannot be read are an error.
func TestUnreadableFilesOfEarlierRuns(t *testing.T) {
	data := t.TempDir()
	p := dataDir(data, "")
	a, err := archive.Open(protected.ArchiveDir(data))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := os.WriteFile(protected.PastAdvertsDir(p.Options.DataDir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	reading := ReadPlan{Options: p.Options, Provider: p, Archive: a, AsOf: p.Options.AsOf}
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
		reading := ReadPlan{Options: p.Options, Provider: p, AsOf: p.Options.AsOf, Current: currentOf(t, c.current)}
		needed, checked := reading.readsPeople(c.copied)
		if needed != c.needed || checked != c.checked {
			t.Errorf("%s: needed %t, checked %t; want %t, %t", name, needed, checked, c.needed, c.checked)
		}
	}
}

// currentOf returns a current snapshot of a day; nil if the day is empty.
func currentOf(t *testing.T, day string) *previous.Snapshot {
	t.Helper()
	if day == "" {
		return nil
	}
	asOf, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	return &previous.Snapshot{Manifest: snapshots.Manifest{AsOf: snapshots.DateOf(asOf)}}
}

// The first days of the jobs are those of the current snapshot. One that cannot be read is an error.
func TestFirstDaysOfTheJobs(t *testing.T) {
	data := t.TempDir()
	first := noon.Truncate(time.Hour).AddDate(0, 0, -4)
	snaptest.BuildSnapshot(t, data, "2026-11-18", snaptest.Content{PlatformName: "Works",
		Jobs: []snapshots.JobsRow{{ID: "feed:1", Type: "job", PostedAt: first, FirstSeen: first}}})
	current, err := previous.OpenCurrent(data)
	if err != nil {
		t.Fatal(err)
	}
	p := dataDir(data, "")
	reading := ReadPlan{Options: p.Options, Provider: p, AsOf: p.Options.AsOf, Current: current}
	got, err := reading.IngestOptions()
	if err != nil || !got.JobsFirstSeen["feed:1"].Equal(first) {
		t.Errorf("the first days are %v, %v; want %s", got.JobsFirstSeen, err, first)
	}
	current.Dir = t.TempDir()
	if _, err := reading.IngestOptions(); err == nil {
		t.Error("a snapshot that cannot be read is no error")
	}
}

// stubExtracts is a provider whose sources have one extract each, with a damaged file. It notes
// which sources were selected.
type stubExtracts struct {
	RunInputs
	selected []sources.Source
	since    time.Time
	err      error
}

func (s *stubExtracts) Extracts(_ *archive.Archive, src sources.Source,
	since time.Time) ([]sources.Extract, []sources.Fault, error) {
	s.selected, s.since = append(s.selected, src), since
	key := src.Info().Key
	return []sources.Extract{{Source: key}}, []sources.Fault{{Source: key, Code: sources.FaultDamaged}}, s.err
}

// Residents and applications are read if counts are made of them or if they are checked. Only if
// counts are made of them do they decide which fetch of the feed is read.
func TestFilesOfTheFeed(t *testing.T) {
	for name, c := range map[string]struct {
		only, current string
		copied        bool
		decide, read  bool
	}{
		"counts are made":             {"", "2026-11-20", false, true, true},
		"counts are copied, checked":  {"", "2026-11-12", true, false, true},
		"counts are copied":           {"", "2026-11-18", true, false, false},
		"a light run, nothing copied": {options.OnlyPlatform, "2026-11-12", false, false, false},
	} {
		p := dataDir(t.TempDir(), c.only)
		p.Options.Config.Platform.FeedAddress = "feed"
		provider := &stubExtracts{RunInputs: p}
		reading := ReadPlan{Options: p.Options, Provider: provider, Archive: sourcetest.OpenArchive(t),
			AsOf: p.Options.AsOf, Current: currentOf(t, c.current)}
		r := report.New(p.Options.AsOf)
		all, err := reading.SourcesToRead([]sources.Source{platform.New(p.Options.Config.Platform)}, c.copied, r)
		if err != nil || len(all) != 1 || len(provider.selected) != 1 {
			t.Fatalf("%s: %d sources, %v", name, len(all), err)
		}
		decide, read := selectsResidents(provider.selected[0]), selectsResidents(all[0].Source)
		if decide != c.decide || read != c.read {
			t.Errorf("%s: decide %t, read %t; want %t, %t", name, decide, read, c.decide, c.read)
		}
		if len(all[0].Extracts) != 1 || all[0].Extracts[0].Source != platform.Key {
			t.Errorf("%s: the extracts are %+v", name, all[0].Extracts)
		}
		if n := r.EnsureSource(platform.Key).Faults[sources.FaultDamaged]; n != 1 {
			t.Errorf("%s: %d damaged files are reported, want 1", name, n)
		}
		if want := time.Date(2024, 12, 1, 0, 0, 0, 0, time.UTC); !provider.since.Equal(want) {
			t.Errorf("%s: read since %s, want %s", name, provider.since, want)
		}
	}
}

func selectsResidents(src sources.Source) bool {
	return src.(*platform.FeedSource).SelectsFile("residents.ndjson")
}

// Parts of an older fetch are reported. Extracts that cannot be read are an error that names the source.
func TestSourcesThatCannotBeRead(t *testing.T) {
	p := dataDir(t.TempDir(), "")
	provider := &stubExtracts{RunInputs: p}
	dir := t.TempDir()
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	err = a.AppendExtract(sources.Extract{Source: platform.Key, FetchedAt: noon,
		Objects: []sources.ArchivedObject{{Name: "adverts", Carried: true}}})
	if err != nil {
		t.Fatal(err)
	}
	reading := ReadPlan{Options: p.Options, Provider: provider, Archive: a, AsOf: p.Options.AsOf}
	list, r := []sources.Source{platform.New(p.Options.Config.Platform)}, report.New(p.Options.AsOf)
	if _, err := reading.SourcesToRead(list, true, r); err != nil || len(r.EnsureSource(platform.Key).Carried) != 1 {
		t.Errorf("carried are %+v, %v; want one part", r.EnsureSource(platform.Key).Carried, err)
	}
	provider.err = errors.New("no extracts")
	got, err := reading.SourcesToRead(list, true, r)
	if got != nil || !errors.Is(err, provider.err) || !strings.HasPrefix(err.Error(), "read platform: ") {
		t.Errorf("without extracts: %v, %v", got, err)
	}
	if n := r.EnsureSource(platform.Key).Faults[sources.FaultDamaged]; n != 2 {
		t.Errorf("%d damaged files are reported, want 2", n)
	}
	provider.err = nil
	if err := os.WriteFile(dir+"/extracts/platform.ndjson", []byte("{]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err = reading.SourcesToRead(list, true, r)
	if got != nil || err == nil || !strings.HasPrefix(err.Error(), "read platform: ") {
		t.Errorf("of a damaged list of extracts: %v, %v", got, err)
	}
}
