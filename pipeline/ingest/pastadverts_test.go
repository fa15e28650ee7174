package ingest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/previous"
	"labour/pipeline/report"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/sources"
	"labour/sources/sourcetest"
)

// cacheOf opens the cache in dir for a version and a configuration.
func cacheOf(t *testing.T, dir, version string, configuration any) *PastAdvertCache {
	t.Helper()
	p, err := OpenPastAdvertCache(dir, version, configuration)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Cached adverts are found again for the same extract, version and configuration only.
func TestTheCacheIsOfOneExtractAndConfiguration(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "past", "adverts")
	x := extractOf("boards", 0, "x1", "y2")
	first := cacheOf(t, dir, "1", map[string]int{"a": 1})
	if _, ok := first.load(first.file(x)); ok {
		t.Error("an empty cache has adverts")
	}
	if err := first.keep(first.file(x), []sources.Advert{advertOf("boards", "a")}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		cache *PastAdvertCache
		x     sources.Extract
		want  bool
	}{
		"the same":              {cacheOf(t, dir, "1", map[string]int{"a": 1}), x, true},
		"another version":       {cacheOf(t, dir, "2", map[string]int{"a": 1}), x, false},
		"another configuration": {cacheOf(t, dir, "1", map[string]int{"a": 2}), x, false},
		"another source":        {first, extractOf("others", 0, "x1", "y2"), false},
		"another time":          {first, extractOf("boards", 1, "x1", "y2"), false},
		"another object":        {first, extractOf("boards", 0, "x1", "z2"), false},
		"other bytes":           {first, extractOf("boards", 0, "x1", "y3"), false},
		"an object less":        {first, extractOf("boards", 0, "x1"), false},
	} {
		got, ok := c.cache.load(c.cache.file(c.x))
		if ok != c.want || ok && (len(got) != 1 || got[0].ID != "a" || got[0].Posted != dayOf(-3)) {
			t.Errorf("%s: found %v with %+v, want %v", name, ok, got, c.want)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is not private: %v, %v", info.Mode(), err)
	}
	if _, err := OpenPastAdvertCache(dir, "1", func() {}); err == nil {
		t.Error("a configuration that cannot be written is accepted")
	}
}

// Files of earlier configurations and of killed runs are removed, used ones stay. A damaged one is
// not used.
func TestUnusedCacheFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	p := cacheOf(t, dir, "1", nil)
	used := p.file(extractOf("boards", 0, "x1"))
	for _, name := range []string{used, filepath.Join(dir, "new-17"), filepath.Join(dir, "old.gob.zst")} {
		if err := os.WriteFile(name, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := p.load(used); ok {
		t.Error("a damaged file is used")
	}
	if err := p.removeUnused(); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || !slices.Equal(left, []string{used}) {
		t.Errorf("left are %q, %v; want %q", left, err, used)
	}
	// A file that cannot be placed leaves no temporary file.
	if err := os.Remove(used); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(used, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := p.keep(used, nil); err == nil {
		t.Error("a folder in the place of the file is no error")
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 1 {
		t.Errorf("left are %q, %v; want the folder only", left, err)
	}
	if err := p.keep(used, nil); err == nil || os.RemoveAll(dir) != nil || p.removeUnused() == nil {
		t.Error("a missing folder is no error")
	}
}

// Past extracts of a listing are cached: adverts that no newer extract has, unless a fault, damage
// or a record of another type shows that the extract was not read whole. The second run stages the
// same rows without reading them.
func TestPastAdvertsAreCached(t *testing.T) {
	listing := sources.Info{Key: "boards", Kind: sources.KindEmployerBoards, ListsLiveOnly: true}
	whole := listing
	whole.ListsLiveOnly = false
	for _, c := range []struct {
		name   string
		info   sources.Info
		faults map[string]sources.FaultCode
		more   map[string][]sources.Record
		again  []string // objects that the second run reads
	}{
		{"whole", listing, nil, nil, []string{"y1"}},
		{"no listing", whole, nil, nil, []string{"y1", "y2", "y3"}},
		{"a fault in an old extract", listing, map[string]sources.FaultCode{"y2": sources.FaultBadValue}, nil,
			[]string{"y1"}},
		{"damage in an old extract", listing, map[string]sources.FaultCode{"y2": sources.FaultDamaged}, nil,
			[]string{"y1", "y2", "y3"}},
		{"damage in the newest extract", listing, map[string]sources.FaultCode{"y1": sources.FaultDamaged}, nil,
			[]string{"y1", "y2", "y3"}},
		{"another record", listing, nil, map[string][]sources.Record{"y2": {sources.Area{Code: "E1"}}},
			[]string{"y1", "y2"}},
	} {
		dir := t.TempDir()
		var staged [2][]string
		var read []string
		for run := range staged {
			read = nil
			boards := recorded{info: c.info, read: &read, faults: c.faults, objects: map[string][]sources.Record{
				"y1": {advertOf("boards", "a")},
				"y2": append([]sources.Record{advertOf("boards", "b"), advertOf("boards", "a")}, c.more["y2"]...),
				"y3": {advertOf("boards", "c"), advertOf("boards", "b")},
			}}
			var steps []string
			options := optionsOf(t, &steps)
			options.PastAdverts = cacheOf(t, dir, "1", nil)
			feed := recorded{info: sources.Info{Key: "feed", Kind: sources.KindPlatform},
				objects: map[string][]sources.Record{"all1": {camden()}}}
			if _, err := Read(t.Context(), sourcetest.OpenArchive(t), []SourceWithExtracts{
				{feed, []sources.Extract{extractOf("feed", 0, "all1")}},
				{boards, []sources.Extract{extractOf("boards", 0, "y1"), extractOf("boards", -1, "y2"),
					extractOf("boards", -2, "y3")}},
			}, options, report.New(dayOf(0))); err != nil {
				t.Fatal(err)
			}
			staged[run] = ids(stagedRows[staging.Advert](t, options.StagingDir, "adverts"))
		}
		if want := []string{"boards a", "boards b", "boards c"}; !slices.Equal(staged[0], want) ||
			!slices.Equal(staged[1], want) {
			t.Errorf("%s: staged are %q and then %q, want %q", c.name, staged[0], staged[1], want)
		}
		if !slices.Equal(read, c.again) {
			t.Errorf("%s: the second run reads %q, want %q", c.name, read, c.again)
		}
	}
}

// The first days of jobs are read from the current snapshot. Without one there are none.
func TestFirstDaysOfTheCurrentSnapshot(t *testing.T) {
	data := t.TempDir()
	if got, err := ReadJobsFirstSeen(nil); err != nil || got != nil {
		t.Errorf("without a snapshot: %v, %v; want none", got, err)
	}
	snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.Content{PlatformName: "Works", Jobs: []snapshots.JobsRow{
		{ID: "feed:1", Type: "job", PostedAt: midnight(-5), FirstSeen: day(-4)},
		{ID: "feed:2", Type: "job", PostedAt: midnight(-5), FirstSeen: day(-3)}}})
	current, err := previous.OpenCurrent(data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadJobsFirstSeen(current)
	if err != nil || len(got) != 2 || !got["feed:1"].Equal(day(-4)) || !got["feed:2"].Equal(day(-3)) {
		t.Errorf("the first days are %v, %v; want those of two jobs", got, err)
	}
	current.Dir = filepath.Join(data, "nowhere")
	if got, err := ReadJobsFirstSeen(current); err == nil {
		t.Errorf("a snapshot that cannot be read gives %v", got)
	}
}

// What is carried forward is in the report, and the operator is warned of what is stale or was
// never fetched.
func TestStalePartsAreWarnedOf(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	fetched(t, a, "s", day(0), "ashby/acme", "ashby/other")
	if err := a.AppendExtract(sources.Extract{Source: "s", FetchedAt: day(3).Add(time.Hour),
		Objects: []sources.ArchivedObject{
			{Name: "ashby/acme", Carried: true}, {Name: "ashby/other"}}}); err != nil {
		t.Fatal(err)
	}
	src := boards{parts: []string{"ashby/acme", "ashby/other", "ashby/never"}}
	for _, c := range []struct {
		day      int
		warnings []string
	}{
		{1, []string{"a part of a source was never fetched ashby/never"}},
		{3, []string{"a part of a source has been carried forward for long ashby/acme",
			"a part of a source was never fetched ashby/never"}},
	} {
		to := report.New(dayOf(c.day))
		var log warnings
		all := func(sources.Extract) bool { return true }
		if err := ReportCarriedParts(a, src, all, dayOf(c.day), to, log.logger()); err != nil {
			t.Fatal(err)
		}
		if got := to.EnsureSource("s").Carried; len(got) != 2 {
			t.Errorf("day %d: the report has %+v, want two parts", c.day, got)
		}
		if !slices.Equal(log.lines, c.warnings) {
			t.Errorf("day %d: the warnings are %q, want %q", c.day, log.lines, c.warnings)
		}
	}
	// ExtractSelector that are not known are not looked at, and a source without parts lacks none.
	if never, err := missingParts(a, src, before(day(1))); err != nil || !slices.Equal(never, []string{"ashby/never"}) {
		t.Errorf("never fetched are %q, %v; want ashby/never", never, err)
	}
	if never, err := missingParts(a, src, before(day(0))); err != nil || never != nil {
		t.Errorf("never fetched before the first extract are %q, %v; want none", never, err)
	}
	if never, err := missingParts(a, recorded{}, before(day(1))); err != nil || never != nil {
		t.Errorf("never fetched of a source without parts are %q, %v; want none", never, err)
	}
}

// A part that was out of the configuration for a time and is not in the newest fetch was fetched
// before: its earlier adverts are counted. The day is that of the last fetch that delivered all of it,
// as in the table freshness.
func TestPartThatIsConfiguredAgain(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	fetched(t, a, "s", day(0), "ashby/acme", "ashby/back")
	kept := []sources.ArchivedObject{{Name: "ashby/acme"}, {Name: "ashby/back", Kept: true}}
	if err := a.AppendExtract(sources.Extract{Source: "s", FetchedAt: day(1), Objects: kept}); err != nil {
		t.Fatal(err)
	}
	fetched(t, a, "s", day(2), "ashby/acme")
	to := report.New(dayOf(3))
	var log warnings
	src := boards{parts: []string{"ashby/acme", "ashby/back"}}
	all := func(sources.Extract) bool { return true }
	if err := ReportCarriedParts(a, src, all, dayOf(3), to, log.logger()); err != nil {
		t.Fatal(err)
	}
	const advice = "last fetched 3 days ago; that copy is still counted"
	carried := to.EnsureSource("s").Carried
	if len(carried) != 1 || !strings.HasPrefix(carried[0].Advice(), advice) {
		t.Errorf("the report has %+v", carried)
	}
}

// A configuration that cannot be written down, a folder that cannot be made and a file that cannot
// be kept are errors.
func TestPastAdvertsThatCannotBeKept(t *testing.T) {
	if _, err := OpenPastAdvertCache(t.TempDir(), "1", func() {}); err == nil ||
		!strings.HasPrefix(err.Error(), "note the configuration: ") {
		t.Errorf("a configuration that cannot be written down: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPastAdvertCache(filepath.Join(file, "cache"), "1", nil); err == nil {
		t.Error("a file in place of the folder is no error")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	p := cacheOf(t, dir, "1", nil)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := p.keep(filepath.Join(dir, "x"), nil); err == nil || !strings.HasPrefix(err.Error(), "keep past adverts: ") {
		t.Errorf("a folder that is gone: %v", err)
	}
	if adverts, ok := p.load(filepath.Join(dir, "x")); ok || adverts != nil {
		t.Errorf("a file that is not there has %v", adverts)
	}
}
