package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"labour/cmd/internal/cli"
	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/store"
)

func (a *app) showSnapshot(_ context.Context, o *cli.DataFlag, args []string) error {
	folder, id, err := openSnapshot(o.Data, args)
	if err != nil {
		return err
	}
	manifest, err := folder.Manifest(id)
	if err != nil {
		return err
	}
	b, err := manifest.Encode()
	if err != nil {
		return err
	}
	return a.say("%s", b)
}

// openSnapshot opens the snapshots of a data directory, and returns them with the ID of one
// snapshot. That is the first of ids, or the current snapshot if ids is empty.
func openSnapshot(data string, ids []string) (folder *store.Store, id snapshots.ID, err error) {
	if len(ids) > 0 {
		if id, err = snapshots.ParseID(ids[0]); err != nil {
			return nil, "", cli.NewUsageError(err)
		}
	}
	if folder, err = openData(data); err == nil && id == "" {
		id, err = folder.Current()
	}
	if errors.Is(err, store.ErrNoCurrent) {
		err = fmt.Errorf("%w in %s; labour run does that, and labour snapshot list shows those that are sealed", err,
			data)
	}
	return folder, id, err
}

type verifyOptions struct {
	cli.DataFlag
	PublicKey string `flag:"public-key" usage:"file of a public key; a missing or wrong signature is a fault"`
	Rebuild   bool   `flag:"rebuild" usage:"rebuild the tables from the archive of the data directory; needs an ID"`
	Config    string `flag:"config" default:"labour.yaml" usage:"configuration file, for --rebuild"`
	MemoryMB  int    `flag:"memory" least:"0" usage:"memory of --rebuild, in MB (default 2048)"`
}

func (a *app) verifySnapshot(ctx context.Context, asked *verifyOptions, args []string) error {
	name := args[0]
	key, err := publicKey(asked.PublicKey)
	if err != nil {
		return err
	}
	options := verify.Options{PublicKey: key}
	dir, err := snapshotDir(asked.Data, name)
	if err != nil {
		return err
	}
	if _, err := snapshots.ParseID(name); err == nil {
		if options.Store, err = store.Open(asked.Data); err != nil {
			return err
		}
	} else if asked.Rebuild {
		return cli.NewUsageError(errors.New("--rebuild takes the ID of a snapshot of the data directory"))
	}
	report, err := verify.VerifyDir(ctx, dir, options)
	if err != nil {
		return err
	}
	for _, f := range report.Faults {
		fmt.Fprintln(a.stdout, f)
	}
	if !report.HasNoFaults() {
		return fmt.Errorf("%w: %s has %s", errRefused, dir, count(len(report.Faults), "fault"))
	}
	fmt.Fprintf(a.stdout, "%s is sound\n", dir)
	if note := withdrawalNote(dir); note != "" {
		fmt.Fprintln(a.stdout, note)
	}
	if !asked.Rebuild {
		return nil
	}
	return verifyRebuild(ctx, a, asked, name)
}

// verifyRebuild builds a snapshot again from the archive, and returns an error if any table
// differs. name is the snapshot's ID, and asked holds the flags of the command.
func verifyRebuild(ctx context.Context, a *app, asked *verifyOptions, name string) error {
	p := a.newProgress()
	defer p.End()
	run := runOptions{Config: asked.Config, Data: asked.Data, MemoryMB: asked.MemoryMB}
	options, err := run.pipelineOptions(a, p)
	if err != nil {
		return err
	}
	return rebuild(ctx, a, options, &run, name)
}

// snapshotDir returns the directory of a snapshot. name is the snapshot's ID or the path of the
// directory.
func snapshotDir(data, name string) (string, error) {
	dir := name
	if id, err := snapshots.ParseID(name); err == nil {
		folder, err := store.Open(data)
		if err != nil {
			return "", err
		}
		dir = folder.SnapshotDir(id)
	}
	_, err := os.Stat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return "", cli.NewUsageError(fmt.Errorf("%s is neither a snapshot of %s nor a directory", name, data))
	}
	if dir != name && errors.Is(err, os.ErrPermission) {
		return "", ofAnotherUser(data, err)
	}
	return dir, err
}

// withdrawalNote returns a sentence that says by whom and why the snapshot in dir was withdrawn, or
// "" if the snapshot was not withdrawn. The record of a withdrawal is next to the snapshot's
// directory.
func withdrawalNote(dir string) string {
	dir = filepath.Clean(dir)
	id, err := snapshots.ParseID(filepath.Base(dir))
	if err != nil {
		return ""
	}
	record, err := os.ReadFile(filepath.Join(filepath.Dir(dir), snapshots.WithdrawnFileName(id)))
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	return fmt.Sprintf("%s was %s", id, describeWithdrawal(store.DecodeWithdrawal(record)))
}

// noteWithdrawal prints to stderr by whom and why the snapshot in dir was withdrawn. It prints
// nothing if the snapshot was not withdrawn.
func (a *app) noteWithdrawal(dir string) {
	if note := withdrawalNote(dir); note != "" {
		fmt.Fprintln(a.stderr, "labour:", note)
	}
}

// describeWithdrawal returns when, by whom and why a snapshot was withdrawn. If the record of the
// withdrawal could not be decoded, w has only a Reason, and only that is returned.
func describeWithdrawal(w store.Withdrawal) string {
	if w.At.IsZero() {
		return "withdrawn: " + w.Reason
	}
	return fmt.Sprintf("withdrawn %s by %s: %s", w.At.Format("2006-01-02"), w.By, w.Reason)
}

type chainOptions struct {
	listOptions
	RebuildIndex bool `flag:"rebuild" usage:"write the index again from the directories first"`
}

// snapshotLine is one line in the output of `labour snapshot list`: a snapshot, its state and its
// faults.
type snapshotLine struct {
	ID      snapshots.ID `json:"id"`
	AsOf    string       `json:"as_of"`
	Rows    int64        `json:"rows"`
	Current bool         `json:"current"`
	// state of the snapshot: current, withdrawn, removed, published, or sealed (never published)
	State     string            `json:"state"`
	Withdrawn *store.Withdrawal `json:"withdrawn,omitempty"`
	// error in reading the snapshot's manifest; empty = none
	Error string `json:"error,omitempty"`
	// faults that concern this snapshot in the chain of manifests, in which each manifest has the
	// hash of the previous one
	Faults  []string `json:"faults,omitempty"`
	Remarks []string `json:"remarks,omitempty"`
}

func (a *app) listSnapshots(ctx context.Context, o *chainOptions, _ []string) error {
	folder, err := openData(o.Data)
	if err == nil && o.RebuildIndex {
		err = folder.RebuildIndex(ctx)
	}
	if err != nil {
		return err
	}
	lines, faults, remarks, err := snapshotLines(ctx, folder)
	if err != nil {
		return err
	}
	err = a.show(o.JSON, "snapshots", lines)
	for _, remark := range remarks {
		fmt.Fprintln(a.stderr, "labour:", remark)
	}
	if err == nil && len(faults) > 0 {
		return fmt.Errorf("%w: the chain of the snapshots is broken:\n%s", errRefused, strings.Join(faults, "\n"))
	}
	return err
}

// snapshotLines returns the snapshots of a store, the newest first. Each manifest has the hash of
// the previous manifest. faults are errors in this chain. remarks are other messages about the
// chain, which do not belong to a listed snapshot.
func snapshotLines(ctx context.Context,
	folder *store.Store) (lines []snapshotLine, faults, remarks []string, err error) {
	entries, err := folder.List(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	index, links, err := folder.CheckChain(ctx)
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
		said := strings.TrimPrefix(string(link.ID)+": "+link.Text, ": ")
		l := byID[link.ID]
		switch {
		case link.Fault:
			faults = append(faults, said)
			if l != nil {
				l.Faults = append(l.Faults, link.Text)
			}
		case l != nil:
			l.Remarks = append(l.Remarks, link.Text)
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

func lineOf(e store.ListedSnapshot) snapshotLine {
	l := snapshotLine{ID: e.ID, Current: e.Current, State: "sealed"}
	if e.ManifestErr != nil {
		l.Error = e.ManifestErr.Error()
		return l
	}
	l.AsOf = e.Manifest.AsOf.String()
	for _, table := range e.Manifest.Tables {
		l.Rows += table.Rows
	}
	return l
}

func stateOf(e store.IndexEntry, current bool) string {
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

// Details returns why the snapshot cannot be read, why it was withdrawn, and messages about it in
// the chain of manifests. Each manifest has the hash of the previous manifest.
func (l snapshotLine) Details() string {
	var said []string
	if l.Error != "" {
		said = append(said, l.Error)
	}
	if l.Withdrawn != nil {
		said = append(said, describeWithdrawal(*l.Withdrawn))
	}
	return strings.Join(slices.Concat(said, l.Faults, l.Remarks), "; ")
}
