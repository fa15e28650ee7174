package main

import (
	"cmp"
	crand "crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"labour/pipeline"
	"labour/pipeline/config"
	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/attack/crawl"
	"labour/pipeline/disclosure/madeup"
	"labour/sources"
	"labour/sources/sandbox"
)

// seriesVariable asks for eight quarters of the sandbox, with so many applications;
// 250000 is the sandbox itself.
const seriesVariable = "LABOUR_SERIES"

// TestNothingIsDerivableFromTheSandboxInARow publishes the sandbox's world at eight
// quarter ends in a row, with launch at the first, crawls all that is printed of a
// few skills after each, and attacks the whole series by subtraction.
func TestNothingIsDerivableFromTheSandboxInARow(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv(seriesVariable))
	if err != nil {
		t.Skipf("takes long: set %s to a number of applications, 250000 for the whole sandbox", seriesVariable)
	}
	s := newSandboxSeries(t, n)
	for q := 1; q <= seriesQuarters; q++ {
		start := time.Now()
		s.publish(q)
		run := time.Since(start)
		s.crawl(q)
		t.Logf("quarter %d: published after %s, crawled after %s", q, run.Round(time.Second), time.Since(start).Round(time.Second))
	}
	for _, skill := range s.skills {
		s.judge(skill)
	}
}

// sandboxSeries is the sandbox quarter by quarter.
type sandboxSeries struct {
	t      *testing.T
	dir    string
	feed   map[string][]string // file → lines, of the whole two years
	p      *published
	space  crawl.Space
	skills []string
	tokens map[string][]map[madeup.Cell]string
	people map[string][][]madeup.Person // by skill and quarter; Age = months since launch
}

func newSandboxSeries(t *testing.T, applications int) *sandboxSeries {
	t.Helper()
	s := &sandboxSeries{t: t, dir: t.TempDir(), feed: map[string][]string{}, tokens: map[string][]map[madeup.Cell]string{}, people: map[string][][]madeup.Person{}}
	end := quarterEnd(seriesQuarters)
	world, err := sandbox.New(sandboxSeed, sources.DateOf(end), sandbox.Size{Adverts: max(300, applications/20), Residents: max(500, applications/4), Applications: applications})
	if err != nil {
		t.Fatal(err)
	}
	if err := world.WriteFeed(filepath.Join(s.dir, "whole")); err != nil {
		t.Fatal(err)
	}
	s.readFeed()
	s.once()
	handler, err := world.Handler()
	if err != nil {
		t.Fatal(err)
	}
	publishers := httptest.NewServer(handler)
	t.Cleanup(publishers.Close)
	text, err := world.Config(filepath.Join(s.dir, "feed"), publishers.URL)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.dir, "labour.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	now := quarterEnd(1)
	a := &app{stdout: io.Discard, stderr: io.Discard, now: func() time.Time { return now }, random: crand.Reader,
		getenv: func(string) (string, bool) { return "", false }, version: "test"}
	s.p = &published{t: t, app: a, data: filepath.Join(s.dir, "data"), clock: &now}
	s.p.options = pipeline.Options{Config: c, Data: s.p.data, Now: a.now, Log: slog.New(slog.DiscardHandler), Secrets: a.sandboxSecret, ToolVersion: "test"}
	for _, line := range s.feed["boroughs.ndjson"] {
		var b struct{ Slug string }
		if err := json.Unmarshal([]byte(line), &b); err != nil {
			t.Fatal(err)
		}
		s.space.Places = append(s.space.Places, b.Slug)
	}
	s.space.Areas = map[string][]string{}
	for _, area := range c.ServedAreas {
		s.space.Areas[area.Slug] = area.Boroughs
	}
	return s
}

// publish runs the pipeline at the end of a quarter.
func (s *sandboxSeries) publish(q int) {
	s.writeFeed(q)
	*s.p.clock = quarterEnd(q)
	s.p.options.AsOf = sources.DateOf(quarterEnd(q))
	if result, err := pipeline.Run(s.t.Context(), s.p.options); err != nil || len(result.Failed) > 0 {
		s.t.Fatalf("quarter %d: %v, failed sources %v", q, err, result.Failed)
	}
	if s.p.server == nil {
		s.p.serve()
	} else if err := s.p.service.live.Reload(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	o := newOracle(s.t, s.p.options.Config, s.p.data, s.p.options.AsOf)
	if s.skills == nil {
		s.choose()
	}
	for _, f := range o.latest["for"] {
		if slices.Contains(s.skills, f.skill) {
			for len(s.people[f.skill]) < q {
				s.people[f.skill] = append(s.people[f.skill], nil)
			}
			s.people[f.skill][q-1] = append(s.people[f.skill][q-1], madeup.Person{Place: f.place, Sector: f.v.sector, SOC: f.v.soc, Level: fmt.Sprint(f.level),
				Source: f.v.source, Age: f.month - monthNumber(sources.DateOf(seriesLaunch))})
		}
	}
}

// choose takes skills of very different numbers of people, by all applications.
func (s *sandboxSeries) choose() {
	n := map[string]int{}
	for name, lines := range s.feed {
		for _, line := range lines {
			var a struct {
				Skills []struct {
					Skill string
					For   bool `json:"turned_down_for"`
				}
			}
			if !strings.HasPrefix(name, "applications") || json.Unmarshal([]byte(line), &a) != nil {
				continue
			}
			for _, k := range a.Skills {
				if k.For {
					n[k.Skill]++
				}
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(n[b]-n[a], strings.Compare(a, b)) })
	for _, i := range []int{0, 1, len(order) / 20, len(order) / 10, len(order) / 6, len(order) / 4, len(order) / 3, len(order) / 2} {
		if i < len(order) && !slices.Contains(s.skills, order[i]) {
			s.skills = append(s.skills, order[i])
		}
	}
}

// crawl asks for everything that is printed of the chosen skills.
func (s *sandboxSeries) crawl(q int) {
	client := &crawl.Client{Base: s.p.server.URL, Key: s.p.secret}
	now, err := client.Discover(s.t.Context(), s.space.Areas, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	union := func(a *[]string, b []string) { *a = slices.Compact(slices.Sorted(slices.Values(slices.Concat(*a, b)))) }
	union(&s.space.Places, now.Places)
	union(&s.space.Sectors, now.Sectors)
	union(&s.space.SOCs, now.SOCs)
	union(&s.space.Levels, now.Levels)
	union(&s.space.Sources, now.Sources)
	for _, skill := range s.skills {
		unmet, err := client.Skill(s.t.Context(), now, skill)
		if err != nil {
			s.t.Fatal(err)
		}
		tokens := map[madeup.Cell]string{}
		for cell, f := range unmet.Figures[skill] {
			tokens[cell] = f.TurnedDown
		}
		s.tokens[skill] = append(s.tokens[skill], tokens)
	}
	if len(s.space.Places) != 33 {
		s.t.Errorf("quarter %d: %d boroughs", q, len(s.space.Places))
	}
	if len(client.Small) > 0 {
		s.t.Errorf("quarter %d: counts from 1 to 4: %q", q, client.Small)
	}
}

// judge attacks one skill: the windows of every snapshot, and every run of quarters
// at the last.
func (s *sandboxSeries) judge(skill string) {
	series := attack.NewSeries(s.space.World, seriesLaunch, seriesQuarters)
	for q, tokens := range s.tokens[skill] {
		series.Take(tokens, q+1)
	}
	series.Solve()
	small, derivable, printed, large := 0, 0, 0, 0
	judge := func(cell madeup.Cell, n int64, from, to int) {
		if n < 1 || n > 4 {
			return
		}
		if small++; series.Derivable(cell, from, to) {
			if derivable++; derivable <= 5 {
				s.t.Errorf("%s: the %d people of %+v in the quarters %d to %d are derivable", skill, n, cell, from+1, to)
			}
		}
	}
	for len(s.people[skill]) < seriesQuarters {
		s.people[skill] = append(s.people[skill], nil)
	}
	for q, tokens := range s.tokens[skill] {
		counts := s.space.Count(ages(s.people[skill][q], 0, 3*(q+1)))
		for cell, token := range tokens {
			if cell.Window == 1 {
				continue
			}
			n := counts[cell]
			judge(cell, n, max(0, q+1-cell.Window/3), q+1)
			if n >= 5 {
				large++
				if _, err := strconv.Atoi(token); err == nil {
					printed++
				}
			}
		}
	}
	last := s.people[skill][seriesQuarters-1]
	for from := range seriesQuarters {
		for to := from + 1; to <= seriesQuarters; to++ {
			for cell, n := range s.space.Count(ages(last, 3*from, 3*to)) {
				if cell.Window == 24 {
					judge(cell, n, from, to)
				}
			}
		}
	}
	s.t.Logf("%s: %d people at the end; %d of %d small groups are derivable; %d of %d counts of 5 and more are printed (%d %%)",
		skill, len(last), derivable, small, printed, large, 100*printed/max(large, 1))
}
