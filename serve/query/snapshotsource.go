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

// keepFor is the longest time for which a snapshot that is no longer current stays mounted after
// its last use. It only bounds the use of memory. How long cursors work is retention.CursorLifetime,
// for which the snapshots stay on disk: a cursor's snapshot is mounted again if necessary.
const keepFor = 24 * time.Hour

// maxIdle is the largest number of unused snapshots that stay mounted, besides the current one. The
// most recently used ones stay. Others are mounted again if a request needs them.
const maxIdle = 4

// SnapshotSource gives requests access to the current snapshot and to earlier ones. It switches to
// a new current snapshot while requests run. It is safe for concurrent use.
type SnapshotSource struct {
	store   *store.Store
	now     func() time.Time
	log     *slog.Logger
	options Options
	mount   func(ctx context.Context, dir string, o Options) (*Snapshot, error)

	mounting sync.Mutex // serialises calls of Reload; must be locked before mu
	failedID snapshots.ID
	failedAt time.Time

	// turn is a semaphore that lets one earlier snapshot be mounted at a time.
	turn    chan struct{}
	running context.Context    // context for mounting earlier snapshots
	cancel  context.CancelFunc // ends running; Close calls it
	reopens sync.WaitGroup     // running calls that mount earlier snapshots; Close waits for them

	mu      sync.Mutex
	current snapshots.ID
	open    map[snapshots.ID]*mountedSnapshot
	// second copies of snapshots that two callers mounted at the same time; to be closed
	spare  []*Snapshot
	closed bool
}

// mountedSnapshot is a mounted snapshot with the number of requests that use it.
type mountedSnapshot struct {
	snapshot  *Snapshot
	users     int
	withdrawn bool      // whether no further request may use the snapshot
	lastUsed  time.Time // time when a request last acquired the snapshot
}

// NewSnapshotSource returns a SnapshotSource that has no snapshot yet. The first call of Reload
// mounts the current snapshot.
func NewSnapshotSource(store *store.Store, now func() time.Time, log *slog.Logger, o Options) *SnapshotSource {
	if o.library == nil {
		o.library = newLibrary()
	}
	l := &SnapshotSource{store: store, now: now, log: log, options: o, mount: Mount, turn: make(chan struct{}, 1),
		open: map[snapshots.ID]*mountedSnapshot{}}
	l.running, l.cancel = context.WithCancel(context.Background())
	return l
}

var _ api.Snapshots = (*SnapshotSource)(nil)

// Acquire returns the current snapshot and a function that releases it. The caller must call that
// function after use. The error is api.ErrNoSnapshot if there is no current snapshot.
func (l *SnapshotSource) Acquire() (api.Snapshot, func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, release, ok := l.use(l.current); ok {
		return s, release, nil
	}
	return nil, nil, api.ErrNoSnapshot
}

// CurrentID returns the id of the current snapshot. It returns false if there is none.
func (l *SnapshotSource) CurrentID() (snapshots.ID, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current, l.current != "" && !l.closed
}

// use counts one more user of a mounted snapshot and returns a function that ends this use. It
// returns false if the snapshot is not mounted or was withdrawn. The caller must hold l.mu.
func (l *SnapshotSource) use(id snapshots.ID) (*Snapshot, func(), bool) {
	m := l.open[id]
	if m == nil || m.withdrawn || l.closed {
		return nil, nil, false
	}
	m.users++
	m.lastUsed = l.now()
	var once sync.Once
	return m.snapshot, func() { once.Do(func() { l.release(m) }) }, true
}

func (l *SnapshotSource) release(m *mountedSnapshot) { l.change(func() { m.users-- }) }

// change runs f while it holds l.mu. It then closes the snapshots that are no longer needed and
// returns any errors.
func (l *SnapshotSource) change(f func()) error {
	l.mu.Lock()
	f()
	unused := l.removeUnused()
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

// removeUnused removes from l the snapshots that are no longer needed and returns them. A snapshot
// that a request uses is always kept. The caller must hold l.mu. It must close the returned
// snapshots after it has released l.mu.
func (l *SnapshotSource) removeUnused() []*Snapshot {
	list := l.spare
	l.spare = nil
	var idle []snapshots.ID
	for id, m := range l.open {
		isOutdated := id != l.current && l.now().Sub(m.lastUsed) >= keepFor
		switch {
		case m.users > 0:
		case l.closed || m.withdrawn || isOutdated:
			delete(l.open, id)
			list = append(list, m.snapshot)
		case id != l.current:
			idle = append(idle, id)
		}
	}
	slices.SortFunc(idle, func(a, b snapshots.ID) int { return l.open[b].lastUsed.Compare(l.open[a].lastUsed) })
	for _, id := range idle[min(maxIdle, len(idle)):] {
		list = append(list, l.open[id].snapshot)
		delete(l.open, id)
	}
	return list
}

// add adds a newly mounted snapshot to l.open. If l.open already has that snapshot, the new copy is
// put aside to be closed. If s is nil, add does nothing. The caller must hold l.mu.
func (l *SnapshotSource) add(id snapshots.ID, s *Snapshot) {
	if s != nil && l.open[id] != nil {
		l.spare = append(l.spare, s)
	} else if s != nil {
		l.open[id] = &mountedSnapshot{snapshot: s, lastUsed: l.now()}
	}
}

// Close closes all snapshots. A snapshot that is in use is closed after its last use. After Close,
// Acquire returns an error.
func (l *SnapshotSource) Close() error {
	err := l.change(func() { l.closed = true })
	l.cancel()
	l.reopens.Wait()
	return errors.Join(err, l.change(func() {}))
}
