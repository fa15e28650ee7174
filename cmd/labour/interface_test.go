package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"labour/pipeline"
	"labour/serve/formats/formatstest"
)

// TestInterfaceOverARun holds the interface to its document over a snapshot that the
// pipeline made: every format, and walks while snapshots are promoted.
func TestInterfaceOverARun(t *testing.T) {
	p := publish(t)
	t.Run("formats", func(t *testing.T) { p.compareFormats(t, p.known()) })
	t.Run("walks", p.walkWhilePromoting) // the last, since it promotes
}

// known are values of parameters that exist in the snapshot.
func (p *published) known() map[string][]string {
	values := func(path, field string, query url.Values) []string {
		seen := map[string]bool{}
		for _, row := range p.get(path, query).Data {
			if v, ok := row[field].(string); ok && !seen[v] {
				seen[v] = true
			}
		}
		var out []string
		for v := range seen {
			out = append(out, v)
		}
		slices.Sort(out)
		return out[:min(len(out), 12)]
	}
	most := url.Values{"limit": {"200"}}
	return map[string][]string{
		"place": values("/v1/jobs", "borough", nil), "borough": values("/v1/jobs", "borough", nil),
		"sector": values("/v1/jobs", "sector", nil),
		"skill":  values("/v1/labour/skills-unmet", "skill", most), "soc": values("/v1/jobs", "soc", nil),
		"region": append(values("/v1/labour/regions", "code", url.Values{"kind": {"council"}}),
			values("/v1/labour/regions", "slug", url.Values{"kind": {"lsip"}})...),
		"subject_area": values("/v1/labour/course-demand", "subject_area", nil),
	}
}

func pagedPaths() []string {
	return []string{"/v1/jobs", "/v1/labour/evidence", "/v1/labour/skills-unmet"}
}

// ask calls the handler without a connection.
func (p *published) ask(method, target, body, kind string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+p.secret)
	r.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	p.service.handler.ServeHTTP(w, r)
	return w
}

// compareFormats compares the three formats of every endpoint, with every filter that
// has a list of known values and the ones named here.
func (p *published) compareFormats(t *testing.T, known map[string][]string) {
	targets := []string{"/v1/labour/skills-gaps?country=US", "/v1/labour/sources", "/v1/labour/evidence?kind=report",
		"/v1/labour/evidence?kind=news", "/v1/jobs?type=apprenticeship",
		"/v1/jobs?q=care", "/v1/labour/skills-unmet?window=24&level=3",
		"/v1/labour/skills-unmet?source=employer_boards",
		"/v1/labour/course-demand?metric=apprenticeship_starts&limit=5000"}
	filters := map[string][]string{"/v1/jobs": {"borough", "sector", "soc"},
		"/v1/labour/skills-unmet":  {"place", "sector", "soc", "skill"},
		"/v1/labour/course-demand": {"region", "subject_area"},
		"/v1/labour/evidence":      {"soc", "region"}, "/v1/labour/skills-gaps": {"soc", "region"}}
	for path, names := range filters {
		targets = append(targets, path+"?limit=200")
		for _, name := range names {
			for _, v := range known[name][:min(3, len(known[name]))] {
				targets = append(targets, path+"?limit=200&"+name+"="+url.QueryEscape(v))
			}
		}
	}
	for _, kind := range []string{"travel_to_work_area", "council", "lsip", "itl1", "itl2", "itl3", "nation"} {
		targets = append(targets, "/v1/labour/regions?kind="+kind)
	}
	for _, by := range []string{"place", "sector", "soc", "level", "month"} {
		targets = append(targets, "/v1/labour/skills-unmet?limit=200&skill="+known["skill"][0]+"&by="+by)
	}
	rows := 0
	for _, target := range targets {
		var bodies [3][]byte
		for i, format := range []string{"json", "csv", "parquet"} {
			separator := "?"
			if strings.Contains(target, "?") {
				separator = "&"
			}
			w := p.ask(http.MethodGet, target+separator+"format="+format, "", "")
			if w.Code != http.StatusOK {
				t.Fatalf("%s in %s: %d %s", target, format, w.Code, w.Body)
			}
			bodies[i] = w.Body.Bytes()
		}
		formatstest.CheckEqual(t, bodies[0], bodies[1], bodies[2])
		answer, err := formatstest.ReadResponse(bodies[0])
		if err != nil || t.Failed() {
			t.Fatalf("%s: %v", target, err)
		}
		rows += len(answer.Data)
	}
	t.Logf("%d answers with %d rows compared", len(targets), rows)
	if rows < 1000 {
		t.Errorf("only %d rows compared", rows)
	}
}

// walk is one full walk, a page at a time.
type walk struct {
	path     string
	cursor   string
	snapshot string
	want     []map[string]any // the whole list when the walk begins
	got      []map[string]any
	pages    int
	done     bool
}

// next asks for a page of a random size.
func (w *walk) next(t *testing.T, p *published, r *rand.Rand) {
	t.Helper()
	query := url.Values{"limit": {fmt.Sprint(1 + r.IntN(len(w.want)/3))}}
	if w.cursor != "" {
		query.Set("cursor", w.cursor)
	}
	page := p.get(w.path, query)
	if page.Meta.Snapshot != w.snapshot || page.Meta.Returned != len(page.Data) {
		t.Fatalf("%s, page %d: snapshot %s, want %s; %d rows, said %d", w.path, w.pages, page.Meta.Snapshot, w.snapshot,
			len(page.Data), page.Meta.Returned)
	}
	w.got, w.pages = append(w.got, page.Data...), w.pages+1
	if w.done = page.Meta.NextCursor == nil; !w.done {
		w.cursor = *page.Meta.NextCursor
	}
}

// walkWhilePromoting: "A full walk returns every matching item exactly once, in
// order, even when items are published during the walk." Walks of the three paged
// endpoints go on by turns, in pages of random sizes, while snapshots are promoted:
// one of the next day, and light ones.
func (p *published) walkWhilePromoting(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, seed))
	var walks []*walk
	for _, path := range pagedPaths() {
		w := &walk{path: path}
		query := url.Values{"limit": {"200"}}
		for {
			page := p.get(path, query)
			w.want, w.snapshot = append(w.want, page.Data...), page.Meta.Snapshot
			if page.Meta.NextCursor == nil {
				break
			}
			query.Set("cursor", *page.Meta.NextCursor)
		}
		if len(w.want) < 10 {
			t.Fatalf("%s has only %d rows", path, len(w.want))
		}
		walks = append(walks, w)
	}
	for _, w := range walks {
		w.next(t, p, r)
	}
	promotions := []func(){p.promoteAnother, p.promoteLight, p.promoteLight}
	for turn := 0; len(walks) > 0; turn++ {
		if turn < 2*len(promotions) && turn%2 == 0 {
			promotions[turn/2]()
		}
		i := r.IntN(len(walks))
		if w := walks[i]; !w.done {
			w.next(t, p, r)
			continue
		}
		w := walks[i]
		if d := gocmp.Diff(w.want, w.got); d != "" {
			t.Errorf("%s in %d pages: %d rows, want %d\n%s", w.path, w.pages, len(w.got), len(w.want), d)
		}
		t.Logf("%s: %d rows in %d pages", w.path, len(w.got), w.pages)
		walks = slices.Delete(walks, i, i+1)
	}
	if now := p.get("/v1/jobs", nil).Meta.Snapshot; now == "" || now == "2026-11-20.1" {
		t.Errorf("nothing was promoted: %s answers", now)
	}
}

// promoteLight publishes a snapshot of the platform's feed alone.
func (p *published) promoteLight() {
	o := p.options
	o.AsOf, o.IsLight, o.Log = o.AsOf.AddDays(1), true, slog.New(slog.DiscardHandler)
	if _, err := pipeline.Run(context.Background(), o); err != nil {
		p.t.Fatal(err)
	}
	if err := p.service.live.Reload(context.Background()); err != nil {
		p.t.Fatal(err)
	}
}
