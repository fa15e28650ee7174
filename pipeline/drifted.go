package pipeline

import (
	"errors"

	"labour/pipeline/drift"
	"labour/snapshots"
)

// drifted finds which sources of a snapshot delivered what passes their bounds, compared
// with the current one where that is another.
func drifted(store *snapshots.Store, o Options, id snapshots.ID) ([]drift.Breach, error) {
	now, err := drift.Read(snapshots.Within(store.Dir(id), snapshots.ReportName))
	if err != nil {
		return nil, err
	}
	var before []drift.Source
	switch current, err := store.Current(); {
	case errors.Is(err, snapshots.ErrNoCurrent):
	case err != nil:
		return nil, err
	case current != id:
		if before, err = drift.Read(snapshots.Within(store.Dir(current), snapshots.ReportName)); err != nil {
			return nil, err
		}
	}
	return drift.Judge(before, now, o.Config.Drift), nil
}
