package serve

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"labour/serve/partners/access"
)

// listening runs the service's server over HTTP or TLS until the test ends.
func listening(t *testing.T, handler http.Handler, secured *tls.Config) net.Addr {
	t.Helper()
	l := listen(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- Server{Handler: handler, Log: slog.New(slog.DiscardHandler), TLS: secured}.Run(ctx, l)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return l.Addr()
}

// exchange sends requests on one connection and returns the answers with their bodies.
func exchange(t testing.TB, c net.Conn, requests ...string) (answers []*http.Response, bodies []string) {
	t.Helper()
	from := bufio.NewReader(c)
	for _, text := range requests {
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(from, nil)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		answers, bodies = append(answers, res), append(bodies, string(body))
	}
	return answers, bodies
}

// secured is a configuration for a loopback server, and one for its client.
func secured(t *testing.T) (server, client *tls.Config) {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	t.Cleanup(s.Close)
	return &tls.Config{Certificates: s.TLS.Certificates},
		&tls.Config{RootCAs: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs, ServerName: "example.com"}
}

// net/http refuses malformed requests before any key is read.
func TestMalformedRequestsAreRefusedByTheServerItself(t *testing.T) {
	s := newService(t, nil)
	address := listening(t, s.handler, nil).String()
	for target, want := range map[string]int{
		"/v1/labour/%zz": http.StatusBadRequest, "/v1/a b%4": http.StatusBadRequest,
		"/v1/labour/regions?name=" + strings.Repeat("a", 200<<10): http.StatusRequestHeaderFieldsTooLarge,
	} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		text := "GET " + target + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + s.secret + "\r\n\r\n"
		go io.WriteString(c, text) // the server need not read all of it
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		c.Close()
		if err != nil {
			t.Fatalf("%.40q: %v", text, err)
		}
		if res.StatusCode != want || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") ||
			res.Header.Get("X-RateLimit-Limit") != "" {
			t.Errorf("%.40q: %s, %s", text, res.Status, res.Header)
		}
	}
}

// "Requests with up to 128 KiB of line and headers are read; a parameter that is too long is
// 400."
func TestOverlongParametersAreFaultsLikeOthers(t *testing.T) {
	s := newService(t, nil)
	address := listening(t, s.handler, nil).String()
	for _, name := range []string{"name", "kind", "nothing", "limit"} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		answers, bodies := exchange(t, c, "GET /v1/labour/regions?"+name+"="+strings.Repeat("7", 120<<10)+
			" HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+s.secret+"\r\n\r\n")
		c.Close()
		want := http.StatusBadRequest
		if name == "limit" { // a number of any length is lowered to the maximum
			want = http.StatusOK
		}
		if res := answers[0]; res.StatusCode != want || !json.Valid([]byte(bodies[0])) ||
			res.Header.Get("X-RateLimit-Remaining") == "" || len(bodies[0]) > 8<<10 {
			t.Errorf("%s: %s, %d bytes", name, res.Status, len(bodies[0]))
		}
	}
}

// HTTP/2 goes on over TLS.
func TestTLSSpeaksHTTP2(t *testing.T) {
	s := newService(t, nil)
	server, client := secured(t)
	c := http.Client{Transport: &http.Transport{TLSClientConfig: client, ForceAttemptHTTP2: true}}
	defer c.CloseIdleConnections()
	res, err := c.Get("https://" + listening(t, s.handler, server).String() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.ProtoMajor != 2 || res.StatusCode != http.StatusOK {
		t.Errorf("%s %s", res.Proto, res.Status)
	}
}

// A body that looks like a request line keeps its length, so that nothing of it is taken
// for a request of its own: behind a proxy that would be another caller's.
func TestBodiesAreNoRequests(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeDeveloper)
	body := "GET /" + strings.Repeat("%", 60) + " HTTP/1.1\r\n"
	post := func(more string) string {
		return fmt.Sprintf(
			"POST /v1/compliance-export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
				"Content-Type: application/json\r\n%sContent-Length: %d\r\n\r\n", s.secret, more, len(body))
	}
	next := "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, parts := range map[string][]string{
		"continued": {post("Expect: 100-continue\r\n"), body, next},
		"pipelined": {next + post(""), body, next},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := net.Dial("tcp", listening(t, s.handler, nil).String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			answers, bodies := exchange(t, c, parts...)
			if last := answers[2]; answers[1].StatusCode < 400 || last.StatusCode != http.StatusOK {
				t.Errorf("%s %q, then %s %q", answers[1].Status, bodies[1], last.Status, bodies[2])
			}
		})
	}
}
