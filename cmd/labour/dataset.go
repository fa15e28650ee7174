package main

import (
	"context"
	"errors"
	"fmt"

	"labour/cmd/internal/cli"
	"labour/pipeline/decisions"
	"labour/snapshots"
	"labour/snapshots/store"
)

type closeOptions struct {
	cli.DataFlag
	By string `flag:"by" usage:"who decided: a role or a board, shown to auditors"`
}

type openOptions struct {
	closeOptions
	Evidence string `flag:"evidence" required:"" usage:"http(s) address where it is recorded that the condition is met"`
}

// datasetLine is one line in the output of `labour dataset list`: an embargoed dataset, its
// condition and whether the operator has opened it.
type datasetLine struct {
	Dataset string `json:"dataset"`
	Content string `json:"content"`
	WaitsOn string `json:"waits_on"`
	// true if the operator has opened the dataset; takes effect with the next whole run
	Open      bool            `json:"open"`
	Evidence  string          `json:"evidence,omitempty"`
	DecidedOn *snapshots.Date `json:"decided_on,omitempty"`
	DecidedBy string          `json:"decided_by,omitempty"`
	Answered  bool            `json:"answered"` // true if the current snapshot serves the dataset
	// number of rows in the current snapshot; null if it lacks the dataset
	Rows *int64 `json:"rows"`
}

func (a *app) listDatasets(_ context.Context, o *listOptions, _ []string) error {
	journal, err := decisions.ReadDatasetJournal(o.Data)
	if err != nil {
		return err
	}
	current, err := currentManifest(o.Data)
	if err != nil {
		return err
	}
	var lines []datasetLine
	for _, s := range journal.EmbargoedStates() {
		known, _ := snapshots.FindEmbargoedDataset(s.Name)
		now := current.EmbargoedNamed(s.Name)
		lines = append(lines, datasetLine{Dataset: s.Name, Content: known.Content, WaitsOn: s.Condition, Open: s.Open,
			Evidence:  s.Evidence,
			DecidedOn: s.DecidedOn, DecidedBy: s.DecidedBy, Answered: now.MayBeServed(), Rows: now.Rows})
	}
	return a.show(o.JSON, "datasets", lines)
}

// currentManifest returns the manifest of the current snapshot. If there is no current snapshot, it
// returns an empty manifest.
func currentManifest(data string) (snapshots.Manifest, error) {
	folder, id, err := openSnapshot(data, nil)
	if errors.Is(err, store.ErrNoCurrent) {
		return snapshots.Manifest{}, nil
	}
	if err != nil {
		return snapshots.Manifest{}, err
	}
	return folder.Manifest(id)
}

// warnOfClosedDatasets prints a line for each dataset that the operator has closed but that the
// snapshot id still serves. This happens if the operator promotes a snapshot from before that
// decision.
func (a *app) warnOfClosedDatasets(data string, folder *store.Store, id snapshots.ID) error {
	journal, err := decisions.ReadDatasetJournal(data)
	if err != nil {
		return err
	}
	m, err := folder.Manifest(id)
	if err != nil {
		return err
	}
	for _, s := range journal.EmbargoedStates() {
		isClosed := s.DecidedOn != nil && !s.Open
		if isClosed && m.EmbargoedNamed(s.Name).MayBeServed() {
			fmt.Fprintf(a.stderr, "labour: %s is closed since %s, but %s is from before that and serves it again; "+
				"labour run makes a snapshot that does not\n", s.Name, s.DecidedOn, id)
		}
	}
	return nil
}

func (a *app) openDataset(_ context.Context, o *openOptions, args []string) error {
	return decide(a, o.Data, args[0],
		func(j *decisions.DatasetJournal) error { return j.OpenDataset(a.now(), args[0], o.Evidence, o.By) })
}

func (a *app) closeDataset(_ context.Context, o *closeOptions, args []string) error {
	return decide(a, o.Data, args[0], func(j *decisions.DatasetJournal) error {
		return j.CloseDataset(a.now(), args[0],
			o.By)
	})
}

// decide calls record with the journal of decisions about embargoed datasets in the directory data.
// Then it prints the new state of the dataset with the given name. The directory must exist. decide
// returns a usage error if the decision is not permitted.
func decide(a *app, data, name string, record func(*decisions.DatasetJournal) error) error {
	if _, err := openData(data); err != nil {
		return err
	}
	journal, err := decisions.ReadDatasetJournal(data)
	if err != nil {
		return err
	}
	if err := record(journal); errors.Is(err, decisions.ErrInvalidDecision) {
		return cli.NewUsageError(err)
	} else if err != nil {
		return err
	}
	decision, _ := journal.LatestDecision(name)
	if decision.Open {
		return a.say("%s is recorded as open; the snapshot of the next whole run answers it.\n", name)
	}
	return a.say("%s is recorded as closed; the next snapshot that is promoted no longer answers it.\n", name)
}
