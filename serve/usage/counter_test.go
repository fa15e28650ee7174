package usage

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/serve/access"
	"labour/serve/state"
	"labour/serve/state/statetest"
)

var stores statetest.Stores

func TestMain(m *testing.M) {
	if address := os.Getenv(childAddress); address != "" {
		countForEver(address, os.Getenv(childKey))
	}
	os.Exit(stores.Main(m))
}

// first is the version of the keys in a database where none was ever changed.
const first access.Version = 1

func versionOf(t interface{ Fatal(...any) }, db *state.DB) (v access.Version) {
	if err := db.QueryRow(`SELECT version FROM key_version`).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// server is one of the servers that share the database at an address: a counter
// that runs, and two keys.
func server(t testing.TB, address string) (*Counter, *state.DB, []string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	db, err := state.Open(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	c := NewCounter(db)
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait(); db.Close() })
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
	found, err := store.List(ctx, partner)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		return found[0].ID
	}
	key, _, err := store.Create(ctx, access.NewKey{Partner: partner})
	if err != nil {
		t.Fatal(err)
	}
	return key.ID
}

// Compared with counting in a map, one call after the other.
func TestCountAgreesWithAMap(t *testing.T) {
	stores.Each(t, func(t *testing.T, address string) {
		c, _, keys := server(t, address)
		hours, months := map[string]int64{}, map[string]int64{}
		rapid.Check(t, func(t *rapid.T) {
			key := rapid.SampledFrom(keys).Draw(t, "key")
			at := time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 6*3600).Draw(t, "s")) * time.Second)
			hours[key+at.Format("2006-01-02T15")]++
			months[key+at.Format("2006-01")]++
			want := Counts{hours[key+at.Format("2006-01-02T15")], months[key+at.Format("2006-01")]}
			// The same moment in another zone is the same window.
			got, err := c.Count(context.Background(), key, first, at.In(time.FixedZone("", 19800)))
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
	stores.Each(t, func(t *testing.T, address string) {
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
					got, err := c.Count(context.Background(), key, first, at)
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
	stores.Each(t, func(t *testing.T, address string) {
		c, _, keys := server(t, address)
		other := statetest.Open(t, address)
		for want := range int64(3) {
			if _, err := c.Count(context.Background(), keys[1], first, time.Unix(1e9, 0)); err != nil {
				t.Fatal(err)
			}
			if got := calls(t, other, keys[1], "month"); got != want+1 {
				t.Errorf("another connection sees %d, want %d", got, want+1)
			}
		}
	})
}

func TestCountReportsFaults(t *testing.T) {
	stores.Each(t, func(t *testing.T, address string) {
		c, db, keys := server(t, address)
		if _, err := c.Count(context.Background(), "key_none", first, time.Unix(1e9, 0)); err == nil {
			t.Error("a key that does not exist was counted")
		}
		if _, err := c.Count(context.Background(), keys[0], first, time.Unix(1e9, 0)); err != nil {
			t.Errorf("after a fault: %v", err)
		}
		db.Close()
		if _, err := c.Count(context.Background(), keys[0], first, time.Unix(1e9, 0)); err == nil {
			t.Error("counted on a closed database")
		}
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		idle := NewCounter(db)
		if _, err := idle.Count(gone, keys[0], first, time.Unix(1e9, 0)); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller that has gone: %v", err)
		}
		idle.Run(gone)
		if _, err := idle.Count(context.Background(), keys[0], first, time.Unix(1e9, 0)); !errors.Is(err, ErrClosed) {
			t.Errorf("after the end: %v", err)
		}
	})
}

// Calls of keys that are known as they were before a change are not counted, and those
// that come with them are.
func TestCallsOfOldVersionsAreNotCounted(t *testing.T) {
	stores.Each(t, func(t *testing.T, address string) {
		c, db, keys := server(t, address)
		if _, err := db.Exec(`UPDATE key_version SET version = 7`); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(1e9, 0)
		replies := make([]chan answer, 12)
		batch := make([]ticket, len(replies))
		for i := range batch {
			replies[i] = make(chan answer, 1)
			batch[i] = ticket{keys[i%2], access.Version(6 + i%3), at, replies[i]}
		}
		c.countBatch(batch)
		counted := map[string]int64{}
		for i, reply := range replies {
			got := <-reply
			if batch[i].as != 7 {
				if !errors.Is(got.err, ErrKeysChanged) {
					t.Errorf("version %d: %+v", batch[i].as, got)
				}
				continue
			}
			counted[batch[i].key]++
			if want := counted[batch[i].key]; got.err != nil || got.counts != (Counts{want, want}) {
				t.Errorf("call %d: %+v, want %d", i, got, want)
			}
		}
		if a, b := calls(t, db, keys[0], "hour"), calls(t, db, keys[1], "hour"); a != 2 || b != 2 {
			t.Errorf("%d and %d counted", a, b)
		}
	})
}

func BenchmarkCountSQLite(b *testing.B) { benchmarkCount(b, statetest.SQLite(b)) }

func BenchmarkCountPostgres(b *testing.B) { benchmarkCount(b, stores.Postgres(b)) }

func benchmarkCount(b *testing.B, address string) {
	c, _, keys := server(b, address)
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, err := c.Count(context.Background(), keys[0], first, time.Unix(1e9, 0)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
