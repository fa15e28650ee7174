package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress shows how far long work is: one drawn line on a terminal, one plain
// line per step elsewhere.
type progress interface {
	step(name string)
	end()
}

func (a *app) newProgress() progress {
	if a.interactive {
		return newDrawn(a.stderr)
	}
	return &plain{w: a.stderr, now: a.now, start: a.now()}
}

// plain writes a line per step, with the seconds since the start.
type plain struct {
	w     io.Writer
	now   func() time.Time
	start time.Time
	mu    sync.Mutex
}

func (p *plain) step(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, "%6.1fs  %s\n", p.now().Sub(p.start).Seconds(), name)
}

func (p *plain) end() {}

// drawn is a spinner with the name of the running step.
type drawn struct {
	bars *mpb.Progress
	bar  *mpb.Bar
	mu   sync.Mutex
	name string
	once sync.Once
}

func newDrawn(w io.Writer) *drawn {
	d := &drawn{bars: mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(120*time.Millisecond))}
	d.bar = d.bars.New(0, mpb.SpinnerStyle(), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return d.current() }), decor.Elapsed(decor.ET_STYLE_GO, decor.WC{W: 8})))
	return d
}

func (d *drawn) current() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.name
}

func (d *drawn) step(name string) {
	d.mu.Lock()
	d.name = name
	d.mu.Unlock()
	d.bar.Increment()
}

func (d *drawn) end() {
	d.once.Do(func() {
		d.bar.SetTotal(-1, true)
		d.bars.Wait()
	})
}
