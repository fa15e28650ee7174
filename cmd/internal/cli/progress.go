package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Progress shows how far long work is. Step names what begins; End ends the showing,
// and may be called again.
type Progress interface {
	Step(name string)
	End()
}

// NewProgress shows progress on w: one drawn line where a person watches, one plain
// line per step, with the seconds since the start, elsewhere.
func NewProgress(w io.Writer, now func() time.Time, watched bool) Progress {
	if watched {
		return newDrawn(w)
	}
	return &plain{w: w, now: now, start: now()}
}

// plain writes a line per step, with the seconds since the start.
type plain struct {
	w     io.Writer
	now   func() time.Time
	start time.Time
	mu    sync.Mutex
}

func (p *plain) Step(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, "%6.1fs  %s\n", p.now().Sub(p.start).Seconds(), name)
}

func (p *plain) End() {}

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

func (d *drawn) Step(name string) {
	d.mu.Lock()
	d.name = name
	d.mu.Unlock()
	d.bar.Increment()
}

func (d *drawn) End() {
	d.once.Do(func() {
		d.bar.SetTotal(-1, true)
		d.bars.Wait()
	})
}
