package yeartest

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"
)

// step is something that happens or is done at a time of a day.
type step struct {
	at      time.Duration
	mishap  string // its name; empty = nothing out of the ordinary
	do      func(*player)
	instead bool // it takes the place of the day's whole run
}

// clockAt is a time of day.
func clockAt(hour, minute int) time.Duration {
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
}

var (
	wholeAt = clockAt(0, 5)
	lightAt = clockAt(10, 0)
	nightly = clockAt(0, 1) // what is set before the whole run
	late    = clockAt(23, 0)
)

// plain is a day on which nothing goes wrong.
func plain() []step {
	return []step{{at: wholeAt, do: (*player).runWhole}, {at: lightAt, do: (*player).runLight}}
}

// script lists the events of each day. The days that the short form plays have every mishap once.
type script map[string][]step

func (s script) add(date string, steps ...step) { s[date] = append(s[date], steps...) }

// during sets something before the whole run of a day and unsets it before the one after the last.
func (s script) during(first, last, mishap string, set, unset func(*player)) {
	s.add(first, step{at: nightly, mishap: mishap, do: set})
	s.add(date(day(last).AddDate(0, 0, 1)), step{at: nightly, do: unset})
}

// board lets a board answer otherwise for some days.
func (s script) board(first, last, mishap, token string, state boardState) {
	s.during(first, last, mishap, func(p *player) { p.override[token] = state },
		func(p *player) { delete(p.override, token) })
}

// feedDown lets the feed not answer.
func (s script) feedDown(first, last, mishap string) {
	s.during(first, last, mishap, func(p *player) { p.down["platform"] = true },
		func(p *player) { delete(p.down, "platform") })
}

// steps returns those of a day in their order.
func (s script) steps(date string) []step {
	steps := plain()
	for _, e := range s[date] {
		if e.instead {
			steps = slices.DeleteFunc(steps, func(p step) bool { return p.at == wholeAt && p.mishap == "" })
		}
	}
	steps = append(steps, s[date]...)
	slices.SortStableFunc(steps, func(a, b step) int { return int(a.at - b.at) })
	return steps
}

// theYear is the script of the year. Everything of it happens on a day of the short form.
func theYear() script {
	s := script{}
	s.publishersFail()
	s.runsFail()
	s.platformChanges()
	s.operatorActs()
	return s
}

// publishersFail: feed, boards and statistics that are down, late, half or empty.
func (s script) publishersFail() {
	s.board("2027-10-30", "2027-10-30", "a board answers 404", "alpha", boardState{status: http.StatusNotFound})
	s.board("2027-10-31", "2027-10-31", "a board answers 429", "beta", boardState{status: http.StatusTooManyRequests})
	s.board("2027-11-01", "2027-11-01", "a board gives half of a list", "alpha", boardState{half: true})
	s.board("2027-12-29", "2027-12-31", "a board empties and fills again", "beta", boardState{status: emptied})
	s.board("2028-02-29", "2028-02-29", "a board that renews its dates fails on the last day of a month", "gamma",
		boardState{status: http.StatusNotFound})
	s.feedDown("2028-01-01", "2028-01-02", "the feed is down on the 1st and 2nd")
	s.feedDown("2028-04-03", "2028-04-03", "the feed is down on the 3rd")
	for _, d := range []string{"2028-02-27", "2028-02-28", "2028-02-29", "2028-03-01"} {
		s.add(d, step{at: clockAt(0, 20), mishap: "the feed is exported at 00:20",
			do: func(p *player) { p.frozen = p.db.clone() }})
	}
	s.add("2028-03-02", step{at: nightly, do: func(p *player) { p.frozen = nil }})
	s.add("2028-04-01", step{at: nightly, mishap: "the feed states that it is complete",
		do: func(p *player) { p.site.completeUntil = "2028-04-01T00:00:00Z" }})
	s.add("2028-04-02", step{at: nightly, do: func(p *player) { p.site.completeUntil = "" }})
	s.add("2028-03-25", step{at: late, mishap: "an edition of the statistic is replaced",
		do: func(p *player) { p.site.courses = secondEdition() }})
	s.add("2028-03-27", step{at: late, mishap: "an edition of the statistic is withdrawn",
		do: func(p *player) { p.site.courses = nil }})
	s.add("2028-03-29", step{at: late, mishap: "an edition of the statistic is restored",
		do: func(p *player) { p.site.courses = firstEdition() }})
}

// runsFail: runs that are missed, refused, killed or made at once.
func (s script) runsFail() {
	s.add("2027-12-28", step{at: clockAt(0, 4), mishap: "a whole run starts during a light one",
		do: func(p *player) { p.runBoth(true) }, instead: true})
	s.add("2027-12-30", step{at: clockAt(0, 4), mishap: "a light run starts during a whole one",
		do: func(p *player) { p.runBoth(false) }, instead: true})
	s.add("2028-01-05", step{at: wholeAt, mishap: "a day's run is missed", do: func(*player) {}, instead: true})
	s.add("2028-02-28", step{at: wholeAt, mishap: "a whole run is refused by a check", do: (*player).runRefused,
		instead: true},
		step{at: clockAt(20, 0), do: (*player).runLight})
	for i, d := range []string{"2028-01-06", "2028-03-24", "2028-05-01"} {
		s.add(d, step{at: wholeAt, mishap: "a whole run is killed", do: func(p *player) { p.runKilled(1 + 4*i) },
			instead: true})
	}
	s.add("2028-03-26", step{at: clockAt(12, 30), mishap: "the clock is set back an hour",
		do: func(p *player) { p.slow = 3 * time.Hour; p.advance(p.clock); p.runLight(); p.slow = 0 }})
}

// platformChanges adds the changes of the platform's records to those of the world itself.
func (s script) platformChanges() {
	s.add("2028-02-28", step{at: clockAt(12, 0), mishap: "adverts leave the feed", do: func(p *player) {
		p.db.Adverts = slices.DeleteFunc(p.db.Adverts,
			func(a advert) bool { return a.Posted >= "2028-01-20" && a.Posted < "2028-02-20" })
	}})
	s.add("2028-03-30", step{at: late, mishap: "a borough is added", do: func(p *player) {
		p.db.Boroughs = append(p.db.Boroughs, haringey)
		for i := range p.db.Residents {
			if i%9 == 0 {
				p.db.Residents[i].Borough = haringey.Slug
			}
		}
		for i, a := range p.db.Adverts {
			isOneOfMany := strings.HasPrefix(a.ID, "again-") // the adverts of a vacancy stay in one borough
			if i%7 == 0 && len(a.Boroughs) == 1 && !isOneOfMany {
				p.db.Adverts[i].Boroughs = []string{haringey.Slug}
			}
		}
	}})
	s.add("2028-04-04", step{at: late, mishap: "a borough is recoded", do: func(p *player) {
		p.site.hackney, p.site.former = "E09000112", "E09000012"
		replace(p.db.Boroughs, func(b borough) bool { return b.Slug == "hackney" },
			func(b borough) borough { b.Code = p.site.hackney; return b })
	}})
}

// builtAgain are the days that are built again later, from what had been fetched by their end.
var builtAgain = []string{"2028-02-27"}

// operatorActs: what the operator does.
func (s script) operatorActs() {
	s.add("2028-02-26", step{at: clockAt(12, 0), mishap: "old snapshots are removed", do: (*player).prune})
	s.add("2028-02-27", step{at: clockAt(12, 0), mishap: "a day of a month before is built again",
		do: func(p *player) { p.rebuild("2028-01-04") }})
	s.add("2028-03-01", step{at: clockAt(12, 0), mishap: "build --as-of of an earlier day",
		do: func(p *player) { p.buildAgain(builtAgain[0]) }})
	s.add("2028-03-26", step{at: late, mishap: "a correction is set",
		do: func(p *player) { p.corrections = correction }})
	s.add("2028-03-28", step{at: late, mishap: "a correction is lifted", do: func(p *player) { p.corrections = "" }})
	s.add("2028-03-29", step{at: late, mishap: "a skill is added to the register",
		do: func(p *player) { p.skills = append(slices.Clone(register), laterSkill) }})
	s.add("2028-04-01", step{at: clockAt(12, 0), mishap: "a snapshot is withdrawn",
		do: func(p *player) { p.withdraw(); p.withdraw() }},
		step{at: clockAt(15, 0), do: (*player).runLight})
	s.add("2028-04-29",
		step{at: late, mishap: "a board moves",
			do: func(p *player) { p.tokens, p.retired = []string{"alpha", "beta-2", "gamma"}, []string{"beta"} }})
	s.add("2028-05-02", step{at: clockAt(12, 0), mishap: "old snapshots are removed", do: (*player).prune})
}

// drawn puts mishaps on every third day that has none: what publishers do, and what runs do.
func (s script) drawn(r *rand.Rand) {
	for d := begin.AddDate(0, 0, 2); d.Before(end); d = d.AddDate(0, 0, 1) {
		on, next := date(d), date(d.AddDate(0, 0, 1))
		if len(s[on]) > 0 || len(s[next]) > 0 || r.IntN(3) > 0 {
			continue
		}
		token := boards[r.IntN(len(boards))].token
		if token == "beta" && on > "2028-04-29" {
			token = "beta-2"
		}
		switch r.IntN(10) {
		case 0:
			s.board(on, on, "a board answers 404", token, boardState{status: http.StatusNotFound})
		case 1:
			s.board(on, on, "a board answers 429", token, boardState{status: http.StatusTooManyRequests})
		case 2:
			s.board(on, on, "a board gives half of a list", token, boardState{half: true})
		case 3:
			s.board(on, next, "a board empties and fills again", token, boardState{status: emptied})
		case 4:
			s.feedDown(on, on, "the feed is down")
		case 5:
			s.add(on, step{at: wholeAt, mishap: "a day's run is missed", do: func(*player) {}, instead: true})
		case 6:
			s.add(on, step{at: wholeAt, mishap: "a whole run is refused by a check", do: (*player).runRefused,
				instead: true})
		case 7:
			at := 1 + r.IntN(20)
			s.add(on, step{at: wholeAt, mishap: "a whole run is killed", do: func(p *player) { p.runKilled(at) },
				instead: true})
		case 8:
			first := r.IntN(2) == 0
			s.add(on, step{at: wholeAt, mishap: "a whole and a light run at once",
				do: func(p *player) { p.runBoth(first) }, instead: true})
		case 9:
			s.add(on, step{at: clockAt(12, 0), mishap: "old snapshots are removed", do: (*player).prune})
		}
	}
}

// correction is the operator's file while the name of a council is corrected.
const correction = `corrections:
  - {source: ons_geography, kind: area, record: council E09000012, field: name, old: Hackney, new: ` + correctedName + `,
     reason: A misprint., by: An analyst, decided: 2028-03-26}
`
