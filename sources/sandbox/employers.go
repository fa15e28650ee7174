package sandbox

import (
	"slices"
	"strings"
)

type employer struct {
	Name, Slug, sector string // Slug is also the token of its board, where it has one
	homes              []int  // boroughs where it works, drawn by the jobs there
}

// vendor is the key of the boards' vendor.
const vendor = "greenhouse"

// advertsPerEmployer is how many adverts an employer has in the two years on average. The one
// public count of what employers look for and how many they are is that of apprenticeships: 301,414
// starts at 66,645 employers in England in 2019/20 (Department for Education, Apprenticeships in
// England by industry characteristics, table 11), 4.5 at each in a year. About half of the
// employers of a year are among those of the year before, which makes 6 in two years, and an advert
// has more than one place in three of ten cases.
const advertsPerEmployer = 4.5

// rankingOfEmployers is the exponent of Zipf's law for the adverts of the employers of
// a sector. With it the first 3 of 100 have a third of the adverts, as the businesses
// of 2,500 people and more, far fewer than 3 of 100, have a third of the vacancies
// (193,000 of 578,000 at the end of 2020, 36 % a year before: Office for National
// Statistics, Vacancies and jobs in the UK, January 2021).
const rankingOfEmployers = 1.0

// makeEmployers makes the employers of every sector and the boards of some.
func (w *World) makeEmployers() {
	c := w.chance(streamEmployers)
	sectors, weight := w.sectors(func(j job) bool { return true })
	w.bySector = map[string][]int{}
	taken := map[string]bool{}
	place := newWheel(len(w.lists.boroughs), w.jobsIn) // before the other wheels, which need the employers
	for i, n := range shares(max(int(float64(w.size.Adverts)/advertsPerEmployer), 60), weight) {
		n = max(n, 3)
		for rank := range n {
			e := employer{Name: newName(c, sectors[i], taken), sector: sectors[i]}
			e.Slug = strings.ReplaceAll(strings.ToLower(e.Name), " ", "")
			for range sites(c, float64(rank)/float64(n)) {
				if b := place.spin(c); !slices.Contains(e.homes, b) {
					e.homes = append(e.homes, b)
				}
			}
			w.bySector[e.sector] = append(w.bySector[e.sector], len(w.employers))
			w.employers = append(w.employers, e)
		}
	}
	w.makeBoards()
}

// sites returns the number of boroughs of an employer, from the share of the employers of its
// sector that are larger. Nearly all businesses have one site: ONS counts 1.2 on average (UK
// business: activity, size and location), because of chains, trusts and contractors.
func sites(c chance, larger float64) int {
	switch {
	case larger < 0.03:
		return c.between(6, 24)
	case larger < 0.1:
		return c.between(2, 6)
	case c.one(0.2):
		return 2
	}
	return 1
}

// advertsPerBoard is how many adverts there are in all for each board of a large
// world, so that no board's list grows beyond what employers have.
const advertsPerBoard = 2500

// makeBoards gives a board to each of the largest employers of the sectors that use boards.
func (w *World) makeBoards() {
	sectors, weight := w.sectors(func(j job) bool { return j.boards })
	for i, n := range shares(min(max(w.size.Adverts/200, 9), max(60, w.size.Adverts/advertsPerBoard)), weight) {
		largest := w.bySector[sectors[i]]
		w.boards = append(w.boards, largest[:min(n, len(largest))]...)
	}
}

// sectors returns the sectors in the order of the list of jobs, with the total weight of their
// selected jobs.
func (w *World) sectors(take func(job) bool) (names []string, weight []float64) {
	for _, j := range w.lists.jobs {
		i := slices.Index(names, j.sector)
		if i < 0 {
			i = len(names)
			names, weight = append(names, j.sector), append(weight, 0)
		}
		if take(j) {
			weight[i] += float64(j.weight)
		}
	}
	return names, weight
}

// shortNames is how often a short name may be taken already before one of two parts is made up: a
// sector has some thousand short names, and a large world has more employers.
const shortNames = 20

// newName returns a new unique name: "Larkmoor Care", or "Larkmoor and Tolvgate Care".
func newName(c chance, sector string, taken map[string]bool) string {
	for tries := 0; ; tries++ {
		name := newWord(c)
		if tries > shortNames {
			name += " and " + newWord(c)
		}
		name += " " + c.pick(texts.Styles[sector])
		if !taken[name] {
			taken[name] = true
			return name
		}
	}
}

// newWord returns a word composed so that it is no real employer's name.
func newWord(c chance) string { return c.pick(texts.NameHeads) + c.pick(texts.NameTails) }

// jobsIn returns the weight of a borough as a place of work.
func (w *World) jobsIn(i int) float64 {
	b := w.borough(i)
	return float64(b.people) + texts.JobsAdded[b.slug]
}
