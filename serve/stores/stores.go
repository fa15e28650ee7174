// Package stores opens the state database of a server. It gives access to the API keys, request
// counts, sessions and webhooks in it.
package stores

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

// lastUsedInterval is the time between two writes to the state database that record when API keys
// were last used.
const lastUsedInterval = 15 * time.Second

// pruneInterval is the time between two deletions of old request counts and ended sessions.
const pruneInterval = 6 * time.Hour

// Stores gives access to the state database. The database holds API keys, request counts, sessions,
// and the secret key that authenticates cursors.
type Stores struct {
	Keys           *access.Store
	RequestCounter *usage.Counter
	UsageReader    *usage.Reader
	Signin         *signin.Store
	Cursors        *cursor.Sealer

	db     *state.DB
	now    func() time.Time
	random io.Reader
	log    *slog.Logger

	checkLock sync.Mutex
	lastCheck time.Time // time at which CheckWritable last wrote to the database
	fault     error     // error of the last write by CheckWritable; nil if it succeeded
}

// Open opens and migrates the state database. address is the path of an SQLite file or a
// postgres:// address. Open creates a missing file, but not a PostgreSQL database. random must be a
// secure source of randomness.
func Open(ctx context.Context, address string, now func() time.Time, random io.Reader,
	log *slog.Logger) (*Stores, error) {
	db, err := state.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	m := &Stores{db: db, now: now, random: random, log: log, UsageReader: usage.NewReader(db),
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
	if m.RequestCounter, err = usage.NewCounter(ctx, m.db); err != nil {
		return err
	}
	key, err := m.db.LoadOrStoreSetting(ctx, "cursor_key", func() (string, error) { return cursor.NewKey(m.random) })
	if err != nil {
		return err
	}
	m.Cursors, err = cursor.NewSealer(key)
	return err
}

// addressSetting is the name of a setting in the state database. Its value is the public address of
// the server.
const addressSetting = "address"

// StorePublicAddress stores the public address of the server, such as https://labour.example.
// Sign-in links begin with it.
func (m *Stores) StorePublicAddress(ctx context.Context, address string) error {
	before, err := m.PublicAddress(ctx, address)
	if err == nil {
		_, err = m.db.ReplaceSetting(ctx, addressSetting, before, address)
	}
	return err
}

// PublicAddress returns the public address of the server from the state database. If none is
// stored, it stores initial and returns it.
func (m *Stores) PublicAddress(ctx context.Context, initial string) (string, error) {
	return m.db.LoadOrStoreSetting(ctx, addressSetting, func() (string, error) { return initial, nil })
}

// OpenWebhooks returns the webhook service, which must be stopped before Close is called. keys
// encrypt the signing secrets. loopback allows webhooks to this machine. roots are the trusted
// certificate authorities; nil means those of the system.
func (m *Stores) OpenWebhooks(ctx context.Context, keys []webhooks.EncryptionKey, loopback bool,
	roots *x509.CertPool) (*webhooks.Service, error) {
	return webhooks.New(ctx, webhooks.Options{DB: m.db, Now: m.now, Random: m.random, Log: m.log, EncryptionKeys: keys,
		AllowLoopback: loopback, RootCAs: roots})
}

// NewAnnouncer returns an Announcer. It sends the events of each new snapshot to webhooks. current
// returns the id of the snapshot that the server uses; false if there is none.
func (m *Stores) NewAnnouncer(store *store.Store, hooks eventfeed.Publisher,
	current func() (snapshots.ID, bool)) *eventfeed.Announcer {
	return &eventfeed.Announcer{Store: store, Settings: m.db, Publisher: hooks, CurrentSnapshot: current, Log: m.log}
}

// Run maintains the state database until ctx ends. At regular intervals it records when API keys
// were last used, and deletes outdated data.
func (m *Stores) Run(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() {
		state.RunEvery(ctx, pruneInterval, func() {
			if err := usage.PruneCounts(ctx, m.db, m.now()); err != nil && ctx.Err() == nil {
				m.log.Error("old counted calls stay until the next time", "error", err)
			}
			if _, err := m.Signin.PruneExpired(ctx); err != nil && ctx.Err() == nil {
				m.log.Error("ended sessions stay until the next time", "error", err)
			}
		})
	})
	running.Go(func() {
		state.FlushEvery(ctx, lastUsedInterval, m.Keys.FlushLastUses,
			func(err error) { m.log.Error("note when keys were used", "error", err) })
	})
	running.Wait()
}

// checkInterval is how long CheckWritable repeats its last result. After that it writes to the
// database again.
const checkInterval = time.Second

// CheckWritable returns an error if the state database cannot be written. The server is then not
// ready, because requests with a key cannot be counted.
func (m *Stores) CheckWritable(ctx context.Context) error {
	m.checkLock.Lock()
	defer m.checkLock.Unlock()
	if now := m.now(); now.Sub(m.lastCheck) >= checkInterval || now.Before(m.lastCheck) {
		m.lastCheck, m.fault = now, m.db.CheckWritable(ctx, now)
	}
	return m.fault
}

// Close closes the state database. Call it after Run has returned.
func (m *Stores) Close() error { return m.db.Close() }
