package rebuild

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// The result of a table states why it was not rebuilt.
func TestTablesThatWereNotRebuilt(t *testing.T) {
	const id = snapshots.ID("2026-11-20.2")
	f := &SealedInputs{manifest: snapshots.Manifest{ID: id, Previous: &snapshots.PreviousSnapshot{ID: "2026-11-20.1"},
		People: &snapshots.People{FirstSnapshot: "2026-10-01.1"}}}
	made := &SealedInputs{manifest: snapshots.Manifest{ID: id, People: &snapshots.People{FirstSnapshot: id}}}
	copies := map[string]bool{"skills": true, "people": true}
	for _, c := range []struct {
		of    *SealedInputs
		table string
		want  Result
	}{
		{f, "jobs", Result{}}, {f, "skills", Result{TakenOver: "2026-11-20.1"}},
		{f, "people", Result{TakenOver: "2026-10-01.1"}}, {made, "people", Result{ByHash: true}},
	} {
		var got Result
		c.of.noteNotRebuilt(&got, c.table, copies)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.table, got, c.want)
		}
	}
}

// Every table, built dataset and partner's file of the manifest is compared, and the error rates of
// a whole snapshot.
func TestFilesAreCompared(t *testing.T) {
	folder, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w, err := folder.Begin(noon)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	put := func(file, text string) string {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sum, err := snapshots.HashFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return sum.SHA256
	}
	jobs, skills := put(w.TablePath("jobs"), "jobs"), put(w.TablePath("skills"), "skills")
	partner, err := w.AddPartnerFile("acme")
	if err != nil {
		t.Fatal(err)
	}
	events := put(partner, "events")
	file := w.PartnerFiles()[0].File
	f := &SealedInputs{partners: []store.PartnerFile{{File: "gone", SHA256: "2"}, {File: file, SHA256: events}},
		manifest: snapshots.Manifest{CodingErrors: &figure.CodingErrors{RandomError: 0.5, SystematicError: 0.25},
			Tables: []snapshots.TableFile{{Name: "skills", SHA256: "other"}, {Name: "jobs", SHA256: jobs}}}}
	margin := Result{Table: ErrorRatesResult, Was: "0.5 and 0.25", Is: "not stated"}
	want := []Result{{Table: "jobs", Was: jobs, Is: jobs}, margin,
		{Table: store.PartnersDirName + "/" + file, Was: events, Is: events},
		{Table: store.PartnersDirName + "/gone", Was: "2"}, {Table: "skills", Was: "other", Is: skills}}
	byTable := func(a, b Result) int { return strings.Compare(a.Table, b.Table) }
	slices.SortFunc(want, byTable)
	got, err := f.Compare(w, nil, nil)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the results are %+v, %v; want %+v", got, err, want)
	}
	for _, r := range got {
		if r.Equal() != (r.Table == "jobs" || r.Was == events) {
			t.Errorf("%+v: equal %v", r, r.Equal())
		}
	}
	f.IsLight = true
	if got, err := f.Compare(w, nil, nil); err != nil || slices.Contains(got, margin) || len(got) != 4 {
		t.Errorf("a light snapshot has no error rates of its own: %+v, %v", got, err)
	}
	f.partners, f.manifest.PartnersSHA256 = nil, "stored elsewhere"
	if got, err := f.Compare(w, nil, nil); err != nil || len(got) != 2 {
		t.Errorf("partners' files that are not stored here are not compared: %+v, %v", got, err)
	}
	demand := put(w.FilePath(snapshots.EmbargoedFileName("demand")), "demand")
	f.manifest.Embargoed = []snapshots.EmbargoedState{{Name: "demand"}, {Name: "trends"}} // trends has no file
	f.manifest.Files = []snapshots.File{{Path: snapshots.EmbargoedFileName("demand"), SHA256: "1"}}
	got, err = f.Compare(w, nil, nil)
	if want := (Result{Table: snapshots.EmbargoedDirName + "/demand", Was: "1", Is: demand}); err != nil ||
		len(got) != 3 ||
		!slices.Contains(got, want) {
		t.Errorf("with an embargoed dataset: %+v, %v; want %+v", got, err, want)
	}
	f.manifest.Tables = append(f.manifest.Tables, snapshots.TableFile{Name: "levels"})
	if _, err := f.Compare(w, nil, nil); err == nil {
		t.Error("a missing file is no error")
	}
}

// Partners' events that are stored elsewhere are not missed. Those that are here are compared.
func TestPartnersFilesThatAreStoredElsewhere(t *testing.T) {
	data := t.TempDir()
	events := []snapshots.EventsRow{{ID: "1", Type: "click.recorded", OccurredAt: noon, Partner: "acme", Advert: new("1"),
		Borough: new("camden")}}
	snaptest.BuildSnapshot(t, data, today, snaptest.Content{PlatformName: "Works", Events: events})
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	here, err := FindInputs(optionsOf(data), folder, "2026-11-20.1")
	if err != nil || len(here.partners) != 1 {
		t.Fatalf("the files of partners are %+v, %v; want one", here.partners, err)
	}
	if err := os.RemoveAll(filepath.Join(filepath.Dir(snapshots.SnapshotsDir(data)), store.PartnersDirName)); err != nil {
		t.Fatal(err)
	}
	if gone, err := FindInputs(optionsOf(data), folder, "2026-11-20.1"); err != nil || gone.partners != nil {
		t.Errorf("without the files: %+v, %v; want none", gone, err)
	}
}
