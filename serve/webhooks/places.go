package webhooks

import (
	"context"
	"sync"
	"time"
)

// places bounds the attempts that run per endpoint in this process.
type places struct {
	max int
	mu  sync.Mutex
	per map[string]*place
}

// place is what one endpoint may take. It is kept while somebody uses it.
type place struct {
	taken chan struct{} // one token per running attempt
	users int           // running and waiting
}

func newPlaces(max int) *places { return &places{max: max, per: map[string]*place{}} }

// enter takes a place, waits for one as long as patience lasts, and says whether
// it got one.
func (p *places) enter(ctx context.Context, endpoint string, patience time.Duration) bool {
	one := p.use(endpoint)
	select {
	case one.taken <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case one.taken <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	p.drop(endpoint)
	return false
}

// leave gives the place back.
func (p *places) leave(endpoint string) {
	p.mu.Lock()
	one := p.per[endpoint]
	p.mu.Unlock()
	<-one.taken
	p.drop(endpoint)
}

func (p *places) use(endpoint string) *place {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.per[endpoint]
	if one == nil {
		one = &place{taken: make(chan struct{}, p.max)}
		p.per[endpoint] = one
	}
	one.users++
	return one
}

func (p *places) drop(endpoint string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.per[endpoint]
	if one.users--; one.users == 0 {
		delete(p.per, endpoint)
	}
}
