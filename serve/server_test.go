package serve

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
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
