// Package eventfiles writes and finds the events of a snapshot. Public events are in its table; the
// events of each partner are in a separate file outside the snapshot.
package eventfiles

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// Sort returns the columns by which the events for Write must be sorted: the partner, then the order
// of the table.
func Sort() []string {
	table, _ := snapshots.TableNamed("events")
	return append([]string{"partner"}, table.Sort...)
}

// Files lists the files with the events of the snapshot in dir, the table first. Skip rows that are
// not Visible, which older snapshots have. With the error store.ErrNoPartnerFiles only the
// table is listed.
func Files(dir string, m snapshots.Manifest) ([]string, error) {
	files := []string{snapshots.Within(dir, snapshots.TableFileName("events"))}
	own, err := store.PartnerFiles(dir, m)
	for _, f := range own {
		files = append(files, f.Path)
	}
	return files, err
}

// Write writes events, which must be in the order of Sort, and returns how many are in the table.
// It skips events that nobody may see. sources are the sources for the files' footers.
func Write(w *store.Writer, asOf time.Time, sources []snapshots.SourcesRow,
	events iter.Seq2[snapshots.EventsRow, error]) (rows int64, err error) {
	table, _ := snapshots.TableNamed("events")
	create := func(path string) (*parquetio.Writer[snapshots.EventsRow], error) {
		return parquetio.CreateTable[snapshots.EventsRow](path, table, snapshots.TableMetadata(table, w.ID(), sources),
			asOf)
	}
	open, err := create(w.TablePath(table.Name))
	if err != nil {
		return 0, err
	}
	of, out := "", open
	next := func(partner string) error {
		if partner < of {
			return fmt.Errorf("events of partner %q are out of order", partner)
		}
		path, err := w.PartnerPath(partner)
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
		created, err := create(path)
		if err == nil {
			of, out = partner, created
		}
		return err
	}
	for r, err := range events {
		if err == nil && !r.Visible() {
			continue
		}
		if err == nil && r.Partner != of {
			err = next(r.Partner)
		}
		if err == nil {
			err = out.Append(r)
		}
		if err != nil {
			return 0, errors.Join(fmt.Errorf("write events: %w", err), out.Discard())
		}
	}
	return open.Rows(), out.Close()
}
