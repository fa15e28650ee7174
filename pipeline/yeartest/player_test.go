package yeartest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline"
	"labour/snapshots"
)

// expected is what a snapshot must hold.
type expected struct {
	asOf    string
	of      period // that its people describe
	tables  map[string]figures
	fetched time.Time
}

func (e expected) clone() expected {
	e.tables = maps.Clone(e.tables)
	return e
}

// player plays days: it moves the world on, starts runs, and compares what they print with the oracle.
type player struct {
	*service
	world     *world
	next      int       // the first change that has not happened yet
	db        *platform // the platform's database now
	frozen    *platform // what the feed shows in the place of it; nil = the database
	override  map[string]boardState
	down      map[string]bool // the sources that do not answer
	known     known
	current   expected
	currentID snapshots.ID
	kept      map[snapshots.ID]expected
	ends      map[string]expected           // what a whole run at the end of a day would print
	quarters  map[period]map[string]figures // the figures of people that were published, by period
	codes     map[period]map[string]string  // and the councils that the boroughs were then
	tally     tally
	noBoards  bool          // whether a run was killed before it fetched the boards
	unsure    bool          // which sources the last whole run fetched: it was killed while it did
	slow      time.Duration // how far the clock of the service is behind
}

// tally is what was compared.
type tally struct {
	days, runs, rows int
	differing        map[string]int
	mishaps          map[string]int
	differences      []string
}

func newPlayer(t *testing.T, seed uint64) *player {
	p := &player{service: newService(t), world: newWorld(seed), db: &platform{}, override: map[string]boardState{},
		down:  map[string]bool{},
		known: known{boards: map[string]boardKnown{}}, kept: map[snapshots.ID]expected{}, ends: map[string]expected{},
		quarters: map[period]map[string]figures{}, codes: map[period]map[string]string{},
		tally: tally{differing: map[string]int{}, mishaps: map[string]int{}}}
	p.site.courses = firstEdition()
	return p
}

// advance lets everything happen that happens up to a moment, and sets the clock.
func (p *player) advance(now time.Time) {
	for ; p.next < len(p.world.changes) && !p.world.changes[p.next].at.After(now); p.next++ {
		p.world.changes[p.next].apply(p.db)
	}
	p.clock = now.Add(-p.slow)
	p.site.mu.Lock()
	defer p.site.mu.Unlock()
	p.site.shown = p.db.clone()
	if p.frozen != nil {
		p.site.shown = p.frozen
	}
	p.site.feedDown = p.down["platform"]
	for _, token := range append(p.tokens, p.retired...) {
		state := boardState{list: at(p.world.boards[boardNamed(token).token], now)}
		if over, ok := p.override[token]; ok {
			over.list = state.list
			state = over
			if over.status == emptied {
				state = boardState{}
			}
		}
		p.site.boards[token] = state
	}
}

// emptied is the state of a board that lists nothing.
const emptied = -1

// whole returns what a whole run that ends now must print.
func (p *player) whole() expected {
	k, r := &p.known, rules{p.skills}
	asOf := date(p.clock)
	e := expected{asOf: asOf, tables: map[string]figures{}, fetched: p.clock}
	e.tables["adverts"], e.tables["adverts_total"] = k.cells(r, asOf)
	e.tables["course_demand"], e.tables["regions"], e.tables["corrections"] = k.demand(), k.regions(), k.corrections()
	e.tables["places"], e.tables["place_members"] = k.places()
	e.tables["lists"], e.tables["rankings"] = k.lists(r, asOf)
	e.tables["rankings_by_skill"], e.tables["skills"] = e.tables["rankings"], k.levels(r, asOf)
	p.minute(&e)
	e.of = p.quarterDue(asOf)
	if e.of != p.current.of {
		p.takeQuarter(&e)
	}
	for name, table := range p.quarters[e.of] {
		e.tables[name] = p.sameCouncils(e.of, name, table)
	}
	return e
}

// quarterDue returns the period that people describe: the latest that the newest extract is known to
// hold whole, and never an earlier one than is printed.
func (p *player) quarterDue(asOf string) period {
	of := quarterOf(asOf)
	for !of.whole(p.known.appliedAt, p.known.complete) {
		of = of.before()
	}
	if of.to < p.current.of.to {
		return p.current.of
	}
	return of
}

// sameCouncils returns the figures without those of places that are made of other councils since they
// were made: "A borough or area that is made of other councils since then has no figures until then."
func (p *player) sameCouncils(of period, name string, table figures) figures {
	other := map[string]bool{}
	for _, b := range p.known.feed.Boroughs {
		if was, ok := p.codes[of][b.Slug]; ok && was != b.Code {
			other[b.Slug] = true
			other[area] = other[area] || slices.Contains(areaMembers, b.Slug)
		}
	}
	left := maps.Clone(table)
	maps.DeleteFunc(left, func(row, _ string) bool {
		columns := strings.Split(row, " | ")
		return other[columns[placeColumn[name]]]
	})
	return left
}

// placeColumn is which part of the key of a table is the place.
var placeColumn = map[string]int{"people": 1, "residents": 0, "candidates": 1, "s106_people": 0}

// takeQuarter makes the figures of a quarter, unless they were made before.
func (p *player) takeQuarter(e *expected) {
	if p.quarters[e.of] != nil {
		return
	}
	p.codes[e.of] = map[string]string{}
	for _, b := range p.known.feed.Boroughs {
		p.codes[e.of][b.Slug] = b.Code
	}
	k, r := &p.known, rules{p.skills}
	p.quarters[e.of] = map[string]figures{"people": k.people(r, e.of, e.asOf), "residents": k.residents(r),
		"candidates":  k.candidates(r),
		"s106_people": k.s106People(r)}
}

// minute makes the tables that every run makes.
func (p *player) minute(e *expected) {
	k := &p.known
	e.tables["events"] = k.events(p.clock)
	e.tables["events.partners"] = k.partnersEvents(p.clock)
	e.tables["jobs"] = k.jobs(date(p.clock))
	seen := figures{}
	for id := range e.tables["jobs"] {
		seen[id] = cmp.Or(p.current.tables["jobs.first_seen"][id], k.feedAt.Format(time.RFC3339))
	}
	e.tables["jobs.first_seen"] = seen
	e.tables["s106"] = k.s106()
	if e.tables["freshness"] = p.freshness(); p.unsure {
		delete(e.tables, "freshness")
	}
	e.fetched = p.clock
}

// freshness has when each source was last received, "the newest of its parts", and each board, "a
// part (a board, a data set, a file)".
func (p *player) freshness() figures {
	k, newest := &p.known, ""
	fresh := figures{"platform": k.feedAt.Format(time.RFC3339), "dfe_apprenticeships": k.coursesAt.Format(time.RFC3339),
		"ons_geography": k.placesAt.Format(time.RFC3339)}
	for _, token := range p.tokens {
		had := "null"
		if b := k.boards[token]; !b.at.IsZero() {
			had = b.at.Format(time.RFC3339)
			newest = max(newest, had)
		}
		fresh["employer_boards | greenhouse/"+token] = had
	}
	fresh["employer_boards"] = newest
	return fresh
}

// runWhole makes a whole run and compares what it prints.
func (p *player) runWhole() {
	p.t.Helper()
	result, err := p.run(false)
	failed := p.learnAll()
	if err != nil {
		p.differs("runs", difference{p.clock.Format(time.RFC3339), "a promoted snapshot", err.Error()})
		return
	}
	p.expectFailed(result, failed)
	p.promoted(result.ID, p.whole())
}

// runLight makes a run of the feed alone and compares what it prints.
func (p *player) runLight() {
	p.t.Helper()
	result, err := p.run(true)
	var failed []string
	if p.down["platform"] {
		failed = []string{"platform"}
	} else {
		p.learnFeed(true)
	}
	if err != nil {
		if failed == nil {
			p.differs("runs", difference{"light " + p.clock.Format(time.RFC3339), "a promoted snapshot", err.Error()})
		}
		return
	}
	p.expectFailed(result, failed)
	e := p.current.clone()
	p.minute(&e)
	p.promoted(result.ID, e)
}

func (p *player) expectFailed(result pipeline.Result, failed []string) {
	if is := slices.Sorted(slices.Values(result.FailedSources)); !slices.Equal(is, failed) {
		p.differs("runs", difference{p.clock.Format(time.RFC3339), fmt.Sprint("failed ", failed),
			fmt.Sprint("failed ", is)})
	}
	p.tally.rows++
}

// promoted notes what is current from now on and compares it.
func (p *player) promoted(id snapshots.ID, e expected) {
	p.current, p.currentID, p.kept[id] = e, id, e
	p.tally.runs++
	current, err := p.store.Current()
	if err != nil || current != id {
		p.differs("runs", difference{p.clock.Format(time.RFC3339), "current " + id.String(),
			fmt.Sprint(current, " ", err)})
	}
	p.compareWith(id, e)
}

// play plays one day.
func (p *player) play(d time.Time, s script) {
	p.t.Helper()
	p.tally.days++
	for _, e := range s.steps(date(d)) {
		if e.mishap != "" {
			p.tally.mishaps[e.mishap]++
		}
		p.advance(d.Add(e.at))
		e.do(p)
		p.advance(d.Add(e.at)) // so that the publishers show what was set
	}
	if p.current.asOf == date(d) && slices.Contains(builtAgain, date(d)) {
		p.ends[date(d)] = p.whole()
	}
}

func (p *player) differs(table string, d difference) {
	p.tally.differing[table]++
	p.tally.differences = append(p.tally.differences,
		fmt.Sprintf("%s %s: %s", table, p.clock.Format("2006-01-02 15:04"), d))
}
