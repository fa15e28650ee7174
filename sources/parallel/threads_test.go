package parallel

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// TestAsManyWaitAsThreads: with no room to wait, all threads still work while the first call goes on.
func TestAsManyWaitAsThreads(t *testing.T) {
	const threads = 3
	begun, release := make(chan int, threads), make(chan struct{})
	results := make(chan []int, 1)
	go func() {
		results <- slices.Collect(Map(t.Context(), threads, 0, count(threads), func(i int) int {
			begun <- i
			<-release
			return i
		}))
	}()
	for range threads {
		<-begun // would never come if a call waited for the one before it
	}
	close(release)
	if got := <-results; !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("results %v", got)
	}
}

// TestThreads: one per core where no number is given, and else the number, also if it is one.
func TestThreads(t *testing.T) {
	for threads, want := range map[int]int{0: runtime.GOMAXPROCS(0), -1: runtime.GOMAXPROCS(0), 1: 1, 3: 3} {
		var under, most atomic.Int32
		got := slices.Collect(Map(t.Context(), threads, 0, count(20), func(i int) int {
			now := under.Add(1)
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
			time.Sleep(time.Millisecond)
			under.Add(-1)
			return 2 * i
		}))
		if int(most.Load()) > want || len(got) != 20 || got[19] != 38 {
			t.Errorf("%d threads: %d at once, %v; want at most %d at once", threads, most.Load(), got, want)
		}
	}
}

// TestNoInputIsTakenAfterTheEnd, whether there is room for its result or not. The inputs never end.
func TestNoInputIsTakenAfterTheEnd(t *testing.T) {
	for _, room := range []int{0, 100} {
		for range 20 { // after the end an input would be taken every second time
			ctx, cancel := context.WithCancel(t.Context())
			stopped, begun := make(chan struct{}), make(chan int, 1000)
			inputs := func(yield func(int) bool) {
				defer close(stopped)
				for i := 0; yield(i); i++ {
				}
			}
			go func() {
				<-begun // the first call runs until no input is taken any more
				cancel()
			}()
			for range Map(ctx, 1, room, inputs, func(i int) int {
				begun <- i
				<-stopped
				return i
			}) {
			}
			if more := len(begun); more > 0 {
				t.Errorf("with room for %d results %d inputs were taken after the end", room, more)
			}
		}
	}
}

// TestTheEndIsNoticedWhileResultsWait: the third input waits, because the caller has the first result
// and there is only room for the second.
func TestTheEndIsNoticedWhileResultsWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	third, stopped := make(chan struct{}), make(chan struct{})
	inputs := func(yield func(int) bool) {
		defer close(stopped)
		for i := 1; ; i++ {
			if i == 3 {
				close(third)
			}
			if !yield(i) {
				return
			}
		}
	}
	for range Map(ctx, 1, 1, inputs, func(i int) int { return i }) {
		<-third
		cancel()
		<-stopped // would never come if further inputs were taken
	}
}
