package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/sources/sandbox"
)

// shared is a buffer that the program writes while the test reads.
type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

var curlLine = regexp.MustCompile(`curl -sS -H '([^:]+): ([^']+)' '([^']+)'`)

// TestSandboxLinesWorkAsPrinted starts the sandbox on a small world and makes the
// three calls that it prints; then it stops it as Ctrl-C would.
func TestSandboxLinesWorkAsPrinted(t *testing.T) {
	var out, steps shared
	a := &app{stdout: &out, stderr: &steps, now: time.Now, random: rand.Reader,
		getenv: func(string) (string, bool) { return "", false }, version: "test"}
	o := &sandboxOptions{Addr: "127.0.0.1:0", Dir: t.TempDir(), size: sandbox.Size{Adverts: 600, Residents: 1500,
		Applications: 4000}}
	t.Cleanup(func() { unlock(t, o.Dir) })
	stop := untilPrinted(t, &out, "Ctrl-C", func(ctx context.Context) error { return runSandbox(ctx, a, o) })
	lines := curlLine.FindAllStringSubmatch(out.String(), -1)
	if len(lines) != 3 {
		t.Fatalf("%d curl lines printed, want 3:\n%s", len(lines), out.String())
	}
	for _, line := range lines {
		callAsPrinted(t, line[1], line[2], line[3])
	}
	pagesAreMarked(t, lines[0][3])
	if !strings.Contains(steps.String(), "round people") {
		t.Errorf("no progress was shown: %q", steps.String())
	}
	eventAsPrinted(t, a, &out)
	stop()
	wholeRunAsPrinted(t, a, &out, o)
}

// TestSmallSandbox has half the adverts and a thirtieth of the people; without --small all are made.
func TestSmallSandbox(t *testing.T) {
	whole := sandbox.Size{Adverts: 600, Residents: 1500, Applications: 4500}
	for small, want := range map[bool]sandbox.Size{
		true: {Adverts: 300, Residents: 50, Applications: 150}, false: whole} {
		o := &sandboxOptions{Small: small, OnlyPublishers: true, size: whole}
		err := new(app).sandbox(t.Context(), o, nil)
		if err == nil || !strings.Contains(err.Error(), "--publishers needs --dir") || o.size != want {
			t.Errorf("small %t: %+v, %v", small, o.size, err)
		}
	}
}

// untilPrinted starts something and waits until it has printed a text. It is stopped
// by stop, which waits for its end.
func untilPrinted(t *testing.T, out *shared, text string, start func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- start(ctx) }()
	for !strings.Contains(out.String(), text) {
		select {
		case err := <-ended:
			t.Fatalf("it ended: %v\n%s", err, out.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	return func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// wholeRunAsPrinted serves the publishers as the sandbox prints it, and makes the whole
// run that they print. The source that is down is the only one without an answer.
func wholeRunAsPrinted(t *testing.T, a *app, out *shared, o *sandboxOptions) {
	t.Helper()
	if want := "  labour sandbox --publishers --dir " + o.Dir + "\n"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is not printed", want)
	}
	stop := untilPrinted(t, out, "In another terminal",
		func(ctx context.Context) error { return a.servePublishers(ctx, o) })
	defer stop()
	for line := range strings.Lines(out.String()) {
		name, value, found := strings.Cut(strings.TrimSpace(line), "=")
		if !found || name != sandbox.ApprenticeshipAPIKeyEnv {
			continue
		}
		words := strings.Fields(value)
		var said shared
		second := *a
		second.stdout, second.stderr = &said, &said
		second.getenv = func(n string) (string, bool) { return map[string]string{name: words[0]}[n], n == name }
		if status := run(words[2:], &second); status != cli.ExitSourceFailed {
			t.Fatalf("%s ended with status %d:\n%s", line, status, said.String())
		}
		if report := said.String(); !strings.Contains(report, ".3, as of") || strings.Count(report, "unreachable") > 1 {
			t.Errorf("the whole run says:\n%s", report)
		}
		return
	}
	t.Errorf("no run is printed:\n%s", out.String())
}

// eventAsPrinted waits for the test message, does what the sandbox prints to see an
// event come, and waits for that.
func eventAsPrinted(t *testing.T, a *app, out *shared) {
	t.Helper()
	wait := func(message string) {
		t.Helper()
		for range 6000 {
			if strings.Contains(out.String(), "webhook received, signature verified: "+message) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("no message like %s in:\n%s", message, out.String())
	}
	wait(`{"id":"evt_`)
	for line := range strings.Lines(out.String()) {
		switch words := strings.Fields(line); {
		case strings.HasPrefix(line, "  echo "):
			if output, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v %s", line, err, output)
			}
		case strings.HasPrefix(line, "  labour run "):
			quiet := *a
			quiet.stdout, quiet.stderr = io.Discard, io.Discard
			if status := run(words[1:], &quiet); status != cli.ExitDone {
				t.Fatalf("%s ended with status %d", line, status)
			}
		}
	}
	wait(`{"id":"try-1","type":"click.recorded"`)
	if strings.Contains(out.String(), "NOT GOOD") {
		t.Error(out.String())
	}
}

// pagesAreMarked checks that the first page of the service at an address states that the data are made
// up.
func pagesAreMarked(t *testing.T, address string) {
	t.Helper()
	home, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get(home.Scheme + "://" + home.Host + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || !bytes.Contains(body, []byte("Made-up data")) {
		t.Errorf("the first page does not say that its data are made up: status %d, %v", response.StatusCode, err)
	}
}

func callAsPrinted(t *testing.T, header, value, url string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(header, value)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(`"rank"`)) &&
		!bytes.Contains(body, []byte(`"metric"`)) {
		t.Errorf("%s: status %d, %v\n%s", url, response.StatusCode, err, body)
	}
}
