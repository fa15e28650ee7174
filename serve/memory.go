package serve

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"labour/serve/access"
	"labour/serve/announce"
	"labour/serve/cursor"
	"labour/serve/signin"
	"labour/serve/state"
	"labour/serve/usage"
	"labour/serve/webhooks"
	"labour/snapshots"
)

// lastUsedInterval is how exact a key's last_used_at is.
const lastUsedInterval = 15 * time.Second

// tallyInterval is how many seconds of what calls asked for a killed server loses.
const tallyInterval = 5 * time.Second

// pruneInterval is how often old counted calls and ended sessions are forgotten.
const pruneInterval = 6 * time.Hour

// Memory is what the interface remembers between restarts, all of it in one
// state database: keys, counted calls, and the key of the cursors, which is made
// on the first start.
type Memory struct {
	Keys    *access.Store
	Calls   *usage.Counter
	Tally   *usage.Tally
	Signin  *signin.Store
	Cursors *cursor.Sealer

	db     *state.DB
	now    func() time.Time
	random io.Reader
	log    *slog.Logger
}

// OpenMemory opens the state database at an address (see state.Open) and makes it
// when it is not there. random must be a secure source of randomness.
func OpenMemory(ctx context.Context, address string, now func() time.Time, random io.Reader, log *slog.Logger) (*Memory, error) {
	db, err := state.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	m := &Memory{db: db, now: now, random: random, log: log, Calls: usage.NewCounter(db), Tally: usage.NewTally(db), Signin: signin.New(db, now, random)}
	if err := m.fill(ctx); err != nil {
		// Without the address, which may hold a password.
		return nil, errors.Join(fmt.Errorf("open the state database: %w", err), db.Close())
	}
	return m, nil
}

func (m *Memory) fill(ctx context.Context) (err error) {
	if m.Keys, err = access.New(ctx, m.db, m.now, m.random); err != nil {
		return err
	}
	key, err := m.db.Setting(ctx, "cursor_key", func() (string, error) { return cursor.NewKey(m.random) })
	if err != nil {
		return err
	}
	m.Cursors, err = cursor.New(key)
	return err
}

// OpenWebhooks is the service of webhooks on the same database. keys encrypt the
// signing secrets, see webhooks.Options; loopback opens the addresses of this
// machine for trying out. roots says whose
// certificates are believed, nil for the system's. Its Run must end before Close.
func (m *Memory) OpenWebhooks(ctx context.Context, keys []webhooks.Key, loopback bool, roots *x509.CertPool) (*webhooks.Service, error) {
	return webhooks.New(ctx, webhooks.Options{DB: m.db, Now: m.now, Random: m.random, Log: m.log, Keys: keys, AllowLoopback: loopback, RootCAs: roots})
}

// Announcer hands the events of the snapshots that live takes up to the webhooks.
func (m *Memory) Announcer(store *snapshots.Store, hooks announce.Publisher, current func() (snapshots.ID, bool)) *announce.Announcer {
	return &announce.Announcer{Store: store, Settings: m.db, Publisher: hooks, Current: current, Log: m.log}
}

// Run counts calls, writes when keys were last used and what calls asked for, and
// forgets old counts, until ctx ends. A server that answers calls needs it to run; stop the server first, since a call that
// cannot be counted is not answered.
func (m *Memory) Run(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() { m.Calls.Run(ctx) })
	running.Go(func() { m.prune(ctx) })
	running.Go(func() {
		m.Keys.Run(ctx, lastUsedInterval, func(err error) { m.log.Error("note when keys were used", "error", err) })
	})
	running.Go(func() {
		m.Tally.Run(ctx, tallyInterval, func(err error) { m.log.Error("note what calls asked for", "error", err) })
	})
	running.Wait()
}

// prune forgets old counted calls and ended sessions, now and at each interval until ctx ends.
func (m *Memory) prune(ctx context.Context) {
	tick := time.NewTicker(pruneInterval)
	defer tick.Stop()
	for {
		if _, err := usage.Prune(ctx, m.db, m.now()); err != nil && ctx.Err() == nil {
			m.log.Error("old counted calls stay until the next time", "error", err)
		}
		if _, err := m.Signin.Prune(ctx); err != nil && ctx.Err() == nil {
			m.log.Error("ended sessions stay until the next time", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Close closes the database, after Run has ended.
func (m *Memory) Close() error { return m.db.Close() }
