package main

import (
	"context"
	"errors"
	"fmt"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/snapshots"
)

// rebuild makes a snapshot's tables again and says which are equal to the byte.
func rebuild(ctx context.Context, a *app, o pipeline.Options, asked *runOptions, name string) error {
	id, err := snapshots.ParseID(name)
	if err != nil {
		return cli.Usage(err)
	}
	if asked.asOf != "" {
		return cli.Usage(errors.New("--from-archive takes the date from the snapshot; leave --as-of out"))
	}
	tables, err := pipeline.Rebuild(ctx, o, id)
	if err != nil {
		return err
	}
	differ := 0
	for _, t := range tables {
		if !t.Equal() {
			differ++
		}
	}
	if err := printRebuilt(a, asked.json, id, tables); err != nil {
		return err
	}
	if differ > 0 {
		return fmt.Errorf("%w: %d of %d tables of %s differ", errRefused, differ, len(tables), id)
	}
	return nil
}

func printRebuilt(a *app, asJSON bool, id snapshots.ID, tables []pipeline.Rebuilt) error {
	if asJSON {
		return cli.PrintJSON(a.stdout, map[string]any{"snapshot": id, "tables": tables})
	}
	w := cli.Table(a.stdout, "")
	for _, t := range tables {
		verdict := "equal"
		if !t.Equal() {
			verdict = "differs: was " + t.Was + ", is " + t.Is
		}
		fmt.Fprintf(w, "%s\t%s\n", t.Table, verdict)
	}
	return w.Flush()
}
