package usage

import (
	"context"
	"crypto/rand"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/serve/partners/access"
	"labour/serve/state"
	"labour/serve/state/statetest"
)

var stores statetest.TestDatabases

func TestMain(m *testing.M) {
	if address := os.Getenv(childAddress); address != "" {
		countForEver(address, os.Getenv(childKey))
	}
	os.Exit(stores.RunTests(m))
}

// server is one of the servers that share the database at an address: a counter
// and two keys.
func server(t testing.TB, address string) (*Counter, *state.DB, []string) {
	t.Helper()
	db, err := state.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCounter(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return c, db, []string{keyOf(t, db, "A"), keyOf(t, db, "B")}
}

// keyOf is the id of a partner's key, which is made when there is none.
func keyOf(t testing.TB, db *state.DB, partner string) string {
	t.Helper()
	ctx := context.Background()
	store, err := access.New(ctx, db, func() time.Time { return time.Unix(1e9, 0) }, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	found, err := store.ListKeys(ctx, partner)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		return found[0].ID
	}
	key, _, err := store.CreateKey(ctx, access.KeyRequest{Partner: partner})
	if err != nil {
		t.Fatal(err)
	}
	return key.ID
}

// Compared with counting in a map, one call after the other.
func TestCountAgreesWithAMap(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		c, _, keys := server(t, address)
		hours, months := map[string]int64{}, map[string]int64{}
		rapid.Check(t, func(t *rapid.T) {
			key := rapid.SampledFrom(keys).Draw(t, "key")
			at := time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC).Add(
				time.Duration(rapid.IntRange(0, 6*3600).Draw(t, "s")) * time.Second)
			hours[key+at.Format("2006-01-02T15")]++
			months[key+at.Format("2006-01")]++
			want := Counts{hours[key+at.Format("2006-01-02T15")], months[key+at.Format("2006-01")]}
			// The same moment in another zone is the same window.
			got, err := c.Count(context.Background(), key, at.In(time.FixedZone("", 19800)))
			if err != nil || got != want {
				t.Fatalf("%+v %v, want %+v", got, err, want)
			}
		})
	})
}

// Two servers on one database, with calls of several keys in windows that both
// write: every call gets its own number, none is lost, and the servers do not
// wait for each other for ever.
func TestConcurrentCallsGetDistinctNumbers(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		at := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
		const each = 200
		numbers := map[string][]int64{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 2 {
			c, _, keys := server(t, address)
			for i := range each {
				key := keys[i%2]
				wg.Go(func() {
					got, err := c.Count(context.Background(), key, at)
					if err != nil || got.Hour != got.Month {
						t.Errorf("%+v, %v", got, err)
					}
					mu.Lock()
					defer mu.Unlock()
					numbers[key] = append(numbers[key], got.Hour)
				})
			}
		}
		wg.Wait()
		for key, got := range numbers {
			slices.Sort(got)
			for i, n := range got {
				if n != int64(i+1) {
					t.Fatalf("numbers of %s: %v", key, got)
				}
			}
		}
	})
}

// calls is how many calls of a key are in the database, in all windows of a span.
func calls(t testing.TB, db *state.DB, key, span string) int64 {
	t.Helper()
	var n int64
	const ask = `SELECT COALESCE(CAST(SUM(calls) AS BIGINT), 0) FROM usage_counts WHERE key_id = $1 AND span = $2`
	if err := db.QueryRow(ask, key, span).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A counted call is in the database before it is answered: another connection
// sees it at once.
func TestCountIsDurableBeforeTheAnswer(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		c, _, keys := server(t, address)
		other := statetest.Open(t, address)
		for want := range int64(3) {
			if _, err := c.Count(context.Background(), keys[1], time.Unix(1e9, 0)); err != nil {
				t.Fatal(err)
			}
			if got := calls(t, other, keys[1], "month"); got != want+1 {
				t.Errorf("another connection sees %d, want %d", got, want+1)
			}
		}
	})
}

func TestCountReportsFaults(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		c, db, keys := server(t, address)
		if _, err := c.Count(context.Background(), "key_none", time.Unix(1e9, 0)); err == nil {
			t.Error("a key that does not exist was counted")
		}
		if _, err := c.Count(context.Background(), keys[0], time.Unix(1e9, 0)); err != nil {
			t.Errorf("after a fault: %v", err)
		}
		db.Close()
		if _, err := c.Count(context.Background(), keys[0], time.Unix(1e9, 0)); err == nil ||
			!strings.HasPrefix(err.Error(), "count a call of key "+keys[0]+": ") {
			t.Errorf("counted on a closed database: %v", err)
		}
	})
}

// A database that does not answer holds nobody longer than its patience.
func TestCountEndsWithItsContext(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		c, _, keys := server(t, address)
		other := statetest.Open(t, address)
		if _, err := c.Count(t.Context(), keys[0], time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
		tx, err := other.Begin()
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		if _, err := tx.Exec(`UPDATE usage_counts SET calls = calls`); err != nil { // locks the rows, or all of SQLite
			t.Fatal(err)
		}
		start := time.Now()
		var waiting sync.WaitGroup
		for range 3 {
			waiting.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				if _, err := c.Count(ctx, keys[0], time.Unix(1e9, 0)); err == nil || ctx.Err() == nil {
					t.Errorf("counted while locked, or gave up early: %v", err)
				}
			})
		}
		waiting.Wait()
		if waited := time.Since(start); waited > 3*time.Second { // SQLite itself waits for 5 seconds
			t.Errorf("the calls waited for %s, although their contexts ended", waited)
		}
	})
}

func BenchmarkCountSQLite(b *testing.B) { benchmarkCount(b, statetest.SQLitePath(b)) }

func BenchmarkCountPostgres(b *testing.B) { benchmarkCount(b, stores.PostgresAddress(b)) }

func benchmarkCount(b *testing.B, address string) {
	c, _, keys := server(b, address)
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, err := c.Count(context.Background(), keys[0], time.Unix(1e9, 0)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
