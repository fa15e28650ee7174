package keyset

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"testing"

	"github.com/zeebo/xxh3"
	"pgregory.net/rapid"
)

// TestAgainstMap: a set answers as a map does, for fingerprints that share their kept
// bits, their shard, or are zero.
func TestAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, want := New(), map[xxh3.Uint128]bool{}
		shards := rapid.Uint64Range(1, 3).Draw(t, "shards")
		keys := rapid.SliceOfN(rapid.Uint64Range(0, 400), 0, 600).Draw(t, "keys")
		for i, k := range keys {
			key := xxh3.Uint128{Hi: k % 200 * 0x0123456789abcdef, Lo: k % shards << (64 - shardBits)}
			if s.Has(key) != want[key] {
				t.Fatalf("%v of step %d: has %v", key, i, s.Has(key))
			}
			if s.Add(key) == want[key] {
				t.Fatalf("%v of step %d is new: %v", key, i, want[key])
			}
			want[key] = true
			if s.Len() != len(want) || !s.Has(key) {
				t.Fatalf("%d in the set, want %d", s.Len(), len(want))
			}
		}
	})
}

// TestAddAll: many at once are added as one after the other.
func TestAddAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all, one := New(), New()
		for _, batch := range rapid.SliceOfN(rapid.SliceOfN(rapid.Uint64Range(0, 60), 0, 40), 0, 8).Draw(t, "batches") {
			keys := make([]xxh3.Uint128, len(batch))
			for i, k := range batch {
				keys[i] = xxh3.Uint128{Hi: k / 2 * 0x0123456789abcdef, Lo: k % 2 << (64 - shardBits)}
			}
			for i, added := range all.AddAll(keys) {
				if want := one.Add(keys[i]); added != want {
					t.Fatalf("%v is new: %v, want %v", keys[i], added, want)
				}
			}
			if all.Len() != one.Len() {
				t.Fatalf("%d in the set, want %d", all.Len(), one.Len())
			}
		}
	})
}

// TestEveryIDOnce: of many ids none is taken for another.
func TestEveryIDOnce(t *testing.T) {
	s := New()
	var id [8]byte
	for pass := range 2 {
		for i := range uint64(300_000) {
			binary.BigEndian.PutUint64(id[:], i)
			if s.Add(xxh3.Hash128(id[:])) != (pass == 0) {
				t.Fatalf("id %d in pass %d", i, pass)
			}
		}
	}
}

// BenchmarkAdd adds one by one, and in batches as a reader of files does.
func BenchmarkAdd(b *testing.B) {
	for _, batch := range []int{1, 500} {
		b.Run(fmt.Sprint(batch), func(b *testing.B) { benchmarkAdd(b, batch) })
	}
}

func benchmarkAdd(b *testing.B, batch int) {
	const n = 4_000_000
	var id [8]byte
	keys := make([]xxh3.Uint128, batch)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := New()
		for i := uint64(0); i < n; i += uint64(batch) {
			for j := range keys {
				binary.BigEndian.PutUint64(id[:], i+uint64(j))
				keys[j] = xxh3.Hash128(id[:])
			}
			s.AddAll(keys)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "B/id")
		runtime.KeepAlive(s)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/id")
}
