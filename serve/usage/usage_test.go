package usage

import (
	"context"
	"crypto/rand"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/access"
	"labour/serve/state"
)

func TestJudge(t *testing.T) {
	at := time.Date(2026, 11, 20, 6, 59, 58, 500_000_000, time.UTC)
	hour := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	month := int64(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC).Sub(at)/time.Second) + 1
	plan := access.Allowance{Hourly: 100, Monthly: 1000}
	for _, tt := range []struct {
		name  string
		allow access.Allowance
		made  Counts
		want  Verdict
	}{
		{"first", plan, Counts{1, 1}, Verdict{Limit: 100, Remaining: 99, Reset: hour, Capped: true, QuotaLimit: 1000, QuotaRemaining: 999}},
		{"last of the hour", plan, Counts{100, 500}, Verdict{Limit: 100, Reset: hour, Capped: true, QuotaLimit: 1000, QuotaRemaining: 500}},
		{"past the hour", plan, Counts{101, 501}, Verdict{Reason: RateLimited, Limit: 100, Reset: hour, Capped: true, QuotaLimit: 1000, QuotaRemaining: 499, RetryAfter: 2}},
		{"last of the month", plan, Counts{5, 1000}, Verdict{Limit: 100, Remaining: 95, Reset: hour, Capped: true, QuotaLimit: 1000}},
		{"past the month", plan, Counts{5, 1001}, Verdict{Reason: QuotaExceeded, Limit: 100, Remaining: 95, Reset: hour, Capped: true, QuotaLimit: 1000, RetryAfter: month}},
		{"past both", plan, Counts{101, 1001}, Verdict{Reason: QuotaExceeded, Limit: 100, Reset: hour, Capped: true, QuotaLimit: 1000, RetryAfter: month}},
		{"uncapped", access.Allowance{Hourly: 10}, Counts{3, 1 << 40}, Verdict{Limit: 10, Remaining: 7, Reset: hour}},
	} {
		if diff := cmp.Diff(tt.want, Judge(tt.allow, tt.made, at)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// Whoever waits as long as told finds a new window, and one second less would
// not have been enough.
func TestRetryAfterIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
		hour := Judge(access.Allowance{Hourly: 1, Monthly: 9}, Counts{2, 2}, at)
		month := Judge(access.Allowance{Hourly: 9, Monthly: 1}, Counts{2, 2}, at)
		wait := func(v Verdict, seconds int64) time.Time { return at.Add(time.Duration(seconds) * time.Second).UTC() }
		if v := hour; v.RetryAfter < 1 || wait(v, v.RetryAfter).Before(v.Reset) || !wait(v, v.RetryAfter-1).Before(v.Reset) {
			t.Fatalf("hour: %+v at %v", v, at)
		}
		same := func(when time.Time) bool {
			return when.Month() == at.UTC().Month() && when.Year() == at.UTC().Year()
		}
		if v := month; v.RetryAfter < 1 || same(wait(v, v.RetryAfter)) || !same(wait(v, v.RetryAfter-1)) {
			t.Fatalf("month: %+v at %v", v, at)
		}
		if hour.Reset.Unix()%3600 != 0 {
			t.Fatalf("reset %v is no full hour", hour.Reset)
		}
	})
}

// service is a counter on a real database with two keys.
func service(t testing.TB, path string) (*Counter, *state.DB, []string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	db, err := state.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	store, err := access.New(ctx, db, func() time.Time { return time.Unix(1e9, 0) }, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, partner := range []string{"A", "B"} {
		found, err := store.List(ctx, partner)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			key, _, err := store.Create(ctx, access.NewKey{Partner: partner})
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, key)
		}
		keys = append(keys, found[0].ID)
	}
	c := NewCounter(db)
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait(); db.Close() })
	return c, db, keys
}

// Compared with counting in a map, one call after the other.
func TestCountAgreesWithAMap(t *testing.T) {
	c, _, keys := service(t, filepath.Join(t.TempDir(), state.FileName))
	hours, months := map[string]int64{}, map[string]int64{}
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom(keys).Draw(t, "key")
		at := time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 6*3600).Draw(t, "s")) * time.Second)
		hours[key+at.Format("2006-01-02T15")]++
		months[key+at.Format("2006-01")]++
		want := Counts{hours[key+at.Format("2006-01-02T15")], months[key+at.Format("2006-01")]}
		// The same moment in another zone is the same window.
		got, err := c.Count(context.Background(), key, at.In(time.FixedZone("", 19800)))
		if err != nil || got != want {
			t.Fatalf("%+v %v, want %+v", got, err, want)
		}
	})
}

// Two servers on one database: every call gets its own number, none is lost.
func TestConcurrentCallsGetDistinctNumbers(t *testing.T) {
	path := filepath.Join(t.TempDir(), state.FileName)
	at := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	const each = 40
	var numbers []int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		c, _, keys := service(t, path)
		for range each {
			wg.Go(func() {
				got, err := c.Count(context.Background(), keys[0], at)
				if err != nil || got.Hour != got.Month {
					t.Errorf("%+v, %v", got, err)
				}
				mu.Lock()
				numbers = append(numbers, got.Hour)
				mu.Unlock()
			})
		}
	}
	wg.Wait()
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != int64(i+1) {
			t.Fatalf("numbers %v", numbers)
		}
	}
}

// A counted call is in the file before it is answered: another connection sees
// it at once.
func TestCountIsDurableBeforeTheAnswer(t *testing.T) {
	path := filepath.Join(t.TempDir(), state.FileName)
	c, _, keys := service(t, path)
	other, err := state.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for want := range int64(3) {
		if _, err := c.Count(context.Background(), keys[1], time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
		var calls int64
		err := other.QueryRow(`SELECT calls FROM usage_counts WHERE key_id = $1 AND span = 'month'`, keys[1]).Scan(&calls)
		if err != nil || calls != want+1 {
			t.Errorf("another connection sees %d (%v), want %d", calls, err, want+1)
		}
	}
}

func TestCountReportsFaults(t *testing.T) {
	c, db, keys := service(t, filepath.Join(t.TempDir(), state.FileName))
	if _, err := c.Count(context.Background(), "key_none", time.Unix(1e9, 0)); err == nil {
		t.Error("a key that does not exist was counted")
	}
	if _, err := c.Count(context.Background(), keys[0], time.Unix(1e9, 0)); err != nil {
		t.Errorf("after a fault: %v", err)
	}
	db.Close()
	if _, err := c.Count(context.Background(), keys[0], time.Unix(1e9, 0)); err == nil {
		t.Error("counted on a closed database")
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	idle := NewCounter(db)
	if _, err := idle.Count(gone, keys[0], time.Unix(1e9, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that has gone: %v", err)
	}
	idle.Run(gone)
	if _, err := idle.Count(context.Background(), keys[0], time.Unix(1e9, 0)); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

func BenchmarkCountParallel(b *testing.B) {
	c, _, keys := service(b, filepath.Join(b.TempDir(), state.FileName))
	b.SetParallelism(32)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, err := c.Count(context.Background(), keys[0], time.Unix(1e9, 0)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
