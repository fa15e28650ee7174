package snaptest

import (
	"errors"
	"fmt"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// HeldContent is what the held datasets shall hold; they are written whether or not
// they are open, as the pipeline does.
type HeldContent struct {
	Demand     []snapshots.DemandRow
	Trends     []snapshots.TrendsRow
	Outlook    []snapshots.OutlookRow
	Reach      []snapshots.ReachRow
	Signals    []snapshots.SignalsRow
	Priorities []snapshots.PrioritiesRow
}

// writeHeld writes every held dataset and says how many rows each has.
func (c Content) writeHeld(w *snapshots.Writer, asOf time.Time) (map[string]int64, error) {
	rows := map[string]int64{}
	h := c.Held
	return rows, errors.Join(
		putHeld(w, c.Sources, asOf, rows, "demand", h.Demand), putHeld(w, c.Sources, asOf, rows, "trends", h.Trends),
		putHeld(w, c.Sources, asOf, rows, "outlook", h.Outlook), putHeld(w, c.Sources, asOf, rows, "reach", h.Reach),
		putHeld(w, c.Sources, asOf, rows, "signals", h.Signals), putHeld(w, c.Sources, asOf, rows, "priorities", h.Priorities))
}

func putHeld[T any](w *snapshots.Writer, sources []snapshots.SourcesRow, asOf time.Time, count map[string]int64, name string, rows []T) error {
	table, ok := snapshots.HeldTableNamed(name)
	if !ok {
		return fmt.Errorf("no held dataset %s", name)
	}
	count[name] = int64(len(rows))
	return parquetio.WriteTable(w.FilePath(snapshots.HeldFileName(name)), table, snapshots.TableMetadata(table, w.ID(), sources), asOf, Sorted(table, rows))
}
