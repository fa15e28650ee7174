package query

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"labour/serve/labourdata"
	"labour/snapshots"
)

// KeepFor is how long a superseded snapshot stays open for the cursors that name
// it: "that snapshot […] stays open for at least 24 hours after it was superseded".
const KeepFor = 24 * time.Hour

// Live holds the snapshot that CURRENT names and swaps it under running
// questions: whoever acquired the old one keeps it until release. It is safe for
// concurrent use.
type Live struct {
	store   *snapshots.Store
	now     func() time.Time
	log     *slog.Logger
	options Options
	mount   func(ctx context.Context, dir string, o Options) (*Snapshot, error)

	mounting sync.Mutex // held while a snapshot is mounted; taken before mu
	refused  snapshots.ID

	mu      sync.Mutex
	current snapshots.ID
	open    map[snapshots.ID]*mounted
	closed  bool
}

// mounted is an open snapshot with those who use it.
type mounted struct {
	snapshot   *Snapshot
	users      int
	superseded time.Time // zero while it is current
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

// AcquireID is the snapshot of that id, while it is current or kept for cursors.
// After a restart it is mounted again when it was superseded less than KeepFor
// ago. The error is labourdata.ErrSnapshotGone otherwise.
func (l *Live) AcquireID(name string) (labourdata.Snapshot, func(), error) {
	id, err := snapshots.ParseID(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", labourdata.ErrSnapshotGone, err)
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
	defer l.mu.Unlock()
	l.open[id] = &mounted{snapshot: s, superseded: superseded}
	used, release, _ := l.use(id)
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
	if m == nil || l.closed {
		return nil, nil, false
	}
	m.users++
	var once sync.Once
	return m.snapshot, func() { once.Do(func() { l.release(id, m) }) }, true
}

func (l *Live) release(id snapshots.ID, m *mounted) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m.users--
	l.dropUnused(id, m)
}

// expired says that no cursor may name the snapshot any more. The lock is held.
func (l *Live) expired(m *mounted) bool {
	return !m.superseded.IsZero() && !l.now().Before(m.superseded.Add(KeepFor))
}

// dropUnused closes a snapshot that nobody uses and no cursor may name. The lock
// is held.
func (l *Live) dropUnused(id snapshots.ID, m *mounted) {
	if m.users > 0 || !l.closed && !l.expired(m) || l.open[id] != m {
		return
	}
	delete(l.open, id)
	if err := m.snapshot.Close(); err != nil {
		l.log.Error("snapshot could not be closed", "snapshot", id, "error", err)
	}
}

// supersededAt is when the snapshot that followed id was made.
func (l *Live) supersededAt(id snapshots.ID) (time.Time, bool) {
	entries, err := l.store.List(context.Background())
	if err != nil {
		l.log.Error("snapshots could not be listed", "error", err)
		return time.Time{}, false
	}
	var at time.Time
	kept := false
	for _, e := range entries {
		kept = kept || e.ID == id && e.Err == nil
		if e.Err == nil && e.Manifest.Previous != nil && e.Manifest.Previous.ID == id && e.Manifest.CreatedAt.After(at) {
			at = e.Manifest.CreatedAt
		}
	}
	return at, kept && !at.IsZero()
}

// Reload takes up the snapshot that CURRENT names, if it is another one. One that
// does not verify or mount is refused, with a line in the log, and the previous
// one goes on answering.
func (l *Live) Reload(ctx context.Context) error {
	l.mounting.Lock()
	defer l.mounting.Unlock()
	l.sweep()
	id, err := l.store.Current()
	if errors.Is(err, snapshots.ErrNoCurrent) {
		return labourdata.ErrNoSnapshot
	}
	if err != nil {
		return fmt.Errorf("reload: %w", err)
	}
	l.mu.Lock()
	same, kept := id == l.current, l.open[id] != nil
	l.mu.Unlock()
	if same {
		return nil
	}
	var s *Snapshot
	if !kept {
		if s, err = l.mount(ctx, l.store.Dir(id), l.options); err != nil {
			if l.refused != id { // once, not at every look
				l.log.Error("snapshot refused; the previous one goes on answering", "snapshot", id, "error", err)
			}
			l.refused = id
			return err
		}
	}
	l.swap(id, s)
	l.log.Info("snapshot taken up", "snapshot", id)
	return nil
}

// swap makes id current. s is nil when it is open already.
func (l *Live) swap(id snapshots.ID, s *Snapshot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.open[l.current]; m != nil {
		m.superseded = l.now()
	}
	if s != nil {
		l.open[id] = &mounted{snapshot: s}
	}
	l.open[id].superseded = time.Time{}
	l.current = id
}

// sweep closes what no cursor may name any more.
func (l *Live) sweep() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, m := range l.open {
		l.dropUnused(id, m)
	}
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
	defer l.mu.Unlock()
	l.closed = true
	for id, m := range l.open {
		l.dropUnused(id, m)
	}
	return nil
}
