package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"syscall"

	"labour/serve/state/pgserver"
	"labour/snapshots/figure"
)

// compareRowStores runs the same queries on the service and on databases with one row per advert.
// The databases are DuckDB and PostgreSQL. It compares results and times.
func (b *benchmark) compareRowStores(ctx context.Context) error {
	for _, open := range []func(ctx context.Context, snapshot, dir string) (*rowStore, error){inDuckDB, inPostgres} {
		store, err := open(ctx, b.dir, b.work)
		if errors.Is(err, pgserver.ErrNotInstalled) {
			b.report.Skipped = append(b.report.Skipped, "PostgreSQL: "+err.Error())
			continue
		}
		if err != nil {
			return err
		}
		if err := errors.Join(b.compareWith(ctx, store), store.Close()); err != nil || b.o.NoPostgres {
			return err
		}
	}
	return nil
}

// rowRounds is the number of times that each query is measured, on the database and on the service
// in turn.
const rowRounds = 9

// compareWith runs the same queries on the service and on a database with one row per advert. It
// compares their results and times. First it flushes pending disk writes, because each call of the
// service waits for a disk write.
func (b *benchmark) compareWith(ctx context.Context, s *rowStore) error {
	syscall.Sync()
	for _, q := range b.values.questions() {
		shares, err := s.shares(ctx, q)
		if err != nil {
			return err
		}
		same, err := b.hasSameShares(ctx, q, shares)
		if err != nil {
			return err
		}
		var service, other []float64
		for range rowRounds {
			start := now()
			if _, err := s.shares(ctx, q); err != nil {
				return err
			}
			other = append(other, ms(now().Sub(start)))
			r, err := b.measureCalls(ctx, load{Name: q.Name, Calls: max(b.o.Calls/rowRounds, 1),
				Path: func(int) string { return q.path() }})
			if err != nil {
				return err
			}
			service = append(service, ms(r.Latencies.P50))
		}
		x := comparison{Question: q.Name, Store: s.Name, Service: median(service), Other: median(other), Same: same}
		x.Times = x.Other / max(x.Service, 0.001)
		b.report.Rows = append(b.report.Rows, x)
	}
	return nil
}

func median(rounds []float64) float64 {
	slices.Sort(rounds)
	return rounds[len(rounds)/2]
}

// hasSameShares reports whether the answer of the service to q agrees with shares. Each skill in
// the answer must be in shares with the same percentage of adverts. The answer must have all skills
// in shares, or 200 of them if there are more.
func (b *benchmark) hasSameShares(ctx context.Context, q question, shares []share) (bool, error) {
	page, err := b.fetch(ctx, q.path())
	if err != nil {
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

// pageRounds is the number of times that page 1 and page 100 of a list are measured.
const pageRounds = 5

// measurePages measures how many times longer page 100 of a list takes than page 1. It reports the
// ratio for several lists.
func (b *benchmark) measurePages(ctx context.Context) error {
	b.report.Pages = map[string]float64{}
	// lists with more than a hundred pages
	for _, path := range []string{"/v1/labour/skills-unmet?limit=3", "/v1/jobs?limit=20"} {
		at, err := b.walk(ctx, path, 100)
		if err != nil {
			return err
		}
		var rounds []float64
		for range pageRounds {
			var p50 []float64
			for _, page := range []string{path, at} {
				r, err := b.measureCalls(ctx, load{Name: page, Calls: b.o.Calls, Path: func(int) string { return page }})
				if err != nil {
					return err
				}
				p50 = append(p50, ms(r.Latencies.P50))
			}
			rounds = append(rounds, p50[1]/p50[0])
		}
		b.report.Pages[path] = median(rounds)
	}
	return nil
}

func (b *benchmark) walk(ctx context.Context, path string, to int) (string, error) {
	at := path
	for range to - 1 {
		page, err := b.fetch(ctx, at)
		if err != nil || page.Meta.Next == nil { // the last page of a short list
			return at, err
		}
		at = path + "&cursor=" + *page.Meta.Next
	}
	return at, nil
}

type answer struct {
	Data []struct {
		Skill string  `json:"skill"`
		Share float64 `json:"adverts_share_pct"`
	} `json:"data"`
	Meta struct {
		Next *string `json:"next_cursor"`
	} `json:"meta"`
}

func (b *benchmark) fetch(ctx context.Context, path string) (page answer, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.server.base+path, nil)
	if err != nil {
		return page, err
	}
	r.Header.Set("Authorization", "Bearer "+b.Keys[0])
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return page, err
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		return page, fmt.Errorf("%s: status %d", path, got.StatusCode)
	}
	return page, json.NewDecoder(got.Body).Decode(&page)
}
