package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"labour/cmd/internal/cli"
	"labour/snapshots"
)

type chainOptions struct {
	listOptions
	Rebuild bool `flag:"rebuild" usage:"write the index again from the directories first"`
}

// snapshotLine is one snapshot as `labour snapshot list` prints it.
type snapshotLine struct {
	ID        snapshots.ID          `json:"id"`
	AsOf      string                `json:"as_of"`
	Rows      int64                 `json:"rows"`
	Current   bool                  `json:"current"`
	State     string                `json:"state"` // current, withdrawn, removed, published, or sealed (never published)
	Withdrawn *snapshots.Withdrawal `json:"withdrawn,omitempty"`
	Error     string                `json:"error,omitempty"`  // why its manifest cannot be read
	Faults    []string              `json:"faults,omitempty"` // where the chain is broken
	Remarks   []string              `json:"remarks,omitempty"`
}

func (a *app) listSnapshots(ctx context.Context, o *chainOptions, _ []string) error {
	store, err := snapshots.Open(o.Data)
	if err == nil && o.Rebuild {
		err = store.RebuildIndex(ctx)
	}
	if err != nil {
		return err
	}
	lines, faults, remarks, err := snapshotLines(ctx, store)
	if err != nil {
		return err
	}
	if o.JSON {
		err = cli.PrintJSON(a.stdout, lines)
	} else {
		err = printLines(a, lines)
	}
	for _, remark := range remarks {
		fmt.Fprintln(a.stderr, "labour:", remark)
	}
	if err == nil && len(faults) > 0 {
		return fmt.Errorf("%w: the chain of the snapshots is broken:\n%s", errRefused, strings.Join(faults, "\n"))
	}
	return err
}

// snapshotLines joins the directories and the index, newest first; faults and
// remarks are what the chain shows, with the snapshot.
func snapshotLines(ctx context.Context, store *snapshots.Store) (lines []snapshotLine, faults, remarks []string, err error) {
	entries, err := store.List(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	index, links, err := store.Chain(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	byID := map[snapshots.ID]*snapshotLine{}
	for _, e := range entries {
		l := lineOf(e)
		byID[e.ID] = &l
	}
	for _, e := range index.Snapshots {
		l := byID[e.ID]
		if l == nil {
			l = &snapshotLine{ID: e.ID, AsOf: e.AsOf.String()}
			byID[e.ID] = l
		}
		l.Withdrawn, l.State = e.Withdrawn, stateOf(e, l.Current)
	}
	for _, link := range links {
		said := strings.TrimPrefix(string(link.ID)+": "+link.What, ": ")
		l := byID[link.ID]
		switch {
		case link.Fault:
			faults = append(faults, said)
			if l != nil {
				l.Faults = append(l.Faults, link.What)
			}
		case l != nil:
			l.Remarks = append(l.Remarks, link.What)
		default:
			remarks = append(remarks, said)
		}
	}
	lines = make([]snapshotLine, 0, len(byID))
	for _, l := range byID {
		lines = append(lines, *l)
	}
	slices.SortFunc(lines, func(a, b snapshotLine) int { return b.ID.Compare(a.ID) })
	return lines, faults, remarks, nil
}

func lineOf(e snapshots.Entry) snapshotLine {
	l := snapshotLine{ID: e.ID, Current: e.Current, State: "sealed"}
	if e.Err != nil {
		l.Error = e.Err.Error()
		return l
	}
	l.AsOf = e.Manifest.AsOf.String()
	for _, table := range e.Manifest.Tables {
		l.Rows += table.Rows
	}
	return l
}

func stateOf(e snapshots.IndexEntry, current bool) string {
	switch {
	case current:
		return "current"
	case e.Withdrawn != nil:
		return "withdrawn"
	case e.Removed:
		return "removed"
	case e.Published():
		return "published"
	}
	return "sealed"
}

func printLines(a *app, lines []snapshotLine) error {
	t := cli.Table(a.stdout, "ID\tAS OF\tROWS\tSTATE\tREMARKS")
	for _, l := range lines {
		var said []string
		if l.Error != "" {
			said = append(said, l.Error)
		}
		if l.Withdrawn != nil {
			said = append(said, fmt.Sprintf("withdrawn %s by %s: %s", l.Withdrawn.At.Format("2006-01-02"), l.Withdrawn.By, l.Withdrawn.Reason))
		}
		said = append(append(said, l.Faults...), l.Remarks...)
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\n", l.ID, l.AsOf, l.Rows, l.State, strings.Join(said, "; "))
	}
	return t.Flush()
}
