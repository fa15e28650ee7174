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
	KeepDays   = 92 // of the calls by route and status
)

// Prune forgets the counted calls of windows that nobody needs any more, and says
// how many counters that were. The running windows are never touched.
func Prune(ctx context.Context, db *state.DB, now time.Time) (int64, error) {
	var n int64
	err := db.Transact(ctx, func(tx *sql.Tx) error {
		if err := db.KeepOut(ctx, tx, "the pruning of counted calls"); err != nil {
			return err
		}
		windows, err := state.Change(ctx, tx, statement("forget_windows"), state.Unix(hourStart(now).Add(-KeepHours)), state.Unix(state.MonthStart(now).AddDate(0, -KeepMonths, 0)))
		if err != nil {
			return err
		}
		days, err := state.Change(ctx, tx, statement("forget_days"), state.Unix(dayStart(now).AddDate(0, 0, -KeepDays)))
		n = windows + days
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("prune counted calls: %w", err)
	}
	return n, nil
}
