package pruning

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/sourcetest"
)

// window is the first moment of the months that are counted.
var window = time.Date(2024, 12, 1, 0, 0, 0, 0, time.UTC)

// longAfter is what a build may read if no fetch is of the last day or of a day that can still be built.
var longAfter = neededSince{liveOnly: window, allRecords: window.AddDate(1, 0, 0),
	lastOfEachDay: window.AddDate(1, 0, 0)}

// kind is a source that only gives its description.
type kind struct {
	sources.Source
	info sources.Info
}

func (k kind) Info() sources.Info { return k.info }

// archived archives one extract for each body, a day apart, the first one on the day before the
// window. It returns the bodies by their hashes.
func archived(t *testing.T, a *archive.Archive, source string, bodies ...string) map[string]string {
	t.Helper()
	names := map[string]string{}
	for i, body := range bodies {
		sha, n, err := a.PutBody(source, strings.NewReader(body), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		names[sha] = body
		object := sources.ArchivedObject{Name: "list", SHA256: sha, Bytes: n}
		at := window.AddDate(0, 0, i-1)
		if err := a.AppendExtract(sources.Extract{Source: source, FetchedAt: at,
			Objects: []sources.ArchivedObject{object}}); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// kept are the names of the bodies that are needed, sorted.
func kept(t *testing.T, a *archive.Archive, names map[string]string, stored ...store.ListedSnapshot) []string {
	t.Helper()
	configured := []sources.Source{kind{info: sources.Info{Key: "boards", ListsLiveOnly: true}},
		kind{info: sources.Info{Key: "statistics"}}}
	bodies, err := bodiesToKeep(a, stored, configured, longAfter)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for sha, keep := range bodies {
		if keep {
			all = append(all, names[sha])
		}
	}
	slices.Sort(all)
	return all
}

// TestWhatTheNextBuildReadsIsKept: "for a listing every extract of the months that are counted, and
// for every other source the newest complete extract and all later ones". A source that is not
// configured is a listing.
func TestWhatTheNextBuildReadsIsKept(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	names := archived(t, a, "boards", "board before", "board first", "board second")
	maps.Copy(names, archived(t, a, "statistics", "edition 1", "edition 2"))
	maps.Copy(names, archived(t, a, "unknown", "unknown before", "unknown first"))
	want := []string{"board first", "board second", "edition 2", "unknown first"}
	if got := kept(t, a, names); !slices.Equal(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
}

// TestTheNewestExtractOfAListingIsKept, however old it is.
func TestTheNewestExtractOfAListingIsKept(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	names := archived(t, a, "boards", "board before")
	if got := kept(t, a, names); !slices.Equal(got, []string{"board before"}) {
		t.Errorf("kept %v", got)
	}
}

// TestAnIncompleteExtractKeepsTheOneBefore: the next build reads the newest extract whose bodies are
// all there.
func TestAnIncompleteExtractKeepsTheOneBefore(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	names := archived(t, a, "statistics", "edition 1", "edition 2", "edition 3")
	for sha, name := range names {
		if name == "edition 3" {
			if err := os.Remove(a.BodyPath(sha)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := kept(t, a, names); !slices.Equal(got, []string{"edition 2", "edition 3"}) {
		t.Errorf("kept %v", got)
	}
}

// TestInputsOfSnapshotsAreKept: named by their hash, or, where the manifest names them by a keyed
// hash, by source and second.
func TestInputsOfSnapshotsAreKept(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	names := archived(t, a, "statistics", "edition 1", "edition 2", "edition 3")
	maps.Copy(names, archived(t, a, "platform", "feed 1", "feed 2", "feed 3"))
	var m snapshots.Manifest
	for sha, name := range names {
		if name == "edition 1" {
			m.Inputs = append(m.Inputs, snapshots.ArchivedFetch{Source: "statistics",
				Objects: []snapshots.ArchivedObject{{SHA256: sha}}})
		}
	}
	m.Inputs = append(m.Inputs, snapshots.ArchivedFetch{Source: "platform", FetchedAt: window.AddDate(0, 0, -1),
		Objects: []snapshots.ArchivedObject{{Name: "list"}}})
	bodies, err := builtFrom(a, []store.ListedSnapshot{{ID: "2026-11-20.1", Manifest: m}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for sha, keep := range bodies {
		if keep {
			got = append(got, names[sha])
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, []string{"edition 1", "feed 1"}) {
		t.Errorf("built from %v", got)
	}
}

// TestTheFeedOfPeopleIsKept: a snapshot carries the counts of people of an earlier one, which may be
// removed already. The fetch from which they were made is kept until no snapshot has them.
func TestTheFeedOfPeopleIsKept(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	names := archived(t, a, "platform", "feed 1", "feed 2", "feed 3")
	m := snapshots.Manifest{People: &snapshots.People{FirstSnapshot: "2024-11-30.1",
		FeedFetchedAt: window.AddDate(0, 0, -1)}}
	if got := kept(t, a, names); slices.Contains(got, "feed 1") {
		t.Errorf("without a snapshot kept are %v, want no feed 1", got)
	}
	got := kept(t, a, names, store.ListedSnapshot{ID: "2024-12-05.1", Manifest: m})
	if !slices.Contains(got, "feed 1") {
		t.Errorf("kept %v, want feed 1 too", got)
	}
}

// TestFetchesOfTheLastDayAreKept: a build that has begun may read a fetch that is not the newest any
// more, and no snapshot names it yet.
func TestFetchesOfTheLastDayAreKept(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	names := archived(t, a, "statistics", "1", "2", "3", "4") // from 30 November to 3 December
	configured := []sources.Source{kind{info: sources.Info{Key: "statistics"}}}
	since := neededSince{liveOnly: window, allRecords: window.AddDate(0, 0, 1), lastOfEachDay: window.AddDate(1, 0, 0)}
	bodies, err := bodiesToKeep(a, nil, configured, since)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for sha := range bodies {
		kept = append(kept, names[sha])
	}
	if slices.Sort(kept); !slices.Equal(kept, []string{"3", "4"}) {
		t.Errorf("kept %v, want those from 2 December on", kept)
	}
}

// TestDaysThatWereMissedCanBeBuilt: the last undamaged fetch of each day after the current snapshot is kept, and
// where a day has none, the one before.
func TestDaysThatWereMissedCanBeBuilt(t *testing.T) {
	for damaged, want := range map[string]string{"": "2b 3b", "2b": "2a 2b 3b", "2a 2b": "1b 2a 2b 3b", "3b": "2b 3a 3b"} {
		a, names := sourcetest.OpenArchive(t), map[string]string{}
		for i, name := range []string{"1a", "1b", "2a", "2b", "3a", "3b"} {
			sha, n, err := a.PutBody("statistics", strings.NewReader(name), 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			names[sha] = name
			at := window.Add(time.Duration(i) * 12 * time.Hour)
			if err := a.AppendExtract(sources.Extract{Source: "statistics", FetchedAt: at,
				Objects: []sources.ArchivedObject{{Name: "list", SHA256: sha, Bytes: n}}}); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(strings.Fields(damaged), name) {
				if err := os.Remove(a.BodyPath(sha)); err != nil {
					t.Fatal(err)
				}
			}
		}
		since := longAfter
		since.lastOfEachDay = window.AddDate(0, 0, 1)
		bodies, err := bodiesToKeep(a, nil, []sources.Source{kind{info: sources.Info{Key: "statistics"}}}, since)
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		for sha := range bodies {
			kept = append(kept, names[sha])
		}
		if slices.Sort(kept); strings.Join(kept, " ") != want {
			t.Errorf("damaged %q: kept %v, want %s", damaged, kept, want)
		}
	}
}

// TestUnknownInputsStopTheRemoval: a manifest that cannot be read may name any body.
func TestUnknownInputsStopTheRemoval(t *testing.T) {
	damaged := errors.New("the manifest is damaged")
	_, err := bodiesToKeep(sourcetest.OpenArchive(t),
		[]store.ListedSnapshot{{ID: "2026-11-20.1", ManifestErr: damaged}}, nil,
		longAfter)
	if !errors.Is(err, damaged) || !strings.Contains(err.Error(), "2026-11-20.1") {
		t.Errorf("%v", err)
	}
}

// TestDamagedExtractsStopTheRemoval: a journal that cannot be read may name any body, whether it is
// read for the next build or for a snapshot.
func TestDamagedExtractsStopTheRemoval(t *testing.T) {
	dir := t.TempDir()
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := archived(t, a, "platform", "feed 1", "feed 2")
	journal := filepath.Join(dir, "extracts", "platform.ndjson")
	if err := errors.Join(a.Close(), os.WriteFile(journal, []byte("{]\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if bodies, err := bodiesToKeep(a, nil, nil, longAfter); !errors.Is(err, sources.ErrDamaged) || len(bodies) > 0 {
		t.Errorf("needed are %d of %d bodies, %v", len(bodies), len(names), err)
	}
	m := snapshots.Manifest{Inputs: []snapshots.ArchivedFetch{{Source: "platform",
		Objects: []snapshots.ArchivedObject{{Name: "list"}}}}}
	bodies, err := builtFrom(a, []store.ListedSnapshot{{ID: "2026-11-20.1", Manifest: m}})
	if !errors.Is(err, sources.ErrDamaged) || len(bodies) > 0 {
		t.Errorf("built from %d bodies, %v", len(bodies), err)
	}
	extracts := filepath.Join(dir, "extracts")
	if err := errors.Join(os.RemoveAll(extracts), os.WriteFile(extracts, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if bodies, err := bodiesToKeep(a, nil, nil, longAfter); err == nil || len(bodies) > 0 {
		t.Errorf("a file in place of the extracts: needed are %d bodies, %v", len(bodies), err)
	}
}
