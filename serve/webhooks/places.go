package webhooks

import "sync"

// places counts the attempts that run per endpoint in this process.
type places struct {
	max   int
	mu    sync.Mutex
	taken map[string]int
}

func newPlaces(max int) *places { return &places{max: max, taken: map[string]int{}} }

// enter takes a place, and says whether there was one.
func (p *places) enter(endpoint string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[endpoint] >= p.max {
		return false
	}
	p.taken[endpoint]++
	return true
}

func (p *places) leave(endpoint string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[endpoint]--; p.taken[endpoint] == 0 {
		delete(p.taken, endpoint)
	}
}
