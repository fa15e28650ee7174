package sandbox

import (
	"bytes"
	"encoding/json"
	"iter"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// lines are records of some files of the feed, encoded and not yet written.
type lines struct {
	files  map[string]*encoded
	names  []string // in the order in which they came
	events events   // of the applications among them
}

type encoded struct {
	bytes.Buffer
	json *json.Encoder
}

func newLines() *lines { return &lines{files: map[string]*encoded{}} }

// put appends one record to the lines of a file.
func (l *lines) put(name string, record any) error {
	e := l.files[name]
	if e == nil {
		e = &encoded{}
		e.json = encoder(&e.Buffer)
		l.files[name] = e
		l.names = append(l.names, name)
	}
	return e.json.Encode(record)
}

// append writes lines to their files.
func (f *feed) append(l *lines) error {
	for _, name := range l.names {
		n, err := f.open(name)
		if err != nil {
			return err
		}
		if _, err := n.Write(l.files[name].Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// inBatches makes the records of the numbers 0 to n-1 in batches, several at the
// same time, and hands the lines on in their order.
func inBatches(n int, work func(from, to int) (*lines, error), take func(*lines) error) error {
	const each = 2048
	starts := func(yield func(int) bool) {
		for from := 0; from < n; from += each {
			if !yield(from) {
				return
			}
		}
	}
	return inOrder(starts, func(from int) (*lines, error) { return work(from, min(from+each, n)) }, take)
}

// inOrder works on each input, as many at a time as there are cores, and hands the
// results on in the order of the inputs. No more wait than are worked on, so that
// memory is bounded. The first error ends it.
func inOrder[In, Out any](inputs iter.Seq[In], work func(In) (Out, error), take func(Out) error) error {
	type result struct {
		out Out
		err error
	}
	threads := runtime.GOMAXPROCS(0)
	waiting := make([]chan result, 0, 2*threads)
	var group errgroup.Group
	group.SetLimit(threads)
	next := func() error {
		r := <-waiting[0]
		waiting = slices.Delete(waiting, 0, 1)
		if r.err != nil {
			return r.err
		}
		return take(r.out)
	}
	var err error
	for in := range inputs {
		if len(waiting) == cap(waiting) {
			if err = next(); err != nil {
				break
			}
		}
		done := make(chan result, 1)
		waiting = append(waiting, done)
		group.Go(func() error {
			out, err := work(in)
			done <- result{out, err}
			return nil
		})
	}
	for err == nil && len(waiting) > 0 {
		err = next()
	}
	_ = group.Wait() // the errors came with the results
	return err
}
