package query

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Watch looks at CURRENT, and for withdrawn snapshots, every interval until ctx ends.
// A withdrawal does not wait for a snapshot that is being mounted.
func (l *Live) Watch(ctx context.Context, every time.Duration) {
	var looking sync.WaitGroup
	looking.Go(func() { repeat(ctx, every, l.dropWithdrawn) })
	var said string
	repeat(ctx, every, func() { said = l.report(said, l.Reload(ctx)) })
	looking.Wait()
}

// repeat calls f every interval until ctx ends.
func repeat(ctx context.Context, every time.Duration, f func()) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f()
		}
	}
}

// report logs, once while it stays the same, that nobody knows which snapshot is
// current; Reload logs its other errors. It returns the text to compare the next error with.
func (l *Live) report(said string, err error) string {
	if !errors.Is(err, errUnreadable) {
		return ""
	}
	if err.Error() != said {
		l.log.Error("no newer snapshot can be taken up", "error", err)
	}
	return err.Error()
}
