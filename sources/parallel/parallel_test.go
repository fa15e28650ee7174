package parallel

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestMapKeepsTheOrderAndTheBound(t *testing.T) {
	const n, threads = 200, 3
	var under, most atomic.Int32
	work := func(i int) int {
		now := under.Add(1)
		for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
		}
		time.Sleep(time.Duration(i%3) * 100 * time.Microsecond) // so that they do not end in order by themselves
		under.Add(-1)
		return i * i
	}
	next := 0
	for got := range Map(context.Background(), threads, 0, count(n), work) {
		if got != next*next {
			t.Fatalf("result %d is %d", next, got)
		}
		next++
	}
	if next != n || most.Load() > threads {
		t.Errorf("%d results, %d at once", next, most.Load())
	}
}

// TestAheadOfALongOne: while the first input is under way all others that may wait are
// done, on the threads that are left.
func TestAheadOfALongOne(t *testing.T) {
	const waiting = 10
	done := make(chan struct{}, waiting)
	work := func(i int) int {
		if i == 0 {
			for range waiting - 1 {
				<-done // would never end if they waited for the first
			}
		} else {
			done <- struct{}{}
		}
		return i
	}
	got := slices.Collect(Map(context.Background(), 2, waiting, count(waiting), work))
	if !slices.Equal(got, slices.Collect(count(waiting))) {
		t.Errorf("results %v", got)
	}
}

func TestMapEndsEarly(t *testing.T) {
	var under atomic.Int32
	work := func(i int) int {
		under.Add(1)
		defer under.Add(-1)
		time.Sleep(time.Millisecond)
		return i
	}
	for got := range Map(context.Background(), 2, 0, count(1000), work) {
		if got == 5 {
			break
		}
	}
	if n := under.Load(); n != 0 {
		t.Errorf("%d are still under way when nobody listens any more", n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	seen := 0
	for range Map(ctx, 2, 0, count(1000), work) {
		seen++
		cancel()
	}
	if seen > 10 {
		t.Errorf("%d results after the end was called", seen)
	}
	if got := slices.Collect(Map(context.Background(), 2, 0, count(0), work)); len(got) != 0 {
		t.Errorf("%v of nothing", got)
	}
}

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// A panic of fn is one that the caller can recover from, and nothing is left running.
func TestPanicIsTheCallers(t *testing.T) {
	defer func() {
		if p := recover(); p != "input 3" {
			t.Errorf("recovered from %v", p)
		}
	}()
	for range Map(t.Context(), 2, 4, slices.Values([]int{1, 2, 3, 4, 5}), func(in int) int {
		if in == 3 {
			panic("input 3")
		}
		return in
	}) {
	}
	t.Error("the panic was lost")
}
