package fetching

import (
	"context"
	"sync"
	"time"
)

// gate spaces out the requests to each host.
type gate struct {
	mu    sync.Mutex
	next  map[string]time.Time // earliest time of the next request
	delay time.Duration
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
}

// pass waits for the host's turn and takes it.
func (g *gate) pass(ctx context.Context, host string) error {
	g.mu.Lock()
	now := g.now()
	at := g.next[host]
	if at.Before(now) {
		at = now
	}
	g.next[host] = at.Add(g.delay)
	g.mu.Unlock()
	if wait := at.Sub(now); wait > 0 {
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
