package attack

import (
	"fmt"
	"slices"
	"testing"

	"labour/pipeline/disclosure/attackertest"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// resident is registered with the platform from a release on.
type resident struct {
	id, borough string
	joins       int
	levels      map[string]int // on record, by skill
}

// site has section 106 obligations; its figures are those of one release.
type site struct {
	borough              string
	jobs, employed, apps int
}

// neighbours are printed figures of people other than those of skills not met.
type neighbours struct {
	residents map[string]string            // printed counts by borough; "" is all
	below     map[string]map[below]int     // printed shares in per cent, by skill
	jobs      map[string]map[string]string // of section 106: printed tokens by measure and place
}

// below names the residents of a place whose level of a skill is below one.
type below struct {
	place string
	level int
}

// drawNeighbours draws residents, nearly all or nearly none of whom have a skill, some of whom come
// later, and sites whose figures are small.
func (w *world) drawNeighbours() {
	for _, borough := range w.Places {
		have := map[string]float64{}
		for _, skill := range w.skills {
			have[skill] = []float64{.04, .1, .5, .9, .96}[w.r.IntN(5)]
		}
		for range 20 + w.r.IntN(70) {
			joins := max(0, w.r.IntN(3*releases)-2*releases)
			r := resident{fmt.Sprintf("r-%d", len(w.residents)), borough, joins, map[string]int{}}
			for _, skill := range w.skills {
				if w.r.Float64() < have[skill] {
					r.levels[skill] = 1 + w.r.IntN(5)
				}
			}
			w.residents = append(w.residents, r)
		}
	}
	for range releases {
		var sites []site
		for _, borough := range w.Places {
			s := site{borough: borough, jobs: []int{1, 2, 3, 5, 40}[w.r.IntN(5)] + w.r.IntN(3)}
			s.employed, s.apps = w.r.IntN(s.jobs+1), w.r.IntN(8)
			sites = append(sites, s)
		}
		w.sites = append(w.sites, sites)
	}
}

func (r resident) record() record {
	held := []record{}
	for _, skill := range sortedKeys(r.levels) {
		held = append(held, record{"skill": skill, "level": r.levels[skill]})
	}
	return record{"id": r.id, "borough": r.borough, "seeking_work": true, "skills": held}
}

func (s site) record() record {
	return record{"id": "site-" + s.borough, "borough": s.borough, "obligations": 2, "jobs_created": s.jobs,
		"apprenticeships_started": s.apps, "local_people_employed": s.employed, "training_places": 5,
		"contributions_gbp": 6}
}

func readNeighbours(t *testing.T, dir string) neighbours {
	t.Helper()
	n := neighbours{residents: map[string]string{}, below: map[string]map[below]int{},
		jobs: map[string]map[string]string{"jobs": {}, "employed": {}, "apps": {}}}
	for _, row := range rowsOf[snapshots.CandidatesRow](t, dir, "candidates") {
		if c, err := row.Count(); err == nil && (row.Dimension == "all" || row.Dimension == "borough") {
			n.residents[row.Value] = token(c)
		}
	}
	for _, row := range rowsOf[snapshots.ResidentsRow](t, dir, "residents") {
		if row.PeopleBelowSharePct == nil {
			continue
		}
		if n.below[row.Skill] == nil {
			n.below[row.Skill] = map[below]int{}
		}
		n.below[row.Skill][below{row.Place, int(row.Level)}] = int(*row.PeopleBelowSharePct) / 10
	}
	for _, row := range rowsOf[snapshots.S106PeopleRow](t, dir, "s106_people") {
		jobs, err := figure.ParseCount(row.JobsCreated, row.JobsCreatedStatus)
		employed, err2 := figure.ParseCount(row.LocalPeopleEmployed, row.LocalPeopleEmployedStatus)
		apps, err3 := figure.ParseCount(row.ApprenticeshipsStarted, row.ApprenticeshipsStartedStatus)
		if err != nil || err2 != nil || err3 != nil {
			t.Fatal(err, err2, err3)
		}
		for measure, c := range map[string]figure.Count{"jobs": jobs, "employed": employed, "apps": apps} {
			n.jobs[measure][row.Place] = token(c)
		}
	}
	return n
}

// boroughsOf returns the boroughs of a place; "" is all places.
func (w *world) boroughsOf(place string) []string {
	switch {
	case place == "":
		return w.Places
	case slices.Contains(w.Places, place):
		return []string{place}
	}
	return w.Areas[place]
}

func (w *world) everyPlace() []string {
	return slices.Concat([]string{""}, w.Places, sortedKeys(w.Areas))
}

// studiedSites returns what follows of the people at section 106 sites: no site employs more people
// than it has jobs, and a place that prints unlike a part of it has somebody more.
func (w *world) studiedSites(q int, printed map[string]map[string]string) *attackertest.AttackerKnowledge {
	s := &attackertest.AttackerKnowledge{Name: fmt.Sprintf("world %d, sites, release %d", w.seed, q)}
	vars := map[string]map[string]int32{"jobs": {}, "employed": {}, "apps": {}}
	for _, site := range w.sites[q] {
		for measure, n := range map[string]int{"jobs": site.jobs, "employed": site.employed, "apps": site.apps} {
			vars[measure][site.borough] = s.AddUnknown(int64(n))
		}
		s.AddSumBounds(-attackertest.NoUpperLimit, 0, []int32{vars["employed"][site.borough]},
			[]int32{vars["jobs"][site.borough]})
	}
	for _, measure := range sortedKeys(vars) {
		of := map[string][]int32{}
		for _, place := range w.everyPlace() {
			for _, borough := range w.boroughsOf(place) {
				of[place] = append(of[place], vars[measure][borough])
			}
			slices.Sort(of[place])
		}
		studyPrinted(s, of, printed[measure])
		for _, place := range w.everyPlace() {
			if measure != "jobs" {
				s.AddSmallGroup(measure+" in "+place, of[place])
			}
		}
	}
	return s
}

// studyPrinted puts in what tokens say of groups, and what unlike ones say of a group and its part.
func studyPrinted(s *attackertest.AttackerKnowledge, of map[string][]int32, printed map[string]string) {
	for _, whole := range sortedKeys(of) {
		low, high, err := attackertest.TrueCountBounds(printed[whole], false)
		if err != nil {
			panic(err)
		}
		s.AddSumBounds(low, high, of[whole], nil)
		for _, part := range sortedKeys(of) {
			rest := without(of[whole], of[part])
			inside := len(without(of[part], of[whole])) == 0 && len(rest) > 0
			if inside && overlapping(printed[whole], printed[part]) {
				s.AddSumBounds(1, attackertest.NoUpperLimit, rest, nil)
			}
		}
	}
}
