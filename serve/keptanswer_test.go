package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/access"
	"labour/serve/calltest"
	"labour/serve/kept"
	"labour/serve/labourdata"
)

// pair is two services that differ in nothing but that one keeps answers.
type pair struct{ keeping, computing *service }

func newPair(t *testing.T, scopes ...access.Scope) pair {
	t.Helper()
	answers, err := kept.New()
	if err != nil {
		t.Fatal(err)
	}
	computing := newService(t, nil)
	keeping := newService(t, func(o *Options) { o.Kept, o.Cursors = answers, computing.options.Cursors })
	p := pair{keeping, computing}
	for _, s := range []*service{keeping, computing} {
		s.grant(t, scopes...)
		many := int64(1 << 30)
		if err := s.keys.Allow(context.Background(), s.key.ID, &many, &many); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// each does the same to both.
func (p pair) each(f func(*service)) {
	f(p.keeping)
	f(p.computing)
}

// said is what a partner and the log are told, without what is never the same twice.
type said struct {
	Status int
	Header http.Header
	Body   string
	Log    map[string]any
}

func (s *service) said(t *testing.T, method, target string, headers ...string) said {
	t.Helper()
	s.log.Reset()
	res := s.do(t, method, target, append([]string{"Authorization", "Bearer " + s.secret}, headers...)...)
	out := said{Status: res.status, Header: res.header, Log: map[string]any{}}
	encoding := res.header.Get("Content-Encoding")
	out.Body = string(decompress(t, encoding, bytes.NewReader(res.body)))
	id := res.header.Get("X-Request-Id")
	out.Body = strings.ReplaceAll(out.Body, id, "")
	if out.Header.Del("X-Request-Id"); encoding != "" {
		out.Header.Del("Content-Length") // what is compressed while it is sent has none
	}
	if lines := strings.Count(s.log.String(), "\n"); lines != 1 {
		t.Errorf("%s: %d lines in the log", target, lines)
	}
	if err := json.Unmarshal(s.log.Bytes(), &out.Log); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"time", "id", "key_id"} {
		delete(out.Log, name)
	}
	return out
}

// same makes a call of both and compares.
func (p pair) same(t *testing.T, method, target string, headers ...string) said {
	t.Helper()
	got, want := p.keeping.said(t, method, target, headers...), p.computing.said(t, method, target, headers...)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s %s %q: %s", method, target, headers, d)
	}
	return got
}

// A kept answer is byte for byte the one that is computed, at another moment too, with
// its headers, counts and line in the log, in every coding, and is never given to who
// may not have it or has it already.
func TestKeptAnswersAreThoseComputed(t *testing.T) {
	p := newPair(t, access.Scopes()...)
	paths := []string{"/v1/labour/regions", "/v1/labour/regions?limit=1", "/v1/labour/regions?format=csv", "/v1/labour/skills-gaps",
		"/v1/labour/course-demand?country=GB", "/v1/labour/sources", "/v1/labour/evidence?limit=1", "/v1/labour/skills-unmet", "/v1/labour/regions?nonsense=1",
		"/v1/jobs", "/v1/jobs?borough=camden&limit=1", "/v1/pathways", "/v1/candidates", "/v1/s106", "/v1/s106?borough=camden", "/v1/s106?borough=nowhere", "/v1/events", "/v1/nothing"}
	for _, hour := range []int{0, 1, 21, 22, 23} { // of which the last two find a source stale
		p.each(func(s *service) { s.clock.set(time.Date(2026, 11, 20, 7+hour, 0, hour, 0, time.UTC)) })
		for _, path := range paths {
			tag := p.same(t, http.MethodGet, path).Header.Get("Etag")
			if hour != 1 && hour != 22 {
				continue
			}
			for _, match := range []string{"*", `W/"other"`, tag} {
				p.same(t, http.MethodGet, path, "If-None-Match", match)
			}
			p.same(t, http.MethodHead, path)
			p.same(t, http.MethodPost, path)
			for _, accept := range []string{"identity", "gzip", "zstd", "gzip, deflate, br, zstd", " GZIP ,deflate", "gzip;q=0.5, zstd;q=0.4", "zstd;q=0, gzip", "*", "br", ""} {
				p.same(t, http.MethodGet, path, "Accept-Encoding", accept)
			}
		}
	}
	p.each(func(s *service) { s.grant(t, access.LabourRead) })
	for _, path := range paths {
		p.same(t, http.MethodGet, path)
	}
}

// What is kept is not computed again, until another snapshot answers; skills not met
// are computed on every call, and events, which are a partner's own, too.
func TestKeptAnswersAreKeptForTheirSnapshot(t *testing.T) {
	s := newPair(t, access.Scopes()...).keeping
	s.live.kept["2026-11-21.1"] = newFakeSnapshot("2026-11-21.1")
	for path, computed := range map[string]int{"/v1/labour/regions": 1, "/v1/labour/sources": 1, "/v1/jobs": 1, "/v1/pathways": 1,
		"/v1/labour/evidence": 1, "/v1/labour/skills-unmet": 3, "/v1/events": 3} {
		for _, id := range []string{"2026-11-20.1", "2026-11-21.1"} {
			s.live.current = id
			before := len(s.live.now().asked)
			for range 3 {
				if res := s.get(t, path); res.status != http.StatusOK || !strings.Contains(string(res.body), id) && path != "/v1/jobs" {
					t.Errorf("%s of %s: %d %s", path, id, res.status, res.body)
				}
			}
			if n := len(s.live.now().asked) - before; n != computed {
				t.Errorf("%s of %s is computed %d times, want %d", path, id, n, computed)
			}
		}
	}
}

// A page after a cursor is kept while its snapshot answers, and stays in that snapshot.
func TestKeptPagesStayInTheirSnapshot(t *testing.T) {
	s := newPair(t, access.Scopes()...).keeping
	old := s.live.now()
	next := "/v1/labour/evidence?limit=1&cursor=" + cursorOf(t, s, "/v1/labour/evidence")
	ask := func() string { return string(s.get(t, next).body) }
	before := len(old.asked)
	first := ask()
	if again := ask(); again != first || len(old.asked) != before+1 {
		t.Errorf("asked %d times: %s, then %s", len(old.asked)-before, first, again)
	}
	s.live.kept["2026-11-21.1"] = newFakeSnapshot("2026-11-21.1")
	s.live.current = "2026-11-21.1"
	for range 2 {
		s.get(t, "/v1/labour/evidence")
		if again := ask(); again != first {
			t.Errorf("after a promotion: %s, before: %s", again, first)
		}
	}
	if len(old.asked) != before+3 {
		t.Errorf("the old snapshot was asked %d times", len(old.asked)-before)
	}
}

// Whatever is drawn from the document, and asked in whatever order, both say the same.
func TestDrawnCallsAreTheSameKept(t *testing.T) {
	raw, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	d, err := calltest.New(raw)
	if err != nil {
		t.Fatal(err)
	}
	p := newPair(t, access.Scopes()...)
	snapshot := p.computing.live.now()
	d.Known = map[string][]string{"place": snapshot.Values(labourdata.Places), "borough": snapshot.Values(labourdata.Places), "sector": snapshot.Values(labourdata.Sectors),
		"region": snapshot.Values(labourdata.RegionNames), "country": {"GB"}, "cursor": {cursorOf(t, p.computing, "/v1/labour/evidence"), cursorOf(t, p.computing, "/v1/jobs")}}
	cursorOf(t, p.keeping, "/v1/jobs")
	cursorOf(t, p.keeping, "/v1/jobs") // so that both have counted as many calls
	rapid.Check(t, func(rt *rapid.T) {
		c := d.Calls().Draw(rt, "call")
		if c.Method != http.MethodGet || strings.Contains(c.Target, "/webhooks/") {
			return
		}
		accept := rapid.SampledFrom([]string{"", "gzip", "zstd", "gzip, zstd"}).Draw(rt, "coding")
		for range 2 {
			if p.same(t, c.Method, c.Target, "Accept-Encoding", accept); t.Failed() {
				rt.Fatalf("%+v", c)
			}
		}
	})
}

// BenchmarkKeptAnswer is a whole call, counted in SQLite, of what is kept.
func BenchmarkKeptAnswer(b *testing.B) {
	answers, err := kept.New()
	if err != nil {
		b.Fatal(err)
	}
	s := newService(b, func(o *Options) { o.Kept = answers })
	many := int64(1 << 40)
	if err := s.keys.Allow(context.Background(), s.key.ID, &many, &many); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetParallelism(32)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if w := record(s, newRequest(s, "/v1/labour/regions")); w.Code != http.StatusOK {
				b.Fatal(w.Code)
			}
		}
	})
}
