package fetching

import (
	"context"
	"sync"
	"time"
)

// gate keeps requests to a host back for as long as the host asked for.
type gate struct {
	mu    sync.Mutex
	next  map[string]time.Time // earliest time of the next request
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
}

// pass waits until the host may be asked.
func (g *gate) pass(ctx context.Context, host string) error {
	g.mu.Lock()
	wait := g.next[host].Sub(g.now())
	g.mu.Unlock()
	if wait > 0 {
		return g.sleep(ctx, wait)
	}
	return ctx.Err()
}

// hold keeps every request to the host back for d, because the host asked for it.
func (g *gate) hold(host string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at := g.now().Add(d); at.After(g.next[host]) {
		g.next[host] = at
	}
}
