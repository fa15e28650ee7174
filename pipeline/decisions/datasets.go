// Package decisions records two kinds of the operator's decisions: which of the embargoed datasets
// (those that wait on a condition) are open, on what evidence, and which figures of people are
// withdrawn, for what reason.
//
// Each kind has a journal in the data directory, with one JSON object a line. Lines are only
// appended. A decision takes effect with the next snapshot, whose manifest repeats it.
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

// DatasetJournalFileName is the name, in a data directory, of the journal of decisions about embargoed
// datasets.
const DatasetJournalFileName = "datasets.ndjson"

// Errors about a decision on an embargoed dataset. If a decision may not be recorded, the error
// wraps ErrInvalidDecision, whatever the reason. ErrUnknownDataset and ErrNotOpen wrap it too. Any
// other error is a technical failure, such as a failed write.
var (
	ErrInvalidDecision = errors.New("the decision cannot be recorded")
	ErrUnknownDataset  = fmt.Errorf("%w: there is no such embargoed dataset", ErrInvalidDecision)
	ErrNotOpen         = fmt.Errorf("%w: the dataset is not open", ErrInvalidDecision)
)

// DatasetDecision is the operator's decision to open or close one embargoed dataset: one line of the
// journal.
type DatasetDecision struct {
	At      time.Time `json:"at"` // time of the decision, in UTC and whole seconds
	Dataset string    `json:"dataset"`
	Open    bool      `json:"open"`
	// web address that shows that the condition is met; only in decisions to open the dataset
	Evidence string `json:"evidence,omitempty"`
	// who decided, in the operator's words, such as a name
	By string `json:"by,omitempty"`
}

// DatasetJournal holds all decisions about the embargoed datasets of a data directory, oldest first.
type DatasetJournal struct {
	data      string
	lines     *journal.Journal
	decisions []DatasetDecision
}

// ReadDatasetJournal reads the journal of a data directory with decisions about embargoed datasets.
// If there is no journal, the result is empty. It ignores an incomplete last line, which a crash
// leaves. Any other invalid line is an error.
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

// check returns an error if the decision may not be recorded, such as one without evidence.
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
	if !isShortLine(d.By) {
		return fmt.Errorf("%w: who decided must be one line of at most %d bytes", ErrInvalidDecision, longestField)
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

// OpenDataset records that the condition of an embargoed dataset is met. For a dataset that is
// already open, the new evidence is recorded. The error wraps ErrInvalidDecision if the dataset
// does not exist, at is zero, evidence is not an http(s) address, or by is too long.
func (j *DatasetJournal) OpenDataset(at time.Time, dataset, evidence, by string) error {
	return j.add(DatasetDecision{At: at, Dataset: dataset, Open: true, Evidence: evidence, By: by})
}

// CloseDataset records that the API must no longer serve a dataset. The error wraps ErrNotOpen if
// the dataset is not open.
func (j *DatasetJournal) CloseDataset(at time.Time, dataset, by string) error {
	if d, decided := j.LatestDecision(dataset); !decided || !d.Open {
		if _, known := snapshots.FindEmbargoedDataset(dataset); known {
			return fmt.Errorf("%w: %s", ErrNotOpen, dataset)
		}
	}
	return j.add(DatasetDecision{At: at, Dataset: dataset, By: by})
}

// add appends a decision to the journal, and syncs it to the disk before it returns.
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

// LatestDecision returns the last decision on an embargoed dataset, and whether there is one.
func (j *DatasetJournal) LatestDecision(dataset string) (d DatasetDecision, decided bool) {
	for _, one := range j.decisions {
		if one.Dataset == dataset {
			d, decided = one, true
		}
	}
	return d, decided
}

// EmbargoedStates returns the states of all embargoed datasets for the next manifest, without row counts,
// in the order of the specification.
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
