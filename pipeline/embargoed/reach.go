package embargoed

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

// distances are how far one may look, in kilometres, the longest last.
func distances() []int { return []int{5, 10, 20} }

// farthest is the longest of them, in metres.
const farthest = 20_000

// metresPerDegree of latitude, a little less than the least there is, so that nothing
// within the distance is left out of what is searched.
const metresPerDegree = 110_000

// Place is where the work of a live vacancy is.
type Place struct {
	Vacancy  int32     // as Vacancy.Vacancy
	Employer int32     // as Vacancy.Employer
	Source   string    // as Vacancy.Source
	At       orb.Point // longitude and latitude in degrees
	Council  bool      // the middle of a council stands for it
}

// near is the place of a vacancy that is nearest to a ward.
type near struct {
	*Place
	metres float64
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
	places = slices.Clone(places)
	slices.SortFunc(places, func(a, b Place) int { return cmp.Compare(a.At.Lat(), b.At.Lat()) })
	var rows []snapshots.ReachRow
	for _, w := range wards {
		rows = append(rows, reachOf(w, nearest(orb.Point{w.Longitude, w.Latitude}, places), geography)...)
	}
	return rows
}

func reachOf(w sources.Ward, vacancies map[int32]near, geography string) []snapshots.ReachRow {
	var rows []snapshots.ReachRow
	for _, km := range distances() {
		var within tally
		byCouncil := int32(0)
		for _, v := range vacancies {
			if v.metres > float64(km)*1000 {
				continue
			}
			within.add(v.Employer, v.Source)
			if v.Council {
				byCouncil++
			}
		}
		if within.publishable() {
			within.source(geography)
			rows = append(rows, snapshots.ReachRow{WardCode: w.Code, WardName: w.Name, CouncilCode: w.Council, WithinKM: int16(km),
				Vacancies: within.vacancies, VacanciesPlacedByCouncil: byCouncil, SourceKeys: keys(within.sources)})
		}
	}
	return rows
}

// nearest returns the place of each vacancy within the longest distance: the nearest
// one, and of two as near the one that is known better. places go from south to north.
func nearest(middle orb.Point, places []Place) map[int32]near {
	band := farthest / float64(metresPerDegree)
	wide := band / math.Cos((math.Abs(middle.Lat())+band)*math.Pi/180) // in degrees of longitude
	first, _ := slices.BinarySearchFunc(places, middle.Lat()-band, func(p Place, lat float64) int { return cmp.Compare(p.At.Lat(), lat) })
	found := map[int32]near{}
	for i := first; i < len(places) && places[i].At.Lat() <= middle.Lat()+band; i++ {
		p := &places[i]
		if math.Abs(p.At.Lon()-middle.Lon()) > wide {
			continue
		}
		// To the millimetre, so that what the arithmetic leaves over decides nothing
		// between two places that are as near as each other.
		metres := math.Round(1000*geo.DistanceHaversine(middle, p.At)) / 1000
		was, known := found[p.Vacancy]
		if metres <= farthest && (!known || metres < was.metres || metres == was.metres && was.Council && !p.Council) {
			found[p.Vacancy] = near{p, metres}
		}
	}
	return found
}
