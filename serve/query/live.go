package query

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/store"
)

// keepFor is how long an unused superseded snapshot stays mounted.
const keepFor = 24 * time.Hour

// keptOpen is how many unused superseded snapshots stay mounted, the most recently used ones. With
// a snapshot every minute there are 1,440 a day; the others are mounted again when a call needs
// them, as long as they are kept on disk.
const keptOpen = 4

// Live holds the current snapshot and replaces it while queries run: a caller that acquired the old
// one keeps it until release. It is safe for concurrent use.
type Live struct {
	store   *store.Store
	now     func() time.Time
	log     *slog.Logger
	options Options
	mount   func(ctx context.Context, dir string, o Options) (*Snapshot, error)

	mounting  sync.Mutex // locked by Reload; locked before mu
	refused   snapshots.ID
	refusedAt time.Time

	// Superseded snapshots are opened again one at a time, by the holder of turn. Close cancels
	// running and waits for reopening.
	turn      chan struct{}
	running   context.Context
	cancel    context.CancelFunc
	reopening sync.WaitGroup

	mu      sync.Mutex
	current snapshots.ID
	open    map[snapshots.ID]*mounted
	spare   []*Snapshot // snapshots that concurrent callers mounted twice
	closed  bool
}

// mounted is an open snapshot with its number of users.
type mounted struct {
	snapshot  *Snapshot
	users     int
	withdrawn bool      // it can no longer be acquired
	used      time.Time // when it was last acquired
}

// NewLive returns a Live that has no snapshot until Reload.
func NewLive(store *store.Store, now func() time.Time, log *slog.Logger, o Options) *Live {
	if o.library == nil {
		o.library = newLibrary()
	}
	l := &Live{store: store, now: now, log: log, options: o, mount: Mount, turn: make(chan struct{}, 1),
		open: map[snapshots.ID]*mounted{}}
	l.running, l.cancel = context.WithCancel(context.Background())
	return l
}

var _ api.Live = (*Live)(nil)

// Acquire returns the current snapshot. The error is api.ErrNoSnapshot if none is mounted.
func (l *Live) Acquire() (api.Snapshot, func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, release, ok := l.use(l.current); ok {
		return s, release, nil
	}
	return nil, nil, api.ErrNoSnapshot
}

// Current returns the id of the snapshot that Acquire returns; false if there is none.
func (l *Live) Current() (snapshots.ID, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current, l.current != "" && !l.closed
}

// use adds a user. The caller holds the lock.
func (l *Live) use(id snapshots.ID) (*Snapshot, func(), bool) {
	m := l.open[id]
	if m == nil || m.withdrawn || l.closed {
		return nil, nil, false
	}
	m.users++
	m.used = l.now()
	var once sync.Once
	return m.snapshot, func() { once.Do(func() { l.release(m) }) }, true
}

func (l *Live) release(m *mounted) { l.change(func() { m.users-- }) }

// change runs f while holding the lock. It then closes unused snapshots without the lock, so that
// no caller waits for that.
func (l *Live) change(f func()) error {
	l.mu.Lock()
	f()
	unused := l.unused()
	l.mu.Unlock()
	var errs []error
	for _, s := range unused {
		if err := s.Close(); err != nil {
			l.log.Error("snapshot could not be closed", "snapshot", s.ID(), "error", err)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// unused removes and returns the snapshots to close: all spare ones, and superseded ones without a
// query that were not used for keepFor or are more than keptOpen. The caller holds the lock, and
// closes them after releasing it.
func (l *Live) unused() []*Snapshot {
	list := l.spare
	l.spare = nil
	var idle []snapshots.ID
	for id, m := range l.open {
		switch {
		case m.users > 0:
		case l.closed || m.withdrawn || id != l.current && l.now().Sub(m.used) >= keepFor:
			delete(l.open, id)
			list = append(list, m.snapshot)
		case id != l.current:
			idle = append(idle, id)
		}
	}
	slices.SortFunc(idle, func(a, b snapshots.ID) int { return l.open[b].used.Compare(l.open[a].used) })
	for _, id := range idle[min(keptOpen, len(idle)):] {
		list = append(list, l.open[id].snapshot)
		delete(l.open, id)
	}
	return list
}

// add adds a mounted snapshot to the open ones. If it is there already, the new one is spare. The
// caller holds the lock.
func (l *Live) add(id snapshots.ID, s *Snapshot) {
	if s != nil && l.open[id] != nil {
		l.spare = append(l.spare, s)
	} else if s != nil {
		l.open[id] = &mounted{snapshot: s, used: l.now()}
	}
}

// Close closes every snapshot as soon as it is unused. No further query is accepted.
func (l *Live) Close() error {
	err := l.change(func() { l.closed = true })
	l.cancel()
	l.reopening.Wait()
	return errors.Join(err, l.change(func() {}))
}
