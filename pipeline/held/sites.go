package held

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// sitesOf gathers the places by point, from south to north. The vacancies that are at
// one point are counted there, once for all searches: nearly all are. The others are
// numbered, from 0 to elsewhere - 1.
func sitesOf(places []Place) (sites []site, elsewhere int) {
	sites, at := pointsOf(places)
	type whereabouts struct {
		first   *Place // the one that is known best
		site    int
		several bool
		number  int32
	}
	vacancies := map[int32]*whereabouts{}
	for i := range places {
		p := &places[i]
		v := vacancies[p.Vacancy]
		switch {
		case v == nil:
			vacancies[p.Vacancy] = &whereabouts{first: p, site: at[i]}
		case at[i] != v.site && !v.several:
			v.several, v.number = true, int32(elsewhere)
			elsewhere++
		case v.first.Council && !p.Council:
			v.first = p
		}
	}
	for i := range places {
		p := &places[i]
		v := vacancies[p.Vacancy]
		here := &sites[at[i]]
		if v.several {
			here.others = append(here.others, numbered{p, v.number})
		} else if v.first == p {
			here.alone.add(p)
		}
	}
	return sites, elsewhere
}

// pointsOf gives the points of the places, from south to north, and for each place the
// number of its point.
func pointsOf(places []Place) (sites []site, at []int) {
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	byPoint := func(i, j int) int {
		a, b := places[i].At, places[j].At
		return cmp.Or(cmp.Compare(a.Lat(), b.Lat()), cmp.Compare(a.Lon(), b.Lon()))
	}
	slices.SortFunc(order, byPoint)
	at = make([]int, len(places))
	for n, i := range order {
		if n == 0 || byPoint(order[n-1], i) != 0 {
			sites = append(sites, site{at: places[i].At, sphere: onSphere(places[i].At)})
		}
		at[i] = len(sites) - 1
	}
	return sites, at
}

// ring is what is within one of the distances.
type ring struct {
	metres float64
	// Squared chords: what is shorter than inside is within the distance, what is
	// longer than outside is not, and what is between must be measured.
	inside, outside float64
}

// rings are the distances that are asked for.
func rings() []ring {
	const sure = 1 // metre; the chords are exact to far less
	var list []ring
	for _, km := range distances() {
		metres := float64(km) * 1000
		list = append(list, ring{metres, chord(metres - sure), chord(metres + sure)})
	}
	return list
}

// ringOf is the number of the innermost ring that holds what is at the end of a chord,
// the number of rings where none does. It is not sure of it near to a ring's edge, and
// of what is no number.
func (s *search) ringOf(squared float64) (number int, sure bool) {
	for i := range s.rings {
		switch r := &s.rings[i]; {
		case squared < r.inside:
			return i, true
		case !(squared > r.outside):
			return i, false
		}
	}
	return len(s.rings), true
}

// within is ringOf by the distance itself.
func (s *search) within(metres float64) int {
	for i := range s.rings {
		if metres <= s.rings[i].metres {
			return i
		}
	}
	return len(s.rings)
}

// onSphere is a point as a vector of length 1.
func onSphere(p orb.Point) [3]float64 {
	lat, lon := p.Lat()*math.Pi/180, p.Lon()*math.Pi/180
	return [3]float64{math.Cos(lat) * math.Cos(lon), math.Cos(lat) * math.Sin(lon), math.Sin(lat)}
}

// chord is the squared length of the straight line between two points of the sphere of
// radius 1 that are so many metres apart on the earth's.
func chord(metres float64) float64 {
	half := math.Sin(metres / orb.EarthRadius / 2)
	return 4 * half * half
}

// squared is the squared length of the straight line between two points, which tells
// near from far without an angle.
func squared(a, b [3]float64) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return x*x + y*y + z*z
}
