package fetching

import (
	"fmt"
	"net/url"
	"sync"
	"time"
)

// HostStates holds the state of every host that a run contacts. All sources share it, so a host's
// Retry-After delays all of them. The zero value is ready to use.
type HostStates struct {
	mu     sync.Mutex
	byName map[string]*host
}

// hostState returns the state of the named host. It creates the state if necessary.
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

// host is the state of one host during a run. It records when the next request may be sent and
// whether the host failed.
type host struct {
	mu           sync.Mutex
	next         time.Time // earliest time at which the next request may be sent
	dead         error     // reason why the host is no longer contacted; nil = requests may be sent
	failureCount int       // number of consecutive objects for which every attempt failed
}

// stopReason returns why the host is no longer contacted, or nil if it still is.
func (h *host) stopReason() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dead
}

// stop prevents further requests to the host in this run. why is the reason.
func (h *host) stop(why error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dead = why
}

// due returns the earliest time for the next request to the host.
func (h *host) due() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.next
}

// blockUntil prevents requests to the host until the time end.
func (h *host) blockUntil(end time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if end.After(h.next) {
		h.next = end
	}
}

// withoutQuery returns a URL without its query, which may contain secrets.
func withoutQuery(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }

// maxFailuresBeforeNoRetry is the number of consecutive failed objects after which requests to a host are not
// retried. With retries, every object would take the whole back-off time during an outage. Retries
// that the publisher asks for are still made.
const maxFailuresBeforeNoRetry = 3

// isLast reports whether attempt n is the last one. The first attempt is 0.
func (t *objectDownload) isLast(n int) bool {
	t.host.mu.Lock()
	defer t.host.mu.Unlock()
	return n+1 >= t.f.o.MaxAttempts || t.host.failureCount >= maxFailuresBeforeNoRetry && !t.hasRetryAfter
}

// recordResult records the result of a download in the state of its host. err is the error of the
// download, or nil. mayRetry reports whether a retry might have helped.
func (t *objectDownload) recordResult(mayRetry bool, err error) {
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
