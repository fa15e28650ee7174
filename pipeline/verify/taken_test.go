package verify_test

import (
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestTablesOfEarlierSnapshots holds which snapshot a table that was taken over unchanged may name: an
// earlier one of the same date, and a table of people any one since the end of its period.
func TestTablesOfEarlierSnapshots(t *testing.T) {
	for _, c := range []struct {
		table string
		names snapshots.ID
		sound bool
	}{
		{"adverts_total", day + ".1", true},
		{"adverts_total", "2026-11-19.1", false},
		{"adverts_total", day + ".2", false},
		{"residents", "2026-11-19.1", true},
		{"residents", "2026-09-30.1", true}, // the end of the period
		{"residents", "2026-09-29.1", false},
		{"residents", "yesterday", false},
	} {
		content := snaptest.DefaultContent(t, day)
		end, err := snapshots.ParseDate(content.PeopleAsOf)
		if err != nil {
			t.Fatal(err)
		}
		content.BeforeSeal = func(w *store.Writer) error {
			if c.table == "residents" {
				return named[snapshots.ResidentsRow](w, c.table, c.names, end.Time)
			}
			return named[snapshots.AdvertsTotalRow](w, c.table, c.names, w.ID().Date())
		}
		root := t.TempDir()
		r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, content)))
		if r.HasNoFaults() != c.sound || r.Err() != nil && !strings.Contains(r.Err().Error(), "metadata labour.snapshot is") {
			t.Errorf("%s of %s: %v", c.table, c.names, r.Err())
		}
	}
}

// named writes a table again as one that was made for a snapshot.
func named[T any](w *store.Writer, name string, id snapshots.ID, asOf time.Time) error {
	rows, err := parquetio.ReadAll[T](w.TablePath(name))
	if err != nil {
		return err
	}
	table, _ := snapshots.FindTable(name)
	return parquetio.WriteTable(w.TablePath(name), table, snapshots.TableMetadata(table, id, nil), asOf, rows)
}
