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
// threads is the maximum number of parallel calls; 0 means one per core. maxResults is the maximum
// number of results that wait for an earlier one. A value below threads counts as threads.
//
// Map ends early if ctx ends or the caller stops iterating. It always waits for running calls of
// fn. If fn panics, Map panics with the same value.
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
		results, running := make(chan chan result[Out], max(threads, maxResults)), make(chan struct{}, threads)
		start := func(in In) bool {
			out := make(chan result[Out], 1)
			select {
			case results <- out:
				under.Go(func() {
					out <- call(fn, in)
					<-running
				})
				return reserve(ctx, running)
			case <-ctx.Done():
				return false
			}
		}
		under.Go(func() {
			defer close(results)
			if reserve(ctx, running) {
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

// call returns the result of fn(in). If fn panics, the result holds the panic's value.
func call[In, Out any](fn func(In) Out, in In) (r result[Out]) {
	defer func() { r.broke = recover() }()
	r.value = fn(in)
	return r
}

// reserve waits until another call may run and reserves a slot for it. It returns false if ctx ends
// first. running holds one element for each running call.
func reserve(ctx context.Context, running chan struct{}) bool {
	select {
	case running <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}
