package conformance

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	base = flag.String("base", "",
		"address of the server to try, such as https://labour.example; empty = servers of our own on loopback")
	key           = flag.String("key", "", "API key with every scope")
	labourKey     = flag.String("labour-key", "", "API key whose only scope is labour:read")
	evaluationKey = flag.String("evaluation-key", "", "new API key on the Evaluation plan")
	authority     = flag.String("ca", "", "file of the certificate of the server's authority (PEM)")
)

// server is one server that is tried.
type server struct {
	name   string
	base   string
	client *http.Client
	key    string           // with every scope
	empty  bool             // it has no snapshot
	own    *ownSet          // what the suite started; nil when the server is another's
	state  string           // address of the state database of an own server
	data   string           // data directory of an own server
	walked map[string][]row // see kept
}

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	if err := stopOwn(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// servers lists every server to try. Own servers are started at the first call.
var servers = sync.OnceValues(func() ([]*server, error) {
	if *base == "" {
		return startOwn()
	}
	if *key == "" {
		return nil, errors.New("-base needs -key")
	}
	client, err := clientFor(*authority)
	if err != nil {
		return nil, err
	}
	name, _, _ := strings.Cut(*base, ":")
	return []*server{{name: name, base: strings.TrimRight(*base, "/"), client: client, key: *key}}, nil
})

// clientFor returns a client that trusts the certificates in a file and the
// system's own. It follows no redirect, so that one is seen.
func clientFor(file string) (*http.Client, error) {
	roots, err := x509.SystemCertPool()
	if err != nil {
		return nil, err
	}
	if file != "" {
		pem, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s holds no certificate", file)
		}
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	return &http.Client{Transport: transport, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, nil
}

// every runs a test on every server, those without a snapshot included.
func every(t *testing.T, test func(*testing.T, *server)) {
	t.Helper()
	if testing.Short() && *base == "" {
		t.Skip("starts servers on the sandbox's data, which takes half a minute")
	}
	all, err := servers()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) { test(t, s) })
	}
}

// each runs a test on every server that has data.
func each(t *testing.T, test func(*testing.T, *server)) {
	t.Helper()
	every(t, func(t *testing.T, s *server) {
		if s.empty {
			t.Skip("it needs a snapshot")
		}
		test(t, s)
	})
}
