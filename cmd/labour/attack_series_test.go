package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"labour/pipeline"
	"labour/pipeline/disclosure/attackertest"
	"labour/pipeline/disclosure/synthtest"
	"labour/sources"
)

// seriesLaunch is the first day of the platform in the series; nobody was counted
// before it, as everybody knows.
var seriesLaunch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// monthEnd is the last day of a month since launch, 0 = the first.
func monthEnd(month int) time.Time { return seriesLaunch.AddDate(0, month+1, -1) }

// until is the world as it is at the end of a month since launch. The people's ages are
// the months since launch in which they came.
func (w *attackedWorld) until(month int, people map[string]outcomes) *attackedWorld {
	now := *w
	now.end, now.months, now.skills = monthEnd(month), month+1, map[string]outcomes{}
	here := func(all []synthtest.Person) (here []synthtest.Person) {
		for _, p := range all {
			if p.Age <= month {
				p.Age = month - p.Age
				here = append(here, p)
			}
		}
		return here
	}
	for skill, of := range people {
		now.skills[skill] = outcomes{here(of.TurnedDownFor), here(of.TurnedDownWith), here(of.HiredWith), here(of.HiredWithout)}
	}
	return &now
}

// nextMonth publishes the world in the data directory of the one before.
func (p *published) nextMonth(t *testing.T, w *attackedWorld, now time.Time) {
	t.Helper()
	w.feed(t, filepath.Join(p.options.Config.Platform.Feed, ".."))
	p.runOn(t, now)
	p.reload()
}

// runOn runs the pipeline on a later day.
func (p *published) runOn(t *testing.T, now time.Time) {
	t.Helper()
	*p.clock, p.options.AsOf = now, sources.DateOf(now)
	if result, err := pipeline.Run(t.Context(), p.options); err != nil || len(result.Failed) > 0 {
		t.Fatalf("run of %s: %v, failed sources %v", p.options.AsOf, err, result.Failed)
	}
}

// TestMonthsInARowAreNotWorkedOut publishes monthly releases of a small world from
// launch on, crawls after each, and attacks all figures of a skill in the first of them in
// one linear program. Nobody ever moves from one group to another, so that old and new
// numbers describe the same people: the attacker's best case.
func TestMonthsInARowAreNotWorkedOut(t *testing.T) {
	longOnly(t)
	months := 3
	if longestForms() {
		months = 24
	}
	w := attackedSpace()
	w.Places, w.Sectors, w.SOCs, w.residents = w.Places[:3], w.Sectors[:2], w.SOCs[:1], 250
	w.Areas = map[string][]string{"north": {"camden", "islington"}}
	people := map[string]outcomes{}
	for i, skill := range []string{"accounting", "agile", "angular", "apis"} {
		draw := func(seed, n int) []synthtest.Person {
			all := w.NewDrawer(uint64(seed + i)).People(n << i)
			slices.SortStableFunc(all, func(a, b synthtest.Person) int { return a.Age - b.Age })
			return all
		}
		people[skill] = outcomes{draw(5, 60), draw(15, 8), draw(25, 12), draw(35, 6)}
	}
	var p *published
	series, u := map[string]*attackertest.Series{}, utility{}
	cells, hired, turnedDown := 0, 0, 0 // with a share, in all releases
	for month := range months {
		now := w.until(month, people)
		day := monthEnd(month).AddDate(0, 0, 10)
		if p == nil {
			p = now.publish(t, day)
		} else {
			p.nextMonth(t, now, day)
		}
		unmet, err := p.attacker().skillsUnmet(t.Context(), crawlSpace{World: now.World, Skills: now.slugs(), Broken: now.slugs()})
		if err != nil {
			t.Fatal(err)
		}
		report(t, slices.Concat(unmet.Faults, unmet.NoScore)) // every borough has 250 residents
		for _, rows := range unmet.Rows {
			for _, row := range rows {
				cells, hired, turnedDown = cells+1, hired+shown(row.HiredWith), turnedDown+shown(row.TurnedDownWith)
			}
		}
		for _, f := range now.attackedFigures(unmet, false) {
			all := series[f.Name]
			if all == nil {
				all = &attackertest.Series{Name: f.Name}
				series[f.Name] = all
			}
			f.Name = fmt.Sprintf("%s, month %d", f.Name, month+1)
			all.Releases = append(all.Releases, f)
			u.add(t, f)
		}
	}
	t.Logf("of %d counts of 5 or more, %d are numbers and %d withdrawn", u.large, u.numbers, u.withdrawn)
	t.Logf("of %d cells, %d have a printed share of those hired and %d of those turned down", cells, hired, turnedDown)
	if u.withdrawn*500 > u.large || hired == 0 || turnedDown == 0 {
		t.Errorf("utility: %+v", u)
	}
	judgeSeries(t, series)
}

// shown counts 1 for a figure that is printed.
func shown(figure string) int {
	if figure == "null" {
		return 0
	}
	return 1
}

// judgeSeries attacks each skill over its first four releases. Over more, some groups follow
// from several combinations of filters together; README.md of the rules says how many.
func judgeSeries(t *testing.T, series map[string]*attackertest.Series) {
	t.Helper()
	const most = 4
	var systems []*attackertest.System
	for _, skill := range slices.Sorted(maps.Keys(series)) {
		s := *series[skill]
		s.Releases = s.Releases[:min(most, len(s.Releases))]
		all, err := s.Atoms()
		if err != nil {
			t.Fatal(err)
		}
		systems = append(systems, all)
	}
	solver := attackertest.FindSolver(filepath.Join("..", ".."))
	if solver == nil {
		t.Skip("no python3 with highspy; .ci/run installs it into bin/venv")
	}
	v, err := solver.Solve(systems...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("over the first releases: %v", v)
	report(t, v.Leaks)
}
