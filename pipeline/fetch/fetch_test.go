package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/config"
	"labour/pipeline/locks"
	"labour/pipeline/options"
	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/employerboards"
	"labour/sources/platform"
	"labour/sources/sourcetest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// source fails with err, or else has the object part/file.
type source struct {
	sources.Source
	key       string
	forbidden bool
	err       error
	url       string // of the object
	part      string // a part that fails
	fetched   *int
}

func (s source) Info() sources.Info {
	return sources.Info{Key: s.key, Terms: sources.Terms{MayFetch: !s.forbidden}}
}

func (s source) Fetch(ctx context.Context, f sources.Fetcher) error {
	if s.fetched != nil {
		*s.fetched++
	}
	if s.err != nil {
		return s.err
	}
	if _, err := f.Get(ctx, sources.Request{Name: "part/file", URL: s.url}); err != nil {
		return err
	}
	if s.part != "" {
		f.MarkFailed(s.part, errors.New("no answer"))
	}
	return nil
}

// extractOf archives an extract of a source with the object part/file.
func extractOf(t *testing.T, dir, key string, at time.Time) {
	t.Helper()
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	sha, n, err := a.PutBody(key, strings.NewReader(key), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.AppendExtract(sources.Extract{Source: key, FetchedAt: at, Objects: []sources.ArchivedObject{
		{Name: "part/file", SHA256: sha, Bytes: n, FetchedAt: at}}}); err != nil {
		t.Fatal(err)
	}
}

// A source that fails does not stop the others. Its result has its error, and whether it has ever
// delivered.
func TestASourceThatFailsDoesNotStopTheOthers(t *testing.T) {
	dir := t.TempDir()
	url := "file://" + filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(strings.TrimPrefix(url, "file://"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	extractOf(t, dir, "good", noon.AddDate(0, 0, -1))
	extractOf(t, dir, "parted", noon.AddDate(0, 0, -1))
	extractOf(t, dir, "fails", noon.AddDate(0, 0, -1))
	var log bytes.Buffer
	var steps []string
	forbidden := 0
	r := run{Archive: dir, Now: func() time.Time { return noon }, Log: slog.New(slog.NewTextHandler(&log, nil)),
		Locks:     locks.Waiter{LockDir: t.TempDir(), IsWholeRun: true, OnWait: func(string) {}},
		UserAgent: "labour/test (us@works.example)", Attempts: 1,
		Step: func(name string) { steps = append(steps, name) }, Detail: func(string, ...any) {},
		Sources: []sources.Source{source{key: "good", url: url}, source{key: "closed", forbidden: true, fetched: &forbidden},
			source{key: "fails", err: errors.New("no answer")}, source{key: "new", err: errors.New("no answer")},
			source{key: "parted", url: url, part: "other"}}}
	results, err := r.all(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range results {
		got[f.Source] = fmt.Sprint(f.NeverFetched, " ", len(f.Faults), " ", f.Err != "")
	}
	for key, want := range map[string]string{"good": "false 0 false", "closed": "false 0 true", "fails": "false 1 true",
		"new": "true 1 true", "parted": "false 1 false"} {
		if got[key] != want {
			t.Errorf("%s: never delivered, faults and error are %s, want %s", key, got[key], want)
		}
	}
	if len(results) != 5 || forbidden != 0 {
		t.Errorf("%d results, the source that must not be fetched was fetched %d times", len(results), forbidden)
	}
	slices.Sort(steps)
	if want := []string{"fetched closed", "fetched fails", "fetched good", "fetched new", "fetched parted"}; !slices.Equal(
		steps, want) {
		t.Errorf("the steps are %q, want %q", steps, want)
	}
	for _, line := range []string{`source failed; its last good extract is used" source=fails`,
		`source failed; there is no earlier extract to use" source=new`} {
		if !strings.Contains(log.String(), line) {
			t.Errorf("the log has no %s:\n%s", line, log.String())
		}
	}
}

// A cancelled run and an archive that cannot be opened are errors of the run.
func TestFetchingStops(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	r := run{Archive: t.TempDir(), Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler),
		Locks: locks.Waiter{LockDir: t.TempDir(), IsWholeRun: true, OnWait: func(string) {}}, Step: func(string) {},
		Detail: func(string, ...any) {}, Sources: []sources.Source{source{key: "a"}}}
	if _, err := r.all(cancelled); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "fetch: ") {
		t.Errorf("a cancelled run: %v", err)
	}
	r.Archive = "/dev/null/archive"
	if results, err := r.all(t.Context()); err == nil || results != nil {
		t.Errorf("an archive that cannot be opened: %v, %v", results, err)
	}
	if result := r.one(t.Context(), source{key: "a"}, nil); result.Err == "" || result.NeverFetched {
		t.Errorf("an archive that cannot be opened for one source: %+v", result)
	}
}

// Without the platform, or without any source, there is nothing to serve. One other source may be absent.
func TestInputIsRequired(t *testing.T) {
	never := func(key string) report.FetchResult {
		return report.FetchResult{Source: key, Err: "no answer", NeverFetched: true}
	}
	failed := report.FetchResult{Source: "c", Err: "no answer"}
	for _, c := range []struct {
		name    string
		fetched []report.FetchResult
		has     string
	}{
		{"none", nil, ""},
		{"all were had before", []report.FetchResult{failed, {Source: platform.Key, Err: "x"}}, ""},
		{"one of two", []report.FetchResult{never("a"), failed}, ""},
		{"the platform", []report.FetchResult{never(platform.Key), failed},
			"no snapshot is made: source platform failed and there is no earlier extract to use: no answer"},
		{"two of two", []report.FetchResult{never("a"), never("b")}, "source b failed"},
		{"one of one", []report.FetchResult{never("a")}, "source a failed"},
	} {
		err := CheckEnoughFetched(c.fetched)
		if (err == nil) != (c.has == "") || err != nil && !strings.Contains(err.Error(), c.has) {
			t.Errorf("%s: %v, want %q", c.name, err, c.has)
		}
	}
	a := sourcetest.OpenArchive(t)
	for _, key := range []string{"a", platform.Key} {
		if err := a.AppendExtract(sources.Extract{Source: key, FetchedAt: noon}); err != nil {
			t.Fatal(err)
		}
	}
	all := func(sources.Extract) bool { return true }
	none := func(sources.Extract) bool { return false }
	for _, c := range []struct {
		keys  []string
		known func(sources.Extract) bool
		want  string
	}{
		{nil, all, ""}, {[]string{"a", platform.Key}, all, ""}, {[]string{"a", "b"}, all, ""}, {[]string{"b"}, all, "b"},
		{[]string{"b", "c"}, all, "c"}, {[]string{"a", platform.Key}, none, platform.Key}, {[]string{"a"}, none, "a"},
	} {
		var list []sources.Source
		for _, key := range c.keys {
			list = append(list, source{key: key})
		}
		if got, err := missingIn(a, list, c.known); err != nil || got != c.want {
			t.Errorf("of %q %q is missing, %v; want %q", c.keys, got, err, c.want)
		}
	}
}

// optionsOf are the settings of a run in a data directory on a day.
func optionsOf(data string, asOf sources.Date, feed string) *options.Options {
	return &options.Options{DataDir: data, AsOf: asOf, OnlyFetchedByDate: true, Now: func() time.Time { return noon },
		Log: slog.New(slog.DiscardHandler),
		Config: &config.Config{Contact: "us@works.example", Platform: platform.Config{Name: "Works",
			Link: "https://works.example", FeedAddress: feed}}}
}

// The archive must have the platform by the end of the day that a snapshot describes.
func TestTheArchiveIsFilled(t *testing.T) {
	data := t.TempDir()
	today := sources.DateOf(noon)
	if err := CheckEnoughArchived(optionsOf(data, today, data)); err == nil ||
		!strings.Contains(err.Error(), "has nothing of platform yet; labour fetch fills it") {
		t.Errorf("an empty archive: %v", err)
	}
	extractOf(t, protected.ArchiveDir(data), platform.Key, noon)
	for day, has := range map[int]string{0: "", -1: "nothing of platform had been fetched by the end of 2026-11-19"} {
		err := CheckEnoughArchived(optionsOf(data, today.AddDays(day), data))
		if (err == nil) != (has == "") || err != nil && !strings.Contains(err.Error(), has) {
			t.Errorf("day %d: %v, want %q", day, err, has)
		}
	}
}

// A source that cannot be made, an archive that cannot be opened and one that cannot be read are
// errors that say so.
func TestInputThatCannotBeRead(t *testing.T) {
	today := sources.DateOf(noon)
	for _, c := range []struct{ file, want string }{
		{"", "configuration of the sources"},
		{"protected/archive/extracts.ndjson", archive.ErrUnsupportedLayout.Error()},
		{"protected/archive/extracts/platform.ndjson", "last extract of platform: "},
	} {
		data := t.TempDir()
		o := optionsOf(data, today, data)
		if c.file == "" {
			o.Config.Sources.EmployerBoards = &employerboards.Config{}
		} else {
			path := filepath.Join(data, c.file)
			err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{]\n"), 0o600))
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := CheckEnoughArchived(o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.file, err, c.want)
		}
		if c.file == "protected/archive/extracts/platform.ndjson" {
			continue // fetching reads no extract before it has the source
		}
		results, err := FetchSources(t.Context(), o)
		if results != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: fetched are %v, %v, want %s", c.file, results, err, c.want)
		}
	}
}

// A source whose archive another run holds is not fetched.
func TestASourceThatIsLocked(t *testing.T) {
	dir := t.TempDir()
	other, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.LockSource("a"); err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	fetched := 0
	ended, end := context.WithCancel(t.Context())
	end()
	r := run{Archive: dir, Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler),
		Locks: locks.Waiter{LockDir: t.TempDir(), IsWholeRun: true, OnWait: func(string) {}}, Detail: func(string, ...any) {}}
	result := r.one(ended, source{key: "a", fetched: &fetched}, nil)
	if result.Source != "a" || !strings.HasPrefix(result.Err, "wait for the archive of a: ") || fetched != 0 {
		t.Errorf("fetched %d times: %+v", fetched, result)
	}
}

// The feed is fetched as configured. A light run fetches only the files that its tables need, and
// nothing else.
func TestAllSourcesOfARunAreFetched(t *testing.T) {
	feed := t.TempDir()
	for _, name := range []string{"adverts.ndjson", "residents.ndjson"} {
		if err := os.WriteFile(filepath.Join(feed, name), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := optionsOf(t.TempDir(), sources.DateOf(noon), feed)
	var steps []string
	o.OnStep = func(name string) { steps = append(steps, name) }
	for _, only := range []string{"", options.OnlyPlatform} {
		o.IsLight = only != ""
		results, err := FetchSources(t.Context(), o)
		if err != nil || len(results) != 1 || results[0].Source != platform.Key || results[0].Err != "" {
			t.Fatalf("only %q: %+v, %v; want the feed", only, results, err)
		}
		a, err := archive.Open(protected.ArchiveDir(o.DataDir))
		if err != nil {
			t.Fatal(err)
		}
		x, _, err := a.LastExtract(platform.Key)
		adverts, _ := x.Object("adverts.ndjson")
		residents, _ := x.Object("residents.ndjson")
		if err = errors.Join(err, a.Close()); err != nil || adverts.SHA256 == "" || residents.SHA256 == "" ||
			adverts.Kept || residents.Kept != (only != "") {
			t.Errorf("only %q: fetched are %+v, %v; a light run keeps the residents", only, x, err)
		}
	}
	if want := []string{"fetch", "fetched platform", "fetch", "fetched platform"}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %q, want %q", steps, want)
	}
}
