package cells

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"labour/pipeline/cells/engine"
	"labour/pipeline/staging"
	"labour/snapshots/filestest"
)

// TestDaysOfARun: the recent months are the month of as_of and the 23 before it, whole.
func TestDaysOfARun(t *testing.T) {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		asOf, recent time.Time
		month        int32
	}{
		{day(2026, 1, 31), day(2024, 2, 1), 12*2026 + 1},
		{day(2026, 11, 20), day(2024, 12, 1), 12*2026 + 11},
		{day(2026, 12, 1), day(2025, 1, 1), 12*2026 + 12},
	} {
		in := QueryInputs{AsOf: c.asOf, PeopleFirstDay: day(2025, 4, 1), PeopleLastDay: day(2026, 3, 31)}
		want := runRow{LongestWindow: 24, AsOf: c.asOf, AsOfMonth: c.month, RecentFrom: c.recent, PeopleFrom: day(2025, 4, 1),
			PeopleTo: day(2026, 3, 31), SameVacancyDays: 14}
		if got := in.run(); got != want {
			t.Errorf("%s: %+v, want %+v", c.asOf.Format(time.DateOnly), got, want)
		}
	}
}

// TestRunsWithoutStagedFilesAreClosed: a QueryRunner that cannot be opened closes its database.
func TestRunsWithoutStagedFilesAreClosed(t *testing.T) {
	dir := t.TempDir()
	filestest.CheckFilesClosed(t, map[string]func() error{"no staged files": func() error {
		e, err := OpenQueryRunner(t.Context(), dir, QueryInputs{AsOf: asOf}, engine.Limits{Threads: 1}, nil)
		if e != nil || err == nil || !strings.Contains(err.Error(), "prepare advert_place: ") {
			return fmt.Errorf("%v, %w", e, err)
		}
		return nil
	}})
}

// countedVacancy is the verdict on an advert that is counted as the advert with the number as, or -1.
func countedVacancy(ordinal, as int) staging.AdvertVacancy {
	return staging.AdvertVacancy{Ordinal: int32(ordinal), CountedAs: int32(as), AppliedAs: int32(as)}
}
