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
	sum, size, err := a.PutBody("boards", strings.NewReader("board"), 100)
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(hour int, name, sum string, outcome archive.DownloadOutcome) error {
		return a.AppendFetchRecord(archive.FetchRecord{Source: "boards", ObjectName: name,
			URL:    "https://board.example/" + name,
			Status: 200, EndedAt: at(hour), ReceivedAt: at(1), SHA256: sum, Bytes: size, Outcome: outcome})
	}
	object := func(name string, carried bool) sources.ArchivedObject {
		return sources.ArchivedObject{Name: name, SHA256: sum, Bytes: size, FetchedAt: at(1), Carried: carried}
	}
	gone := strings.Repeat("0", 64)
	if err := errors.Join(fetch(1, "one", sum, archive.OutcomeFetched), fetch(1, "two", sum, archive.OutcomeFetched),
		fetch(1, "three", gone, archive.OutcomeFetched),
		fetch(2, "one", sum, archive.OutcomeSameBytes), fetch(2, "two", "", archive.OutcomeFailed),
		a.AppendExtract(sources.Extract{Source: "boards", FetchedAt: at(1),
			Objects: []sources.ArchivedObject{object("one", true),
				object("two", false)}}),
		a.AppendExtract(sources.Extract{Source: "boards", FetchedAt: at(3),
			Objects: []sources.ArchivedObject{object("one", false),
				object("two", true), object("four", true), object("not in the snapshot", true)}}),
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

// TestPlainNamesWithAKey: a file that the manifest names by its plain hash is found whether there
// is a key or not. Without a key, a note states that files with keyed names cannot be looked for, if
// there are any.
func TestPlainNamesWithAKey(t *testing.T) {
	key := snapshots.ManifestKey("a key for tests only, known to all")
	plain, keyed := trace.Input{Name: "one", SHA256: strings.Repeat("1", 64)}, trace.Input{Name: "one", HMACSHA256: "2"}
	for _, tt := range []struct {
		name     string
		inputs   []trace.Input
		key      snapshots.ManifestKey
		noted    bool
		received bool
	}{
		{"plain, without a key", []trace.Input{plain}, nil, false, true},
		{"plain, with a key", []trace.Input{plain}, key, false, true},
		{"keyed, without a key", []trace.Input{keyed}, nil, true, false},
		{"keyed, with another key", []trace.Input{keyed}, key, false, false},
		{"both, without a key", []trace.Input{plain, keyed}, nil, true, true},
	} {
		dir := filepath.Join(t.TempDir(), "archive")
		a, err := archive.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		err = a.AppendFetchRecord(archive.FetchRecord{Source: "boards", ObjectName: "one", Status: 200, SHA256: plain.SHA256,
			Outcome: archive.OutcomeFetched})
		got := &trace.Trace{Sources: []trace.Source{{Key: "boards", Inputs: tt.inputs}}}
		if err := errors.Join(err, a.Close(), trace.AddFetchRecords(got, dir, tt.key)); err != nil {
			t.Fatal(err)
		}
		if noted := slices.Contains(got.Notes, trace.NoteNoKey); noted != tt.noted || len(got.Notes) > 1 {
			t.Errorf("%s: the notes are %q", tt.name, got.Notes)
		}
		if received := got.Sources[0].Inputs[0].Received != nil; received != tt.received {
			t.Errorf("%s: received %t, want %t", tt.name, received, tt.received)
		}
	}
}

// TestArchivesThatCannotBeRead: each damaged journal is an error that names the source, but not of
// a source without inputs.
func TestArchivesThatCannotBeRead(t *testing.T) {
	for file, want := range map[string]string{
		"fetches/boards.ndjson": "trace boards to the archive:", "extracts/boards.ndjson": "trace boards to the archive:",
		"extracts.ndjson": "trace to the archive:",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{]\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
		of := func(inputs ...trace.Input) *trace.Trace {
			return &trace.Trace{Sources: []trace.Source{{Key: "boards", Inputs: inputs}}}
		}
		if err := trace.AddFetchRecords(of(trace.Input{Name: "one"}), dir, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
		if err := trace.AddFetchRecords(of(), dir, nil); file != "extracts.ndjson" && err != nil {
			t.Errorf("%s, without inputs: %v", file, err)
		}
	}
}

// TestJoinUnderAKey: a file of the platform is found under the key, as its snapshot names it in each
// fetch, and as earlier versions of the program named it.
func TestJoinUnderAKey(t *testing.T) {
	const file, id = "s106.ndjson", snapshots.ID("2026-11-20.1")
	dir, key := filepath.Join(t.TempDir(), "archive"), snapshots.ManifestKey("a key for tests only, known to all")
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	at := func(hour int) time.Time { return time.Date(2026, 11, 20, hour, 0, 0, 0, time.UTC) }
	sum, size, err := a.PutBody("platform", strings.NewReader("feed"), 100)
	if err != nil {
		t.Fatal(err)
	}
	for hour := 1; hour <= 3; hour++ {
		fetched := archive.FetchRecord{Source: "platform", ObjectName: file, URL: "https://feed.example/" + file,
			Status: 200, EndedAt: at(hour), ReceivedAt: at(1), SHA256: sum, Bytes: size, Outcome: archive.OutcomeFetched}
		x := sources.Extract{Source: "platform", FetchedAt: at(hour).Add(time.Millisecond),
			Objects: []sources.ArchivedObject{{Name: file, SHA256: sum, Bytes: size, Carried: hour == 2}}}
		if err := errors.Join(a.AppendFetchRecord(fetched), a.AppendExtract(x)); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	in := func(hour int, name string) trace.Input {
		return trace.Input{Name: file, HMACSHA256: name, FirstUsed: at(hour), LastUsed: at(hour)}
	}
	first := in(1, key.FileHash(id, at(1), file, sum))
	second := in(2, key.FileHash(id, at(2), file, sum))
	former := in(3, key.FormerFileHash(id, sum))
	otherTime := in(3, key.FileHash(id, at(9), file, sum))
	for traced, want := range map[snapshots.ID][]int{id: {1, 2, 3, 0}, "2026-11-20.2": {0, 0, 0, 0}} {
		s := trace.Source{Key: "platform", Inputs: []trace.Input{first, second, former, otherTime}}
		got := &trace.Trace{Snapshot: traced, Sources: []trace.Source{s}}
		if err := trace.AddFetchRecords(got, dir, key); err != nil {
			t.Fatal(err)
		}
		for i, hour := range want {
			r := got.Sources[0].Inputs[i].Received
			if (r != nil) != (hour > 0) || r != nil && (!r.FetchedAt.Equal(at(hour)) || r.Carried != (hour == 2)) {
				t.Errorf("as %s names it, input %d: received %+v, want that of hour %d", traced, i, r, hour)
			}
		}
	}
}

// TestNoArchive: nothing is made where there is none.
func TestNoArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nowhere")
	got := &trace.Trace{Sources: []trace.Source{{Key: "boards", Inputs: []trace.Input{{Name: "one"}}}}}
	if err := trace.AddFetchRecords(got, dir, nil); err != nil || !slices.Contains(got.Notes, trace.NoteNoArchive) {
		t.Errorf("%v, notes %v", err, got.Notes)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an archive was made: %v", err)
	}
}
