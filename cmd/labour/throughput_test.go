//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"labour/serve/access"
	"labour/snapshots/snaptest"
)

// callers is how many clients call at once: enough that calls which wait for the
// disk together share its time.
const callers = 64

// BenchmarkBesideABareHandler calls the real service over HTTP, with a key, counting
// in a state database and every header, and in the same run a handler that writes
// the same bytes and does nothing else. share_pct is what is left of the bare
// handler's calls a second, which the disk decides; cpu_share_pct compares the time of
// the processor that a call takes, the client's included.
func BenchmarkBesideABareHandler(b *testing.B) {
	service, secret := served(b)
	for _, path := range []string{"/v1/labour/regions?limit=50", "/v1/labour/sources", "/v1/labour/course-demand?limit=50", "/v1/labour/skills-gaps?limit=50",
		"/v1/jobs", "/v1/labour/skills-unmet", "/v1/nothing"} {
		b.Run(path[1:], func(b *testing.B) {
			status, body := call(b, service, path, secret)
			bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				_, _ = w.Write(body)
			}))
			defer bare.Close()
			b.SetBytes(int64(len(body)))
			whole, wholeCPU := together(b, service.URL+path, secret)
			alone, aloneCPU := together(b, bare.URL+path, secret)
			b.ReportMetric(float64(b.N)/whole.Seconds(), "calls/s")
			b.ReportMetric(float64(b.N)/alone.Seconds(), "bare_calls/s")
			b.ReportMetric(100*alone.Seconds()/whole.Seconds(), "share_pct")
			b.ReportMetric(float64(wholeCPU.Microseconds())/float64(b.N), "cpu_us/call")
			b.ReportMetric(100*aloneCPU.Seconds()/wholeCPU.Seconds(), "cpu_share_pct")
		})
	}
}

// served is a running service on the default snapshot, and a key without ceilings.
func served(b *testing.B) (*httptest.Server, string) {
	b.Helper()
	ctx, data := context.Background(), filepath.Join(b.TempDir(), "data")
	snaptest.Build(b, data, "2026-11-20", snaptest.Default(b, "2026-11-20"))
	a := &app{now: time.Now, random: rand.Reader, getenv: func(string) (string, bool) { return "", false }}
	s, err := a.newService(ctx, serveOptions{data: data}, slog.New(slog.NewJSONHandler(io.Discard, nil)))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.close(); err != nil {
			b.Error(err)
		}
	})
	key, secret, err := s.memory.Keys.Create(ctx, access.NewKey{Partner: "Bench", Scopes: access.Scopes()})
	if err != nil {
		b.Fatal(err)
	}
	most := int64(1 << 40)
	if err := s.memory.Keys.Allow(ctx, key.ID, &most, &most); err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(s.handler)
	b.Cleanup(server.Close)
	return server, secret
}

func call(b *testing.B, s *httptest.Server, path, secret string) (int, []byte) {
	b.Helper()
	r, err := http.NewRequest(http.MethodGet, s.URL+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	response, err := s.Client().Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || bytes.Contains(body, []byte(`"internal"`)) {
		b.Fatalf("%s: %v %s", path, err, body)
	}
	return response.StatusCode, body
}

// together makes b.N calls from all callers, and tells how long that took and how
// much time of the processor.
func together(b *testing.B, url, secret string) (took, cpu time.Duration) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers, DisableCompression: true}}
	defer client.CloseIdleConnections()
	turns := make(chan struct{}, b.N)
	for range b.N {
		turns <- struct{}{}
	}
	close(turns)
	before, began := processorTime(b), time.Now()
	var running sync.WaitGroup
	for range callers {
		running.Go(func() {
			for range turns {
				if err := one(client, url, secret); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	running.Wait()
	return time.Since(began), processorTime(b) - before
}

// processorTime is what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func one(client *http.Client, url, secret string) error {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if response.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	return nil
}
