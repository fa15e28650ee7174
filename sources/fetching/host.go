package fetching

import (
	"fmt"
	"net/url"
	"sync"
	"time"
)

// Hosts holds the state of the hosts that a run contacts. Sources with a common host share its
// waiting time: if the host asks one of them to wait two hours, all of them wait. The zero value is
// ready to use.
type Hosts struct {
	mu     sync.Mutex
	byName map[string]*host
}

// named returns the host with a name.
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
	dead   error     // why the host is no longer contacted
	failed int       // consecutive objects for which every try failed
}

// stopReason returns the reason why the host is no longer contacted, or nil.
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

// bare returns an address without its query, which may contain private values.
func bare(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }

// troubledAfter is the number of consecutive failed objects after which each further object of the
// host is tried only once. An outage must not cost the full back-off for every object, nor use up
// the time of the source's other hosts.
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
	case err == nil, !again: // the host responded
		t.host.failed = 0
	case t.unreached: // each of its other objects would take as long to fail
		t.host.dead = fmt.Errorf("its host could not be reached before and is not asked again in this run: %w", err)
	default:
		t.host.failed++
	}
}
