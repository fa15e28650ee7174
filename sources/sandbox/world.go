// Package sandbox makes up a whole world for trying the service out: boroughs with residents under
// pseudonyms, employers, adverts in every source, applications and their outcomes, statistics and
// geography. It writes the platform's feed, answers as the publishers do, and says how both are
// configured, so that the real connectors and the real pipeline run on it.
//
// Names and codes of official areas are facts. Everything else is invented:
// employers, adverts, people, figures. A world is a function of a seed, a date and
// a size; the same three give the same bytes.
//
// The world is lifelike where it matters for trying: employers and skills follow Zipf's law,
// boroughs have the weight of their people, adverts have seasons, applicants live mostly near the
// work, apply more than once and are hired more often when they have what is asked, and outcomes
// are recorded days to weeks after the application. A known share of the adverts is excluded by the
// rules of counting, each rule at least once; Planted says how many.
package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"labour/sources"
)

// Size is how much of a world there is.
type Size struct {
	Adverts      int // in all sources together
	Residents    int
	Applications int
}

// DefaultSize is the world of `labour sandbox`: large enough that most figures of
// people under one filter are numbers. An advert of the platform has 17 applications,
// as those of job boards have: 15 to 20 in the country and 20 to 23 in London (Totaljobs
// Barometer, 2010 to 2012), 15.9 and 18.3 (CV-Library, May 2015 and 2014).
func DefaultSize() Size { return Size{Adverts: 18_000, Residents: 60_000, Applications: 250_000} }

// The least that makes a world: every sector and every source has something.
const (
	leastAdverts   = 300
	leastResidents = 500
	mostEach       = 10 // applications for each resident
)

// World is a made-up world. New makes it; it does not change afterwards and may
// be used by several goroutines.
type World struct {
	seed      uint64
	asOf      sources.Date
	size      Size
	lists     *lists
	employers []employer
	bySector  map[string][]int // employers, the largest first
	boards    []board
	adverts   adverts
	people    people
	near      [][]int // boroughs by borough, the nearest first
	around    []wheel // by borough: where in near the applicants live
	draw      wheels
}

// wheels pick by the weights of the world.
type wheels struct {
	employers map[string]wheel // by sector: few have most of the adverts
	platform  wheel            // jobs on the platform
	service   wheel            // jobs of apprentices
	boards    map[string]wheel // jobs on the board of an employer, by its sector
	common    wheel            // skills that every kind of job asks for
	work      wheel            // boroughs as places of work
	dates     calendar
}

// New makes the world of a seed as it is at the end of the day asOf. The size must have at least
// 300 adverts and 500 residents, and at most 10 applications for each resident.
func New(seed uint64, asOf sources.Date, size Size) (*World, error) {
	var errs []error
	if asOf.IsZero() || asOf.Year < 2000 || asOf.Year > 2099 {
		errs = append(errs, errors.New("the date must be in the years 2000 to 2099"))
	}
	if size.Adverts < leastAdverts || size.Residents < leastResidents || size.Applications < 0 || size.Applications > mostEach*size.Residents {
		errs = append(errs, fmt.Errorf("the size %+v: at least %d adverts and %d residents, and at most %d applications for each resident",
			size, leastAdverts, leastResidents, mostEach))
	}
	l, err := load()
	if err := errors.Join(append(errs, err)...); err != nil {
		return nil, fmt.Errorf("make up a world: %w", err)
	}
	w := &World{seed: seed, asOf: asOf, size: size, lists: l}
	w.near = nearest(l)
	w.around = w.catchments()
	w.makeEmployers()
	w.makeWheels()
	w.makeAdverts()
	w.makePeople()
	return w, nil
}

func (w *World) makeWheels() {
	l := w.lists
	jobs := func(weight func(job) float64) wheel {
		return newWheel(len(l.jobs), func(i int) float64 { return weight(l.jobs[i]) })
	}
	w.draw = wheels{employers: map[string]wheel{}, boards: map[string]wheel{}, dates: w.calendar(),
		work:     newWheel(len(l.boroughs), w.jobsIn),
		common:   newWheel(len(l.common), func(i int) float64 { return float64(l.skills[l.common[i]].spread) }),
		platform: jobs(platformWeight), service: jobs(serviceWeight)}
	for sector, list := range w.bySector {
		w.draw.employers[sector] = newWheel(len(list), func(i int) float64 { return zipf(i, rankingOfEmployers) })
		w.draw.boards[sector] = jobs(func(j job) float64 { return boardWeight(j, sector) })
	}
}

// nearest orders the boroughs by distance from each.
func nearest(l *lists) [][]int {
	out := make([][]int, len(l.boroughs))
	for i, b := range l.boroughs {
		from := l.councils[b]
		far := func(k int) float64 {
			to := l.councils[l.boroughs[k]]
			x, y := (to.lon-from.lon)*0.62, to.lat-from.lat // a degree of longitude is shorter up here
			return x*x + y*y
		}
		for k := range l.boroughs {
			out[i] = append(out[i], k)
		}
		slices.SortStableFunc(out[i], func(a, b int) int { return cmp.Compare(far(a), far(b)) })
	}
	return out
}

// neighbours is how many boroughs around a place of work most applicants come from.
const neighbours = 8

// catchments are, by borough, where applicants live: near, by the number of
// people there, and most of all in the borough itself.
func (w *World) catchments() []wheel {
	out := make([]wheel, len(w.near))
	for i, near := range w.near {
		out[i] = newWheel(neighbours, func(k int) float64 {
			people := float64(w.borough(near[k]).people)
			if k == 0 {
				return 6 * people
			}
			return people
		})
	}
	return out
}

func (w *World) borough(i int) council { return w.lists.councils[w.lists.boroughs[i]] }

// windowStart is the first day of the 24 calendar months up to asOf.
func (w *World) windowStart() sources.Date {
	first := sources.Date{Year: w.asOf.Year, Month: w.asOf.Month, Day: 1}
	return sources.DateOf(first.Time().AddDate(0, -23, 0))
}

func days(a, b sources.Date) int { return int(b.Time().Sub(a.Time()).Hours() / 24) }
