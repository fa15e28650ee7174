package pipeline

import (
	"context"
	"iter"
	"runtime"
)

// inOrder gives fn of each input, in the order of the inputs, with up to threads
// of them under way at once (0 = every core) and no more waiting than that, so
// that memory stays bounded. It ends early when ctx ends or nobody listens.
func inOrder[In, Out any](ctx context.Context, threads int, inputs iter.Seq[In], fn func(In) Out) iter.Seq[Out] {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return func(yield func(Out) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		results := make(chan chan Out, threads)
		go func() {
			defer close(results)
			for in := range inputs {
				out := make(chan Out, 1)
				select {
				case results <- out:
					go func() { out <- fn(in) }()
				case <-ctx.Done():
					return
				}
			}
		}()
		for out := range results {
			if !yield(<-out) {
				return
			}
		}
	}
}
