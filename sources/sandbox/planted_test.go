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
	for number := range w.adverts.list {
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
		add(&p.Abroad, slices.Contains(texts.Abroad, v.place))
		add(&p.CountryUnknown, slices.Contains(texts.Nowhere, v.place))
		add(&p.Undated, v.postingDay.IsZero())
		add(&p.Future, w.asOf.Before(v.postingDay))
		add(&p.BeforeWindow, v.source == fromPlatform && v.postingDay.Before(w.windowStart()))
		add(&p.Imported, v.imported)
		add(&p.Unreadable, v.unreadable)
		add(&p.ShownTwice, v.isDuplicated && v.source == fromPlatform)
	}
	return p
}
