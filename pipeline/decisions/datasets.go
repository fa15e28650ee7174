// Package decisions records the operator's decisions to open or close embargoed datasets, and to
// withdraw published figures of people. An embargoed dataset waits on a condition. Each decision has
// its evidence or reason.
//
// The two kinds of decision have separate journals in the data directory, with one JSON object on each
// line. Lines are only appended. A decision takes effect with the next snapshot, whose manifest repeats
// it.
package decisions

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"labour/snapshots"
	"labour/sources"
	"labour/sources/journal"
)

// DatasetJournalFileName is the name of the file with the decisions about embargoed datasets. It is
// in the data directory. An embargoed dataset is published only after its condition is met.
const DatasetJournalFileName = "datasets.ndjson"

// Errors of decisions by the operator.
var (
	// ErrInvalidDecision means that a decision is not permitted. Errors that do not wrap it are
	// technical failures, such as a failed write.
	ErrInvalidDecision = errors.New("the decision cannot be recorded")
	// ErrUnknownDataset means that a decision names a dataset that is not one of the embargoed
	// datasets. It wraps ErrInvalidDecision.
	ErrUnknownDataset = fmt.Errorf("%w: there is no such embargoed dataset", ErrInvalidDecision)
	// ErrNotOpen means that a dataset cannot be closed because it is not open. It wraps
	// ErrInvalidDecision.
	ErrNotOpen = fmt.Errorf("%w: the dataset is not open", ErrInvalidDecision)
)

// DatasetDecision is one line of the journal: the operator's decision to open or close an embargoed
// dataset. Such a dataset is published only while it is open.
type DatasetDecision struct {
	At      time.Time `json:"at"` // time of the decision, in UTC and whole seconds
	Dataset string    `json:"dataset"`
	Open    bool      `json:"open"`
	// web address that shows that the condition is met; only in decisions to open the dataset
	Evidence string `json:"evidence,omitempty"`
	// who decided, in the operator's words, such as a name
	By string `json:"by,omitempty"`
}

// DatasetJournal holds all decisions to open or close embargoed datasets, oldest first. An
// embargoed dataset is published only while it is open.
type DatasetJournal struct {
	data      string
	lines     *journal.Journal
	decisions []DatasetDecision
}

// ReadDatasetJournal reads the decisions about embargoed datasets from a data directory. A missing
// journal gives an empty result. An invalid or incomplete line is an error.
func ReadDatasetJournal(data string) (*DatasetJournal, error) {
	j := &DatasetJournal{data: data, lines: journal.New(filepath.Join(data, DatasetJournalFileName), 0o644)}
	err := journal.EachRecord(j.lines, func(d DatasetDecision) error {
		j.decisions = append(j.decisions, d)
		return d.check()
	})
	if err != nil {
		return nil, fmt.Errorf("read decisions on datasets: %w", err)
	}
	return j, nil
}

// check returns an error if the decision is invalid, for example if an opening has no evidence.
func (d DatasetDecision) check() error {
	if _, known := snapshots.FindEmbargoedDataset(d.Dataset); !known {
		var names []string
		for _, h := range snapshots.EmbargoedDatasets() {
			names = append(names, h.Name)
		}
		return fmt.Errorf("%w: %q; there are %s", ErrUnknownDataset, d.Dataset, strings.Join(names, ", "))
	}
	if d.At.IsZero() {
		return fmt.Errorf("%w: its time is missing", ErrInvalidDecision)
	}
	if !fitsField(d.By) {
		return fmt.Errorf("%w: the name of the person who decided must be one line of at most %d bytes",
			ErrInvalidDecision, longestField)
	}
	if !d.Open {
		return nil
	}
	if !sources.IsWebAddress(d.Evidence) || len(d.Evidence) > longestField {
		return fmt.Errorf("%w: evidence %q must be the http(s) address where it is recorded that the condition is met",
			ErrInvalidDecision, d.Evidence)
	}
	return nil
}

// OpenDataset records that the condition of an embargoed dataset is met, so that it is published.
// evidence is an http(s) address that shows this. If the dataset is already open, the new evidence
// replaces the old one. at is the time of the decision, and by is who decided, which may be empty.
// The error wraps ErrInvalidDecision if an argument is invalid.
func (j *DatasetJournal) OpenDataset(at time.Time, dataset, evidence, by string) error {
	return j.add(DatasetDecision{At: at, Dataset: dataset, Open: true, Evidence: evidence, By: by})
}

// CloseDataset records that the API must stop serving a dataset. If the dataset is not open, the
// error wraps ErrNotOpen. at is the time of the decision, and by is who decided, which may be
// empty.
func (j *DatasetJournal) CloseDataset(at time.Time, dataset, by string) error {
	if d, decided := j.LatestDecision(dataset); !decided || !d.Open {
		if _, known := snapshots.FindEmbargoedDataset(dataset); known {
			return fmt.Errorf("%w: %s", ErrNotOpen, dataset)
		}
	}
	return j.add(DatasetDecision{At: at, Dataset: dataset, By: by})
}

// add checks a decision and appends it to the journal. It syncs the journal to disk before it
// returns.
func (j *DatasetJournal) add(d DatasetDecision) error {
	d.At = d.At.UTC().Truncate(time.Second)
	if err := d.check(); err != nil {
		return err
	}
	if err := record(j.data, j.lines, d); err != nil {
		return fmt.Errorf("record decision: %w", err)
	}
	j.decisions = append(j.decisions, d)
	return nil
}

// LatestDecision returns the newest decision to open or close an embargoed dataset. decided is
// false if there is none.
func (j *DatasetJournal) LatestDecision(dataset string) (d DatasetDecision, decided bool) {
	for _, one := range j.decisions {
		if one.Dataset == dataset {
			d, decided = one, true
		}
	}
	return d, decided
}

// EmbargoedStates returns the states of all embargoed datasets for the next manifest, such as open
// or closed. It does not set the number of rows. The order is that of the specification.
func (j *DatasetJournal) EmbargoedStates() []snapshots.EmbargoedState {
	var states []snapshots.EmbargoedState
	for _, h := range snapshots.EmbargoedDatasets() {
		s := snapshots.EmbargoedState{Name: h.Name, Condition: h.Condition}
		if d, decided := j.LatestDecision(h.Name); decided {
			on := snapshots.DateOf(d.At)
			s.Open = d.Open
			s.Evidence = d.Evidence
			s.DecidedOn = &on
			s.DecidedBy = d.By
		}
		states = append(states, s)
	}
	return states
}
