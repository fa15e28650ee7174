package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"labour/cmd/labour/internal/cli"
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
	a := &app{stdout: &out, stderr: &steps, now: time.Now, random: rand.Reader, getenv: func(string) (string, bool) { return "", false }, version: "test"}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- runSandbox(ctx, a, &sandboxOptions{addr: "127.0.0.1:0", dir: t.TempDir(),
			size: sandbox.Size{Adverts: 600, Residents: 1500, Applications: 4000}})
	}()
	for !strings.Contains(out.String(), "Ctrl-C") {
		select {
		case err := <-ended:
			t.Fatalf("the sandbox ended: %v\n%s", err, steps.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	lines := curlLine.FindAllStringSubmatch(out.String(), -1)
	if len(lines) != 3 {
		t.Fatalf("%d curl lines printed, want 3:\n%s", len(lines), out.String())
	}
	for _, line := range lines {
		callAsPrinted(t, line[1], line[2], line[3])
	}
	if !strings.Contains(steps.String(), "mask people") {
		t.Errorf("no progress was shown: %q", steps.String())
	}
	eventAsPrinted(t, a, &out)
	stop()
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
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
	if err != nil || response.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(`"rank"`)) && !bytes.Contains(body, []byte(`"metric"`)) {
		t.Errorf("%s: status %d, %v\n%s", url, response.StatusCode, err, body)
	}
}
