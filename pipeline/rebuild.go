package pipeline

import (
	"context"
	"errors"
	"fmt"

	"labour/pipeline/coding"
	"labour/pipeline/rebuild"
	"labour/snapshots"
	"labour/snapshots/store"
)

// Rebuild builds a sealed snapshot again and compares each table with the sealed file. It does not
// change or promote anything. It needs the archived files that the manifest names, and the program
// and configuration that built the snapshot. Tables of people that cannot be rebuilt are only
// compared by hash. A missing or damaged archived file is an error.
func Rebuild(ctx context.Context, o Options, id snapshots.ID) (tables []rebuild.Result, err error) {
	folder, err := store.Open(o.DataDir)
	if err != nil {
		return nil, err
	}
	if tables, err = rebuildInto(ctx, &o, folder, id); err != nil {
		return nil, fmt.Errorf("rebuild %s: %w", id, err)
	}
	return tables, nil
}

// rebuildInto builds the snapshot again in a temporary data directory and compares it with the
// sealed one. Then it removes the directory.
func rebuildInto(ctx context.Context, o *Options, folder *store.Store,
	id snapshots.ID) (compared []rebuild.Result, err error) {
	sealed, err := rebuild.FindInputs(o, folder, id)
	if err != nil {
		return nil, err
	}
	again, remove, err := sealed.MakeScratchDir(*o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	built, err := buildFrom(ctx, &again, nil, sealed, func(_ context.Context, d *draft) error {
		compared, err = sealed.Compare(d.writer, d.copiedTables, coding.ErrorRates())
		return err
	})
	if err != nil {
		return nil, err
	}
	return compared, built.writer.Close()
}
