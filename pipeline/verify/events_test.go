package verify_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestEventsOfPartnersInTheTable: neither an event of a partner nor one about a person
// may be in the snapshot.
func TestEventsOfPartnersInTheTable(t *testing.T) {
	at := time.Date(2026, 11, 19, 8, 0, 0, 0, time.UTC)
	rows := []snapshots.EventsRow{
		{ID: "ev-1", Type: "click.recorded", OccurredAt: at},
		{ID: "ev-2", Type: "click.recorded", OccurredAt: at, Partner: "north"},
		{ID: "ev-3", Type: "outcome.recorded", OccurredAt: at},
		{ID: "ev-4", Type: "click.recorded", OccurredAt: at, Outcome: new("hired")},
	}
	root, c := t.TempDir(), snaptest.DefaultContent(t, day)
	c.Events = rows
	c.BeforeSeal = func(w *store.Writer) error {
		table, _ := snapshots.FindTable("events")
		date, err := snapshots.ParseDate(day)
		return errors.Join(err, parquetio.WriteTable(w.TablePath("events"), table,
			snapshots.TableMetadata(table, w.ID(), c.Sources), date.Time, rows))
	}
	r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c)))
	const file = "tables/events.parquet"
	if has(r, "events", file, 0, "") || !has(r, "events", file, 1, "of a partner") ||
		!has(r, "events", file, 2, "about a person") || !has(r, "events", file, 3, "outcome hired is about a person") {
		t.Error(r.Err())
	}
}

// TestPartnerFilesOfAStore: what is wrong with them is a fault, a missing one too, and that none of
// them is there is no fault.
func TestPartnerFilesOfAStore(t *testing.T) {
	root := t.TempDir()
	id := snaptest.BuildSnapshot(t, root, day, snaptest.DefaultContent(t, day))
	folder, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	m, err := folder.Manifest(id)
	if err != nil {
		t.Fatal(err)
	}
	files, err := store.PartnerFiles(folder.SnapshotDir(id), m)
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	check := func() verify.Report {
		r, err := verify.VerifyDir(context.Background(), folder.SnapshotDir(id), verify.Options{Store: folder})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := check(); !r.HasNoFaults() {
		t.Error(r.Err())
	}
	dir := filepath.Dir(files[0].Path)
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(files[0].Path, 0o644)); err != nil {
		t.Fatal(err)
	}
	if r := check(); len(r.Faults) != 1 || !has(r, "partners", "partners/"+files[0].File, verify.WholeFile,
		"users other than its owner") ||
		strings.Contains(r.Err().Error(), "nil") {
		t.Error(r.Err())
	}
	if err := errors.Join(os.Chmod(dir, 0o700), os.WriteFile(files[1].Path, []byte("PAR1"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if r := check(); len(r.Faults) != 1 || !has(r, "partners", "partners", verify.WholeFile,
		"is not the file that was sealed") {
		t.Error(r.Err())
	}
	for _, gone := range []string{files[1].Path, filepath.Join(dir, "index.json")} {
		if err := os.Remove(gone); err != nil {
			t.Fatal(err)
		}
		if r := check(); len(r.Faults) != 1 ||
			!has(r, "partners", "partners/"+filepath.Base(gone), verify.WholeFile, "is missing") {
			t.Errorf("%s is missing: %v", gone, r.Err())
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if r := check(); !r.HasNoFaults() {
		t.Error(r.Err())
	}
}

// TestEventOfAnotherPartner in a partner's file would be shown to whom it does not belong. It is found in the last
// of the files too.
func TestEventOfAnotherPartner(t *testing.T) {
	root, c, file := t.TempDir(), snaptest.DefaultContent(t, day), ""
	c.BeforeSeal = func(w *store.Writer) error {
		table, _ := snapshots.FindTable("events")
		files := w.PartnerFiles()
		if len(files) < 2 {
			t.Fatalf("the files of partners are %v, want several", files)
		}
		at, f := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), files[len(files)-1]
		file = "partners/" + f.File
		rows := []snapshots.EventsRow{{ID: "ev-1", Type: "outcome.recorded", OccurredAt: at, Partner: f.Partner},
			{ID: "ev-2", Type: "outcome.recorded", OccurredAt: at, Partner: "another"}}
		return parquetio.WriteTable(f.Path, table, snapshots.TableMetadata(table, w.ID(), c.Sources), at, rows)
	}
	id := snaptest.BuildSnapshot(t, root, day, c)
	folder, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	r, err := verify.VerifyDir(t.Context(), folder.SnapshotDir(id), verify.Options{Store: folder})
	if err != nil || len(r.Faults) != 1 || !has(r, "partners", file, 1, "of another partner") {
		t.Error(r.Err(), err)
	}
}
