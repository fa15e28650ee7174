package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"labour/snapshots"
)

// Withdrawal records that a snapshot must no longer be served. It states who withdrew it, when and
// why.
type Withdrawal struct {
	At     time.Time `json:"at"` // time of the withdrawal, in UTC and whole seconds
	By     string    `json:"by"`
	Reason string    `json:"reason"`
	// last day of the quarter for which the snapshot made counts of people; nil = it made none
	PeopleTo *snapshots.Date `json:"people_to,omitempty"`
}

// wasTooEarly reports whether the snapshot made counts of people before their quarter had ended,
// because a clock was ahead. This is known from the withdrawal: the snapshot was withdrawn before
// the quarter ended.
func (w Withdrawal) wasTooEarly() bool {
	return w.PeopleTo != nil && !w.At.IsZero() && w.At.Before(w.PeopleTo.AddDate(0, 0, 1))
}

// ErrWithdrawn is the error for a withdrawn snapshot, which must not be promoted or published.
var ErrWithdrawn = errors.New("the snapshot was withdrawn")

// Withdrawals returns the records of all withdrawn snapshots, by ID. It includes snapshots that
// were removed later.
func (s *Store) Withdrawals() (map[snapshots.ID]Withdrawal, error) {
	names, err := os.ReadDir(s.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list withdrawals: %w", err)
	}
	all := map[snapshots.ID]Withdrawal{}
	for _, e := range names {
		id, ok := snapshots.WithdrawnID(e.Name())
		if !ok {
			continue
		}
		b, _ := os.ReadFile(s.withdrawnFile(id)) // a record that cannot be read withdraws its snapshot too
		all[id] = DecodeWithdrawal(b)
	}
	return all, nil
}

// DecodeWithdrawal decodes the content of the file that records a withdrawal. If the file states no
// reason, the result has a fixed text as its reason. If the file cannot be decoded, the result has
// this text and no other field, because the snapshot is withdrawn nevertheless.
func DecodeWithdrawal(text []byte) Withdrawal {
	const unknown = "the reason cannot be read"
	var w Withdrawal
	if json.Unmarshal(text, &w) != nil {
		return Withdrawal{Reason: unknown}
	}
	w.Reason = cmp.Or(w.Reason, unknown)
	return w
}

// Encode returns the content of the file that records the withdrawal.
func (w Withdrawal) Encode() ([]byte, error) {
	w.At = w.At.UTC().Truncate(time.Second)
	b, err := json.MarshalIndent(w, "", "  ")
	return append(b, '\n'), err
}

// IsWithdrawn reports whether a snapshot was withdrawn. If it cannot determine that, it returns
// true.
func (s *Store) IsWithdrawn(id snapshots.ID) bool {
	_, err := os.Stat(s.withdrawnFile(id))
	return !errors.Is(err, fs.ErrNotExist)
}

func (s *Store) withdrawnFile(id snapshots.ID) string {
	return filepath.Join(s.root, snapshots.WithdrawnFileName(id))
}
