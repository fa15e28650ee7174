package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"labour/serve/bench"
	"labour/serve/query"
	"labour/serve/state/pgserver"
	"labour/snapshots/figure"
)

// written is an answer that a bare handler writes again.
type written struct {
	Header http.Header
	Body   []byte
}

// bare compares the throughput of the unpaged endpoints and of jobs with that of a
// handler that writes the same bytes and does nothing else.
func (b *benching) bare(ctx context.Context) error {
	shapes := b.values.Unpaged()
	answers := map[string]written{}
	for _, s := range shapes {
		for i := range 5 {
			if err := b.keep(ctx, answers, s.Path(i)); err != nil {
				return err
			}
		}
	}
	text, err := json.Marshal(answers)
	if err != nil {
		return err
	}
	file := filepath.Join(b.work, "answers.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	bare, err := b.startProcess(ctx, "bench", "bare", "--answers", file)
	if err != nil {
		return err
	}
	n := 2 * b.o.calls
	for _, s := range shapes {
		path := func(i int) string { return s.Path(i % 5) }
		service, err := b.load(4).Run(ctx, s.Name, n, b.call("identity", path))
		if err != nil {
			return errors.Join(err, bare.stop())
		}
		plain, err := bench.Load{Base: bare.base, Now: b.now, Clients: 4}.Run(ctx, s.Name, n, b.call("identity", path))
		if err != nil {
			return errors.Join(err, bare.stop())
		}
		b.report.Bare = append(b.report.Bare, bench.Ratio{Name: s.Name, Service: service.PerSecond, Bare: plain.PerSecond, Ratio: service.PerSecond / plain.PerSecond})
	}
	return bare.stop()
}

// fetch asks the service once.
func (b *benching) fetch(ctx context.Context, path string) (written, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.server.base+path, nil)
	if err != nil {
		return written{}, err
	}
	r.Header.Set("Authorization", "Bearer "+b.keys[0])
	r.Header.Set("Accept-Encoding", "identity")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return written{}, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %s", path, answer.StatusCode, body)
	}
	return written{answer.Header, body}, err
}

func (b *benching) keep(ctx context.Context, answers map[string]written, path string) error {
	if _, ok := answers[path]; ok {
		return nil
	}
	w, err := b.fetch(ctx, path)
	answers[path] = w
	return err
}

// newBenchBareCmd is the handler that writes what it was given, in a process of its own.
func newBenchBareCmd(a *app) *cobra.Command {
	var file string
	c := &cobra.Command{Use: "bare", Hidden: true, Short: "A handler that only writes, for bench serve", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			answers := map[string]written{}
			if err := json.Unmarshal(text, &answers); err != nil {
				return err
			}
			base, stop, err := onLoopback(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := answers[r.URL.RequestURI()]
				for name, values := range answer.Header {
					w.Header()[name] = values
				}
				_, _ = w.Write(answer.Body) // a client that went away is no fault
			}))
			if err != nil {
				return err
			}
			defer stop()
			fmt.Fprintf(a.stderr, "Serving answers on %s\n", base)
			<-cmd.Context().Done()
			return nil
		}}
	c.Flags().StringVar(&file, "answers", "", "")
	return c
}

// newBenchMountCmd mounts a snapshot in a process of its own.
func newBenchMountCmd(a *app) *cobra.Command {
	var dir string
	c := &cobra.Command{Use: "mount", Hidden: true, Short: "One measured mount, for bench serve", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			watch := &stopwatch{now: a.now, report: func(string) {}}
			watch.step("mount")
			s, err := query.Mount(cmd.Context(), dir, query.Options{})
			if err != nil {
				return err
			}
			watch.step("")
			m := measured{Stages: watch.stages}
			if err := errors.Join(s.Close(), m.used()); err != nil {
				return err
			}
			return json.NewEncoder(a.stdout).Encode(m)
		}}
	c.Flags().StringVar(&dir, "dir", "", "")
	return c
}

func (b *benching) duckDB(ctx context.Context) error {
	store, err := bench.DuckDB(ctx, b.dir, b.now)
	if err != nil {
		return err
	}
	return errors.Join(b.rows(ctx, store), store.Close())
}

func (b *benching) postgres(ctx context.Context) error {
	if b.o.noPostgres {
		return nil
	}
	store, err := bench.Postgres(ctx, b.dir, b.now)
	if errors.Is(err, pgserver.ErrNotInstalled) {
		b.report.Skipped = append(b.report.Skipped, "PostgreSQL: "+err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(b.rows(ctx, store), store.Close())
}

// rowAsks is how often row-level tables are asked each question.
const rowAsks = 7

// rows asks a store and the service the same questions, and compares their answers.
func (b *benching) rows(ctx context.Context, store *bench.Store) error {
	for _, q := range b.values.Questions() {
		shares, err := store.Ask(ctx, q)
		if err != nil {
			return err
		}
		same, err := b.same(ctx, q, shares)
		if err != nil {
			return err
		}
		other, err := bench.Measure(b.now, rowAsks, func(int) error { _, err := store.Ask(ctx, q); return err })
		if err != nil {
			return err
		}
		service, err := b.load(1).Run(ctx, q.Name, b.o.calls, b.call("identity", func(int) string { return q.Path() }))
		if err != nil {
			return err
		}
		b.report.Rows = append(b.report.Rows, bench.Beside{Question: q.Name, Store: store.Name, Service: service.Latency, Other: other,
			Times: other.P50 / max(service.P50, 0.001), Same: same})
	}
	return nil
}

// same says whether every skill that the service ranks has the share that the
// row-level tables give it, and no other is missing.
func (b *benching) same(ctx context.Context, q bench.Question, shares []bench.Share) (bool, error) {
	answer, err := b.fetch(ctx, q.Path())
	if err != nil {
		return false, err
	}
	var page struct {
		Data []struct {
			Skill string  `json:"skill"`
			Share float64 `json:"adverts_share_pct"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer.Body, &page); err != nil {
		return false, err
	}
	printed := make(map[string]figure.Tenths, len(shares))
	for _, s := range shares {
		printed[s.Skill] = figure.ShareTenths(s.Adverts, s.Matching)
	}
	for _, row := range page.Data {
		if want, ok := printed[row.Skill]; !ok || want != figure.Tenths(math.Round(row.Share*10)) {
			return false, nil
		}
	}
	return len(page.Data) == min(len(shares), 200), nil
}

// pages compares page 100 of a walk with page 1.
func (b *benching) pages(ctx context.Context) error {
	b.report.Pages = map[string]float64{}
	for _, path := range []string{"/v1/labour/skills-unmet?limit=3", "/v1/jobs?limit=20"} {
		at := path
		for page := 1; page < 100; page++ {
			answer, err := b.fetch(ctx, at)
			if err != nil {
				return err
			}
			var body struct {
				Meta struct {
					Next *string `json:"next_cursor"`
				} `json:"meta"`
			}
			if err := json.Unmarshal(answer.Body, &body); err != nil {
				return err
			}
			if body.Meta.Next == nil {
				break
			}
			at = path + "&cursor=" + *body.Meta.Next
		}
		first, err := b.load(1).Run(ctx, path, b.o.calls, b.call("identity", func(int) string { return path }))
		if err != nil {
			return err
		}
		last, err := b.load(1).Run(ctx, at, b.o.calls, b.call("identity", func(int) string { return at }))
		if err != nil {
			return err
		}
		b.report.Pages[path] = last.P50 / first.P50
	}
	return nil
}

// allocations answers calls of the mix in this process, where they can be counted.
func (b *benching) allocations(ctx context.Context) error {
	s, err := b.newService(ctx, serveOptions{data: b.o.data, state: filepath.Join(b.work, "state.db"), verified: nil}, b.log())
	if err != nil {
		return err
	}
	path := bench.Mixed(append(b.values.SkillsUnmet(), b.values.Others()...))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range b.o.calls {
		r := httptest.NewRequest(http.MethodGet, path(i), nil)
		r.Header.Set("Authorization", "Bearer "+b.keys[0])
		s.handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	runtime.ReadMemStats(&after)
	b.report.Allocations = float64(after.Mallocs-before.Mallocs) / float64(b.o.calls)
	b.report.Allocated = float64(after.TotalAlloc-before.TotalAlloc) / float64(b.o.calls)
	return s.close()
}
