package usage

import (
	"crypto/rand"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/serve/access"
	"labour/serve/state/statetest"
)

// Calls that many goroutines tally on two servers are all reported, by route and
// status, for their partner alone.
func TestTally(t *testing.T) {
	stores.Each(t, func(t *testing.T, address string) {
		db, at := statetest.Open(t, address), time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
		keys, err := access.New(t.Context(), db, func() time.Time { return at }, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		made := map[string]access.Key{}
		for _, name := range []string{"North", "South"} {
			if made[name], _, err = keys.Create(t.Context(), access.NewKey{Partner: name}); err != nil {
				t.Fatal(err)
			}
		}
		servers := []*Tally{NewTally(db), NewTally(db)}
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				s := servers[i%2]
				s.Add(made["North"].ID, "/v1/jobs", 200, at)
				s.Add(made["North"].ID, "/v1/jobs", 429, at.AddDate(0, 0, -3))
				s.Add(made["South"].ID, "", 404, at)
				if i%10 == 0 {
					if err := s.Flush(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if err := servers[1].Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		north := made["North"]
		r, err := servers[0].Report(t.Context(), north.PartnerID, "", at)
		if err != nil {
			t.Fatal(err)
		}
		want := []Kind{{"/v1/jobs", 200, 40, 40}, {"/v1/jobs", 429, 0, 40}}
		if diff := cmp.Diff(want, r.Kinds); diff != "" {
			t.Error(diff)
		}
		if len(r.Today) != 24 || len(r.Month) != 30 || r.Month[19].Calls != 40 || r.Month[16].Calls != 40 ||
			r.Month[0].Calls != 0 {
			t.Errorf("%d hours, %v", len(r.Today), r.Month)
		}
		if r, err := servers[0].Report(t.Context(), north.PartnerID, made["South"].ID, at); err != nil ||
			len(r.Kinds) != 0 {
			t.Errorf("another partner's key: %+v, %v", r.Kinds, err)
		}
		rows := func() (n int) {
			if err := db.QueryRow(`SELECT count(*) FROM call_counts`).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		before := rows()
		// the day three days before
		if err := Prune(t.Context(), db, at.AddDate(0, 0, KeepDays)); err != nil || rows() != before-1 {
			t.Errorf("%d rows of %d are left, %v", rows(), before, err)
		}
	})
}

// The exact counts are shown as the counter has them.
func TestReportShowsTheCountersOwnCounts(t *testing.T) {
	db, at := statetest.Open(t, statetest.SQLite(t)), time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	keys, err := access.New(t.Context(), db, func() time.Time { return at }, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	k, _, err := keys.Create(t.Context(), access.NewKey{Partner: "North"})
	if err != nil {
		t.Fatal(err)
	}
	tally := NewTally(db)
	c, err := NewCounter(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, ago := range []time.Duration{0, 0, time.Hour, 10 * time.Hour} {
		if _, err := c.Count(t.Context(), k.ID, at.Add(-ago)); err != nil {
			t.Fatal(err)
		}
	}
	counts, err := tally.Now(t.Context(), k.ID, at)
	r, failed := tally.Report(t.Context(), k.PartnerID, k.ID, at)
	if err := errors.Join(err, failed); err != nil || counts != (Counts{Hour: 2, Month: 4}) || r.Today[9].Calls != 2 ||
		r.Today[8].Calls != 1 || r.Today[10].Calls != 0 {
		t.Errorf("%+v, %v, %v", counts, r.Today, err)
	}
}

// What cannot be written stays for the next time.
func TestTallyKeepsWhatCannotBeWritten(t *testing.T) {
	db := statetest.Open(t, statetest.SQLite(t))
	tally := NewTally(db)
	tally.Add("no such key", "/v1/jobs", 200, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	for range 2 {
		if err := tally.Flush(t.Context()); err == nil {
			t.Fatal("a count of no key was written")
		}
	}
	if len(tally.calls) != 1 {
		t.Errorf("%v", tally.calls)
	}
}

// BenchmarkTally shows nanoseconds that a call takes longer for being tallied.
func BenchmarkTally(b *testing.B) {
	tally, at := NewTally(nil), time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			tally.Add("key_01ARZ3NDEKTSV4RRFFQ69G5FAV", "/v1/labour/skills-unmet", 200, at)
		}
	})
}
