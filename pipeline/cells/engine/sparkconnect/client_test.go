package sparkconnect_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/pipeline/cells/engine/sparkconnect"
	"labour/pipeline/cells/engine/sparkconnect/connecttest"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]struct {
		host          string
		tls, loopback bool
	}{
		"sc://127.0.0.1":                       {"127.0.0.1:15002", false, true},
		"sc://localhost:9/":                    {"localhost:9", false, true},
		"sc://[::1]:9/;use_ssl=true":           {"[::1]:9", true, true},
		"sc://spark.example/;use_ssl=false":    {"spark.example:15002", false, false},
		"sc://spark.example:443/;use_ssl=true": {"spark.example:443", true, false},
	} {
		a, err := sparkconnect.ParseAddress(text)
		if err != nil || a.HostPort != want.host || a.TLS != want.tls || a.IsLoopback() != want.loopback {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
	for _, text := range []string{"", "spark.example", "http://spark.example", "sc://", "sc://:1",
		"sc://a@spark.example", "sc://spark.example/;token=secret", "sc://spark.example/;use_ssl=true;token=secret"} {
		if a, err := sparkconnect.ParseAddress(text); err == nil || strings.Contains(err.Error(), "secret") &&
			!strings.HasPrefix(text, "sc://:") {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
}

func open(t *testing.T, address string, o sparkconnect.Options) *sparkconnect.Client {
	t.Helper()
	var err error
	if o.Address, err = sparkconnect.ParseAddress(address); err != nil {
		t.Fatal(err)
	}
	c, err := sparkconnect.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// long is a query that takes minutes.
const long = "SELECT sum(a.id % 7 + b.id) AS n FROM range(3000000) a CROSS JOIN range(3000000) b WHERE a.id % 3 < b.id"

func TestWrongTokenIsRefused(t *testing.T) {
	p := connecttest.NewProxy(t, connecttest.StartSail(t), "secret")
	a, err := sparkconnect.ParseAddress(p.Address)
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]string{"wrong": "engine.token_env", "": "engine.token_env"} {
		if _, err := sparkconnect.Open(t.Context(), sparkconnect.Options{Address: a, Token: token,
			RootCAs: p.RootCAs}); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "wrong") {
			t.Errorf("token %q: %v", token, err)
		}
	}
	if _, err := sparkconnect.Open(t.Context(), sparkconnect.Options{Address: a, Token: "secret",
		ReconnectTimeout: time.Millisecond}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate of nobody known: %v", err)
	}
}

// A statement that is cancelled is interrupted on the server.
func TestCancelledStatementIsInterrupted(t *testing.T) {
	p := connecttest.NewProxy(t, connecttest.StartSail(t), "")
	c := open(t, p.Address, sparkconnect.Options{RootCAs: p.RootCAs})
	p.DelayStatements()
	ctx, cancel := context.WithCancel(t.Context())
	out := filepath.Join(t.TempDir(), "out")
	ended := make(chan error, 1)
	go func() { ended <- c.WriteParquet(ctx, long, "file://"+out) }()
	connecttest.WaitUntil(t, "the statement starts", func() bool { return p.CallCount("ExecutePlan") == 1 })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || p.CallCount("Interrupt") == 0 ||
		p.CallCount("ReleaseExecute") == 0 {
		t.Errorf("%v, interrupted %d times, released %d times", err, p.CallCount("Interrupt"), p.CallCount("ReleaseExecute"))
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// A server that dies ends a statement with an error that says so.
func TestLostServer(t *testing.T) {
	s := connecttest.StartSail(t)
	c := open(t, s.Address, sparkconnect.Options{ReconnectTimeout: time.Second})
	ended := make(chan error, 1)
	go func() {
		ended <- c.WriteParquet(context.Background(), long, "file://"+filepath.Join(t.TempDir(), "out"))
	}()
	time.Sleep(100 * time.Millisecond) // it may be under way or not
	connecttest.KillProcess(s.Server)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "was lost") {
		t.Error(err)
	}
	_ = c.Close() // there is nothing to release
}

// A fault of a statement is the server's words.
func TestFaultOfAStatement(t *testing.T) {
	c := open(t, connecttest.StartSail(t).Address, sparkconnect.Options{})
	if err := c.CreateView(t.Context(), "wrong", "SELECT nothing FROM nowhere"); err == nil ||
		!strings.Contains(err.Error(), "nowhere") {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// On Apache Spark, a cancelled statement leaves no job, and neither does a client that
// dies, once the server's time-out has passed.
func TestNoJobIsLeft(t *testing.T) {
	s := connecttest.StartSparkCluster(t, 1, "spark.connect.execute.manager.detachedTimeout=5s",
		"spark.connect.execute.manager.maintenanceInterval=1s")
	p := connecttest.NewProxy(t, s, "")
	running := func() bool { return running(t, s) > 0 }
	lossy := open(t, p.Address, sparkconnect.Options{RootCAs: p.RootCAs})
	p.BreakStreams(2)
	if err := lossy.WriteParquet(t.Context(), "SELECT id FROM range(10)",
		"file://"+filepath.Join(t.TempDir(), "out")); err != nil || p.CallCount("ReattachExecute") < 2 {
		t.Errorf("%v, attached again %d times", err, p.CallCount("ReattachExecute"))
	}
	if err := lossy.Close(); err != nil {
		t.Error(err)
	}
	for _, dies := range []bool{false, true} {
		c := open(t, p.Address, sparkconnect.Options{RootCAs: p.RootCAs, ReconnectTimeout: time.Millisecond})
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		dir := t.TempDir()
		go func() { ended <- c.WriteParquet(ctx, long, "file://"+filepath.Join(dir, "out")) }()
		connecttest.WaitUntil(t, "a job runs", running)
		if dies {
			p.Stop()
		} else {
			cancel()
		}
		if err := <-ended; err == nil {
			t.Error("the statement ended well")
		}
		connecttest.WaitUntil(t, "no job runs", func() bool { return !running() })
		cancel()
		_ = c.Close()
		if _, err := os.Stat(filepath.Join(dir, "out", "_SUCCESS")); err == nil {
			t.Error("the statement was carried through")
		}
	}
}

// running is how many jobs of Apache Spark run.
func running(t testing.TB, s *connecttest.Server) int {
	t.Helper()
	var apps []struct{ ID string }
	get(t, s.WebUIAddress+"/api/v1/applications", &apps)
	if len(apps) != 1 {
		t.Fatalf("%d applications run", len(apps))
	}
	var jobs []struct{}
	get(t, s.WebUIAddress+"/api/v1/applications/"+apps[0].ID+"/jobs?status=running", &jobs)
	return len(jobs)
}

func get(t testing.TB, url string, into any) {
	t.Helper()
	answer, err := http.Get(url)
	if err == nil {
		defer answer.Body.Close()
		err = json.NewDecoder(answer.Body).Decode(into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
