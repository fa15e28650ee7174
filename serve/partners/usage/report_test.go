package usage

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"labour/serve/partners/access"
	"labour/serve/state/statetest"
)

// TestReport: hours and days hold the calls of a partner's keys, or of one of them, and no other's.
func TestReport(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db, at := statetest.Open(t, address), time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
		keys, err := access.New(t.Context(), db, func() time.Time { return at }, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		c, err := NewCounter(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		made := map[string]access.Key{}
		for _, name := range []string{"North", "South"} {
			if made[name], _, err = keys.CreateKey(t.Context(), access.KeyRequest{Partner: name}); err != nil {
				t.Fatal(err)
			}
		}
		second, _, err := keys.CreateSelfServiceKey(t.Context(), made["North"].PartnerID,
			access.SelfServiceKeyRequest{Label: "second",
				Plan: access.PlanEvaluation})
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range []struct {
			key string
			at  time.Time
		}{
			{made["North"].ID, at}, {made["North"].ID, at}, {second.ID, at},
			{made["North"].ID, at.Add(-9 * time.Hour)}, // the day's first hour
			{made["North"].ID, at.Add(-10 * time.Hour)},
			{made["North"].ID, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)},
			{made["North"].ID, time.Date(2026, 10, 31, 23, 59, 59, 0, time.UTC)},
			{made["South"].ID, at},
		} {
			if _, err := c.Count(t.Context(), call.key, call.at); err != nil {
				t.Fatal(err)
			}
		}
		reader := NewReader(db)
		for _, want := range []struct {
			partner, key                                      string
			now, firstHour, today, dayBefore, firstOfNovember int64
		}{
			{made["North"].PartnerID, "", 3, 1, 4, 1, 1},
			{made["North"].PartnerID, second.ID, 1, 0, 1, 0, 0},
			{made["South"].PartnerID, "", 1, 0, 1, 0, 0},
			{made["North"].PartnerID, made["South"].ID, 0, 0, 0, 0, 0},
		} {
			r, err := reader.Report(t.Context(), want.partner, want.key, at)
			if err != nil || len(r.Today) != 24 || len(r.Month) != 30 {
				t.Fatalf("%d hours, %d days, %v", len(r.Today), len(r.Month), err)
			}
			if r.Today[9].Calls != want.now || r.Today[0].Calls != want.firstHour || r.Today[10].Calls != 0 {
				t.Errorf("%+v: hours %v", want, r.Today)
			}
			if r.Month[19].Calls != want.today || r.Month[18].Calls != want.dayBefore ||
				r.Month[0].Calls != want.firstOfNovember {
				t.Errorf("%+v: days %v", want, r.Month)
			}
		}
	})
}

// TestReportShowsTheCountersOwnCounts: the exact counts are shown as the counter has them.
func TestReportShowsTheCountersOwnCounts(t *testing.T) {
	db, at := statetest.Open(t, statetest.SQLitePath(t)), time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	keys, err := access.New(t.Context(), db, func() time.Time { return at }, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	k, _, err := keys.CreateKey(t.Context(), access.KeyRequest{Partner: "North"})
	if err != nil {
		t.Fatal(err)
	}
	reader := NewReader(db)
	c, err := NewCounter(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, ago := range []time.Duration{0, 0, time.Hour, 10 * time.Hour} {
		if _, err := c.Count(t.Context(), k.ID, at.Add(-ago)); err != nil {
			t.Fatal(err)
		}
	}
	counts, err := reader.CurrentCounts(t.Context(), k.ID, at)
	r, failed := reader.Report(t.Context(), k.PartnerID, k.ID, at)
	if err := errors.Join(err, failed); err != nil || counts != (Counts{Hour: 2, Month: 4}) || r.Today[9].Calls != 2 ||
		r.Today[8].Calls != 1 || r.Today[10].Calls != 0 {
		t.Errorf("%+v, %v, %v", counts, r.Today, err)
	}
}

// TestNowIsOfOneKeyAndWindow: calls of another key, another hour or another month are not counted.
func TestNowIsOfOneKeyAndWindow(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		c, db, keys := server(t, address)
		at := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
		for when, calls := range map[time.Time][2]int{at: {1, 2}, at.Add(-time.Hour): {3, 5},
			at.AddDate(0, -1, 0): {7, 11}} {
			for i, n := range calls {
				for range n {
					if _, err := c.Count(t.Context(), keys[i], when); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		reader := NewReader(db)
		for i, want := range [][3]Counts{{{1, 4}, {3, 4}, {7, 7}}, {{2, 7}, {5, 7}, {11, 11}}} {
			for j, when := range []time.Time{at, at.Add(-time.Hour), at.AddDate(0, -1, 0)} {
				if got, err := reader.CurrentCounts(t.Context(), keys[i], when); err != nil || got != want[j] {
					t.Errorf("key %d at %s: %+v, %v; want %+v", i, when, got, err, want[j])
				}
			}
		}
		if got, err := reader.CurrentCounts(t.Context(), keys[0], at.AddDate(0, 1, 0)); err != nil || got != (Counts{}) {
			t.Errorf("in a month without calls: %+v, %v", got, err)
		}
	})
}

// An error of the database says what was being done, so that one line of the log is enough.
func TestErrorsOfTheDatabaseSayWhatWasDone(t *testing.T) {
	_, db, keys := server(t, statetest.SQLitePath(t))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, reader, at := t.Context(), NewReader(db), time.Unix(1e9, 0)
	statetest.CheckErrorPrefixes(t, map[string]func() error{
		"read the counts of key " + keys[0] + ": ": func() error {
			_, err := reader.CurrentCounts(ctx, keys[0], at)
			return err
		},
		"report the calls of partner ptn_a: ": func() error { _, err := reader.Report(ctx, "ptn_a", "", at); return err },
		"prune counted calls: ":               func() error { return PruneCounts(ctx, db, at) },
	})
}
