package fetching

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// gate keeps requests to a host back for as long as the host asked for, and for good from
// one that cannot be reached.
type gate struct {
	mu    sync.Mutex
	next  map[string]time.Time // earliest time of the next request
	dead  map[string]error     // why a host is not asked any more in this run
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

// giveUp ends the requests to a host that could not be reached in all tries of an object:
// its other objects would each take as long to fail.
func (g *gate) giveUp(host string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.dead[host] = fmt.Errorf("its host could not be reached before and is not asked again in this run: %w", err)
}

// reachable returns why a host is not asked any more; nil while it is.
func (g *gate) reachable(host string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.dead[host]
}

// hold keeps every request to the host back for d, because the host asked for it.
func (g *gate) hold(host string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at := g.now().Add(d); at.After(g.next[host]) {
		g.next[host] = at
	}
}
