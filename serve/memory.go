package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"labour/serve/access"
	"labour/serve/cursor"
	"labour/serve/state"
	"labour/serve/usage"
)

// lastUsedInterval is how exact a key's last_used_at is.
const lastUsedInterval = 15 * time.Second

// Memory is what the interface remembers between restarts, all of it in one
// state database: keys, counted calls, and the key of the cursors, which is made
// on the first start.
type Memory struct {
	Keys    *access.Store
	Calls   *usage.Counter
	Cursors *cursor.Sealer

	db  *state.DB
	log *slog.Logger
}

// OpenMemory opens the state database at path and makes it when it is not
// there. random must be a secure source of randomness.
func OpenMemory(ctx context.Context, path string, now func() time.Time, random io.Reader, log *slog.Logger) (*Memory, error) {
	db, err := state.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	m := &Memory{db: db, log: log, Calls: usage.NewCounter(db)}
	if err := m.fill(ctx, now, random); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), db.Close())
	}
	return m, nil
}

func (m *Memory) fill(ctx context.Context, now func() time.Time, random io.Reader) (err error) {
	if m.Keys, err = access.New(ctx, m.db, now, random); err != nil {
		return err
	}
	key, err := m.db.Setting(ctx, "cursor_key", func() (string, error) { return cursor.NewKey(random) })
	if err != nil {
		return err
	}
	m.Cursors, err = cursor.New(key)
	return err
}

// Run counts calls and writes when keys were last used, until ctx ends. A server
// that answers calls needs it to run; stop the server first, since a call that
// cannot be counted is not answered.
func (m *Memory) Run(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() { m.Calls.Run(ctx) })
	running.Go(func() {
		m.Keys.Run(ctx, lastUsedInterval, func(err error) { m.log.Error("note when keys were used", "error", err) })
	})
	running.Wait()
}

// Close closes the database, after Run has ended.
func (m *Memory) Close() error { return m.db.Close() }
