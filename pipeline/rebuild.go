package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"

	"labour/pipeline/coding"
	"labour/pipeline/options"
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
	store, err := store.Open(o.Data)
	if err != nil {
		return nil, err
	}
	if tables, err = rebuildInto(ctx, &o, store, id); err != nil {
		return nil, fmt.Errorf("rebuild %s: %w", id, err)
	}
	return tables, nil
}

// rebuildInto builds the snapshot into a data directory of its own, which it removes.
func rebuildInto(ctx context.Context, o *Options, store *store.Store,
	id snapshots.ID) (compared []rebuild.Result, err error) {
	list, err := o.Sources()
	if err != nil {
		return nil, err
	}
	basis, err := rebuild.Find(rebuild.Place{Store: store, Data: o.Data, Archive: options.ArchiveDir(o.Data),
		Secrets: o.Secrets, Sources: list, Corrections: o.Config.Corrections}, id)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Protected(), 0o700); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(o.Protected(), "rebuild-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	if err := basis.Restore(scratch); err != nil {
		return nil, err
	}
	again := *o
	again.AsOf, again.Only, again.Data, again.Sign = basis.AsOf(), basis.Only, scratch, nil
	if again, err = again.Resolved(); err != nil {
		return nil, err
	}
	built, err := buildFrom(ctx, &again, nil, basis, func(t *tables, _ context.Context) error {
		compared, err = basis.Compare(t.writer, t.carried, coding.Errors())
		return err
	})
	if err != nil {
		return nil, err
	}
	return compared, built.writer.Close()
}
