package fetching

import (
	"fmt"
	"net/url"
	"sync"
	"time"
)

// HostStates holds the state of all hosts that a run contacts. Sources share it, so that a host's
// Retry-After delays all of them. The zero value is ready to use.
type HostStates struct {
	mu     sync.Mutex
	byName map[string]*host
}

// hostState returns the state of the host with a given name, and creates it if necessary.
func (h *HostStates) hostState(name string) *host {
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

// host is the state of one host during a run: when the next request may be sent, and whether
// requests have stopped.
type host struct {
	mu           sync.Mutex
	next         time.Time // earliest time at which the next request may be sent
	dead         error     // reason why the host is no longer contacted; nil = requests may be sent
	failureCount int       // number of consecutive objects for which every attempt failed
}

// stopReason returns the reason why the host is no longer contacted, or nil if requests may still
// be sent.
func (h *host) stopReason() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dead
}

// stop forbids further requests to the host in this run, and records the reason.
func (h *host) stop(why error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dead = why
}

// due returns the earliest time at which the next request may be sent to the host.
func (h *host) due() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.next
}

// wait forbids requests to the host until the time end.
func (h *host) wait(end time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if end.After(h.next) {
		h.next = end
	}
}

// bare returns a URL without its query, which may contain secrets.
func bare(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }

// troubledAfter is a number of consecutive failed objects of one host. After that many, failed
// requests to the host are not repeated, unless the publisher asked to wait and try again. In an
// outage, every object would otherwise cost the full back-off.
const troubledAfter = 3

// isLast reports whether no retry may follow attempt number n, counted from 0.
func (t *try) isLast(n int) bool {
	t.host.mu.Lock()
	defer t.host.mu.Unlock()
	return n+1 >= t.f.o.MaxAttempts || t.host.failureCount >= troubledAfter && !t.hasRetryAfter
}

// note records the final result of a download in the state of the host. mayRetry reports whether a
// retry might have helped.
func (t *try) note(mayRetry bool, err error) {
	t.host.mu.Lock()
	defer t.host.mu.Unlock()
	switch {
	case err == nil, !mayRetry: // the host responded
		t.host.failureCount = 0
	case t.unreached: // each of its other objects would take as long to fail
		t.host.dead = fmt.Errorf("its host could not be reached before and is not asked again in this run: %w", err)
	default:
		t.host.failureCount++
	}
}
