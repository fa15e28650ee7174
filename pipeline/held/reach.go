package held

import (
	"cmp"
	"math"
	"slices"
	"strings"

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
	places []Place
}

// nearestPlace is how far a vacancy is from a ward, and by which of its places.
type nearestPlace struct {
	metres float64
	place  Place
}

// Reach counts the live work within each distance of each ward's middle, as the crow
// flies (haversine, on a sphere of 6378.137 km, which is at most 0.6 per cent off). Adverts say where the work is as coordinates, or as
// a council, for which its middle stands: the outlines' centre of area. A vacancy in
// several places is at the one nearest to the ward, and counts once. Wards with the
// same code count once, the first. geography is the key of the source of the wards.
func Reach(wards []sources.Ward, places []Place, geography string) []snapshots.ReachRow {
	sites := sitesOf(places)
	var rows []snapshots.ReachRow
	seen := map[string]bool{}
	for _, w := range wards {
		if seen[w.Code] {
			continue
		}
		seen[w.Code] = true
		rows = append(rows, reachOf(w, sites, geography)...)
	}
	slices.SortFunc(rows, func(a, b snapshots.ReachRow) int {
		return cmp.Or(strings.Compare(a.WardCode, b.WardCode), cmp.Compare(a.WithinKM, b.WithinKM))
	})
	return rows
}

// sitesOf gathers the places by point, from south to north.
func sitesOf(places []Place) []site {
	at := map[orb.Point]int{}
	var sites []site
	for _, p := range places {
		i, known := at[p.At]
		if !known {
			i = len(sites)
			at[p.At] = i
			sites = append(sites, site{at: p.At})
		}
		sites[i].places = append(sites[i].places, p)
	}
	slices.SortFunc(sites, func(a, b site) int {
		return cmp.Or(cmp.Compare(a.at.Lat(), b.at.Lat()), cmp.Compare(a.at.Lon(), b.at.Lon()))
	})
	return sites
}

func reachOf(w sources.Ward, sites []site, geography string) []snapshots.ReachRow {
	middle := orb.Point{w.Longitude, w.Latitude}
	near := nearby(middle, sites)
	var rows []snapshots.ReachRow
	for _, km := range distances() {
		var all tally
		byCouncil := int32(0)
		for _, n := range near {
			if n.metres <= float64(km)*1000 {
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

// nearby gives for each vacancy within the longest distance its nearest place; of two
// as near, the one that is known better.
func nearby(middle orb.Point, sites []site) map[int32]nearestPlace {
	longest := float64(slices.Max(distances())) * 1000
	band := longest / metresPerDegree
	first, _ := slices.BinarySearchFunc(sites, middle.Lat()-band, func(s site, lat float64) int { return cmp.Compare(s.at.Lat(), lat) })
	near := map[int32]nearestPlace{}
	for _, s := range sites[first:] {
		if s.at.Lat() > middle.Lat()+band {
			break
		}
		// To the millimetre, so that what the arithmetic leaves over decides nothing
		// between two places that are as near as each other.
		metres := math.Round(1000*geo.DistanceHaversine(middle, s.at)) / 1000
		if metres > longest || math.IsNaN(metres) {
			continue
		}
		for _, p := range s.places {
			if n, known := near[p.Vacancy]; !known || metres < n.metres || metres == n.metres && n.place.Council && !p.Council {
				near[p.Vacancy] = nearestPlace{metres, p}
			}
		}
	}
	return near
}
