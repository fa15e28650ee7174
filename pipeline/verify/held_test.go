package verify_test

import (
	"testing"
	"time"

	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
)

// A held dataset is verified like a table, whether it is open or not.
func TestHeldDatasetsAreVerified(t *testing.T) {
	asOf := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	c := snaptest.Default(t, day)
	c.Held.Demand[0].Vacancies = 4
	c.Held.Trends[0].SourceKeys = "nobody"
	c.Held.Signals[0].SourceKey = "somebody"
	c.BeforeSeal = func(w *snapshots.Writer) error {
		table, _ := snapshots.HeldTableNamed("reach")
		twice := []snapshots.ReachRow{c.Held.Reach[0], c.Held.Reach[0]}
		return parquetio.WriteTable(w.FilePath("held/reach.parquet"), table, snapshots.TableMetadata(table, w.ID(), nil), asOf, twice)
	}
	root := t.TempDir()
	r := report(t, dirOf(t, root, snaptest.Build(t, root, day, c)))
	for _, want := range []struct {
		check, file string
		row         int64
		words       string
	}{
		{"floor", "held/demand.parquet", 4, "vacancies is 4"},
		{"sources", "held/trends.parquet", 0, `"nobody" is not in the sources table`},
		{"sources", "held/signals.parquet", 0, `"somebody" is not in the sources table`},
		{"order", "held/reach.parquet", 1, "same key"},
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
func TestOpenHeldDatasetsAreSound(t *testing.T) {
	root := t.TempDir()
	c := snaptest.Default(t, day)
	c.OpenHeld = []string{"demand", "reach"}
	dir := dirOf(t, root, snaptest.Build(t, root, day, c))
	if r := report(t, dir); !r.OK() {
		t.Error(r.Err())
	}
	m, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range m.Held {
		if h.Answered() != (h.Name == "demand" || h.Name == "reach") {
			t.Errorf("%+v", h)
		}
	}
	if r := report(t, dir); r.Rows == 0 || has(r, "manifest", "manifest.json", verify.WholeFile, "") {
		t.Error(r.Err())
	}
}
