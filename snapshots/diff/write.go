package diff

import (
	"context"
	"errors"
	"fmt"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Write writes changes.parquet of the snapshot that w is writing, whose tables are
// written: what differs from the snapshot that is current in the store. m is what
// will be sealed. The first snapshot has nothing before it, and its file no rows.
func Write(ctx context.Context, store *snapshots.Store, w *snapshots.Writer, m snapshots.Manifest, sources []snapshots.SourcesRow) (totals []Total, err error) {
	from, previous, err := current(store)
	if err != nil {
		return nil, fmt.Errorf("what changed: %w", err)
	}
	out, err := parquetio.CreateTable[snapshots.ChangesRow](w.FilePath(snapshots.ChangesName), snapshots.ChangesTable(),
		snapshots.ChangesMetadata(w.ID(), previous, sources), w.ID().Date())
	if err != nil {
		return nil, fmt.Errorf("what changed: %w", err)
	}
	if previous != nil {
		to := Side{Dir: w.Dir(), Manifest: m}
		if totals, err = Compare(ctx, from, to, Options{Limit: snapshots.MaxTableChanges}, out.Append); err != nil {
			return nil, errors.Join(err, out.Discard())
		}
	}
	return totals, out.Close()
}

// current is the snapshot that is current; nil when there is none.
func current(store *snapshots.Store) (Side, *snapshots.Previous, error) {
	id, err := store.Current()
	if errors.Is(err, snapshots.ErrNoCurrent) {
		return Side{}, nil, nil
	}
	if err != nil {
		return Side{}, nil, err
	}
	m, sum, err := snapshots.ReadManifest(store.Dir(id))
	if err != nil {
		return Side{}, nil, err
	}
	return Side{Dir: store.Dir(id), Manifest: m}, &snapshots.Previous{ID: id, ManifestSHA256: sum}, nil
}
