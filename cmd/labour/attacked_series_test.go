package main

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"labour/pipeline"
	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/attack/crawl"
	"labour/pipeline/disclosure/madeup"
	"labour/sources"
)

// seriesLaunch is the first day of the platform in the series; nobody was counted
// before it, as everybody knows.
var seriesLaunch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// seriesQuarters is how many quarters in a row are published.
const seriesQuarters = 8

// quarterEnd is the last day of a quarter since launch, 1 = the first.
func quarterEnd(q int) time.Time { return seriesLaunch.AddDate(0, 3*q, -1) }

// ageing is a skill whose people came since launch, by the month since then.
type ageing struct {
	skill  string
	people []madeup.Person // Age = months since launch
}

// until is the world as it is at the end of a quarter.
func (w *attackedWorld) until(q int, skills []ageing) *attackedWorld {
	now := *w
	now.end, now.months, now.skills = quarterEnd(q), 3*q, map[string]crawl.People{}
	now.employed, now.sought, now.residents = maps.Clone(w.employed), maps.Clone(w.sought), w.residents+(q-1)*3
	for i, place := range w.Places { // some places gain nobody, some a few, some many
		now.employed[place] += []int{0, q / 2, 3 * q, 7 * q}[i]
	}
	now.sought["care-services"] += 2 * (q / 3)
	for _, s := range skills {
		var people []madeup.Person
		for _, p := range s.people {
			if p.Age < 3*q {
				p.Age = 3*q - 1 - p.Age
				people = append(people, p)
			}
		}
		now.skills[s.skill] = crawl.People{TurnedDownFor: people, TurnedDownWithout: people}
	}
	return &now
}

// TestNothingIsDerivableFromQuartersInARow publishes eight quarters of a small world
// from launch on, crawls after each, and attacks the whole series by subtraction and
// under all bounds. TestNothingIsDerivableFromTheSandboxInARow does it with the
// sandbox's world, by subtraction.
func TestNothingIsDerivableFromQuartersInARow(t *testing.T) {
	w := attackedSpace()
	w.Sectors, w.SOCs, w.residents = w.Sectors[:2], w.SOCs[:1], 150
	delete(w.Areas, "outer")
	w.outside = map[string][]string{}
	var skills []ageing // each is a world of its own
	for i, slug := range []string{"accounting", "agile", "angular", "apis", "arabic", "audit"} {
		skills = append(skills, ageing{slug, w.sinceLaunch(uint64(5+i), []float64{60, 200, 400}[i%3])})
	}
	var p *published
	var nearby neighbours
	series, snapshots := map[string]*attack.Series{}, map[string][]map[madeup.Cell]string{}
	for q := 1; q <= seriesQuarters; q++ {
		now := w.until(q, skills)
		if p == nil {
			p = now.publish(t, quarterEnd(q))
		} else {
			p.nextQuarter(t, now, quarterEnd(q))
		}
		client := &crawl.Client{Base: p.server.URL, Key: p.secret}
		nearby.take(t, client, now)
		unmet, err := client.SkillsUnmet(t.Context(), crawl.Space{World: now.World, Skills: now.slugs()})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range skills {
			if series[s.skill] == nil {
				series[s.skill] = attack.NewSeries(w.World, seriesLaunch, seriesQuarters)
			}
			tokens := map[madeup.Cell]string{}
			for cell, f := range unmet.Figures[s.skill] {
				tokens[cell] = f.TurnedDown
			}
			series[s.skill].Take(tokens, q)
			snapshots[s.skill] = append(snapshots[s.skill], tokens)
		}
	}
	nearby.judge(t)
	for _, s := range skills {
		judgeSeries(t, w, s, series[s.skill], snapshots[s.skill])
	}
}

// sinceLaunch draws about n people over the months since launch.
func (w *attackedWorld) sinceLaunch(seed uint64, n float64) []madeup.Person {
	people := w.People(seed, n)
	for i := range people {
		people[i].Age = i * 7 % (3 * seriesQuarters)
	}
	return people
}

// nextQuarter publishes the world in the data directory of the one before.
func (p *published) nextQuarter(t *testing.T, w *attackedWorld, now time.Time) {
	t.Helper()
	w.feed(t, p.options.Config.Platform.Feed+"/..")
	*p.clock = now
	o := p.options
	o.AsOf = sources.DateOf(now)
	if result, err := pipeline.Run(t.Context(), o); err != nil || len(result.Failed) > 0 {
		t.Fatalf("run of %s: %v, failed sources %v", o.AsOf, err, result.Failed)
	}
	if err := p.service.live.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// judgeSeries attacks every run of quarters of every cell that holds 1 to 4 people.
func judgeSeries(t *testing.T, w *attackedWorld, s ageing, series *attack.Series, snapshots []map[madeup.Cell]string) {
	t.Helper()
	series.Solve()
	small, derivable := 0, 0
	for from := range seriesQuarters {
		for to := from + 1; to <= seriesQuarters; to++ {
			var people []madeup.Person
			for _, p := range s.people {
				if p.Age >= 3*from && p.Age < 3*to {
					p.Age = 0
					people = append(people, p)
				}
			}
			counts := w.Count(people)
			for _, cell := range slices.SortedFunc(maps.Keys(counts), madeup.Compare) {
				if n := counts[cell]; cell.Window != 24 || n > 4 {
					continue
				}
				if small++; series.Derivable(cell, from, to) {
					derivable++
					t.Errorf("%s: the %d people of %+v in the quarters %d to %d are derivable", s.skill, counts[cell], cell, from+1, to)
				}
			}
		}
	}
	bounds, printed, large := seriesBounds(t, w, s, snapshots)
	t.Logf("%s, %d people: %d of %d small groups are derivable; at the quarter ends %d of %d small windows have one value of 1 to 4 under all bounds, %d one value at all; %d of %d counts of 5 and more printed",
		s.skill, len(s.people), derivable, small, bounds.Exact, bounds.Small, bounds.Pinned, printed, large)
	if bounds.Failed() || small < 100 {
		t.Errorf("%s: %d windows derivable, %d exact, %d small groups: %q", s.skill, bounds.Derivable, bounds.Exact, small, bounds.Leaks)
	}
}

// seriesBounds asks for the windows of every snapshot under all bounds of the whole
// series.
func seriesBounds(t *testing.T, w *attackedWorld, s ageing, snapshots []map[madeup.Cell]string) (v attack.Verdict, printed, large int) {
	t.Helper()
	var atoms []attack.Atom
	for _, a := range (attack.Crawl{World: w.World}).Atoms(false) {
		for q := range seriesQuarters {
			if a.From == 0 {
				a.From, a.To = 3*q, 3*q+3
				atoms = append(atoms, a)
				a.From = 0
			}
		}
	}
	var answers []attack.Answer
	var targets []attack.Target
	for i, tokens := range snapshots {
		end := 3 * (i + 1)
		c := attack.Crawl{World: w.World, Tokens: tokens}
		truth := w.Count(w.until(i+1, []ageing{s}).skills[s.skill].TurnedDownFor)
		for _, cell := range slices.SortedFunc(maps.Keys(tokens), madeup.Compare) {
			if cell.Window == 1 {
				continue
			}
			q := c.Query(cell)
			q.From, q.To = max(0, end-cell.Window), end
			// Null may stand for anything once there is a ledger.
			answers = append(answers, attack.Answer{Query: q, Token: tokens[cell]})
			n := truth[cell]
			if n >= 1 && n <= 4 {
				targets = append(targets, attack.Target{Name: fmt.Sprintf("%s at quarter %d: %+v, %d people", s.skill, i+1, cell, n), Query: q, N: n})
			}
			if n >= 5 {
				large++
				if tokens[cell] != "null" && tokens[cell] != "<5" {
					printed++
				}
			}
		}
	}
	system, err := attack.New(atoms, answers)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err = system.Judge(targets)
	if err != nil {
		t.Fatal(err)
	}
	return v, printed, large
}
