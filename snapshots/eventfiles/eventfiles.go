// Package eventfiles writes and finds the files of a snapshot's events. Public events are in the
// table events. The events of each partner are in a separate file outside the snapshot.
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

// SortColumns returns the columns by which the caller of Write must sort the events. The first is
// the partner, followed by the sort columns of the table events.
func SortColumns() []string {
	table, _ := snapshots.FindTable("events")
	return append([]string{"partner"}, table.SortColumns...)
}

// FindFiles returns the paths of a snapshot's event files: first the public table, then the file of
// each partner. The error is store.ErrNoPartnerFiles if only the public table is available. In
// files of older snapshots, readers must skip the rows for which EventsRow.IsVisible is false.
func FindFiles(dir string, m snapshots.Manifest) ([]string, error) {
	files := []string{snapshots.JoinPath(dir, snapshots.TableFileName("events"))}
	own, err := store.PartnerFiles(dir, m)
	for _, f := range own {
		files = append(files, f.Path)
	}
	return files, err
}

// Write writes public events to the table events, and the events of each partner to a separate
// file. It returns the number of public events. It skips events that nobody may see. The events
// must be sorted by SortColumns. asOf is the date that the snapshot describes. sources are credited
// in the metadata of the files.
func Write(w *store.Writer, asOf time.Time, sources []snapshots.SourcesRow,
	events iter.Seq2[snapshots.EventsRow, error]) (rows int64, err error) {
	table, _ := snapshots.FindTable("events")
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
		path, err := w.AddPartnerFile(partner)
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
		if err == nil && !r.IsVisible() {
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
