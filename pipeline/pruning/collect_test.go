package pruning

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/pipeline/config"
	"labour/pipeline/options"
	"labour/pipeline/protected"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/archive"
	"labour/sources/employerboards"
	"labour/sources/platform"
)

// Bodies that neither a kept snapshot nor the next build needs are removed; a dry run only counts them.
func TestBodiesThatNothingNeedsAreRemoved(t *testing.T) {
	data := t.TempDir()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	o := options.Options{DataDir: data, AsOf: sources.DateOf(now), Now: func() time.Time { return now },
		Log: slog.New(slog.DiscardHandler), Config: &config.Config{Platform: platform.Config{Name: "Works",
			Link: "https://works.example", FeedAddress: data}}}
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.Content{PlatformName: "Works",
		Sources: []snapshots.SourcesRow{{Key: "boards"}}})
	a, err := archive.Open(protected.ArchiveDir(data))
	if err != nil {
		t.Fatal(err)
	}
	names := archived(t, a, platform.Key, "feed 1", "feed 2")
	old, err := func() (sha string, err error) {
		for _, body := range []string{"past", "newest"} {
			at := time.Date(2024, 11, 1, 0, 0, len(body), 0, time.UTC)
			if body == "newest" {
				at = now
			}
			var n int64
			if sha, n, err = a.PutBody("boards", strings.NewReader(body), 1<<20); err != nil {
				return "", err
			}
			names[sha] = body
			if err = a.AppendExtract(sources.Extract{Source: "boards", FetchedAt: at, Objects: []sources.ArchivedObject{
				{Name: "list", SHA256: sha, Bytes: n}}}); err != nil {
				return "", err
			}
		}
		return sha, a.Close()
	}()
	if err != nil || old == "" {
		t.Fatal(err)
	}
	left := func() (all []string) {
		a, err := archive.Open(protected.ArchiveDir(data))
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		for sha, name := range names {
			if a.HasBody(sha) {
				all = append(all, name)
			}
		}
		return all
	}
	for _, c := range []struct {
		dry  bool
		left int
	}{{true, 4}, {false, 2}} {
		got, err := RemoveUnneededResponses(t.Context(), o, nil, c.dry)
		if err != nil || got.Removed != 2 || len(left()) != c.left {
			t.Errorf("dry %v: %+v, %v, left are %q; want 2 removed and %d left", c.dry, got, err, left(), c.left)
		}
	}
	for _, name := range left() {
		if name != "feed 2" && name != "newest" {
			t.Errorf("%s is left, want the newest of each source", name)
		}
	}
	snaptest.MakeRemovable(t, data)
	damage(t, data, id)
	if _, err := RemoveUnneededResponses(t.Context(), o, nil, true); err == nil {
		t.Error("a snapshot whose inputs are not known is no error")
	}
	if _, err := RemoveUnneededResponses(t.Context(), o, []snapshots.ID{id}, true); err != nil {
		t.Errorf("a snapshot that is to be removed needs nothing: %v", err)
	}
}

// Nothing is removed where the configuration, the snapshots or the archive cannot be read.
func TestWhatCannotBeReadStopsTheRemoval(t *testing.T) {
	feed := platform.Config{Name: "Works", Link: "https://works.example", FeedAddress: t.TempDir()}
	for _, c := range []struct {
		file   string // in place of a folder
		source all.Config
		want   string
	}{
		{"", all.Config{EmployerBoards: &employerboards.Config{}}, "configuration of the sources"},
		{"snapshots", all.Config{}, "is not a directory"},
		{"protected/archive/extracts.ndjson", all.Config{}, archive.ErrUnsupportedLayout.Error()},
		{"protected/archive/extracts/platform.ndjson", all.Config{}, sources.ErrDamaged.Error()},
	} {
		data := t.TempDir()
		path := filepath.Join(data, c.file)
		if c.file != "" {
			err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{]\n"), 0o600))
			if err != nil {
				t.Fatal(err)
			}
		}
		o := options.Options{DataDir: data, AsOf: sources.Date{Year: 2026, Month: 11, Day: 20}, Now: time.Now,
			Log: slog.New(slog.DiscardHandler), Config: &config.Config{Platform: feed, Sources: c.source}}
		got, err := RemoveUnneededResponses(t.Context(), o, nil, false)
		if err == nil || !strings.Contains(err.Error(), c.want) || got != (archive.RemovalCounts{}) {
			t.Errorf("%s %+v: %+v, %v, want %s", c.file, c.source, got, err, c.want)
		}
	}
}

// damage writes a manifest that cannot be read.
func damage(t *testing.T, data string, id snapshots.ID) {
	t.Helper()
	dir := filepath.Join(snapshots.SnapshotsDir(data), string(id))
	file := filepath.Join(dir, snapshots.ManifestFileName)
	err := errors.Join(os.Chmod(dir, 0o700), os.Chmod(file, 0o600), os.WriteFile(file, []byte("{"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
}
