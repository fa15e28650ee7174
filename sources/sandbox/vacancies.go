package sandbox

import (
	"fmt"
	"slices"

	"labour/sources"
)

// asked is one skill that a vacancy asks for.
type asked struct {
	skill  int
	level  int  // 1 to 5
	stated bool // the advert says the level
}

// vacancy is one advert as one source has it.
type vacancy struct {
	number      int // index in World.vacancies
	source      string
	id          string
	origin      sources.Origin
	unlisted    bool
	employer    int
	board       int // index in World.boards; -1 = none
	job         int
	title       string
	requisition string
	applyURL    string
	posted      sources.Date // zero = not stated
	closes      sources.Date
	boroughs    []int  // the first is the main one
	council     int    // apprenticeships outside London: index in lists.councils; else -1
	place       string // free text of a board, or of a place that is no borough
	remote      bool
	nationwide  bool
	imported    bool // an apprenticeship that the service took from elsewhere
	twice       bool // the platform shows it and its own source too
	unreadable  bool // planted: its date is none
	course      int
	asked       []asked
}

// The sources of a vacancy.
const (
	fromPlatform = "platform"
	fromBoard    = "board"
	fromService  = "service"
)

// The shares of the sources among all adverts, and of adverts that the platform
// shows a second time.
const (
	shareBoards     = 0.15
	shareService    = 0.10
	shareShownTwice = 0.08
)

// makeVacancies makes up the adverts of all sources. The platform's come first,
// in the order in which they were posted.
func (w *World) makeVacancies() {
	c := w.chance(streamAdverts)
	boards, service := int(float64(w.size.Adverts)*shareBoards), int(float64(w.size.Adverts)*shareService)
	var elsewhere, own []vacancy
	elsewhere = append(elsewhere, w.boardVacancies(c, boards)...)
	elsewhere = append(elsewhere, w.serviceVacancies(c, service)...)
	for i := range elsewhere {
		if v := &elsewhere[i]; c.one(shareShownTwice) && len(v.boroughs) > 0 {
			v.twice = true
			own = append(own, w.shownAgain(c, *v))
		}
	}
	own = append(own, w.platformVacancies(c, w.size.Adverts-boards-service-len(own))...)
	w.plant(own, elsewhere)
	slices.SortStableFunc(own, func(a, b vacancy) int { return a.posted.Time().Compare(b.posted.Time()) })
	for i := range own {
		own[i].id = fmt.Sprintf("ad-%06d", i+1)
		if own[i].applyURL == "" && i%3 > 0 {
			own[i].applyURL = siteAddress + "/apply/" + own[i].id
		}
	}
	w.vacancies = append(own, elsewhere...)
	for i := range w.vacancies {
		w.vacancies[i].number = i
	}
}

// shownAgain is a vacancy of another source as the platform shows it too.
func (w *World) shownAgain(c chance, v vacancy) vacancy {
	v.origin = sources.OriginEmployerBoard
	if v.source == fromService {
		v.origin = sources.OriginApprenticeship
	}
	v.source, v.id, v.board, v.imported, v.place = fromPlatform, "", -1, false, ""
	v.posted = v.posted.AddDays(c.between(0, min(5, days(v.posted, w.asOf))))
	return v
}

// platformVacancies are n adverts that are on the platform alone.
func (w *World) platformVacancies(c chance, n int) []vacancy {
	jobs := newWheel(len(w.lists.jobs), func(i int) float64 {
		if j := w.lists.jobs[i]; j.platform || j.boards {
			return float64(j.weight)
		}
		return 0.2
	})
	pick := w.employerWheels()
	dates := w.calendar()
	out := make([]vacancy, 0, max(n, 0))
	for range n {
		j := jobs.spin(c)
		sector := w.lists.jobs[j].sector
		e := w.bySector[sector][pick[sector].spin(c)]
		v := w.vacancy(c, fromPlatform, e, j)
		v.origin = sources.OriginPlatform
		v.posted = dates.draw(c)
		v.closes = v.posted.AddDays(c.between(14, 42))
		if course := w.lists.jobs[j].course; course > 0 && c.one(0.06) {
			v.course, v.title = course, v.title+" apprentice"
		}
		w.whereOnPlatform(c, &v)
		out = append(out, v)
	}
	return out
}

// whereOnPlatform adds what the platform's adverts say of places beside the borough.
func (w *World) whereOnPlatform(c chance, v *vacancy) {
	switch x := c.Float64(); {
	case x < 0.05:
		if second := w.near[v.boroughs[0]][c.between(1, 6)]; !slices.Contains(v.boroughs, second) {
			v.boroughs = append(v.boroughs, second)
		}
	case x < 0.06:
		v.nationwide, v.boroughs = true, nil
	case x < 0.07:
		v.place, v.boroughs = c.pick(outsidePlaces), nil
	}
}

var outsidePlaces = []string{"Watford, UK", "Slough, UK", "Dartford, UK", "Luton, UK", "Epsom, UK"}

// vacancy is a vacancy of an employer for a kind of job in one of its boroughs.
func (w *World) vacancy(c chance, source string, e, j int) vacancy {
	emp := w.employers[e]
	at := emp.homes[0]
	if c.one(0.4) {
		at = emp.homes[c.IntN(len(emp.homes))]
	}
	v := vacancy{source: source, employer: e, job: j, board: -1, council: -1, boroughs: []int{at}, asked: w.ask(c, j)}
	v.title = c.pick(w.lists.jobs[j].titles)
	if source != fromService && c.one(0.3) {
		v.title += c.pick(titleEnds)
	}
	if c.one(0.5) {
		v.requisition = fmt.Sprintf("%s-%d", string(emp.name[0]), c.between(10000, 99999))
	}
	return v
}

var titleEnds = []string{" (part-time)", " (full-time)", " (permanent)", " (temporary)", " - part time", " (fixed term contract)", " - nights", " - weekends"}

// ask makes up the skills that a vacancy asks for.
func (w *World) ask(c chance, j int) []asked {
	var out []asked
	add := func(skill, level int) {
		if slices.ContainsFunc(out, func(a asked) bool { return a.skill == skill }) {
			return
		}
		switch x := c.Float64(); {
		case x < 0.16:
			level--
		case x > 0.86:
			level++
		}
		a := asked{skill: skill, level: min(max(level, 1), 5), stated: c.one(0.85)}
		if w.lists.skills[skill].form == 'h' {
			a.level, a.stated = w.lists.skills[skill].level, false
		}
		out = append(out, a)
	}
	for _, n := range w.lists.jobs[j].needs {
		if n.optional && c.one(0.55) || c.one(0.06) {
			continue
		}
		add(n.skill, n.level)
	}
	common := newWheel(len(w.lists.common), func(i int) float64 { return float64(w.lists.skills[w.lists.common[i]].spread) })
	for range c.between(1, 4) {
		s := w.lists.common[common.spin(c)]
		add(s, w.lists.skills[s].level)
	}
	if c.one(0.02) && len(w.lists.rare) > 0 {
		s := w.lists.rare[c.IntN(len(w.lists.rare))]
		add(s, w.lists.skills[s].level)
	}
	if c.one(0.02) {
		s := c.IntN(len(w.lists.skills))
		add(s, w.lists.skills[s].level)
	}
	return out
}

// employerWheels pick the employers of each sector: few have most of the adverts.
func (w *World) employerWheels() map[string]wheel {
	out := map[string]wheel{}
	for sector, list := range w.bySector {
		out[sector] = newWheel(len(list), func(i int) float64 { return zipf(i, 0.85) })
	}
	return out
}
