// Package eventfiles writes and finds the events of a snapshot: everybody's into its table, and
// those of each partner into a file of their own, outside the snapshot.
package eventfiles

import (
	"errors"
	"fmt"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Sort is the order in which Write takes events: those of a partner together, in the
// order of the table.
func Sort() []string {
	table, _ := snapshots.TableNamed("events")
	return append([]string{"partner"}, table.Sort...)
}

// Files lists the files that hold the events of the snapshot in dir, the table first.
// Rows that are not Visible, as an older snapshot has, must be passed over. With the error
// snapshots.ErrNoPartnerFiles the table is listed only.
func Files(dir string, m snapshots.Manifest) ([]string, error) {
	files := []string{snapshots.Within(dir, snapshots.TableFileName("events"))}
	own, err := snapshots.PartnerFiles(dir, m)
	for _, f := range own {
		files = append(files, f.Path)
	}
	return files, err
}

// Write writes the events that each gives, in the order of Sort, and returns how many
// are in the table. Those that nobody may see are passed over. The sources are those that the files' footers name.
func Write(w *snapshots.Writer, asOf time.Time, sources []snapshots.SourcesRow, each func(add func(snapshots.EventsRow) error) error) (rows int64, err error) {
	table, _ := snapshots.TableNamed("events")
	meta := snapshots.TableMetadata(table, w.ID(), sources)
	open, err := parquetio.CreateTable[snapshots.EventsRow](w.TablePath(table.Name), table, meta, asOf)
	if err != nil {
		return 0, err
	}
	of, out := "", open
	err = each(func(r snapshots.EventsRow) error {
		if !r.Visible() {
			return nil
		}
		if r.Partner < of {
			return fmt.Errorf("event %s of partner %q is out of order", r.ID, r.Partner)
		}
		if r.Partner != of {
			if err := out.Close(); err != nil {
				return err
			}
			path, err := w.PartnerPath(r.Partner)
			if err != nil {
				return err
			}
			next, err := parquetio.CreateTable[snapshots.EventsRow](path, table, meta, asOf)
			if err != nil {
				return err
			}
			of, out = r.Partner, next
		}
		return out.Append(r)
	})
	if err != nil {
		return 0, errors.Join(fmt.Errorf("write events: %w", err), out.Discard())
	}
	return open.Rows(), out.Close()
}
