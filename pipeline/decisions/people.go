package decisions

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"labour/snapshots"
	"labour/sources/journal"
)

// PeopleWithdrawalsFileName is the name of the file with the withdrawn counts of people. It is in
// the data directory. Each line is one snapshots.PeopleWithdrawal.
const PeopleWithdrawalsFileName = "people-withdrawn.ndjson"

func peopleJournal(data string) *journal.Journal {
	return journal.New(filepath.Join(data, PeopleWithdrawalsFileName), 0o644)
}

// ReadPeopleWithdrawals returns the recorded withdrawals of counts of people, oldest first. An
// invalid or incomplete line is an error.
func ReadPeopleWithdrawals(data string) (all []snapshots.PeopleWithdrawal, err error) {
	err = journal.EachRecord(peopleJournal(data), func(w snapshots.PeopleWithdrawal) error {
		all = append(all, w)
		return checkWithdrawal(w)
	})
	if err != nil {
		return nil, fmt.Errorf("read which figures of people were withdrawn: %w", err)
	}
	return all, nil
}

// checkWithdrawal returns an error if a withdrawal of counts of people is invalid. A valid
// withdrawal has a time. Its fields Reason and By are one line each, of 1 to 2,000 bytes. The error
// wraps ErrInvalidDecision.
func checkWithdrawal(w snapshots.PeopleWithdrawal) error {
	if w.At.IsZero() {
		return fmt.Errorf("%w: its time is missing", ErrInvalidDecision)
	}
	for name, text := range map[string]string{"by": w.By, "reason": w.Reason} {
		if strings.TrimSpace(text) == "" || !fitsField(text) {
			return fmt.Errorf("%w: %s must be one line of 1 to %d bytes", ErrInvalidDecision, name, longestField)
		}
	}
	return nil
}

// WithdrawPeople records that the counts of people of one skill, or of all skills, are withdrawn.
// The next snapshot leaves them out. WithdrawPeople does not check that the skill exists. It returns
// an error if an earlier withdrawal cannot be read.
func WithdrawPeople(data string, w snapshots.PeopleWithdrawal) error {
	w.At = w.At.UTC().Truncate(time.Second)
	if err := checkWithdrawal(w); err != nil {
		return err
	}
	_, err := ReadPeopleWithdrawals(data) // recording would remove an incomplete line
	if err == nil {
		err = record(data, peopleJournal(data), w)
	}
	if err != nil {
		return fmt.Errorf("record the withdrawal: %w", err)
	}
	return nil
}
