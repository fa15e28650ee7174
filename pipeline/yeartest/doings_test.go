package yeartest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"labour/pipeline"
	"labour/pipeline/pruning"
	"labour/snapshots"
	"labour/snapshots/retention"
	"labour/snapshots/store"
	"labour/sources"
)

// runRefused makes a whole run that a check refuses: the current snapshot stays.
func (p *player) runRefused() {
	p.t.Helper()
	p.minCourses = 10_000
	_, err := p.run(false)
	p.minCourses = 0
	p.learnAll()
	var refused *pipeline.RefusedError
	if !errors.As(err, &refused) {
		p.differs("runs", difference{p.clock.Format(time.RFC3339), "a refused run", fmt.Sprint(err)})
	}
	p.stays()
}

// stays compares what is current with what was current before.
func (p *player) stays() {
	p.t.Helper()
	id, err := p.store.Current()
	if err != nil {
		p.t.Fatal(err)
	}
	if id != p.currentID {
		p.differs("runs", difference{p.clock.Format(time.RFC3339), "current " + p.currentID.String(), id.String()})
	}
	p.compareWith(id, p.current)
}

// runBoth makes a whole run and a light one in the same second: the one that is first is at work on
// the feed when the other starts. Both end well.
func (p *player) runBoth(lightFirst bool) {
	p.t.Helper()
	var once sync.Once
	var both sync.WaitGroup
	var results [2]pipeline.Result
	var errs [2]error
	start := func(i int, light bool) { results[i], errs[i] = p.run(light) }
	p.site.mu.Lock()
	p.site.asked = func() {
		once.Do(func() {
			both.Go(func() { start(1, !lightFirst) })
			time.Sleep(100 * time.Millisecond) // so that the second is under way; it changes no figure
		})
	}
	p.site.mu.Unlock()
	start(0, lightFirst)
	both.Wait()
	p.site.mu.Lock()
	p.site.asked = nil
	p.site.mu.Unlock()
	whole, light := 0, 1
	if lightFirst {
		whole, light = 1, 0
	}
	p.bothEnded(results[whole], errs[whole], results[light], errs[light])
}

func (p *player) bothEnded(whole pipeline.Result, wholeErr error, light pipeline.Result, lightErr error) {
	p.t.Helper()
	before := p.current
	failed := p.learnAll()
	if lightErr != nil {
		p.differs("runs", difference{"light during whole " + p.clock.Format(time.RFC3339), "a promoted snapshot",
			lightErr.Error()})
	}
	if wholeErr != nil {
		p.differs("runs", difference{"whole during light " + p.clock.Format(time.RFC3339), "a promoted snapshot",
			wholeErr.Error()})
		return
	}
	p.expectFailed(whole, failed)
	e := p.whole()
	last := whole.ID
	if lightErr == nil && light.ID.Date().Equal(whole.ID.Date()) && light.ID.Run() > whole.ID.Run() {
		last = light.ID
	} else if lightErr == nil {
		p.minute(&before)
		delete(before.tables, "freshness") // of the other sources it is of before or after the whole run's fetch
		p.compareWith(light.ID, before)
	}
	p.compareWith(whole.ID, e)
	p.promoted(last, e)
}

// buildAgain builds what an earlier day was, from what had been fetched by its end.
func (p *player) buildAgain(of string) {
	p.t.Helper()
	o := p.options()
	o.AsOf, _ = sources.ParseDate(of) // written by the script
	built, err := pipeline.Build(context.Background(), o)
	if err != nil {
		p.differs("runs", difference{"build --as-of " + of, "a sealed snapshot", err.Error()})
		return
	}
	want := p.ends[of].clone()
	delete(want.tables, "freshness")       // it is of the moment of building
	delete(want.tables, "jobs.first_seen") // goes back as far as the snapshots do that are there now
	p.compareWith(built.ID, want)
}

// allFetched is the step with which a whole run has fetched every source: the first one is to fetch.
const allFetched = 5

// runKilled makes a whole run that is killed as it begins a step: the current snapshot stays, unless
// the run was at its end.
func (p *player) runKilled(step int) {
	p.t.Helper()
	ended := p.killed(step)
	id, err := p.store.Current()
	if err != nil {
		p.t.Fatal(err)
	}
	p.noBoards = !p.hasReceivedBoards()
	p.learnAll()
	p.noBoards = false
	p.unsure = p.unsure || step < allFetched
	if !ended && id == p.currentID {
		p.stays()
		return
	}
	p.promoted(id, p.whole())
}

// withdraw takes the current snapshot out of service: the one before it is current again.
func (p *player) withdraw() {
	p.t.Helper()
	id, err := p.store.Withdraw(context.Background(), p.currentID, store.Withdrawal{At: p.clock, By: "An analyst",
		Reason: "a trial"})
	if err != nil {
		p.t.Fatal(err)
	}
	was, ok := p.kept[id]
	if !ok {
		p.t.Fatalf("%s is current and was never published", id)
	}
	p.current, p.currentID = was, id
	p.stays()
}

// prune removes old snapshots and what nothing needs of the archive, by the schedule that is shipped.
func (p *player) prune() {
	p.t.Helper()
	ctx := context.Background()
	list, err := p.store.List(ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	superseded, err := p.store.SupersededTimes(ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	var old []retention.Snapshot
	for _, e := range list {
		m, err := p.store.Manifest(e.ID)
		if err != nil {
			p.t.Fatal(err)
		}
		old = append(old, retention.Snapshot{ID: e.ID, Current: e.ID == p.currentID, SealedAt: m.CreatedAt,
			SupersededAt: superseded[e.ID]})
	}
	var gone []snapshots.ID
	for _, v := range retention.Plan(old, p.clock, retention.Schedule{Daily: 31, Monthly: 24, Yearly: 10}) {
		if v.Keep {
			continue
		}
		gone = append(gone, v.ID)
		if err := p.store.Remove(ctx, v.ID); err != nil {
			p.t.Fatal(err)
		}
	}
	if _, err := pruning.RemoveUnneededResponses(ctx, p.options(), gone, false); err != nil {
		p.differs("runs", difference{"removing from the archive", "no error", err.Error()})
	}
	p.stays()
}

// rebuild makes the tables of the newest kept snapshot of a day, or of the last day before it
// that has one, again.
func (p *player) rebuild(of string) {
	p.t.Helper()
	list, err := p.store.List(context.Background())
	if err != nil {
		p.t.Fatal(err)
	}
	var id snapshots.ID
	for _, e := range list {
		if !e.ID.Date().After(day(of)) && p.kept[e.ID].tables != nil {
			id = e.ID
		}
	}
	if id == "" {
		p.t.Fatalf("no snapshot of %s or before is kept", of)
	}
	tables, err := pipeline.Rebuild(context.Background(), p.options(), id)
	if err != nil {
		p.differs("runs", difference{"rebuild of " + of, "equal tables", err.Error()})
	}
	for _, table := range tables {
		p.tally.rows++
		if !table.Equal() {
			p.differs("rebuild", difference{id.String() + " " + table.Table, table.Was, table.Is})
		}
	}
}
