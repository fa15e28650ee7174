package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"labour/pipeline"
	"labour/pipeline/config"
	"labour/pipeline/disclosure/attackertest"
	"labour/pipeline/disclosure/synthtest"
	"labour/serve/access"
	"labour/sources"
)

// longForms reports whether the long forms of tests are asked for, as .ci/run does for some.
func longForms() bool { return os.Getenv("LABOUR_LONG") != "" }

// longestForms reports whether those of the whole sandbox are.
func longestForms() bool { return os.Getenv("LABOUR_LONG") == "sandbox" }

// longOnly skips a test that only the long forms run.
func longOnly(t *testing.T) {
	t.Helper()
	if !longForms() {
		t.Skip("takes long; LABOUR_LONG=1 runs it")
	}
}

// report fails for each of a list, of which it shows the first.
func report(t *testing.T, list []string) {
	t.Helper()
	for _, fault := range list[:min(len(list), 10)] {
		t.Error(fault)
	}
	if len(list) > 10 {
		t.Errorf("and %d more", len(list)-10)
	}
}

// attackedDay is when the worlds are published.
var attackedDay = time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)

// publish runs the pipeline on the world and serves the result. Clock and randomness
// are always the same, so that only data can make a difference.
func (w *attackedWorld) publish(t *testing.T, now time.Time) *published {
	t.Helper()
	dir := t.TempDir()
	w.feed(t, dir)
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, now: func() time.Time { return now }, random: rand.NewChaCha8([32]byte{1}),
		getenv: func(string) (string, bool) { return "", false }, version: "test"}
	c, err := config.Load(filepath.Join(dir, "labour.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	p := &published{t: t, app: a, data: filepath.Join(dir, "data"), clock: &now}
	p.options = pipeline.Options{Config: c, Data: p.data, AsOf: sources.DateOf(now), Now: a.now, Log: slog.New(slog.DiscardHandler), ToolVersion: "test"}
	if result, err := pipeline.Run(context.Background(), p.options); err != nil || len(result.Failed) > 0 {
		t.Fatalf("run: %v, failed sources %v", err, result.Failed)
	}
	p.serve()
	return p
}

// attacker returns a client with three keys of different partners and plans.
func (p *published) attacker() *crawler {
	p.t.Helper()
	keys, most := []string{p.secret}, int64(1<<40)
	for _, partner := range []string{"Second", "Third"} {
		key, secret, err := p.service.memory.Keys.Create(p.t.Context(), access.NewKey{Partner: partner, Plan: access.Partner, Scopes: access.Scopes()})
		if err != nil {
			p.t.Fatal(err)
		}
		if err := p.service.memory.Keys.Allow(p.t.Context(), key.ID, &most, nil); err != nil {
			p.t.Fatal(err)
		}
		keys = append(keys, secret)
	}
	return &crawler{Base: p.server.URL, Keys: keys}
}

// attackedFigures are what was crawled of the world's skills.
func (w *attackedWorld) attackedFigures(unmet *crawledUnmet, exact bool) (all []attackertest.Figures) {
	world := w.World
	world.Newest = w.end.Year()*12 + int(w.end.Month()) - 1
	for _, skill := range w.slugs() {
		f := attackertest.Figures{Name: skill, World: world, Adverts: w.All(), Tokens: map[synthtest.Cell]string{}, Exact: exact, People: w.skills[skill].TurnedDownFor}
		for cell, row := range unmet.Rows[skill] {
			f.Tokens[cell] = row.TurnedDown
		}
		all = append(all, f)
	}
	return all
}

// attackFigures attacks by tightening and, where there is a solver, by linear programs.
func attackFigures(t *testing.T, all []attackertest.Figures) (tightened, solved attackertest.Verdict) {
	t.Helper()
	tightened, systems, err := attackertest.Attack(all)
	if err != nil {
		t.Fatal(err)
	}
	s := attackertest.FindSolver(filepath.Join("..", ".."))
	if s == nil {
		t.Log("no python3 with highspy, so no linear programs; .ci/run installs it into bin/venv")
		return tightened, tightened
	}
	solved, err = s.Solve(systems...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("by tightening: %v; by linear programs: %v", tightened, solved)
	return tightened, solved
}

// utility counts the true counts of 5 or more that can be asked for.
type utility struct{ large, numbers, withdrawn int }

// add compares what is printed of a skill with the truth.
func (u *utility) add(t *testing.T, f attackertest.Figures) {
	t.Helper()
	counts := f.World.Count(f.People)
	for cell, token := range f.Tokens {
		n := counts[cell]
		low, high, err := attackertest.Range(token, f.Exact)
		if err != nil || n < low || n > high {
			t.Errorf("%s %+v prints %s, the truth is %d: %v", f.Name, cell, token, n, err)
		}
		if n < 5 || cell.Dim == "source" && cell.Value != "platform" {
			continue // of other sources applications are never seen
		}
		if u.large++; token == "null" {
			u.withdrawn++
		} else {
			u.numbers++
		}
	}
}

// TestAttackOverTheInterface publishes hand-made and random worlds of raw feed records,
// crawls the server and attacks what it prints; compares it with the truth; looks into
// the released files; and publishes the same world with other people that print the same.
func TestAttackOverTheInterface(t *testing.T) {
	w := attackedFixtures()
	p := w.publish(t, attackedDay)
	unmet, exchanges := w.crawl(t, p)
	figures := w.attackedFigures(unmet, false)
	tightened, solved := attackFigures(t, figures)
	report(t, slices.Concat(tightened.Leaks, solved.Leaks))
	var u utility
	for _, f := range figures {
		u.add(t, f)
	}
	t.Logf("of %d counts of 5 or more, %d are numbers", u.large, u.numbers)
	if tightened.Small < 300 || u.large < 300 || u.withdrawn*100 > u.large {
		t.Errorf("%d small groups attacked; %+v", tightened.Small, u)
	}
	t.Run("nested pairs", func(t *testing.T) { attackPairs(t, figures) })
	t.Run("released files", func(t *testing.T) { p.releasedFiles(t) })
	t.Run("other people", func(t *testing.T) {
		longOnly(t)
		w.otherPeople(t, p, exchanges)
	})
}

// crawl asks for everything.
func (w *attackedWorld) crawl(t *testing.T, p *published) (*crawledUnmet, []exchange) {
	t.Helper()
	client := p.attacker()
	client.Keep, client.Exact = true, p.options.Config.People.Protection == "plain"
	space := crawlSpace{World: w.World, Skills: w.slugs(), Broken: w.slugs()[:1], Outside: longForms()}
	unmet, err := client.skillsUnmet(t.Context(), space)
	if err != nil {
		t.Fatal(err)
	}
	near, err := client.neighbours(t.Context(), space)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.rest(t.Context(), space); err != nil {
		t.Fatal(err)
	}
	report(t, slices.Concat(unmet.Faults, client.Small))
	for i, row := range unmet.NoScore {
		unmet.NoScore[i] = "no score: " + row
	}
	report(t, unmet.NoScore)
	w.attackNeighbours(t, near, client.Exact)
	t.Logf("%d calls", client.Calls)
	return unmet, client.exchanges
}

// attackNeighbours attacks people employed, and residents by borough and by sector sought.
func (w *attackedWorld) attackNeighbours(t *testing.T, near *neighbours, exact bool) {
	t.Helper()
	residents, sought, other := map[string]int64{}, map[string]int64{}, int64(0)
	for i := range w.residents * len(w.Places) {
		r := w.resident(i)
		residents[r["borough"].(string)]++
		if r["seeking_work"] == true {
			if sector, ok := r["sector_sought"].(string); ok {
				sought[sector]++
			} else {
				other++
			}
		}
	}
	employed := map[string]int64{}
	for place, n := range w.employed {
		employed[place] = int64(n)
	}
	total := maps.Clone(near.Employed)
	delete(total, "")
	lines := []attackedLine{
		{Name: "employed", Total: near.Employed[""], Parts: total, Areas: w.Areas, Truth: employed, Whole: true},
		{Name: "residents by borough", Total: near.Residents, Parts: near.By["borough"], Truth: residents, Whole: true},
		{Name: "residents by sector sought", Total: near.Seeking, Parts: near.By["sector"], Truth: sought, Rest: other},
	}
	for _, line := range lines {
		line.Exact = exact
		s, err := line.system()
		if err != nil {
			t.Error(err)
			continue
		}
		if v := s.Tighten(); v.Pinned > 0 && !exact {
			t.Errorf("%s: %q", line.Name, v.Leaks)
		}
	}
}

// TestPlainIsWorkedOutOverTheInterface shows that the attacker works: where the operator
// chose exact numbers it finds most small groups.
func TestPlainIsWorkedOutOverTheInterface(t *testing.T) {
	longOnly(t) // TestPlainIsWorkedOut shows it of figures in memory
	w := attackedFixtures()
	w.settings = "people: {protection: plain}\n"
	p := w.publish(t, attackedDay)
	unmet, _ := w.crawl(t, p)
	_, solved := attackFigures(t, w.attackedFigures(unmet, true))
	if solved.Small < 300 || solved.Pinned*100 < 70*solved.Small {
		t.Error(fmt.Sprint("the attacker does not work: ", solved))
	}
}
