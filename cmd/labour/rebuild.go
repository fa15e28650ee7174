package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/snapshots"
)

// rebuild builds the tables of a snapshot again from the archive, and prints how each compares with
// the sealed file: equal byte for byte, equal rows but other metadata, or other rows. If the rows
// of a table differ, the error wraps errRefused and names the likely cause. name is the snapshot's
// ID, and asked holds the flags of the command.
func rebuild(ctx context.Context, a *app, o pipeline.Options, asked *runOptions, name string) error {
	id, err := snapshots.ParseID(name)
	if err != nil {
		return cli.NewUsageError(err)
	}
	if asked.AsOf != "" {
		return cli.NewUsageError(errors.New("--from-archive takes the date from the snapshot; leave --as-of out"))
	}
	tables, err := pipeline.Rebuild(ctx, o, id)
	if err != nil {
		return err
	}
	differ := 0
	for _, t := range tables {
		if !t.HasSealedRows() {
			differ++
		}
	}
	if err := a.show(asked.JSON, "rebuilt", map[string]any{"snapshot": id, "tables": tables}); err != nil {
		return err
	}
	if differ == 0 {
		return nil
	}
	store, err := openData(o.DataDir)
	if err != nil {
		return err
	}
	sealed, err := store.Manifest(id)
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %d of %d tables of %s differ; %s", errRefused, differ, len(tables), id,
		likelyCause(sealed.ToolVersion, o.ToolVersion))
}

// likelyCause returns why tables that were rebuilt from the same archived bytes may differ.
// sealedBy is the version of the program that sealed the snapshot, and running that of this
// program.
func likelyCause(sealedBy, running string) string {
	if sealedBy != running {
		return fmt.Sprintf("it was built by version %s of the program, and this is %s; the configuration may differ too",
			sealedBy, running)
	}
	if !namesOneProgram(running) {
		return fmt.Sprintf("the archived bytes are the same; two programs may both be version %s, so either the "+
			"program or the configuration is not the one that it was built with", running)
	}
	return "the archived bytes and the version of the program are the same, so the configuration is probably not " +
		"the one that it was built with"
}

// namesOneProgram reports whether a version belongs to a single program. Two different programs may
// have the same version: a build without version information is "dev", and the version of a build
// with uncommitted changes ends in "dirty".
func namesOneProgram(version string) bool {
	return version != unknownVersion && !strings.HasSuffix(version, "dirty")
}
