package parallel

import (
	"slices"
	"testing"
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

// TestOneThreadPerCore where no number is given, and at least one.
func TestOneThreadPerCore(t *testing.T) {
	for _, threads := range []int{0, -1, 1} {
		got := slices.Collect(Map(t.Context(), threads, 0, count(5), func(i int) int { return 2 * i }))
		if !slices.Equal(got, []int{0, 2, 4, 6, 8}) {
			t.Errorf("%d threads: %v", threads, got)
		}
	}
}
