package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// swapsEnv asks for more promotions than the few that are usual; 20 take a minute.
const swapsEnv = "LABOUR_SWAPS"

// swapped is one server under load while snapshots are promoted.
type swapped struct {
	t      *testing.T
	data   string
	addr   string
	secret string
	child  *exec.Cmd
	calls  atomic.Int64

	mu    sync.Mutex
	texts map[string]string // of each path and snapshot, the first answer
}

// TestSwapsUnderLoad promotes one snapshot after the other while callers ask without
// a pause: no call fails, every answer is wholly of the snapshot that it names, and
// neither open files nor memory grow.
func TestSwapsUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("swaps snapshots under load for some seconds")
	}
	swaps := 3
	if n, err := strconv.Atoi(os.Getenv(swapsEnv)); err == nil && n > 0 {
		swaps = n
	}
	s, ids := newSwapped(t)
	ctx, stop := context.WithCancel(context.Background())
	var load sync.WaitGroup
	for n := range 4 {
		load.Go(func() { s.callOn(ctx, n) })
	}
	var files, memory int64
	for n := range swaps {
		s.promote(ids[(n+1)%len(ids)], ids[n%len(ids)])
		s.answersFrom(ids[(n+1)%len(ids)])
		if n == 1 { // both have been mounted
			files, memory = s.uses()
		}
	}
	stop()
	load.Wait()
	lastFiles, lastMemory := s.uses()
	t.Logf("%d calls over %d swaps; open files %d, then %d; resident memory %d MiB, then %d MiB", s.calls.Load(), swaps,
		files, lastFiles, memory>>20, lastMemory>>20)
	if lastFiles > files+8 || lastMemory > memory+memory/2 {
		t.Errorf("open files %d, then %d; resident memory %d MiB, then %d MiB", files, lastFiles, memory>>20,
			lastMemory>>20)
	}
}

// newSwapped starts a server on two snapshots that differ in every answer.
func newSwapped(t *testing.T) (*swapped, []snapshots.ID) {
	t.Helper()
	s := &swapped{t: t, data: filepath.Join(t.TempDir(), "data"), texts: map[string]string{}}
	other := snaptest.DefaultContent(t, "2026-11-21")
	for i := range other.Skills {
		other.Skills[i].Name += " (again)"
	}
	for i := range other.Regions {
		other.Regions[i].Name += " (again)"
	}
	ids := []snapshots.ID{snaptest.BuildSnapshot(t, s.data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20")),
		snaptest.SealSnapshot(t, s.data, "2026-11-21", other)}
	out, err := exec.Command("labour", "key", "create", "--data", s.data, "--partner", "North", "--plan",
		"partner").CombinedOutput()
	if s.secret = regexp.MustCompile(`lmk_live_\w+`).FindString(string(out)); err != nil || s.secret == "" {
		t.Fatalf("no key: %v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s.child = exec.Command("labour", "serve", "--data", s.data, "--addr", s.addr)
	var said shared
	s.child.Stderr = &said
	if err := s.child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.child.Process.Kill() // it is of no more use
		_ = s.child.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	s.answersFrom(ids[0])
	return s, ids
}

func (s *swapped) promote(id, expect snapshots.ID) {
	s.t.Helper()
	store, err := store.Open(s.data)
	if err == nil {
		err = store.Promote(context.Background(), id, expect)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// answersFrom waits until the server answers from a snapshot.
func (s *swapped) answersFrom(id snapshots.ID) {
	s.t.Helper()
	for range 4000 {
		if body, err := s.ask("/v1/labour/skills-unmet"); err == nil && snapshotOf(body) == string(id) {
			return
		}
		time.Sleep(30 * time.Millisecond)
	}
	s.t.Fatalf("the server does not answer from %s", id)
}

var (
	namesSnapshot = regexp.MustCompile(`"snapshot":"([^"]+)"`)
	generated     = regexp.MustCompile(`"generated":"[^"]+"`)
)

func snapshotOf(body []byte) string {
	if m := namesSnapshot.FindSubmatch(body); m != nil {
		return string(m[1])
	}
	return ""
}

func (s *swapped) ask(path string) ([]byte, error) {
	r, err := http.NewRequest(http.MethodGet, "http://"+s.addr+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.secret)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("%s: status %d: %s", path, answer.StatusCode, body))
	}
	return body, err
}

// callOn asks, and compares each answer with the first one of its snapshot.
func (s *swapped) callOn(ctx context.Context, n int) {
	paths := []string{"/v1/labour/skills-unmet", "/v1/labour/skills-unmet?place=camden&window=24",
		"/v1/labour/regions?kind=council", "/v1/labour/skills-unmet?by=place&skill=care-planning"}
	for i := n; ctx.Err() == nil; i++ {
		path := paths[i%len(paths)]
		body, err := s.ask(path)
		if err != nil {
			s.t.Error(err)
			return
		}
		s.calls.Add(1)
		id, text := snapshotOf(body), string(generated.ReplaceAll(bytes.TrimSpace(body), nil))
		s.mu.Lock()
		if first, there := s.texts[path+id]; !there {
			s.texts[path+id] = text
		} else if first != text {
			s.t.Errorf("%s of %s is another answer:\n%s\n%s", path, id, first, text)
		}
		s.mu.Unlock()
		time.Sleep(30 * time.Millisecond) // the key has an hourly allowance
	}
}

// uses is how many files the server has open and how much memory it holds.
func (s *swapped) uses() (files, memory int64) {
	s.t.Helper()
	proc := fmt.Sprintf("/proc/%d", s.child.Process.Pid)
	list, err := os.ReadDir(proc + "/fd")
	if err != nil {
		s.t.Skipf("what a process uses cannot be seen here: %v", err)
	}
	status, err := os.ReadFile(proc + "/statm")
	if err != nil {
		s.t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(status))[1], 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return int64(len(list)), pages * int64(os.Getpagesize())
}
