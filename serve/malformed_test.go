package serve

import (
	"bufio"
	"bytes"
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

	"pgregory.net/rapid"

	"labour/serve/access"
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
	return &tls.Config{Certificates: s.TLS.Certificates}, &tls.Config{RootCAs: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs, ServerName: "example.com"}
}

func TestMalformedAddressesAreAnsweredInJSON(t *testing.T) {
	s := newService(t, nil)
	get := func(target string) string {
		return "GET " + target + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + s.secret + "\r\n\r\n"
	}
	requests := []string{get("/v1/labour/%zz"), get("/v1/labour/sources"), get("/v1/labour/%"), get("/v1/a b%4"), get("/v1/labour/sources?x=%zz"), get("/v1/\x01?\x02"), get("/v1/labour/regions?kind=lsip")}
	for name, dial := range map[string]func(*testing.T) net.Conn{
		"HTTP": func(t *testing.T) net.Conn {
			c, err := net.Dial("tcp", listening(t, s.handler, nil).String())
			if err != nil {
				t.Fatal(err)
			}
			return c
		},
		"TLS": func(t *testing.T) net.Conn {
			server, client := secured(t)
			c, err := tls.Dial("tcp", listening(t, s.handler, server).String(), client)
			if err != nil {
				t.Fatal(err)
			}
			return c
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := dial(t)
			defer c.Close()
			answers, bodies := exchange(t, c, requests...)
			for i, want := range []int{404, 200, 404, 404, 400, 404, 200} {
				res := answers[i]
				if res.StatusCode != want || !json.Valid([]byte(bodies[i])) || res.Header.Get("X-RateLimit-Remaining") == "" {
					t.Errorf("%q: %s %s", requests[i], res.Status, bodies[i])
				}
				if secured := res.Header.Get("Strict-Transport-Security") != ""; secured != (name == "TLS") {
					t.Errorf("%q: Strict-Transport-Security %v", requests[i], secured)
				}
			}
		})
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
	s.grant(t, access.Developer)
	body := "GET /" + strings.Repeat("%", 60) + " HTTP/1.1\r\n"
	post := func(more string) string {
		return fmt.Sprintf("POST /v1/compliance-export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n", s.secret, more, len(body))
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

// What is read in any pieces is what was sent, but for malformed request lines, where
// other characters stand for those that cannot be read; bodies are never changed.
func TestReadableConnections(t *testing.T) {
	addr := listening(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s|%s|%s|%v", r.URL.Path, r.URL.RawQuery, body, err)
	}), nil)
	rapid.Check(t, func(r *rapid.T) {
		c, err := net.Dial("tcp", addr.String())
		if err != nil {
			r.Fatal(err)
		}
		defer c.Close()
		from := bufio.NewReader(c)
		for range rapid.IntRange(1, 4).Draw(r, "requests") {
			path, query := "/"+rapid.StringMatching(`[g-z% ]{0,6}`).Draw(r, "path"), rapid.StringMatching(`(\?[a-z%=]{0,6})?`).Draw(r, "query")
			body := rapid.OneOf(rapid.StringMatching(`[a-z%]{0,20}`), rapid.Just("GET /%zz HTTP/1.1\r\n")).Draw(r, "body")
			text := fmt.Sprintf("POST %s%s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", path, query, len(body), body)
			for rest := text; rest != ""; {
				n := rapid.IntRange(1, len(rest)).Draw(r, "piece")
				if _, err := io.WriteString(c, rest[:n]); err != nil {
					r.Fatal(err)
				}
				rest = rest[n:]
			}
			res, err := http.ReadResponse(from, nil)
			if err != nil {
				r.Fatalf("%q: %v", text, err)
			}
			var got bytes.Buffer
			if _, err := io.Copy(&got, res.Body); err != nil {
				r.Fatal(err)
			}
			path = strings.NewReplacer("%", "~", " ", "~").Replace(path)
			want := fmt.Sprintf("%s|%s|%s|<nil>", path, strings.TrimPrefix(query, "?"), body)
			if got.String() != want {
				r.Fatalf("%q: %q, want %q", text, got.String(), want)
			}
		}
	})
}
