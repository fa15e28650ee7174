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

	"labour/serve/cursor"
	"labour/serve/eventfeed"
	"labour/serve/partners/access"
	"labour/serve/partners/signin"
	"labour/serve/partners/usage"
	"labour/serve/state"
	"labour/serve/webhooks"
	"labour/snapshots"
	"labour/snapshots/store"
)

// lastUsedInterval is the accuracy of the last_used_at of a key.
const lastUsedInterval = 15 * time.Second

// pruneInterval is how often old counted calls and ended sessions are deleted.
const pruneInterval = 6 * time.Hour

// Stores holds the data that survive a restart, in one state database: keys, counted calls, and the
// key of the cursors, which is made at the first start.
type Stores struct {
	Keys    *access.Store
	Calls   *usage.Counter
	Usage   *usage.Reader
	Signin  *signin.Store
	Cursors *cursor.Sealer

	db     *state.DB
	now    func() time.Time
	random io.Reader
	log    *slog.Logger

	checking sync.Mutex
	checked  time.Time // when Check last wrote
	fault    error     // result of that write
}

// OpenStores opens the state database at an address (see state.Open) and creates it if
// it does not exist. random must be a secure source of randomness.
func OpenStores(ctx context.Context, address string, now func() time.Time, random io.Reader,
	log *slog.Logger) (*Stores, error) {
	db, err := state.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	m := &Stores{db: db, now: now, random: random, log: log, Usage: usage.NewReader(db),
		Signin: signin.New(db, now, random)}
	if err := m.fill(ctx); err != nil {
		// Without the address, which may contain a password.
		return nil, errors.Join(fmt.Errorf("open the state database: %w", err), db.Close())
	}
	return m, nil
}

func (m *Stores) fill(ctx context.Context) (err error) {
	if m.Keys, err = access.New(ctx, m.db, m.now, m.random); err != nil {
		return err
	}
	if m.Calls, err = usage.NewCounter(ctx, m.db); err != nil {
		return err
	}
	key, err := m.db.Setting(ctx, "cursor_key", func() (string, error) { return cursor.NewKey(m.random) })
	if err != nil {
		return err
	}
	m.Cursors, err = cursor.NewSealer(key)
	return err
}

// addressSetting is the name of the setting for the server's address.
const addressSetting = "address"

// Reached stores the address of the server, for links to its pages.
func (m *Stores) Reached(ctx context.Context, address string) error {
	before, err := m.ReachedAt(ctx, address)
	if err == nil {
		_, err = m.db.ReplaceSetting(ctx, addressSetting, before, address)
	}
	return err
}

// ReachedAt returns the stored address of the server, or initial before the first start.
func (m *Stores) ReachedAt(ctx context.Context, initial string) (string, error) {
	return m.db.Setting(ctx, addressSetting, func() (string, error) { return initial, nil })
}

// OpenWebhooks returns the webhook service on the same database. keys encrypt the signing secrets,
// see webhooks.Options. loopback allows the addresses of this machine, for trials. roots are the
// trusted certificate authorities, nil for the system's. Its Run must end before Close.
func (m *Stores) OpenWebhooks(ctx context.Context, keys []webhooks.Key, loopback bool,
	roots *x509.CertPool) (*webhooks.Service, error) {
	return webhooks.New(ctx, webhooks.Options{DB: m.db, Now: m.now, Random: m.random, Log: m.log, Keys: keys,
		AllowLoopback: loopback, RootCAs: roots})
}

// Announcer returns the announcer of the events of newly mounted snapshots.
func (m *Stores) Announcer(store *store.Store, hooks eventfeed.Publisher,
	current func() (snapshots.ID, bool)) *eventfeed.Announcer {
	return &eventfeed.Announcer{Store: store, Settings: m.db, Publisher: hooks, Current: current, Log: m.log}
}

// Run writes the last uses of keys and deletes old counts, until ctx ends.
func (m *Stores) Run(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() {
		state.Every(ctx, pruneInterval, func() {
			if err := usage.Prune(ctx, m.db, m.now()); err != nil && ctx.Err() == nil {
				m.log.Error("old counted calls stay until the next time", "error", err)
			}
			if _, err := m.Signin.Prune(ctx); err != nil && ctx.Err() == nil {
				m.log.Error("ended sessions stay until the next time", "error", err)
			}
		})
	})
	running.Go(func() {
		state.FlushEvery(ctx, lastUsedInterval, m.Keys.FlushUsed,
			func(err error) { m.log.Error("note when keys were used", "error", err) })
	})
	running.Wait()
}

// checkInterval is how long the result of a check is valid.
const checkInterval = time.Second

// Check writes to the state database and returns the error: a server that cannot write its state
// cannot serve calls with a key.
func (m *Stores) Check(ctx context.Context) error {
	m.checking.Lock()
	defer m.checking.Unlock()
	if now := m.now(); now.Sub(m.checked) >= checkInterval || now.Before(m.checked) {
		m.checked, m.fault = now, m.db.Check(ctx, now)
	}
	return m.fault
}

// Close closes the database, after Run has ended.
func (m *Stores) Close() error { return m.db.Close() }
