package cli

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Progress shows the progress of a long command to its user.
type Progress interface {
	Step(name string)   // Step begins the step with the given name
	Detail(text string) // Detail shows a text about the current step
	End()               // End ends the display; it may be called more than once
}

// NewProgress returns a Progress that writes to w. now is the clock for elapsed times. If watched
// is true, w must be a terminal, and the Progress updates one line. If watched is false, it appends
// lines.
func NewProgress(w io.Writer, now func() time.Time, watched bool) Progress {
	if watched {
		return newDrawn(w)
	}
	at := now()
	return &plain{w: w, now: now, start: at, stepStart: at, lastLine: at}
}

// plain is a Progress for logs. It writes one line for each step, with the elapsed time and the
// duration of the previous step. It writes a detail at most every ten seconds.
type plain struct {
	w                          io.Writer
	now                        func() time.Time
	start, stepStart, lastLine time.Time
	step                       string
	mu                         sync.Mutex
}

const detailEvery = 10 * time.Second

// Step writes a line with the name of the step. The line also has the duration of the previous
// step, if that was a second or more.
func (p *plain) Step(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, took := p.now(), ""
	if d := now.Sub(p.stepStart); d >= time.Second && p.step != "" {
		took = fmt.Sprintf("  (%.1fs after %s)", d.Seconds(), p.step)
	}
	p.step = name
	p.stepStart = now
	p.lastLine = now
	p.line(now, name+took)
}

// Detail writes a line about the current step. It writes nothing if another line was written in the
// last ten seconds.
func (p *plain) Detail(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.now(); now.Sub(p.lastLine) >= detailEvery {
		p.lastLine = now
		p.line(now, text)
	}
}

func (p *plain) line(now time.Time, text string) {
	fmt.Fprintf(p.w, "%6.1fs  %s\n", now.Sub(p.start).Seconds(), text)
}

// End does nothing, since all lines are already written.
func (p *plain) End() {}

// spinner is a Progress for a terminal. It draws a spinner and the name of the current step.
type spinner struct {
	bars *mpb.Progress
	bar  *mpb.Bar
	name atomic.Value
}

func newDrawn(w io.Writer) *spinner {
	d := &spinner{bars: mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(120*time.Millisecond))}
	d.name.Store("")
	d.bar = d.bars.New(0, mpb.SpinnerStyle(), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return d.name.Load().(string) }),
			decor.Elapsed(decor.ET_STYLE_GO, decor.WC{W: 8})))
	return d
}

// Step shows the name of the step next to the spinner. It replaces the text that is there.
func (d *spinner) Step(name string) {
	d.Detail(name)
	d.bar.Increment()
}

// Detail shows text next to the spinner. It replaces the text that is there.
func (d *spinner) Detail(text string) { d.name.Store(text) }

// End removes the spinner from the terminal. It returns when the spinner is gone.
func (d *spinner) End() {
	d.bar.SetTotal(-1, true)
	d.bars.Wait()
}
