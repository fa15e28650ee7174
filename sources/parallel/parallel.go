// Package parallel processes several inputs in parallel and returns the results in the order of the
// inputs.
package parallel

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Map yields fn of each input, in the order of the inputs. It makes up to threads calls of fn at a
// time (0 = one per core), so that memory is bounded. waiting is how many results may wait for an
// earlier one, at least the number of threads: otherwise, when one input takes much longer than
// others, all other cores would be idle meanwhile. The next input is read when a thread is free.
// Map ends early when ctx ends or the caller stops reading, but only after every call of fn has
// returned. A panic of fn is raised in the caller, which can recover from it.
func Map[In, Out any](ctx context.Context, threads, waiting int, inputs iter.Seq[In], fn func(In) Out) iter.Seq[Out] {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return func(yield func(Out) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var under sync.WaitGroup
		defer under.Wait()
		defer cancel()
		results, free := make(chan chan result[Out], max(threads, waiting)), make(chan struct{}, threads)
		start := func(in In) bool {
			out := make(chan result[Out], 1)
			select {
			case results <- out:
				under.Go(func() {
					out <- call(fn, in)
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
			r := <-out
			if r.broke != nil {
				panic(r.broke)
			}
			if !yield(r.value) {
				return
			}
		}
	}
}

// result is the result or the panic of a call of fn.
type result[Out any] struct {
	value Out
	broke any
}

// call calls fn, and recovers from its panic.
func call[In, Out any](fn func(In) Out, in In) (r result[Out]) {
	defer func() { r.broke = recover() }()
	r.value = fn(in)
	return r
}

// taken waits for a free thread. It returns false if ctx ends first.
func taken(ctx context.Context, free chan struct{}) bool {
	select {
	case free <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}
