package usage

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"labour/serve/state"
)

// How long counted calls are kept after their window began: hours for looking into
// what a partner asks about, months for more than a year of bills.
const (
	KeepHours  = 7 * 24 * time.Hour
	KeepMonths = 25 // calendar months, the current one not among them
)

// Prune forgets the counted calls of windows that nobody needs any more, and says
// how many counters that were. The running windows are never touched.
func Prune(ctx context.Context, db *state.DB, now time.Time) (int64, error) {
	var n int64
	err := db.Transact(ctx, func(tx *sql.Tx) error {
		if err := db.KeepOut(ctx, tx, "the pruning of counted calls"); err != nil {
			return err
		}
		const old = `DELETE FROM usage_counts WHERE span = 'hour' AND starts_at < $1 OR span = 'month' AND starts_at < $2`
		result, err := tx.ExecContext(ctx, old, state.Unix(hourStart(now).Add(-KeepHours)), state.Unix(monthStart(now).AddDate(0, -KeepMonths, 0)))
		if err != nil {
			return err
		}
		n, err = result.RowsAffected()
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("prune counted calls: %w", err)
	}
	return n, nil
}
