package trace_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/trace"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
)

// TestJoin: of two fetches that left the same bytes the last one up to the use is
// given, what came later is not, and what stood in for another is carried.
func TestJoin(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	at := func(hour int) time.Time { return time.Date(2026, 11, 20, hour, 0, 0, 500, time.UTC) }
	sum, size, err := a.Put("boards", strings.NewReader("board"), 100)
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(hour int, name, sum string, outcome archive.Outcome) error {
		return a.AppendFetchRecord(archive.FetchRecord{Source: "boards", Name: name, URL: "https://board.example/" + name,
			Status: 200, At: at(hour), ReceivedAt: at(1), SHA256: sum, Bytes: size, Outcome: outcome})
	}
	object := func(name string, carried bool) sources.Object {
		return sources.Object{Name: name, SHA256: sum, Bytes: size, FetchedAt: at(1), Carried: carried}
	}
	gone := strings.Repeat("0", 64)
	if err := errors.Join(fetch(1, "one", sum, archive.OutcomeFetched), fetch(1, "two", sum, archive.OutcomeFetched),
		fetch(1, "three", gone, archive.OutcomeFetched),
		fetch(2, "one", sum, archive.OutcomeSameBytes), fetch(2, "two", "", archive.OutcomeFailed),
		a.AppendExtract(sources.Extract{Source: "boards", At: at(3), Objects: []sources.Object{object("one", false),
			object("two", true)}}),
		fetch(4, "one", sum, archive.OutcomeNotModified), a.Close()); err != nil {
		t.Fatal(err)
	}
	used := at(3).Truncate(time.Second)
	in := func(name, sum string) trace.Input {
		return trace.Input{Name: name, SHA256: sum, FirstUsed: used, LastUsed: used}
	}
	got := &trace.Trace{Sources: []trace.Source{{Key: "boards", Inputs: []trace.Input{in("one", sum), in("two", sum),
		in("three", gone), in("four", sum)}}}}
	if err := trace.AddFetchRecords(got, dir, nil); err != nil {
		t.Fatal(err)
	}
	inputs := got.Sources[0].Inputs
	one, two, three := inputs[0].Received, inputs[1].Received, inputs[2].Received
	if want := (trace.ArchiveRecord{URL: "https://board.example/one", Status: 200, FetchedAt: at(2).Truncate(time.Second),
		ReceivedAt: at(1).Truncate(time.Second), Outcome: "same", Kept: true}); one == nil || *one != want {
		t.Errorf("one: %+v, want %+v", one, want)
	}
	if two == nil || !two.Carried || one.Carried || !two.FetchedAt.Equal(at(1).Truncate(time.Second)) {
		t.Errorf("two stood in for what could not be had: %+v", two)
	}
	if three == nil || three.Kept {
		t.Errorf("the bytes of three are not there: %+v", three)
	}
	if inputs[3].Received != nil {
		t.Errorf("four was never fetched: %+v", inputs[3].Received)
	}
}

// TestJoinUnderAKey: a file of the platform is found under the key, as its snapshot names it.
func TestJoinUnderAKey(t *testing.T) {
	dir, key := filepath.Join(t.TempDir(), "archive"), snapshots.Key("a key for tests only, known to all")
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 20, 1, 0, 0, 0, time.UTC)
	sum, size, err := a.Put("platform", strings.NewReader("feed"), 100)
	if err != nil {
		t.Fatal(err)
	}
	fetched := archive.FetchRecord{Source: "platform", Name: "s106.ndjson", URL: "https://feed.example/s106.ndjson",
		Status: 200, At: at, ReceivedAt: at,
		SHA256: sum, Bytes: size, Outcome: archive.OutcomeFetched}
	if err := errors.Join(a.AppendFetchRecord(fetched), a.Close()); err != nil {
		t.Fatal(err)
	}
	for id, found := range map[snapshots.ID]bool{"2026-11-20.1": true, "2026-11-20.2": false} {
		in := trace.Input{Name: "s106.ndjson", HMACSHA256: key.NameInManifest("2026-11-20.1", sum), FirstUsed: at, LastUsed: at}
		got := &trace.Trace{Snapshot: id, Sources: []trace.Source{{Key: "platform", Inputs: []trace.Input{in}}}}
		if err := trace.AddFetchRecords(got, dir, key); err != nil || (got.Sources[0].Inputs[0].Received != nil) != found {
			t.Errorf("as %s names it: %v, received %+v", id, err, got.Sources[0].Inputs[0].Received)
		}
	}
}

// TestNoArchive: nothing is made where there is none.
func TestNoArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nowhere")
	got := &trace.Trace{Sources: []trace.Source{{Key: "boards", Inputs: []trace.Input{{Name: "one"}}}}}
	if err := trace.AddFetchRecords(got, dir, nil); err != nil || !slices.Contains(got.Notes, trace.NoArchive) {
		t.Errorf("%v, notes %v", err, got.Notes)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an archive was made: %v", err)
	}
}
