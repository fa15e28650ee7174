package fetching

import (
	"fmt"
	"net/url"
	"sync"
	"time"
)

// Hosts holds the state of the hosts that a run contacts. Sources share the waiting times of a
// common host: a host that asks for a wait of two hours gets it from all of them. The zero value is
// empty.
type Hosts struct {
	mu     sync.Mutex
	byName map[string]*host
}

// named returns the host of that name.
func (h *Hosts) named(name string) *host {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byName == nil {
		h.byName = map[string]*host{}
	}
	if h.byName[name] == nil {
		h.byName[name] = &host{}
	}
	return h.byName[name]
}

// host is the state of one host.
type host struct {
	mu     sync.Mutex
	next   time.Time // earliest time of the next request
	dead   error     // why it is not asked any more
	failed int       // consecutive objects with every attempt failed
}

// stopReason returns the reason why the host is no longer contacted; nil if it may be.
func (h *host) stopReason() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dead
}

// stop stops all further requests of the run to the host.
func (h *host) stop(why error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dead = why
}

// due returns the earliest time of the next request.
func (h *host) due() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.next
}

// wait delays the next request.
func (h *host) wait(until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if until.After(h.next) {
		h.next = until
	}
}

// bare returns an address without its query, which may hold private values.
func bare(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }

// troubledAfter is how many objects in a row fail at a host before each further one is
// tried once only: an outage must not take the back-off of every object, nor the time of
// the source's other hosts.
const troubledAfter = 3

// isLast reports whether the n-th failed try, from 0, is the last one.
func (t *try) isLast(n int) bool {
	t.host.mu.Lock()
	defer t.host.mu.Unlock()
	return n+1 >= t.f.o.Attempts || t.host.failed >= troubledAfter && !t.asked
}

// note updates the state of the host from the outcome of the last try.
func (t *try) note(again bool, err error) {
	t.host.mu.Lock()
	defer t.host.mu.Unlock()
	switch {
	case err == nil, !again: // it answers
		t.host.failed = 0
	case t.unreached: // its other objects would each take as long to fail
		t.host.dead = fmt.Errorf("its host could not be reached before and is not asked again in this run: %w", err)
	default:
		t.host.failed++
	}
}
