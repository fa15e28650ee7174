package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"labour/serve/labourdata"
	"labour/snapshots"
)

// KeepFor is how long a superseded snapshot stays open for the cursors that name
// it: "that snapshot […] stays open for at least 24 hours after it was superseded".
const KeepFor = 24 * time.Hour

// keptOpen is how many superseded snapshots stay mounted while nobody reads them,
// those that were asked last. With a snapshot every minute a day has 1,440 of them;
// the others are mounted again when a cursor names them.
const keptOpen = 4

// retryAfter is how long Watch leaves a refused snapshot alone: verifying one
// reads every byte of it, and few faults go away by themselves.
const retryAfter = time.Minute

// errRefused is returned by Reload for a snapshot that was refused a moment ago.
var errRefused = errors.New("the snapshot was refused a moment ago")

// Live holds the snapshot that CURRENT names and swaps it under running
// questions: whoever acquired the old one keeps it until release. It is safe for
// concurrent use.
type Live struct {
	store   *snapshots.Store
	now     func() time.Time
	log     *slog.Logger
	options Options
	mount   func(ctx context.Context, dir string, o Options) (*Snapshot, error)

	mounting  sync.Mutex // held while a snapshot is mounted; taken before mu
	refused   snapshots.ID
	refusedAt time.Time

	mu      sync.Mutex
	current snapshots.ID
	open    map[snapshots.ID]*mounted
	closed  bool
	uses    int64 // how often any snapshot was acquired
}

// mounted is an open snapshot with those who use it.
type mounted struct {
	snapshot   *Snapshot
	users      int
	superseded time.Time // zero while it is current
	withdrawn  bool      // nobody may acquire it any more
	used       int64     // when it was last acquired, as Live.uses counts
}

// NewLive holds no snapshot until Reload.
func NewLive(store *snapshots.Store, now func() time.Time, log *slog.Logger, o Options) *Live {
	return &Live{store: store, now: now, log: log, options: o, mount: Mount, open: map[snapshots.ID]*mounted{}}
}

var _ labourdata.Live = (*Live)(nil)

// Acquire is the current snapshot; the error is labourdata.ErrNoSnapshot when
// none is mounted.
func (l *Live) Acquire() (labourdata.Snapshot, func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, release, ok := l.use(l.current); ok {
		return s, release, nil
	}
	return nil, nil, labourdata.ErrNoSnapshot
}

// Current is the id of the snapshot that Acquire gives; false when there is none.
func (l *Live) Current() (snapshots.ID, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current, l.current != "" && !l.closed
}

// AcquireID is the snapshot of that id, while it is current or kept for cursors.
// After a restart it is mounted again when it was superseded less than KeepFor
// ago. The error is labourdata.ErrSnapshotGone otherwise, and for a withdrawn one
// labourdata.ErrSnapshotWithdrawn.
func (l *Live) AcquireID(name string) (labourdata.Snapshot, func(), error) {
	id, err := snapshots.ParseID(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", labourdata.ErrSnapshotGone, err)
	}
	if l.store.Withdrawn(id) {
		return nil, nil, labourdata.ErrSnapshotWithdrawn
	}
	if s, release, ok := l.useID(id); ok {
		return s, release, nil
	}
	l.mounting.Lock()
	defer l.mounting.Unlock()
	if s, release, ok := l.useID(id); ok { // somebody else mounted it meanwhile
		return s, release, nil
	}
	l.mu.Lock()
	expired := l.open[id] != nil // still there for its last reader only
	l.mu.Unlock()
	superseded, ok := l.supersededAt(id)
	if expired || !ok || !l.now().Before(superseded.Add(KeepFor)) {
		return nil, nil, labourdata.ErrSnapshotGone
	}
	s, err := l.mount(context.Background(), l.store.Dir(id), l.options)
	if err != nil {
		l.log.Error("snapshot of a cursor could not be mounted", "snapshot", id, "error", err)
		return nil, nil, fmt.Errorf("%w: %w", labourdata.ErrSnapshotGone, err)
	}
	l.mu.Lock()
	l.open[id] = &mounted{snapshot: s, superseded: superseded}
	used, release, ok := l.use(id)
	unused := l.unused()
	l.mu.Unlock()
	l.shut(unused)
	if !ok { // closed meanwhile
		return nil, nil, labourdata.ErrSnapshotGone
	}
	return used, release, nil
}

func (l *Live) useID(id snapshots.ID) (*Snapshot, func(), bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.open[id]; m != nil && l.expired(m) {
		return nil, nil, false
	}
	return l.use(id)
}

// use counts a user in. The lock is held.
func (l *Live) use(id snapshots.ID) (*Snapshot, func(), bool) {
	m := l.open[id]
	if m == nil || m.withdrawn || l.closed {
		return nil, nil, false
	}
	m.users++
	l.uses++
	m.used = l.uses
	var once sync.Once
	return m.snapshot, func() { once.Do(func() { l.release(m) }) }, true
}

func (l *Live) release(m *mounted) {
	l.mu.Lock()
	m.users--
	unused := l.unused()
	l.mu.Unlock()
	l.shut(unused)
}

// expired says that no cursor may name the snapshot any more. The lock is held.
func (l *Live) expired(m *mounted) bool {
	return !m.superseded.IsZero() && !l.now().Before(m.superseded.Add(KeepFor))
}

// unused takes out the snapshots that nobody uses and no cursor may name, and of
// the other superseded ones those beyond keptOpen. The lock is held; the caller
// shuts them when it no longer is, so that nobody waits for that.
func (l *Live) unused() []*Snapshot {
	var list []*Snapshot
	var idle []snapshots.ID
	for id, m := range l.open {
		switch {
		case m.users > 0:
		case l.closed || m.withdrawn || l.expired(m):
			delete(l.open, id)
			list = append(list, m.snapshot)
		case !m.superseded.IsZero():
			idle = append(idle, id)
		}
	}
	slices.SortFunc(idle, func(a, b snapshots.ID) int { return cmp.Compare(l.open[b].used, l.open[a].used) })
	for _, id := range idle[min(keptOpen, len(idle)):] {
		list = append(list, l.open[id].snapshot)
		delete(l.open, id)
	}
	return list
}

func (l *Live) shut(list []*Snapshot) {
	for _, s := range list {
		if err := s.Close(); err != nil {
			l.log.Error("snapshot could not be closed", "snapshot", s.ID(), "error", err)
		}
	}
}

// supersededAt is when another snapshot took the place of id, for one that this
// process does not hold open: what the store noted.
func (l *Live) supersededAt(id snapshots.ID) (time.Time, bool) {
	all, err := l.store.Superseded(context.Background())
	if err != nil {
		l.log.Error("it is not known when snapshots were superseded", "error", err)
		return time.Time{}, false
	}
	at, ok := all[id]
	return at, ok
}

// dropWithdrawn stops serving what the operator withdrew, the current snapshot
// included, at once: whoever reads it reads to the end, nobody else begins.
func (l *Live) dropWithdrawn() {
	l.mu.Lock()
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
	unused := l.unused()
	l.mu.Unlock()
	l.shut(unused)
}

// Reload takes up the snapshot that CURRENT names, if it is another one. One that
// does not verify or mount is refused, with a line in the log, and the previous
// one goes on answering. What was withdrawn is dropped, whatever takes its place.
func (l *Live) Reload(ctx context.Context) error {
	l.mounting.Lock()
	defer l.mounting.Unlock()
	l.dropWithdrawn()
	id, err := l.store.Current()
	if errors.Is(err, snapshots.ErrNoCurrent) {
		return labourdata.ErrNoSnapshot
	}
	if err != nil {
		return fmt.Errorf("reload: %w", err)
	}
	l.mu.Lock()
	same := id == l.current
	_, unpin, kept := l.use(id) // so that nobody shuts it before it is current again
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

// mountNew mounts the snapshot that CURRENT names. One that was refused is left
// alone for retryAfter.
func (l *Live) mountNew(ctx context.Context, id snapshots.ID) (*Snapshot, error) {
	if l.refused == id && l.now().Before(l.refusedAt.Add(retryAfter)) {
		return nil, fmt.Errorf("%s: %w", id, errRefused)
	}
	s, err := l.mount(ctx, l.store.Dir(id), l.options)
	if err == nil {
		l.refused = ""
		return s, nil
	}
	if ctx.Err() != nil { // the server is going down
		return nil, err
	}
	if l.refused != id { // one line, not one at every try
		l.log.Error("snapshot refused; the previous one goes on answering", "snapshot", id, "error", err)
	}
	l.refused, l.refusedAt = id, l.now()
	return nil, err
}

// swap makes id current. s is nil when it is open already. After Close it only
// shuts s.
func (l *Live) swap(id snapshots.ID, s *Snapshot) bool {
	l.mu.Lock()
	if s != nil {
		l.open[id] = &mounted{snapshot: s}
	}
	if !l.closed {
		if m := l.open[l.current]; m != nil {
			m.superseded = l.now()
		}
		l.open[id].superseded = time.Time{}
		l.current = id
	}
	swapped, unused := !l.closed, l.unused()
	l.mu.Unlock()
	l.shut(unused)
	return swapped
}

// Watch looks at CURRENT every interval until ctx ends.
func (l *Live) Watch(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = l.Reload(ctx) // Reload has logged it; the next look tries again
		}
	}
}

// Close closes every snapshot as soon as nobody uses it. No further question is
// taken.
func (l *Live) Close() error {
	l.mu.Lock()
	l.closed = true
	unused := l.unused()
	l.mu.Unlock()
	var errs []error
	for _, s := range unused {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
