package sandbox

import (
	"slices"

	"labour/sources"
)

// Planted is how many adverts were made so that a rule excludes them, or so that
// they stand for a vacancy that is there already.
type Planted struct {
	JobBoard       int // platform, imported from a job board
	Aggregator     int // platform, imported from an aggregator
	UnknownOrigin  int // platform, origin left out
	NotListed      int // platform or boards, direct links and prospect posts
	Abroad         int // boards, place outside the United Kingdom
	CountryUnknown int // boards, a place that names no country
	Undated        int // boards, no date
	Future         int // platform, dated after the date of the world
	BeforeWindow   int // platform, older than 24 months
	Imported       int // apprenticeship service, taken from another board
	Unreadable     int // boards, a row with a date that is none
	ShownTwice     int // platform, a vacancy that a board or the service has too
}

// Planted counts what was planted.
func (w *World) Planted() Planted {
	var p Planted
	for i := range w.vacancies {
		v := &w.vacancies[i]
		add := func(n *int, yes bool) {
			if yes {
				*n++
			}
		}
		add(&p.JobBoard, v.origin == sources.OriginJobBoard)
		add(&p.Aggregator, v.origin == sources.OriginAggregator)
		add(&p.UnknownOrigin, v.origin == sources.OriginUnknown)
		add(&p.NotListed, v.unlisted)
		add(&p.Abroad, slices.Contains(placesAbroad, v.place))
		add(&p.CountryUnknown, slices.Contains(placesNowhere, v.place))
		add(&p.Undated, v.posted.IsZero())
		add(&p.Future, w.asOf.Before(v.posted))
		add(&p.BeforeWindow, v.source == fromPlatform && v.posted.Before(w.windowStart()))
		add(&p.Imported, v.imported)
		add(&p.Unreadable, v.unreadable)
		add(&p.ShownTwice, v.twice && v.source == fromPlatform)
	}
	return p
}

var (
	placesAbroad  = []string{"Paris", "Berlin, Germany", "New York, NY", "Dublin, Ireland"}
	placesNowhere = []string{"Remote", "EMEA", "Multiple locations"}
)

// plant turns some adverts into such that are excluded. Every kind occurs at
// least once in every world.
func (w *World) plant(own, elsewhere []vacancy) {
	c := w.chance(streamPlanted)
	var single, boards, service []*vacancy
	for i := range own {
		if !own[i].twice {
			single = append(single, &own[i])
		}
	}
	for i := range elsewhere {
		if elsewhere[i].source == fromBoard && !elsewhere[i].twice {
			boards = append(boards, &elsewhere[i])
		} else if elsewhere[i].source == fromService && !elsewhere[i].twice {
			service = append(service, &elsewhere[i])
		}
	}
	for _, p := range [][]*vacancy{single, boards, service} {
		c.Shuffle(len(p), func(i, k int) { p[i], p[k] = p[k], p[i] })
	}
	w.plantOnPlatform(c, &single)
	w.plantOnBoards(c, &boards)
	take(&service, 0.03, func(v *vacancy) { v.imported, v.origin = true, sources.OriginJobBoard })
	take(&single, 0.06, func(v *vacancy) { v.origin = sources.OriginEmployerBoard }) // counted, from boards that are not read
}

func (w *World) plantOnPlatform(c chance, from *[]*vacancy) {
	take(from, 0.05, func(v *vacancy) { v.origin = sources.OriginJobBoard })
	take(from, 0.025, func(v *vacancy) { v.origin = sources.OriginAggregator })
	take(from, 0.02, func(v *vacancy) { v.origin = sources.OriginUnknown })
	take(from, 0.02, func(v *vacancy) { v.unlisted = true })
	take(from, 0.0003, func(v *vacancy) {
		v.posted = w.asOf.AddDays(c.between(1, 10))
		v.closes = v.posted.AddDays(30)
	})
	take(from, 0.002, func(v *vacancy) {
		v.posted = w.windowStart().AddDays(-c.between(1, 60))
		v.closes = v.posted.AddDays(30)
	})
}

func (w *World) plantOnBoards(c chance, from *[]*vacancy) {
	take(from, 0.06, func(v *vacancy) { v.place, v.boroughs, v.remote = c.pick(placesAbroad), nil, false })
	take(from, 0.03, func(v *vacancy) { v.place, v.boroughs, v.remote = c.pick(placesNowhere), nil, true })
	take(from, 0.03, func(v *vacancy) {
		v.unlisted = w.boards[v.board].vendor != "lever" // which knows no such posts
	})
	take(from, 0.004, func(v *vacancy) { v.posted = sources.Date{} })
	take(from, 0.001, func(v *vacancy) { v.unreadable = true })
}

// take changes a share of the vacancies, at least one, and takes them out of the list.
func take(from *[]*vacancy, share float64, change func(*vacancy)) {
	n := min(max(int(share*float64(len(*from))), 1), len(*from))
	for _, v := range (*from)[:n] {
		change(v)
	}
	*from = (*from)[n:]
}
