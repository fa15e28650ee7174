// Package inorder works on several inputs at the same time and gives the results in
// the order of the inputs.
package inorder

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Map gives fn of each input, in the order of the inputs, with up to threads
// of them under way at once (0 = every core) and no more waiting than that, so
// that memory stays bounded. It ends early when ctx ends or nobody listens, and
// not before every fn that it has called returned.
func Map[In, Out any](ctx context.Context, threads int, inputs iter.Seq[In], fn func(In) Out) iter.Seq[Out] {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return func(yield func(Out) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var under sync.WaitGroup
		defer under.Wait()
		defer cancel()
		results := make(chan chan Out, threads)
		under.Go(func() {
			defer close(results)
			for in := range inputs {
				out := make(chan Out, 1)
				select {
				case results <- out:
					under.Go(func() { out <- fn(in) })
				case <-ctx.Done():
					return
				}
			}
		})
		for out := range results {
			if !yield(<-out) {
				return
			}
		}
	}
}
