package attackertest

import (
	"fmt"

	"labour/pipeline/disclosure/synthtest"
)

// Series are the figures of one skill and measure in monthly releases in a row, the
// first at the end of the month in which the platform began.
type Series struct {
	Name     string
	Releases []Figures
}

// Atoms returns the system over all releases: the people of each combination and month
// in each release. The count of one month never rises from one release to the next,
// since people only move on to newer months, and windows are sums of months.
func (s Series) Atoms() (*System, error) {
	all := &System{Name: s.Name}
	var people [][]synthtest.Person
	var adverts []synthtest.Person
	for _, r := range s.Releases {
		people, adverts = append(people, r.People), append(adverts, r.Adverts...)
	}
	known := combinations(adverts, people...)
	launch := s.Releases[0].World.Newest
	last := map[synthtest.Person]map[int]int32{} // combination and month to the unknown of the release before
	for _, f := range s.Releases {
		cells, now, err := f.monthly(all, known, launch)
		if err != nil {
			return nil, err
		}
		for _, c := range known {
			for month, v := range now[c] {
				if before, ok := last[c][month]; ok {
					all.Bound(-Unbounded, 0, []int32{v}, []int32{before})
				}
			}
		}
		last = now
		if err := f.print(all, cells); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// monthly adds the unknowns of one release.
func (f Figures) monthly(s *System, known []synthtest.Person, launch int) (map[synthtest.Cell][]int32, map[synthtest.Person]map[int]int32, error) {
	n := map[synthtest.Person]int64{} // with its age
	for _, p := range f.People {
		if p.Age > f.World.Newest-launch {
			return nil, nil, fmt.Errorf("%s: a person is older than the platform", f.Name)
		}
		n[p]++
	}
	cells, vars := map[synthtest.Cell][]int32{}, map[synthtest.Person]map[int]int32{}
	for _, c := range known {
		vars[c] = map[int]int32{}
		for age := range min(24, f.World.Newest-launch+1) {
			of := c
			of.Age = age
			v := s.Var(n[of])
			vars[c][f.World.Newest-age] = v
			for cell := range f.World.Count([]synthtest.Person{of}) {
				cells[cell] = append(cells[cell], v)
			}
		}
	}
	return cells, vars, nil
}
