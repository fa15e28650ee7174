package stores

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/serve/cursor"
	"labour/serve/partners/access"
	"labour/serve/partners/signin"
	"labour/serve/state"
	"labour/serve/state/statetest"
)

// stopper is a log that calls a function at a message.
type stopper struct {
	bytes.Buffer
	message string
	stop    func()
}

func (s *stopper) Write(b []byte) (int, error) {
	if strings.Contains(string(b), s.message) {
		s.stop()
	}
	return s.Buffer.Write(b)
}

// openStores opens stores on an SQLite file.
func openStores(t *testing.T, address string, now func() time.Time, log *slog.Logger) *Stores {
	t.Helper()
	m, err := Open(t.Context(), address, now, rand.Reader, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// The database is written at most once a second, and again if the clock goes back.
func TestTheDatabaseIsCheckedOnceASecond(t *testing.T) {
	at := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	m := openStores(t, statetest.SQLitePath(t), func() time.Time { return at }, slog.New(slog.DiscardHandler))
	start := at
	for _, c := range []struct {
		after, noted time.Duration
	}{{0, 0}, {time.Second - 1, 0}, {time.Second, time.Second}, {2*time.Second - 1, time.Second},
		{-time.Minute, -time.Minute}} {
		at = start.Add(c.after)
		if err := m.CheckWritable(t.Context()); err != nil {
			t.Fatal(err)
		}
		noted, err := m.db.LoadOrStoreSetting(t.Context(), "checked_at", func() (string, error) { return "never", nil })
		if want := start.Add(c.noted).Format(time.RFC3339); err != nil || noted != want {
			t.Errorf("after %s the check of %s is noted (%v), want %s", c.after, noted, err, want)
		}
	}
	if err := m.db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := m.CheckWritable(t.Context()); err != nil {
		t.Errorf("within the second the result is not repeated: %v", err)
	}
	at = at.Add(time.Second)
	for range 2 {
		if err := m.CheckWritable(t.Context()); err == nil {
			t.Error("a closed database can be written")
		}
	}
}

// The public address is that of the last start, and the key of the cursors that of the first.
func TestWhatTheStoresKeep(t *testing.T) {
	path := statetest.SQLitePath(t)
	now := func() time.Time { return time.Unix(1e9, 0) }
	m := openStores(t, path, now, slog.New(slog.DiscardHandler))
	stored := func() string {
		address, err := m.PublicAddress(t.Context(), "https://first.example")
		if err != nil {
			t.Fatal(err)
		}
		return address
	}
	if got := stored(); got != "https://first.example" {
		t.Errorf("the address is %s", got)
	}
	for _, address := range []string{"https://second.example", "https://second.example", "https://third.example"} {
		if err := m.StorePublicAddress(t.Context(), address); err != nil || stored() != address {
			t.Errorf("the address is %s, want %s (%v)", stored(), address, err)
		}
	}
	token, err := m.Cursors.Seal("/v1/jobs", "2026-11-20.1", 5)
	if err != nil {
		t.Fatal(err)
	}
	var position int
	again := openStores(t, path, now, slog.New(slog.DiscardHandler))
	if id, err := again.Cursors.Open(token, "/v1/jobs", &position); err != nil || id != "2026-11-20.1" || position != 5 {
		t.Errorf("a cursor after a restart: %s, %v", id, err)
	}
	other := openStores(t, statetest.SQLitePath(t), now, slog.New(slog.DiscardHandler))
	if _, err := other.Cursors.Open(token, "/v1/jobs", &position); !errors.Is(err, cursor.ErrInvalid) {
		t.Errorf("a cursor of another database: %v", err)
	}
}

// Work in the background that fails is logged, and goes on.
func TestFaultsInTheBackgroundAreLogged(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	log := &stopper{message: "ended sessions stay", stop: stop}
	m := openStores(t, statetest.SQLitePath(t), time.Now, slog.New(slog.NewTextHandler(log, nil)))
	_, secret, err := m.Keys.CreateKey(t.Context(), access.KeyRequest{Partner: "Example"})
	if err == nil {
		_, err = m.Keys.Authenticate(t.Context(), secret, time.Now())
	}
	if err := errors.Join(err, m.db.Close()); err != nil {
		t.Fatal(err)
	}
	m.Run(ctx)
	for _, want := range []string{"old counted calls stay until the next time",
		"ended sessions stay until the next time", "note when keys were used"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log)
		}
	}
	log.Reset()
	m.Run(ctx) // which has ended
	if strings.Contains(log.String(), "stay until the next time") {
		t.Errorf("the end is logged as a fault: %s", log)
	}
}

func TestStoresThatCannotBeOpened(t *testing.T) {
	if _, err := Open(t.Context(), t.TempDir(), time.Now, rand.Reader, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a directory is opened as a database")
	}
	path := statetest.SQLitePath(t)
	db, err := state.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	noKey := func() (string, error) { return "no key", nil }
	if _, err := db.LoadOrStoreSetting(t.Context(), "cursor_key", noKey); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), path, time.Now, rand.Reader, slog.New(slog.DiscardHandler))
	if err == nil || !strings.HasPrefix(err.Error(), "open the state database: ") {
		t.Errorf("with a broken key of the cursors: %v", err)
	}
}

// Cursors and counts of before a restart are good after it.
func TestMemoryOutlivesARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), state.DatabaseFileName)
	var token string
	at := time.Unix(1e9, 0)
	for start := range int64(2) {
		ctx, stop := context.WithCancel(context.Background())
		m, err := Open(ctx, path, func() time.Time { return at }, rand.Reader, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { defer close(ended); m.Run(ctx) }()
		keys, err := m.Keys.ListKeys(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		if start == 0 {
			key, _, err := m.Keys.CreateKey(ctx, access.KeyRequest{Partner: "Example"})
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
			if token, err = m.Cursors.Seal("e", "s", 1); err != nil {
				t.Fatal(err)
			}
		}
		var position int
		if _, err := m.Cursors.Open(token, "e", &position); err != nil {
			t.Errorf("start %d: cursor: %v", start, err)
		}
		counts, err := m.RequestCounter.Count(ctx, keys[0].ID, at)
		if err != nil || counts.Hour != start+1 {
			t.Errorf("start %d: %+v, %v", start, counts, err)
		}
		stop()
		<-ended
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A server that runs forgets the sign-in links that have ended.
func TestRunForgetsWhatHasEnded(t *testing.T) {
	at := time.Unix(1e9, 0)
	m, err := Open(t.Context(), filepath.Join(t.TempDir(), state.DatabaseFileName), func() time.Time { return at },
		rand.Reader, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	key, _, err := m.Keys.CreateKey(t.Context(), access.KeyRequest{Partner: "Example"})
	if err == nil {
		_, _, err = m.Signin.CreateInvitation(t.Context(), key.PartnerID)
	}
	if err != nil {
		t.Fatal(err)
	}
	at = at.Add(signin.InvitationLifetime)
	ctx, stop := context.WithCancel(t.Context())
	running := make(chan struct{})
	go func() { defer close(running); m.Run(ctx) }()
	links := func() (n int) {
		if err := m.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM signin_links").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for deadline := time.Now().Add(10 * time.Second); links() > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if n := links(); n != 0 {
		t.Errorf("%d links that have ended are kept", n)
	}
	stop()
	<-running
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
