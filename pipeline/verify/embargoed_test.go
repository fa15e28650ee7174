package verify_test

import (
	"testing"
	"time"

	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// An embargoed dataset is verified like a table, whether it is open or not.
func TestEmbargoedDatasetsAreVerified(t *testing.T) {
	asOf := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	c := snaptest.DefaultContent(t, day)
	c.Embargoed.Demand[0].Vacancies = 4
	c.Embargoed.Trends[0].SourceKeys = "nobody"
	c.Embargoed.Signals[0].SourceKey = "somebody"
	c.BeforeSeal = func(w *store.Writer) error {
		table, _ := snapshots.FindEmbargoedTable("reach")
		twice := []snapshots.ReachRow{c.Embargoed.Reach[0], c.Embargoed.Reach[0]}
		return parquetio.WriteTable(w.FilePath("embargoed/reach.parquet"), table,
			snapshots.TableMetadata(table, w.ID(), nil), asOf, twice)
	}
	root := t.TempDir()
	r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c)))
	for _, want := range []struct {
		check, file string
		row         int64
		words       string
	}{
		{"floor", "embargoed/demand.parquet", 4, "vacancies is 4"},
		{"sources", "embargoed/trends.parquet", 0, `"nobody" is not in the sources table`},
		{"sources", "embargoed/signals.parquet", 0, `"somebody" is not in the sources table`},
		{"order", "embargoed/reach.parquet", 1, "same key"},
	} {
		if !has(r, want.check, want.file, want.row, want.words) {
			t.Errorf("not found: %v, in %v", want, r.Err())
		}
	}
	if len(r.Faults) != 4 {
		t.Errorf("%d faults, want the 4 planted: %v", len(r.Faults), r.Err())
	}
}

// An open dataset is answered on evidence only, and evidence belongs to nothing else.
func TestOpenEmbargoedDatasetsAreSound(t *testing.T) {
	root := t.TempDir()
	c := snaptest.DefaultContent(t, day)
	c.OpenEmbargoed = []string{"demand", "reach"}
	dir := dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c))
	if r := report(t, dir); !r.HasNoFaults() {
		t.Error(r.Err())
	}
	m, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range m.Embargoed {
		if h.MayBeServed() != (h.Name == "demand" || h.Name == "reach") {
			t.Errorf("%+v", h)
		}
	}
	if r := report(t, dir); r.Rows == 0 || has(r, "manifest", "manifest.json", verify.WholeFile, "") {
		t.Error(r.Err())
	}
}
