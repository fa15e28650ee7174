package buildinput

import (
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"labour/pipeline/config"
	"labour/pipeline/corrections"
	"labour/pipeline/decisions"
	"labour/pipeline/options"
	"labour/pipeline/people"
	"labour/pipeline/previous"
	"labour/pipeline/protected"
	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/platform"
	"labour/sources/sourcetest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// dataDir provides the inputs of a run for 20 November 2026.
func dataDir(data, only string) RunInputs {
	return NewRunInputs(&options.Options{DataDir: data, AsOf: sources.DateOf(noon), IsLight: only != "",
		Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler), OnlyFetchedByDate: true,
		Config: &config.Config{Platform: platform.Config{Name: "Works"},
			Corrections: []corrections.Correction{{Source: "s"}}}})
}

// A run has the inputs of its data directory: the secrets, which it creates, and the operator's
// decisions.
func TestInputsOfADataDirectory(t *testing.T) {
	data := t.TempDir()
	p := dataDir(data, "")
	dir, key, err := p.Archive()
	if err != nil || dir != protected.ArchiveDir(data) || key == nil {
		t.Errorf("the archive is %s, the key has %d characters, %v", dir, len(key), err)
	}
	secret, err := p.RoundingSecret()
	if again, readErr := secrets.RoundingSecret(data, nil); err != nil || readErr != nil || secret != again {
		t.Errorf("the secret is not that of the directory: %v, %v", err, readErr)
	}
	w := snapshots.PeopleWithdrawal{At: noon, Skill: "python", By: "Us", Reason: "Why."}
	if err := decisions.WithdrawPeople(data, w); err != nil {
		t.Fatal(err)
	}
	if all, err := p.WithdrawnPeople(nil); err != nil || len(all) != 1 || all[0] != w {
		t.Errorf("withdrawn are %+v, %v; want %+v", all, err, w)
	}
	if list, err := p.Corrections(); err != nil || len(list) != 1 || list[0].Source != "s" {
		t.Errorf("the corrections are %+v, %v", list, err)
	}
	journal, err := decisions.ReadDatasetJournal(data)
	if err == nil {
		err = journal.OpenDataset(noon, "demand", "https://works.example/minutes", "")
	}
	if err != nil {
		t.Fatal(err)
	}
	states, err := p.EmbargoedStates()
	if err != nil || len(states) != len(snapshots.EmbargoedDatasets()) || states[0].Name != "demand" || !states[0].Open {
		t.Errorf("the states are %+v, %v; want demand open", states, err)
	}
	if err := p.RulesDifferError("other places"); !errors.Is(err, previous.ErrWholeRunNeeded) ||
		!strings.HasPrefix(err.Error(), "other places: ") {
		t.Errorf("other rules: %v", err)
	}
	if !p.IsNewBuild() {
		t.Error("a run keeps results for the next one")
	}
	if err := os.WriteFile(data+"/"+decisions.DatasetJournalFileName, []byte("{\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.EmbargoedStates(); err == nil {
		t.Error("decisions that cannot be read are no error")
	}
}

// A whole run begins a snapshot of its date; a light run one of the date of the current snapshot.
func TestSnapshotsOfRunsBegin(t *testing.T) {
	data := t.TempDir()
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := dataDir(data, options.OnlyPlatform).BeginSnapshot(folder); !errors.Is(err,
		previous.ErrWholeRunNeeded) {
		t.Errorf("a light run without a snapshot: %v, want that a whole run is needed", err)
	}
	w, current, err := dataDir(data, "").BeginSnapshot(folder)
	if err != nil || current != nil {
		t.Fatalf("the first run: the current snapshot is %+v, %v; want none", current, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	snaptest.BuildSnapshot(t, data, "2026-11-18", snaptest.Content{PlatformName: "Works", PeopleAsOf: "2026-06-30"})
	for only, want := range map[string]snapshots.ID{"": "2026-11-20.1", options.OnlyPlatform: "2026-11-18.2"} {
		w, current, err := dataDir(data, only).BeginSnapshot(folder)
		if err != nil {
			t.Fatal(err)
		}
		if w.ID() != want || current.ID != "2026-11-18.1" {
			t.Errorf("only %q: the snapshot is %s after %s, want %s", only, w.ID(), current.ID, want)
		}
		if _, _, err := dataDir(data, only).BeginSnapshot(folder); !errors.Is(err, store.ErrWriterActive) {
			t.Errorf("only %q: a second writer: %v", only, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}

	// The current snapshot has figures of people to June. The feed has those of the next quarter.
	a := sourcetest.OpenArchive(t)
	sha, n, err := a.PutBody(platform.Key, strings.NewReader("{}"), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	x := sources.Extract{Source: platform.Key, FetchedAt: noon}
	for _, name := range []string{"residents.ndjson", "applications.ndjson"} {
		x.Objects = append(x.Objects, sources.ArchivedObject{Name: name, SHA256: sha, Bytes: n, FetchedAt: noon})
	}
	if err := a.AppendExtract(x); err != nil {
		t.Fatal(err)
	}
	p := dataDir(data, "")
	if q, err := p.PeopleCountsPeriod(a); err != nil || q.To.String() != "2026-09-30" {
		t.Errorf("the quarter is that to %s, %v; want 2026-09-30", q.To, err)
	}
	published, err := p.PublishedPeople()
	if err != nil || len(published) != 1 || published[0].ID != "2026-11-18.1" {
		t.Fatalf("published are %+v, %v", published, err)
	}
}

// A light run whose current snapshot was replaced before it began does not begin, and leaves the
// store free.
func TestALightRunOfAReplacedSnapshot(t *testing.T) {
	data, other := t.TempDir(), t.TempDir()
	snaptest.BuildSnapshot(t, data, "2026-11-18", snaptest.Content{PlatformName: "Works"})
	folder, err := store.Open(other)
	if err != nil {
		t.Fatal(err)
	}
	p := dataDir(data, options.OnlyPlatform)
	_, _, err = p.BeginSnapshot(folder)
	if !errors.Is(err, store.ErrWriterActive) || !errors.Is(err, store.ErrNoCurrent) {
		t.Errorf("where there is no current snapshot any more: %v", err)
	}
	snaptest.BuildSnapshot(t, other, "2026-11-19", snaptest.Content{PlatformName: "Works"})
	if _, _, err := p.BeginSnapshot(folder); !errors.Is(err, store.ErrWriterActive) {
		t.Errorf("where another snapshot is current: %v", err)
	}
	w, err := folder.Begin(p.Options.AsOf.Time())
	if err != nil {
		t.Fatalf("after a run that did not begin: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// A current snapshot without people has no quarter. Withdrawals that cannot be read stop a run.
func TestQuarterWithoutPeople(t *testing.T) {
	data := t.TempDir()
	if q := people.PeriodOf(nil); !q.IsZero() {
		t.Errorf("the quarter is that to %s; want none", q.To)
	}
	p := dataDir(data, "")
	if err := os.WriteFile(data+"/"+decisions.PeopleWithdrawalsFileName, []byte("{\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.WithdrawnPeople(nil); err == nil {
		t.Error("withdrawals that cannot be read are no error")
	}
	data = t.TempDir()
	if err := os.WriteFile(snapshots.SnapshotsDir(data), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := dataDir(data, "").PublishedPeople()
	if err == nil || !strings.Contains(err.Error(), "is not a directory") {
		t.Errorf("a file in place of the snapshots: %v", err)
	}
}

// A published snapshot without figures of people cannot be copied from.
func TestPublishedSnapshotsWithoutPeople(t *testing.T) {
	data := t.TempDir()
	snaptest.BuildSnapshot(t, data, "2026-11-18", snaptest.Content{PlatformName: "Works"})
	if got, err := dataDir(data, "").PublishedPeople(); err != nil || len(got) != 0 {
		t.Errorf("published are %+v, %v; want none", got, err)
	}
}

// Extracts are read as of the date of the run.
func TestExtractsOfARun(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	for days := range 3 {
		if err := a.AppendExtract(sources.Extract{Source: "s", FetchedAt: noon.AddDate(0, 0, days-2)}); err != nil {
			t.Fatal(err)
		}
	}
	p := dataDir(t.TempDir(), "")
	p.Options.AsOf = sources.DateOf(noon).AddDays(-1)
	for listing, want := range map[bool]int{true: 2, false: 1} {
		got, faults, err := p.Extracts(a, described{info: sources.Info{Key: "s", ListsLiveOnly: listing}}, time.Time{})
		if err != nil || faults != nil || len(got) != want || !got[0].FetchedAt.Equal(noon.AddDate(0, 0, -1)) {
			t.Errorf("listing %v: %+v, %v; want %d from the day before on", listing, got, err, want)
		}
	}
}

// described is a source that has a description only.
type described struct {
	sources.Source
	info sources.Info
}

func (d described) Info() sources.Info { return d.info }
