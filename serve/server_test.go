package serve

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/serve/partners/access"
	"labour/serve/partners/signin"
	"labour/serve/state"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A stop takes no more requests and lets the running ones end.
func TestServerStopsGracefully(t *testing.T) {
	s := newService(t, nil)
	running, finish := make(chan struct{}), make(chan struct{})
	s.live.now().hook = func(context.Context) error { close(running); <-finish; return nil }
	l := listen(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Server{Handler: s.handler, Log: slog.New(slog.DiscardHandler)}.Run(ctx, l) }()
	answered := make(chan string, 1)
	go func() {
		r, err := http.NewRequest(http.MethodGet, "http://"+l.Addr().String()+"/v1/labour/regions", nil)
		if err != nil {
			answered <- err.Error()
			return
		}
		r.Header.Set("Authorization", "Bearer "+s.secret)
		res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			answered <- err.Error()
			return
		}
		answered <- res.Status + " " + string(body[:9])
	}()
	<-running
	stop()
	for { // until the listener is closed
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			break
		}
		c.Close()
	}
	close(finish)
	if got := <-answered; got != `200 OK {"data":[` {
		t.Errorf("the running request: %s", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("run: %v", err)
	}
}

func TestServerCutsOffWhatDoesNotEnd(t *testing.T) {
	l := listen(t)
	ctx, stop := context.WithCancel(context.Background())
	running, finish := make(chan struct{}), make(chan struct{})
	defer close(finish)
	stuck := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(running); <-finish })
	ended := make(chan error, 1)
	go func() {
		ended <- Server{Handler: stuck, Log: slog.New(slog.DiscardHandler), ShutdownTimeout: time.Millisecond}.Run(ctx, l)
	}()
	go http.Get("http://" + l.Addr().String())
	<-running
	stop()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "within 1ms") {
		t.Errorf("run: %v", err)
	}
}

func TestServerTellsWhyItCannotServe(t *testing.T) {
	l := listen(t)
	l.Close()
	if err := (Server{Handler: http.NotFoundHandler(), Log: slog.New(slog.DiscardHandler)}).Run(context.Background(),
		l); err == nil {
		t.Error("served on a closed listener")
	}
}

// Cursors and counts of before a restart are good after it.
func TestMemoryOutlivesARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), state.DatabaseFileName)
	var token string
	at := time.Unix(1e9, 0)
	for start := range int64(2) {
		ctx, stop := context.WithCancel(context.Background())
		m, err := OpenStores(ctx, path, func() time.Time { return at }, rand.Reader, slog.New(slog.DiscardHandler))
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
		counts, err := m.CallCounter.Count(ctx, keys[0].ID, at)
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
	m, err := OpenStores(t.Context(), filepath.Join(t.TempDir(), state.DatabaseFileName), func() time.Time { return at },
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
