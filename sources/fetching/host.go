package fetching

import (
	"fmt"
	"time"
)

// host is what a run knows of one that it asks.
type host struct {
	next   time.Time // earliest time of the next request
	dead   error     // why it is not asked any more
	failed int       // objects in a row of which every try failed
}

// troubledAfter is how many objects in a row fail at a host before each further one is
// tried once only: an outage must not take the back-off of every object, nor the time of
// the source's other hosts.
const troubledAfter = 3

// isLast reports whether no try follows the n-th, from 0, that failed.
func (t *try) isLast(n int) bool {
	t.f.mu.Lock()
	defer t.f.mu.Unlock()
	return n+1 >= t.f.o.Attempts || t.host.failed >= troubledAfter && !t.asked
}

// note keeps what the outcome of the last try tells of the host.
func (t *try) note(again bool, err error) {
	t.f.mu.Lock()
	defer t.f.mu.Unlock()
	switch {
	case err == nil, !again: // it answers
		t.host.failed = 0
	case t.unreached: // its other objects would each take as long to fail
		t.host.dead = fmt.Errorf("its host could not be reached before and is not asked again in this run: %w", err)
	default:
		t.host.failed++
	}
}
