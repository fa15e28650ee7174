package kept

import (
	"bytes"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"labour/serve/access"
)

// maxBody is the largest answer that is kept as it is sent, in bytes. With maxAnswers
// of them, and their compressed forms, this is some 100 MB at the very worst; the
// answers of a busy server are a tenth of that.
const maxBody = 128 << 10

// About is what is known of an answer beside its text.
type About struct {
	Scope access.Scope // that a key must have to be given it
	Route string       // of the address
	Tag   string       // its entity tag
	// From and Until bound the moments of calls that it answers; a zero Until does not.
	From, Until time.Time
}

// Answer is what one address of the interface answers, as it is sent, without the
// moment in it. It is immutable.
type Answer struct {
	About
	before, after []byte
	zstd, gzip    encoded
}

// NewAnswer is an answer that was sent whole; at and end are where the moment stands
// in it. It is nil for one that is too long to be kept.
func NewAnswer(a About, whole []byte, at, end int) *Answer {
	if len(whole) > maxBody {
		return nil
	}
	return &Answer{About: a, before: bytes.Clone(whole[:at]), after: bytes.Clone(whole[end:])}
}

// Size is its length with a moment of so many bytes, not compressed.
func (a *Answer) Size(moment int) int { return len(a.before) + moment + len(a.after) }

// plain appends the answer with a moment, as it is written.
func (a *Answer) plain(to, generated []byte) []byte {
	return append(append(append(to, a.before...), generated...), a.after...)
}

// holds says whether it answers a call at a moment.
func (a *Answer) holds(at time.Time) bool {
	return a.Until.IsZero() || !at.Before(a.From) && !at.After(a.Until)
}

// address is what a call asks.
type address struct{ path, query string }

// sent are the answers of one snapshot; when it is asked for those of another it drops
// them, so that a promotion frees what was kept of the snapshot before.
type sent struct {
	mu       sync.Mutex
	snapshot string
	known    *simplelru.LRU[address, *Answer]
}

// of makes the answers those of a snapshot. The lock is held.
func (s *sent) of(snapshot string) {
	if s.snapshot != snapshot {
		s.known.Purge()
		s.snapshot = snapshot
	}
}

// Find is what the snapshot that answers now says to an address at a moment; nil when
// that is not kept. query is as it was received.
func (a *Answers) Find(snapshot, path, query string, at time.Time) *Answer {
	a.sent.mu.Lock()
	defer a.sent.mu.Unlock()
	a.sent.of(snapshot)
	known, ok := a.sent.known.Get(address{path, query})
	if !ok || !known.holds(at) {
		return nil
	}
	return known
}

// Keep keeps an answer of a snapshot, if that is the one that answers now. nil is not
// kept.
func (a *Answers) Keep(snapshot, path, query string, one *Answer) {
	if one == nil {
		return
	}
	a.sent.mu.Lock()
	defer a.sent.mu.Unlock()
	if a.sent.snapshot == snapshot {
		a.sent.known.Add(address{path, query}, one)
	}
}
