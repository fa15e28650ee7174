package sandbox

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"labour/sources"
)

// TestAnyRecordAlone: an advert, a resident and the applications to an advert are the
// same whatever was made before them, and in another world of the same seed.
func TestAnyRecordAlone(t *testing.T) {
	w, other := smallWorld(), world(t, 7, asOf, small)
	inOrder := make([]vacancy, w.adverts.all())
	for i := range inOrder {
		inOrder[i] = w.vacancy(i)
	}
	var batches []batch
	for b := range w.batches {
		batches = append(batches, b)
	}
	of := func(w *World, b batch) (out []sources.Application) {
		if err := w.applications(b, func(_ *vacancy, a sources.Application) error { out = append(out, a); return nil }); err != nil {
			t.Fatal(err)
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(inOrder)-1).Draw(t, "advert")
		if got := other.vacancy(i); !reflect.DeepEqual(got, inOrder[i]) {
			t.Fatalf("advert %d is %+v alone and %+v in order", i, got, inOrder[i])
		}
		r := rapid.IntRange(0, w.size.Residents-1).Draw(t, "resident")
		if !reflect.DeepEqual(other.resident(r), w.resident(r)) {
			t.Fatalf("resident %d differs", r)
		}
	})
	last := batches[len(batches)-1]
	if got := of(other, last); len(got) == 0 || !reflect.DeepEqual(got, of(w, last)) {
		t.Errorf("the last %d applications differ when they are made first", len(got))
	}
}

// TestTheSameWithMoreCores: how many records are made at the same time does not show.
func TestTheSameWithMoreCores(t *testing.T) {
	w := smallWorld()
	feed := func(cores int) map[string]string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		dir := t.TempDir()
		if err := w.WriteFeed(dir); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(files) < 30 {
			t.Fatalf("%d files: %v", len(files), err)
		}
		out := map[string]string{}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out[filepath.Base(file)] = string(b)
		}
		return out
	}
	if !reflect.DeepEqual(feed(1), feed(5)) {
		t.Error("the feed of one core is not that of five")
	}
}

// TestShuffled: every place is taken once.
func TestShuffled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &World{seed: rapid.Uint64().Draw(t, "seed")}
		stream := rapid.Uint64Range(0, 1<<40).Draw(t, "stream")
		n := rapid.IntRange(1, 700).Draw(t, "n")
		taken := make([]bool, n)
		for i := range n {
			at := w.shuffled(stream, i, n)
			if at < 0 || at >= n || taken[at] {
				t.Fatalf("%d of %d goes to %d", i, n, at)
			}
			taken[at] = true
		}
	})
}

// BenchmarkKept shows what a world keeps in memory, by its size: employers, and
// hardly anything for an advert, a resident or an application.
func BenchmarkKept(b *testing.B) {
	for name, size := range map[string]Size{"city": {50_000, 100_000, 300_000}, "half a nation": {500_000, 500_000, 2_500_000}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				before := heap()
				w := world(b, 1, asOf, size)
				b.ReportMetric(float64(heap()-before)/float64(size.Adverts), "kept-B/advert")
				runtime.KeepAlive(w)
			}
		})
	}
}

// heap is what is in use after a collection.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
