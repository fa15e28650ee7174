package main

import (
	"bytes"
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"labour/pipeline"
	"labour/pipeline/config"
	"labour/pipeline/disclosure/attackertest"
	"labour/serve/partners/access"
	"labour/sources"
)

// longForms reports whether the long forms of tests are asked for, as .ci/run does for some.
func longForms() bool { return os.Getenv("LABOUR_LONG") != "" }

// longOnly skips a test that only the long forms run.
func longOnly(t *testing.T) {
	t.Helper()
	if !longForms() {
		t.Skip("takes long; LABOUR_LONG=1 runs it")
	}
}

// fail fails if a list is not empty, and shows the first entries.
func fail(t *testing.T, list []string) {
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
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, now: func() time.Time { return now },
		random: rand.NewChaCha8([32]byte{1}),
		getenv: fixedSecret, version: "test"}
	c, err := config.Load(filepath.Join(dir, "labour.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	p := &published{t: t, app: a, data: filepath.Join(dir, "data"), clock: &now}
	p.options = pipeline.Options{Config: c, DataDir: p.data, AsOf: sources.DateOf(now), Now: a.now,
		Log: slog.New(slog.DiscardHandler), ToolVersion: "test",
		LookupSecret: fixedSecret}
	if result, err := pipeline.Run(context.Background(), p.options); err != nil || len(result.FailedSources) > 0 {
		t.Fatalf("run: %v, failed sources %v", err, result.FailedSources)
	}
	p.serve()
	return p
}

// attacker returns a client with three keys of different partners and plans.
func (p *published) attacker() *crawler {
	p.t.Helper()
	keys, most := []string{p.secret}, int64(1<<40)
	for _, partner := range []string{"Second", "Third"} {
		key, secret, err := p.service.stores.Keys.CreateKey(p.t.Context(),
			access.KeyRequest{Partner: partner, Plan: access.PlanPartner, Scopes: access.Scopes()})
		if err != nil {
			p.t.Fatal(err)
		}
		if err := p.service.stores.Keys.SetKeyLimits(p.t.Context(), key.ID, &most, nil); err != nil {
			p.t.Fatal(err)
		}
		keys = append(keys, secret)
	}
	return &crawler{Base: p.server.URL, Keys: keys}
}

// TestPeopleOverTheInterface publishes hand-made and random worlds of raw feed records, crawls the
// server, and compares what it prints with the truth: no count of 1 to 4 is a number or 0, every
// number is within 4 of the truth, and two answers of one cell print the same. It looks into the
// released files too.
func TestPeopleOverTheInterface(t *testing.T) {
	w := attackedFixtures()
	p := w.publish(t, attackedDay)
	unmet := w.crawl(t, p)
	numbers := 0
	for _, skill := range w.slugs() {
		counts := w.Count(w.skills[skill].TurnedDownFor)
		for cell, row := range unmet.Rows[skill] {
			n := counts[cell]
			low, high, err := attackertest.TrueCountBounds(row.TurnedDown, false)
			if err != nil || n < low || n > high {
				t.Errorf("%s %+v prints %s, the truth is %d: %v", skill, cell, row.TurnedDown, n, err)
			}
			if n >= 5 && row.TurnedDown != "null" {
				numbers++
			}
		}
	}
	if numbers < 300 {
		t.Errorf("only %d counts of 5 or more are numbers", numbers)
	}
	w.useful(t, unmet)
	p.releasedFiles(t)
}

// crawl asks for everything.
func (w *attackedWorld) crawl(t *testing.T, p *published) *crawledUnmet {
	t.Helper()
	client := p.attacker()
	space := crawlSpace{World: w.TestWorld, Skills: w.slugs(), Broken: w.slugs()[:1], Outside: longForms()}
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
	fail(t, slices.Concat(unmet.Faults, client.Small))
	for i, row := range unmet.NoScore {
		unmet.NoScore[i] = "no score: " + row
	}
	fail(t, unmet.NoScore)
	for place, n := range w.employed {
		if !slices.Contains(tokensOf(int64(n)), near.Employed[place]) && near.Employed[place] != "null" {
			t.Errorf("%s prints %s people employed, the truth is %d", place, near.Employed[place], n)
		}
	}
	t.Logf("%d calls", client.Calls)
	return unmet
}
