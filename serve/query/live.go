package query

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"labour/serve/api"
	"labour/snapshots"
)

// keepFor is how long an unused superseded snapshot stays mounted.
const keepFor = 24 * time.Hour

// keptOpen is how many unused superseded snapshots stay mounted, the most recently used ones. With
// a snapshot every minute there are 1,440 a day; the others are mounted again when a call needs
// them, as long as they are kept on disk.
const keptOpen = 4

// mountLimit is the time limit for opening a snapshot again for a cursor.
const mountLimit = 2 * time.Minute

// retryAfter is how long Watch waits before it tries a refused snapshot again: verifying it reads
// every byte, and few faults disappear by themselves.
const retryAfter = time.Minute

// errRefused is returned by Reload for a snapshot that was refused recently.
var errRefused = errors.New("the snapshot was refused a moment ago")

// errUnreadable is returned by Reload if it cannot read which snapshot is current.
var errUnreadable = errors.New("the name of the current snapshot cannot be read")

// Live holds the current snapshot and replaces it while queries run: a caller that acquired the old
// one keeps it until release. It is safe for concurrent use.
type Live struct {
	store   *snapshots.Store
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
func NewLive(store *snapshots.Store, now func() time.Time, log *slog.Logger, o Options) *Live {
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

// AcquireID returns the snapshot with an id if it is open. With reopen set, a snapshot that is not
// open is mounted again if it was ever published, is kept and was not withdrawn; the caller waits
// for that until ctx ends. Otherwise the error is api.ErrSnapshotGone, and for a withdrawn snapshot
// api.ErrSnapshotWithdrawn.
func (l *Live) AcquireID(ctx context.Context, name string, reopen bool) (api.Snapshot, func(), error) {
	id, err := snapshots.ParseID(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", api.ErrSnapshotGone, err)
	}
	for {
		if l.store.Withdrawn(id) { // it may have been withdrawn since it was opened
			return nil, nil, api.ErrSnapshotWithdrawn
		}
		l.mu.Lock()
		s, release, ok := l.use(id)
		l.mu.Unlock()
		if ok {
			return s, release, nil
		}
		if !reopen {
			return nil, nil, api.ErrSnapshotGone
		}
		if err := l.reopen(ctx, id); err != nil {
			return nil, nil, err
		}
		reopen = false
	}
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

// unused removes and returns the spare snapshots and the unused superseded ones: those not used for
// keepFor, and any beyond keptOpen. The caller holds the lock, and closes them after releasing it.
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

// dropWithdrawn stops serving withdrawn snapshots at once, including the current one: running
// queries finish, and no new ones begin.
func (l *Live) dropWithdrawn() {
	l.change(func() {
		for id, m := range l.open {
			if m.withdrawn || !l.store.Withdrawn(id) {
				continue
			}
			m.withdrawn = true
			if id == l.current {
				l.current = ""
			}
			l.log.Warn("snapshot was withdrawn and is not served any more", "snapshot", id)
		}
	})
}

// Reload mounts the snapshot that CURRENT names, if it has changed. A snapshot that does not verify
// or mount is refused and logged, and the previous one stays in use. A withdrawn snapshot is
// dropped in any case.
func (l *Live) Reload(ctx context.Context) error {
	l.dropWithdrawn()
	l.mounting.Lock()
	defer l.mounting.Unlock()
	id, err := l.store.Current()
	if errors.Is(err, snapshots.ErrNoCurrent) {
		return api.ErrNoSnapshot
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	l.mu.Lock()
	same := id == l.current
	_, unpin, kept := l.use(id) // keeps it open until it is current again
	l.mu.Unlock()
	if kept {
		defer unpin()
	}
	if same {
		return nil
	}
	var s *Snapshot
	if !kept {
		if s, err = l.mountNew(ctx, id); err != nil {
			return err
		}
	}
	if l.swap(id, s) {
		l.log.Info("snapshot taken up", "snapshot", id)
	}
	return nil
}

// mountNew mounts a snapshot. A refused one is not tried again before retryAfter.
func (l *Live) mountNew(ctx context.Context, id snapshots.ID) (*Snapshot, error) {
	if l.refused == id && l.now().Before(l.refusedAt.Add(retryAfter)) {
		return nil, fmt.Errorf("%s: %w", id, errRefused)
	}
	s, err := l.mount(ctx, l.store.Dir(id), l.options)
	if err == nil {
		l.refused = ""
		if s != nil && s.withoutPartners {
			l.log.Warn("the events of partners are not in the data directory, so no partner sees its own; copy partners/ before the snapshot", "snapshot", id)
		}
		return s, nil
	}
	if ctx.Err() != nil { // the server is stopping
		return nil, err
	}
	if l.refused != id { // logged once, not at every attempt
		l.log.Error("snapshot refused; the previous one goes on answering", "snapshot", id, "error", err)
	}
	l.refused, l.refusedAt = id, l.now()
	return nil, err
}

// swap makes id current. s is nil if it is already open. After Close, and for a snapshot that has
// been withdrawn meanwhile, it only closes s.
func (l *Live) swap(id snapshots.ID, s *Snapshot) (swapped bool) {
	l.change(func() {
		l.add(id, s)
		if swapped = !l.closed && !l.store.Withdrawn(id); swapped { // it may have been withdrawn while it was mounted
			l.current = id
		} else {
			l.open[id].withdrawn = true
		}
	})
	return swapped
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
