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
	number      int // among all adverts of the world, from 0
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
	planted     bool // made so that a rule excludes it, or counts it for a reason of its own
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

// opening is a vacancy of an employer for a kind of job in one of its boroughs.
func (w *World) opening(c chance, source string, e, j int) vacancy {
	emp := w.employers[e]
	at := emp.homes[c.IntN(len(emp.homes))]
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
	for range c.between(1, 4) {
		s := w.lists.common[w.draw.common.spin(c)]
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
