package inorder

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
	for got := range Map(context.Background(), threads, count(n), work) {
		if got != next*next {
			t.Fatalf("result %d is %d", next, got)
		}
		next++
	}
	// threads wait for their turn, one is being waited for, and one is about to be passed on.
	if next != n || most.Load() > threads+2 {
		t.Errorf("%d results, %d at once", next, most.Load())
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
	for got := range Map(context.Background(), 2, count(1000), work) {
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
	for range Map(ctx, 2, count(1000), work) {
		seen++
		cancel()
	}
	if seen > 10 {
		t.Errorf("%d results after the end was called", seen)
	}
	if got := slices.Collect(Map(context.Background(), 2, count(0), work)); len(got) != 0 {
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
