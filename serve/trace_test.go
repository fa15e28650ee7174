package serve_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"labour/serve"
	"labour/serve/partners/access"
	"labour/serve/query"
	"labour/serve/state"
	"labour/serve/stores"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// The most functions and files of this program that one call of skills-unmet may pass, from
// the request to the logged answer, key and counting included. A file of its own describes the
// figures about people: whether the filters and the place have any, and why not. The last file is that of the
// entity tags, which the files of Swagger UI use too.
const (
	mostFunctions = 140
	mostFiles     = 27
)

// tracedCalls is the number of calls to make, tracedData the data directory; set in the
// processes that are traced, which make no snapshot: its rows are sorted in more steps or fewer.
const (
	tracedCalls = "LABOUR_TRACED_CALLS"
	tracedData  = "LABOUR_TRACED_DATA"
)

// TestOneCallPassesFewFunctions: somebody who follows a request reads this many functions
// and files. Processes that count what they run make few and many calls: what the second
// ran so much more often belongs to each.
func TestOneCallPassesFewFunctions(t *testing.T) {
	if n, err := strconv.Atoi(os.Getenv(tracedCalls)); err == nil {
		makeCalls(t, os.Getenv(tracedData), n)
		return
	}
	if os.Getenv("LABOUR_LONG") == "" {
		t.Skip("builds the server once more to count what it runs; LABOUR_LONG=1 runs it")
	}
	const few, many = 2, 52
	data := t.TempDir()
	snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	before, passed := traced(t, data, few), strings.Builder{}
	passed.WriteString("mode: atomic\n")
	for block, count := range traced(t, data, many) {
		fmt.Fprintf(&passed, "%s %d\n", block, max(0, (count-before[block])/(many-few)))
	}
	profile := filepath.Join(t.TempDir(), "profile")
	if err := os.WriteFile(profile, []byte(passed.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	listed, err := exec.Command("go", "tool", "cover", "-func="+profile).Output()
	if err != nil {
		t.Fatal(err)
	}
	functions, files := 0, map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^(\S+\.go):\d+:\s+(\S+)\s+([0-9.]+)%$`).FindAllStringSubmatch(
		string(listed), -1) {
		if line[3] != "0.0" {
			functions, files[line[1]] = functions+1, true
			t.Logf("%s %s", line[1], line[2])
		}
	}
	t.Logf("%d functions in %d files", functions, len(files))
	if functions > mostFunctions || len(files) > mostFiles || functions < 50 {
		t.Errorf("a call passes %d functions in %d files; at most %d in %d are wanted", functions, len(files),
			mostFunctions, mostFiles)
	}
}

// traced is how often each block of the program ran in a process that makes n calls.
func traced(t *testing.T, data string, n int) map[string]int {
	profile := filepath.Join(t.TempDir(), "profile")
	c := exec.Command("go", "test", "-count=1", "-covermode=atomic",
		"-coverpkg=labour/serve/...,labour/snapshots,labour/snapshots/figure", "-coverprofile="+profile,
		"-run=^"+t.Name()+"$", "labour/serve")
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", tracedCalls, n), tracedData+"="+data)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("trace %d calls: %v\n%s", n, err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	for _, line := range regexp.MustCompile(`(?m)^(\S+ \d+) (\d+)$`).FindAllStringSubmatch(string(text), -1) {
		count, err := strconv.Atoi(line[2])
		if err != nil {
			t.Fatal(err)
		}
		ran[line[1]] += count
	}
	return ran
}

// makeCalls makes so many calls of a service of its own over the snapshots of data.
func makeCalls(t *testing.T, data string, n int) {
	log, ctx := slog.New(slog.DiscardHandler), context.Background()
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	live := query.NewSnapshotSource(store, time.Now, log, query.Options{TempDir: t.TempDir()})
	stores, err := stores.Open(ctx, filepath.Join(t.TempDir(), state.DatabaseFileName), time.Now, rand.Reader, log)
	if err != nil {
		t.Fatal(err)
	}
	hooks, err := stores.OpenWebhooks(ctx, nil, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := live.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	_, secret, err := stores.Keys.CreateKey(ctx, access.KeyRequest{Partner: "Example", Plan: access.PlanPartner})
	if err != nil {
		t.Fatal(err)
	}
	h, err := serve.New(serve.Options{Snapshots: live, Authenticator: stores.Keys, RequestCounter: stores.RequestCounter,
		Cursors: stores.Cursors, Webhooks: hooks,
		Now: time.Now, RandomSource: rand.Reader, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		r := httptest.NewRequest(http.MethodGet, "/v1/labour/skills-unmet?place=camden&sector=digital", nil)
		r.Header.Set("Authorization", "Bearer "+secret)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"rank":1`) {
			t.Fatalf("status %d: %s", w.Code, w.Body)
		}
	}
}
