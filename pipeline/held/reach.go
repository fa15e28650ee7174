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

// site is one point with the places there.
type site struct {
	at     orb.Point
	places []numbered
}

// numbered is a place with the number of its vacancy among those that have a place.
type numbered struct {
	Place
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
	sites, vacancies := sitesOf(places)
	var searching sync.WaitGroup
	for i := range found { // each core every so many wards
		searching.Go(func() {
			find := &search{sites: sites, nearest: make([]nearestPlace, vacancies)}
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

// sitesOf gathers the places by point, from south to north, and numbers the vacancies
// from 0.
func sitesOf(places []Place) (sites []site, vacancies int) {
	at, numbers := map[orb.Point]int{}, map[int32]int32{}
	for _, p := range places {
		i, known := at[p.At]
		if !known {
			i = len(sites)
			at[p.At] = i
			sites = append(sites, site{at: p.At})
		}
		n, known := numbers[p.Vacancy]
		if !known {
			n = int32(len(numbers))
			numbers[p.Vacancy] = n
		}
		sites[i].places = append(sites[i].places, numbered{p, n})
	}
	slices.SortFunc(sites, func(a, b site) int {
		return cmp.Or(cmp.Compare(a.at.Lat(), b.at.Lat()), cmp.Compare(a.at.Lon(), b.at.Lon()))
	})
	return sites, len(numbers)
}

func reachOf(w sources.Ward, find *search, geography string) []snapshots.ReachRow {
	find.near(orb.Point{w.Longitude, w.Latitude})
	var rows []snapshots.ReachRow
	for _, km := range distances() {
		var all tally
		byCouncil := int32(0)
		for _, i := range find.met {
			if n := &find.nearest[i]; n.metres <= float64(km)*1000 {
				all.add(n.place.Employer, n.place.Source)
				if n.place.Council {
					byCouncil++
				}
			}
		}
		if all.publishable() {
			all.source(geography)
			rows = append(rows, snapshots.ReachRow{WardCode: w.Code, WardName: w.Name, CouncilCode: w.Council, WithinKM: int16(km),
				Vacancies: all.vacancies, VacanciesPlacedByCouncil: byCouncil, SourceKeys: keys(all.sources)})
		}
	}
	return rows
}

// near finds for each vacancy within the longest distance its nearest place; of two
// as near, the one that is known better.
func (s *search) near(middle orb.Point) {
	longest := float64(slices.Max(distances())) * 1000
	band := longest / metresPerDegree
	first, _ := slices.BinarySearchFunc(s.sites, middle.Lat()-band, func(s site, lat float64) int { return cmp.Compare(s.at.Lat(), lat) })
	s.number++
	s.met = s.met[:0]
	for i := first; i < len(s.sites) && s.sites[i].at.Lat() <= middle.Lat()+band; i++ {
		// To the millimetre, so that what the arithmetic leaves over decides nothing
		// between two places that are as near as each other.
		metres := math.Round(1000*geo.DistanceHaversine(middle, s.sites[i].at)) / 1000
		if metres > longest || math.IsNaN(metres) {
			continue
		}
		for j := range s.sites[i].places {
			s.meet(&s.sites[i].places[j], metres)
		}
	}
}

// meet notes a place that is as far as that.
func (s *search) meet(p *numbered, metres float64) {
	n := &s.nearest[p.number]
	first := n.search != s.number
	if first {
		s.met = append(s.met, p.number)
	}
	if first || metres < n.metres || metres == n.metres && n.place.Council && !p.Council {
		*n = nearestPlace{metres, &p.Place, s.number}
	}
}
