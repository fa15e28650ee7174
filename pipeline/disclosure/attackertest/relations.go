package attackertest

import (
	"cmp"
	"maps"
	"slices"

	"labour/pipeline/disclosure/synthtest"
)

// group is the people of a place under one filter, or under all filters together, in
// one of the times.
type group struct {
	dim, place, value, and string
	time                   int
}

// times are the windows and, after them, the bands between two of them, as ages in months.
var times = [][2]int{{0, 3}, {0, 6}, {0, 12}, {0, 24}, {3, 6}, {6, 12}, {12, 24}}

// relations are groups and the sums that bind them.
type relations struct {
	world  synthtest.World
	system *System
	vars   map[group]int32
	sums   map[sumKey]map[int32]bool
}

// sumKey names a sum: the whole, and by what it is divided.
type sumKey struct {
	whole int32
	by    string
}

// nowhere stands for people whose borough is not known.
const nowhere = "?"

// Cells returns the system whose unknowns are the published groups themselves, bound by
// the sums of one by others, for tightening.
func (f Figures) Cells() (*System, error) {
	r := &relations{f.World, &System{Name: f.Name}, map[group]int32{}, map[sumKey]map[int32]bool{}}
	people := perBand(f.People)
	for _, c := range combinations(f.Adverts, f.People) {
		for time, ages := range times {
			n := int64(0)
			for band, here := range people[c] {
				if bands[band] >= ages[0] && bands[band+1] <= ages[1] {
					n += here
				}
			}
			r.add(c, time, n)
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(r.sums), func(a, b sumKey) int { return cmp.Or(cmp.Compare(a.whole, b.whole), cmp.Compare(a.by, b.by)) }) {
		r.system.Bound(0, 0, slices.Sorted(maps.Keys(r.sums[key])), []int32{key.whole})
	}
	cells := r.windows()
	f.months(r.system, cells, func(band int) []int32 { return []int32{r.of(group{time: timeOfBand(band)})} })
	return r.system, f.print(r.system, cells)
}

func timeOfBand(band int) int {
	if band == 0 {
		return 0
	}
	return 3 + band
}

func (r *relations) of(g group) int32 {
	v, ok := r.vars[g]
	if !ok {
		v = r.system.Var(0)
		r.vars[g] = v
	}
	return v
}

func (r *relations) part(whole int32, by string, part int32) {
	key := sumKey{whole, by}
	if r.sums[key] == nil {
		r.sums[key] = map[int32]bool{}
	}
	r.sums[key][part] = true
}

// add puts the people of one combination and time into every group that they are in.
func (r *relations) add(c synthtest.Person, time int, n int64) {
	places := r.world.PlacesOf(c.Place)
	if c.Place == "" {
		places = append(places, nowhere)
	}
	smallest := places[1] // the borough, of which the total and the areas are sums
	for _, place := range places {
		var all []group
		at := func(dim, value, and string) int32 {
			g := group{dim, place, value, and, time}
			all = append(all, g)
			return r.of(g)
		}
		whole := at("", "", "")
		sector := at("sector", c.Sector, "")
		r.part(whole, "sector", sector)
		level, source := at("level", c.Level, ""), at("source", c.Source, "")
		r.part(whole, "level", level)
		r.part(whole, "source", source)
		occupation := whole
		for digits := range len(c.SOC) {
			narrower := at("soc", c.SOC[:digits+1], "")
			r.part(occupation, "soc", narrower)
			occupation = narrower
		}
		if len(c.SOC) < 4 { // of the group and nothing narrower, or not known
			exact := at("exact", c.SOC, "")
			r.part(occupation, "soc", exact)
			occupation = exact
		}
		atom := at("atom", c.Sector+" "+c.SOC, c.Level+" "+c.Source)
		for _, of := range []int32{sector, level, source, occupation} {
			r.part(of, "atom", atom)
		}
		for _, g := range all {
			r.system.truth[r.of(g)] += n
			if place != smallest {
				from := g
				from.place = smallest
				r.part(r.of(g), "place", r.of(from))
			}
		}
	}
}

// windows binds windows and the bands between them, and returns the unknowns of the cells.
func (r *relations) windows() map[synthtest.Cell][]int32 {
	cells := map[synthtest.Cell][]int32{}
	groups := slices.SortedFunc(maps.Keys(r.vars), func(a, b group) int { return cmp.Compare(r.vars[a], r.vars[b]) })
	for _, g := range groups {
		if g.time > 3 {
			continue
		}
		if printed := g.dim != "atom" && g.dim != "exact" && g.place != nowhere && (g.dim == "" || g.value != ""); printed {
			cells[synthtest.Cell{Dim: g.dim, Place: g.place, Value: g.value, Window: times[g.time][1]}] = []int32{r.of(g)}
		}
		if g.time > 0 {
			shorter, between := g, g
			shorter.time, between.time = g.time-1, timeOfBand(g.time)
			r.system.Bound(0, 0, []int32{r.of(shorter), r.of(between)}, []int32{r.of(g)})
		}
	}
	return cells
}
