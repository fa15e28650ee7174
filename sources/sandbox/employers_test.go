package sandbox

import (
	"maps"
	"slices"
	"testing"
)

// TestEmployersAreAsManyAsInLife holds the world against the ratios that it says it
// has: about six adverts for an employer, a third of them of the largest 3 of 100, most
// employers in one borough, and some 18 applications for an advert of the platform.
func TestEmployersAreAsManyAsInLife(t *testing.T) {
	w := world(t, 5, asOf, DefaultSize())
	adverts, boroughs := map[int]int{}, map[int]map[int]bool{}
	for number := range w.adverts.list {
		v := w.vacancy(number)
		adverts[v.employer]++
		for _, b := range v.boroughs {
			if boroughs[v.employer] == nil {
				boroughs[v.employer] = map[int]bool{}
			}
			boroughs[v.employer][b] = true
		}
	}
	each := slices.Sorted(maps.Values(adverts))
	large, sites := 0, 0
	for _, n := range each[len(each)-3*len(each)/100:] {
		large += n
	}
	for _, e := range w.employers {
		if len(e.homes) == 1 {
			sites++
		}
	}
	for name, x := range map[string][3]float64{
		"adverts for an employer":          {float64(len(w.adverts.list)) / float64(len(each)), 4.5, 7.5},
		"share of the largest 3 of 100":    {float64(large) / float64(len(w.adverts.list)), 0.3, 0.45},
		"share of employers with one site": {float64(sites) / float64(len(w.employers)), 0.6, 0.9},
		"applications for an advert":       {float64(w.size.Applications) / float64(w.adverts.own), 15, 20},
		"boroughs of the employer with most of all": {float64(
			len(slices.MaxFunc(slices.Collect(maps.Values(boroughs)),
				func(a, b map[int]bool) int { return len(a) - len(b) }))), 12, 33},
	} {
		if x[0] < x[1] || x[0] > x[2] {
			t.Errorf("%s: %.3f, want %.2f to %.2f", name, x[0], x[1], x[2])
		}
	}
}
