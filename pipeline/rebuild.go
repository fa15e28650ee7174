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

// Rebuild makes the tables of a sealed snapshot again, outside the store, from exactly the archived
// objects in its manifest, and compares their bytes. It neither changes nor promotes anything. It
// needs the archive and the snapshot itself, and the configuration and program of that time. Tables
// of people that were carried forward, or were made with a secret that is not available, are only
// compared by hash. A missing or damaged object is an error.
func Rebuild(ctx context.Context, o Options, id snapshots.ID) (tables []rebuild.Result, err error) {
	folder, err := store.Open(o.Data)
	if err != nil {
		return nil, err
	}
	if tables, err = rebuildInto(ctx, &o, folder, id); err != nil {
		return nil, fmt.Errorf("rebuild %s: %w", id, err)
	}
	return tables, nil
}

// rebuildInto builds the snapshot into a data directory of its own, which it removes.
func rebuildInto(ctx context.Context, o *Options, folder *store.Store,
	id snapshots.ID) (compared []rebuild.Result, err error) {
	basis, err := rebuild.Find(o, folder, id)
	if err != nil {
		return nil, err
	}
	again, remove, err := basis.Scratch(*o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	built, err := buildFrom(ctx, &again, nil, basis, func(t *tables, _ context.Context) error {
		compared, err = basis.Compare(t.writer, t.carried, coding.Errors())
		return err
	})
	if err != nil {
		return nil, err
	}
	return compared, built.writer.Close()
}
