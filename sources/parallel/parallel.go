// Package parallel works on several inputs at the same time and gives the results in
// the order of the inputs.
package parallel

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Map gives fn of each input, in the order of the inputs, with up to threads of them under way at
// once (0 = every core) and no more waiting than that, so that memory stays bounded. It ends early
// when ctx ends or nobody listens, and not before every fn that it has called returned.
func Map[In, Out any](ctx context.Context, threads int, inputs iter.Seq[In], fn func(In) Out) iter.Seq[Out] {
	return Ahead(ctx, threads, 0, inputs, fn)
}

// Ahead is Map with more results that may wait for an earlier one, where some inputs take much
// longer than others: with few, all cores but one stand idle beside a long one. The next input is
// taken when one of the threads is free for it. With fewer waiting than threads, it is as many.
func Ahead[In, Out any](ctx context.Context, threads, waiting int, inputs iter.Seq[In], fn func(In) Out) iter.Seq[Out] {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return func(yield func(Out) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var under sync.WaitGroup
		defer under.Wait()
		defer cancel()
		results, free := make(chan chan Out, max(threads, waiting)), make(chan struct{}, threads)
		start := func(in In) bool {
			out := make(chan Out, 1)
			select {
			case results <- out:
				under.Go(func() {
					out <- fn(in)
					<-free
				})
				return taken(ctx, free)
			case <-ctx.Done():
				return false
			}
		}
		under.Go(func() {
			defer close(results)
			if taken(ctx, free) {
				inputs(start)
			}
		})
		for out := range results {
			if !yield(<-out) {
				return
			}
		}
	}
}

// taken waits for one of the threads; false when ctx ends before.
func taken(ctx context.Context, free chan struct{}) bool {
	select {
	case free <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}
