package held

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geo"

	"labour/snapshots"
	"labour/sources"
)

// distances are how far one may look, in kilometres.
func distances() []int { return []int{5, 10, 20} }

// metresPerDegree of latitude, a little less than the least there is, so that nothing
// within the distance is left out of the band that is searched.
const metresPerDegree = 110_000

// Place is where the work of a live vacancy is.
type Place struct {
	Vacancy  int32     // as Vacancy.Vacancy
	Employer int32     // as Vacancy.Employer
	Source   string    // as Vacancy.Source
	At       orb.Point // longitude and latitude in degrees
	Council  bool      // the middle of a council stands for it
}

// site is one point with the vacancies there.
type site struct {
	at     orb.Point
	sphere [3]float64 // the point on a sphere of radius 1
	alone  gathered   // vacancies that are nowhere else
	others []numbered // places of vacancies that are elsewhere too
}

// gathered is a count of vacancies, and how many of them a council's middle stands for.
type gathered struct {
	tally
	byCouncil int32
}

func (c *gathered) add(p *Place) {
	c.tally.add(p.Employer, p.Source)
	if p.Council {
		c.byCouncil++
	}
}

func (c *gathered) join(o *gathered) {
	c.tally.join(&o.tally)
	c.byCouncil += o.byCouncil
}

// numbered is a place with the number of its vacancy among those in several.
type numbered struct {
	*Place
	number int32
}

// nearestPlace is how far a vacancy is from a ward, and by which of its places.
type nearestPlace struct {
	metres float64
	place  *Place
	search int32 // in which it was met last, from 1
}

// search looks for what is near to one ward after the other. It is for one goroutine.
type search struct {
	sites   []site         // from south to north, shared
	rings   []ring         // from the shortest to the longest distance
	nearest []nearestPlace // by the number of the vacancy
	met     []int32        // numbers of the vacancies that the last search met
	number  int32          // of the last search
}

// Reach counts the live work within each distance of each ward's middle, as the crow
// flies (haversine, on a sphere of 6378.137 km, which is at most 0.6 per cent off). Adverts say where the work is as coordinates, or as
// a council, for which its middle stands: the outlines' centre of area. A vacancy in
// several places is at the one nearest to the ward, and counts once. Wards with the
// same code count once, the first. geography is the key of the source of the wards.
func Reach(wards []sources.Ward, places []Place, geography string) []snapshots.ReachRow {
	wards = slices.Clone(wards)
	slices.SortStableFunc(wards, func(a, b sources.Ward) int { return strings.Compare(a.Code, b.Code) })
	wards = slices.CompactFunc(wards, func(a, b sources.Ward) bool { return a.Code == b.Code })
	found := make([][]snapshots.ReachRow, runtime.GOMAXPROCS(0))
	sites, elsewhere := sitesOf(places)
	var searching sync.WaitGroup
	for i := range found { // each core every so many wards
		searching.Go(func() {
			find := &search{sites: sites, rings: rings(), nearest: make([]nearestPlace, elsewhere)}
			for at := i; at < len(wards); at += len(found) {
				found[i] = append(found[i], reachOf(wards[at], find, geography)...)
			}
		})
	}
	searching.Wait()
	rows := slices.Concat(found...)
	slices.SortFunc(rows, func(a, b snapshots.ReachRow) int {
		return cmp.Or(strings.Compare(a.WardCode, b.WardCode), cmp.Compare(a.WithinKM, b.WithinKM))
	})
	return rows
}

func reachOf(w sources.Ward, find *search, geography string) []snapshots.ReachRow {
	var rows []snapshots.ReachRow
	for i, all := range find.near(orb.Point{w.Longitude, w.Latitude}) {
		if all.publishable() {
			all.source(geography)
			rows = append(rows, snapshots.ReachRow{WardCode: w.Code, WardName: w.Name, CouncilCode: w.Council, WithinKM: int16(distances()[i]),
				Vacancies: all.vacancies, VacanciesPlacedByCouncil: all.byCouncil, SourceKeys: keys(all.sources)})
		}
	}
	return rows
}

// near counts the vacancies within each of the distances, in their order. One in
// several places is at its nearest; of two as near, at the one that is known better.
func (s *search) near(middle orb.Point) []gathered {
	within := make([]gathered, len(s.rings))
	band := s.rings[len(s.rings)-1].metres / metresPerDegree
	first, _ := slices.BinarySearchFunc(s.sites, middle.Lat()-band, func(s site, lat float64) int { return cmp.Compare(s.at.Lat(), lat) })
	from := onSphere(middle)
	s.number++
	s.met = s.met[:0]
	for i := first; i < len(s.sites) && s.sites[i].at.Lat() <= middle.Lat()+band; i++ {
		here := &s.sites[i]
		ring, sure := s.ringOf(squared(from, here.sphere))
		if sure && (ring == len(within) || len(here.others) == 0) {
			if ring < len(within) {
				within[ring].join(&here.alone)
			}
			continue
		}
		// To the millimetre, so that what the arithmetic leaves over decides nothing
		// between two places that are as near as each other.
		metres := math.Round(1000*geo.DistanceHaversine(middle, here.at)) / 1000
		if ring = s.within(metres); ring < len(within) {
			within[ring].join(&here.alone)
			for _, p := range here.others {
				s.meet(p, metres)
			}
		}
	}
	for _, i := range s.met {
		n := &s.nearest[i]
		within[s.within(n.metres)].add(n.place)
	}
	for i := 1; i < len(within); i++ {
		within[i].join(&within[i-1])
	}
	return within
}

// meet notes a place that is as far as that.
func (s *search) meet(p numbered, metres float64) {
	n := &s.nearest[p.number]
	first := n.search != s.number
	if first {
		s.met = append(s.met, p.number)
	}
	if first || metres < n.metres || metres == n.metres && n.place.Council && !p.Council {
		*n = nearestPlace{metres, p.Place, s.number}
	}
}
