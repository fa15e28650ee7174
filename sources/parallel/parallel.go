// Package parallel calls a function for many inputs in parallel and keeps the results in the order
// of the inputs.
package parallel

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Map calls fn for each input in parallel and yields the results in the order of the inputs.
// threads is the largest number of calls that run at a time; 0 means one per core. maxResults is
// the largest number of results that are kept while an earlier call is still running, but it is at
// least threads.
//
// Map ends early if ctx ends or the caller stops iterating. Before it returns, it waits for all
// running calls of fn. A panic in fn is raised again in the caller.
func Map[In, Out any](ctx context.Context, threads, maxResults int, inputs iter.Seq[In],
	fn func(In) Out) iter.Seq[Out] {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return func(yield func(Out) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var under sync.WaitGroup
		defer under.Wait()
		defer cancel()
		results, free := make(chan chan result[Out], max(threads, maxResults)), make(chan struct{}, threads)
		start := func(in In) bool {
			out := make(chan result[Out], 1)
			select {
			case results <- out:
				under.Go(func() {
					out <- call(fn, in)
					<-free
				})
				return reserve(ctx, free)
			case <-ctx.Done():
				return false
			}
		}
		under.Go(func() {
			defer close(results)
			if reserve(ctx, free) {
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

// result holds the value that a call of fn returned, or the value with which it panicked.
type result[Out any] struct {
	value Out
	broke any
}

// call calls fn(in) and returns the result. If fn panics, the result holds the panic's value.
func call[In, Out any](fn func(In) Out, in In) (r result[Out]) {
	defer func() { r.broke = recover() }()
	r.value = fn(in)
	return r
}

// reserve waits until fewer than the permitted number of calls are running, and reserves one. It
// returns false if ctx ends first.
func reserve(ctx context.Context, free chan struct{}) bool {
	select {
	case free <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}
