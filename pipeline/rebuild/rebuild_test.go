package rebuild

import (
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/config"
	"labour/pipeline/corrections"
	"labour/pipeline/disclosure"
	"labour/pipeline/manifestinputs"
	"labour/pipeline/options"
	"labour/pipeline/people"
	"labour/pipeline/protected"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

const today = "2026-11-20"

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func day(s string) snapshots.Date {
	d, _ := snapshots.ParseDate(s)
	return d
}

// optionsOf are the settings of a rebuild in a data directory with a key of manifests.
func optionsOf(data string) *options.Options {
	return &options.Options{DataDir: data, AsOf: sources.DateOf(noon), Now: func() time.Time { return noon },
		Log: slog.New(slog.DiscardHandler), LookupSecret: func(name string) (string, bool) {
			return strings.Repeat("k", 32), name == "LABOUR_MANIFEST_KEY"
		}, Config: &config.Config{Platform: platform.Config{Name: "Works", Link: "https://works.example", FeedAddress: data}}}
}

// extract archives a fetch of the feed with one object.
func extract(t *testing.T, a *archive.Archive, at time.Time, text string) sources.Extract {
	t.Helper()
	sha, n, err := a.PutBody(platform.Key, strings.NewReader(text), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	x := sources.Extract{Source: platform.Key, FetchedAt: at, Objects: []sources.ArchivedObject{
		{Name: "adverts.ndjson", SHA256: sha, Bytes: n, FetchedAt: at}}}
	if err := a.AppendExtract(x); err != nil {
		t.Fatal(err)
	}
	return x
}

// The extracts of the manifest are found newest first, also two of one second. A source without a
// configuration, a fetch that is not in the archive and a damaged object are errors that name them.
func TestExtractsOfTheManifestAreFound(t *testing.T) {
	data := t.TempDir()
	a, err := archive.Open(protected.ArchiveDir(data))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	first := extract(t, a, noon, "1")
	second := extract(t, a, noon.Add(time.Millisecond), "2")
	extract(t, a, noon.Add(time.Hour), "of no manifest")
	o := optionsOf(data)
	list, err := o.ConfiguredSources()
	if err != nil {
		t.Fatal(err)
	}
	key := snapshots.ManifestKey(strings.Repeat("k", 32))
	const id = snapshots.ID("2026-11-20.1")
	found := func(inputs ...snapshots.ArchivedFetch) (*SealedInputs, error) {
		f := &SealedInputs{dir: protected.ArchiveDir(data), key: key, manifest: snapshots.Manifest{ID: id, Inputs: inputs}}
		return f, f.findExtracts(list)
	}
	in := func(x sources.Extract) snapshots.ArchivedFetch { return manifestinputs.InputFromExtract(x, key, id) }
	f, err := found(in(first), in(second))
	if err != nil {
		t.Fatal(err)
	}
	times := func(list []sources.Extract) (at []time.Time) {
		for _, x := range list {
			at = append(at, x.FetchedAt.UTC())
		}
		return at
	}
	if got := times(f.extracts[platform.Key]); !slices.Equal(got, []time.Time{second.FetchedAt, first.FetchedAt}) {
		t.Errorf("found are %v, want the second and the first", got)
	}
	for listing, want := range map[bool]int{true: 2, false: 1} {
		got, faults, err := f.Extracts(nil, described{info: sources.Info{Key: platform.Key, ListsLiveOnly: listing}}, noon)
		if err != nil || faults != nil || len(got) != want || !got[0].FetchedAt.Equal(second.FetchedAt) {
			t.Errorf("listing %v: %d extracts, %v; want %d from the newest on", listing, len(got), err, want)
		}
	}
	if !f.MayRead(first) || f.MayRead(sources.Extract{Source: platform.Key, FetchedAt: noon.Add(time.Hour)}) {
		t.Error("known are the extracts of the manifest and earlier ones")
	}
	gone := first
	gone.FetchedAt = noon.Add(2 * time.Hour)
	if _, err := found(in(gone)); err == nil || !strings.Contains(err.Error(),
		"the fetch of platform at 2026-11-20T14:00:00Z is not in the archive, or is named under another key") {
		t.Errorf("a fetch that is gone: %v", err)
	}
	if _, err := found(snapshots.ArchivedFetch{Source: "boards"}); err == nil || !strings.Contains(err.Error(),
		"it was built from source boards, which the configuration does not have") {
		t.Errorf("a source without a configuration: %v", err)
	}
	if err := os.Remove(a.BodyPath(first.Objects[0].SHA256)); err != nil {
		t.Fatal(err)
	}
	if _, err := found(in(first)); err == nil || !strings.HasPrefix(err.Error(), "source platform: ") {
		t.Errorf("a missing object: %v", err)
	}
}

// Corrections are those of the snapshot. The values that it may not show are those of the same
// correction in the configuration.
func TestCorrectionsOfTheSnapshot(t *testing.T) {
	data := t.TempDir()
	row := snapshots.CorrectionsRow{SourceKey: "open", Kind: "area", Record: "x", Field: "name",
		Old: new("a"), New: new("b"), Reason: "why", DecidedBy: "who", DecidedOn: day("2026-11-01").Time, Outcome: "applied"}
	hidden := row
	hidden.SourceKey, hidden.Old, hidden.New = "shut", nil, nil
	snaptest.BuildSnapshot(t, data, today, snaptest.Content{PlatformName: "Works",
		Corrections: []snapshots.CorrectionsRow{row, hidden}})
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	shown := corrections.Correction{Source: "open", Kind: "area", Record: "x", Field: "name", Old: "a", New: "b",
		Reason: "why", DecidedBy: "who", DecidedDay: "2026-11-01"}
	known := shown
	known.Source, known.Old, known.New = "shut", "c", "d"
	other := known
	other.Record = "y"
	o := optionsOf(data)
	o.Config.Corrections = []corrections.Correction{other, known}
	f, err := FindInputs(o, folder, "2026-11-20.1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Corrections()
	if err != nil || !slices.Equal(got, []corrections.Correction{shown, known}) {
		t.Errorf("the corrections are %+v, %v", got, err)
	}
	f.configCorrections = f.configCorrections[:1]
	if _, err := f.Corrections(); err == nil || !strings.Contains(err.Error(),
		"put the correction of 2026-11-01 back into the file of corrections") {
		t.Errorf("a correction that is not in the configuration: %v", err)
	}
	o.LookupSecret = nil
	if _, err := FindInputs(o, folder, "2026-11-20.1"); err == nil || !strings.Contains(err.Error(),
		"set LABOUR_MANIFEST_KEY") {
		t.Errorf("without a key: %v", err)
	}
	if _, err := FindInputs(optionsOf(data), folder, "2026-11-19.1"); err == nil {
		t.Error("a snapshot that does not exist is no error")
	}

	// The rebuild has a data directory of its own, in which the snapshot takes the place of its
	// predecessor.
	again, remove, err := f.MakeScratchDir(*o)
	if err != nil {
		t.Fatal(err)
	}
	if again.AsOf != sources.DateOf(day(today).Time) || again.IsLight || again.SignSums != nil ||
		filepath.Dir(again.DataDir) != protected.Dir(o.DataDir) {
		t.Errorf("the options of the rebuild are %+v", again)
	}
	scratch, err := store.Open(again.DataDir)
	if err != nil {
		t.Fatal(err)
	}
	if current, err := scratch.Current(); err != nil || current != "2026-11-20.1" {
		t.Errorf("the current snapshot of the rebuild is %s, %v", current, err)
	}
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(protected.Dir(o.DataDir), protected.RebuildDirPattern))
	if err != nil || len(left) != 0 {
		t.Errorf("left are %v, %v; want nothing", left, err)
	}
}

// Figures of people are made again only by the snapshot that made them, under the same secret. A
// snapshot without them has no quarter, so that a rebuild makes none.
func TestFiguresOfPeopleOfARebuild(t *testing.T) {
	secret := disclosure.RoundingSecret{1}
	const id = snapshots.ID("2026-11-20.1")
	made := &snapshots.People{From: day("2025-10-01"), To: day("2026-09-30"), FirstSnapshot: id,
		SecretSHA256: secret.SHA256()}
	takenOver := *made
	takenOver.FirstSnapshot = "2026-10-01.1"
	for _, c := range []struct {
		name   string
		people *snapshots.People
		secret disclosure.RoundingSecret
		copied bool
	}{
		{"made", made, secret, false}, {"another secret", made, disclosure.RoundingSecret{2}, true},
		{"taken over", &takenOver, secret, true}, {"none", nil, secret, false},
	} {
		f := &SealedInputs{manifest: snapshots.Manifest{ID: id, AsOf: day(today), People: c.people}, sealedDir: "/sealed",
			people: c.secret}
		q, err := f.PeopleCountsPeriod(nil)
		want := calendar.Period{}
		if c.people != nil {
			want = people.PeriodOf(c.people)
		}
		if err != nil || q != want {
			t.Errorf("%s: the quarter is that to %s, %v; want that to %s", c.name, q.To, err, want.To)
		}
		if s, err := f.RoundingSecret(); err != nil || s != c.secret {
			t.Errorf("%s: the secret is not that of the data directory: %v", c.name, err)
		}
		got, err := f.PublishedPeople()
		if err != nil || (len(got) == 1) != c.copied {
			t.Errorf("%s: copied from %+v, %v; want a copy %v", c.name, got, err, c.copied)
		}
		if c.copied && (got[0].Dir != "/sealed" || got[0].ID != id) {
			t.Errorf("%s: copied from %s in %s", c.name, got[0].ID, got[0].Dir)
		}
		if f.IsNewBuild() {
			t.Errorf("%s: a rebuild keeps nothing for later runs", c.name)
		}
	}
}

// The provider repeats what the manifest states.
func TestInputsOfTheManifest(t *testing.T) {
	m := snapshots.Manifest{ID: "2026-11-20.1", AsOf: day(today),
		PeopleWithdrawn: []snapshots.PeopleWithdrawal{{By: "Us"}},
		Embargoed:       []snapshots.EmbargoedState{{Name: "demand", Open: true}}}
	f := &SealedInputs{manifest: m, dir: "/archive", key: snapshots.ManifestKey("key")}
	if dir, key, err := f.Archive(); dir != "/archive" || string(key) != "key" || err != nil {
		t.Errorf("the archive is %s with the key %s, %v", dir, key, err)
	}
	if w, err := f.WithdrawnPeople(nil); err != nil || !slices.Equal(w, m.PeopleWithdrawn) {
		t.Errorf("withdrawn are %+v, %v", w, err)
	}
	states, err := f.EmbargoedStates()
	if err != nil || !reflect.DeepEqual(states, m.Embargoed) {
		t.Errorf("the states are %+v, %v", states, err)
	}
	states[0].Open = false
	if !f.manifest.Embargoed[0].Open {
		t.Error("the states of the manifest were changed")
	}
	if err := f.RulesDifferError("other places"); err == nil || err.Error() !=
		"other places; a rebuild needs the configuration and the program of its time" {
		t.Errorf("the error is %v", err)
	}
	folder, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w, current, err := f.BeginSnapshot(folder)
	if err != nil || w.ID() != m.ID || current.ID != m.ID {
		t.Fatalf("the snapshot begun is %v, the current one %v, %v; want %s", w, current, err, m.ID)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// described is a source that has a description only.
type described struct {
	sources.Source
	info sources.Info
}

func (d described) Info() sources.Info { return d.info }
