package sandbox

import (
	"slices"
	"sort"

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
	for number := range w.adverts.all() {
		v := w.vacancy(number)
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

// plant is one way in which adverts are made so that a rule excludes them, or counts
// them for a reason of their own.
type plant struct {
	share   float64
	outside bool // of the 24 months; nobody applies
	change  func(*World, chance, *vacancy)
}

// What is planted among the adverts that the platform alone has, on boards and at
// the apprenticeship service. The last one of the platform is counted: adverts from
// boards that are not read.
var (
	onPlatform = []plant{
		{0.05, false, func(_ *World, _ chance, v *vacancy) { v.origin = sources.OriginJobBoard }},
		{0.025, false, func(_ *World, _ chance, v *vacancy) { v.origin = sources.OriginAggregator }},
		{0.02, false, func(_ *World, _ chance, v *vacancy) { v.origin = sources.OriginUnknown }},
		{0.02, false, func(_ *World, _ chance, v *vacancy) { v.unlisted = true }},
		{0.0003, true, func(w *World, c chance, v *vacancy) { v.postedOn(w.asOf.AddDays(c.between(1, 10))) }},
		{0.002, true, func(w *World, c chance, v *vacancy) { v.postedOn(w.windowStart().AddDays(-c.between(1, 60))) }},
		{0.06, false, func(_ *World, _ chance, v *vacancy) { v.origin = sources.OriginEmployerBoard }},
	}
	onBoards = []plant{
		{0.06, false, func(_ *World, c chance, v *vacancy) { v.place, v.boroughs, v.remote = c.pick(placesAbroad), nil, false }},
		{0.03, false, func(_ *World, c chance, v *vacancy) { v.place, v.boroughs, v.remote = c.pick(placesNowhere), nil, true }},
		{0.03, false, func(w *World, _ chance, v *vacancy) {
			v.unlisted = w.boards[v.board].vendor != "lever" // which knows no such posts
		}},
		{0.004, false, func(_ *World, _ chance, v *vacancy) { v.posted = sources.Date{} }},
		{0.001, false, func(_ *World, _ chance, v *vacancy) { v.unreadable = true }},
	}
	onService = []plant{
		{0.03, false, func(_ *World, _ chance, v *vacancy) { v.imported, v.origin = true, sources.OriginJobBoard }},
	}
)

// postedOn moves an advert to another day.
func (v *vacancy) postedOn(day sources.Date) { v.posted, v.closes = day, day.AddDays(30) }

// plantedUpTo is, for each kind, how many of n adverts are planted with it and those
// before: its share of what is left, and at least one, so that every kind occurs in
// every world.
func plantedUpTo(kinds []plant, n int) []int {
	out := make([]int, 0, len(kinds))
	upTo := 0
	for _, p := range kinds {
		upTo += min(max(int(p.share*float64(n-upTo)), 1), n-upTo)
		out = append(out, upTo)
	}
	return out
}

// plantedHere is the kind that is planted in the i-th of n adverts of a source; -1
// for none.
func (w *World) plantedHere(source string, i, n int) int {
	upTo := w.adverts.plantedAt[source]
	at := w.shuffled(streamPlanted+uint64(len(source))<<16, i, n)
	if k := sort.SearchInts(upTo, at+1); k < len(upTo) {
		return k
	}
	return -1
}
