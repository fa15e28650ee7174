package sandbox

import (
	"slices"
	"strings"
)

type employer struct {
	Name, Slug, sector string // Slug is also the token of the employer's board, if it has one
	homes              []int  // boroughs where it works, drawn by number of jobs
}

// vendor is the key of the vendor of all boards.
const vendor = "greenhouse"

// advertsPerEmployer is the average number of adverts of an employer in the two years. The only
// public statistic is about apprenticeships: 301,414 starts at 66,645 employers in England in
// 2019/20 (Department for Education, Apprenticeships in England by industry characteristics, table
// 11), 4.5 each in a year. About half of the employers of a year were also employers in the year
// before, which makes 6 in two years, and three of ten adverts have more than one place.
const advertsPerEmployer = 4.5

// rankingOfEmployers is the exponent of Zipf's law for the adverts of the employers of a sector.
// With it the first 3 of 100 employers have a third of the adverts. In reality the businesses with
// 2,500 people or more, far fewer than 3 of 100, have a third of the vacancies (193,000 of 578,000
// at the end of 2020, 36 % a year before: Office for National Statistics, Vacancies and jobs in the
// UK, January 2021).
const rankingOfEmployers = 1.0

// makeEmployers makes the employers of every sector and the boards of some.
func (w *World) makeEmployers() {
	c := w.chance(streamEmployers)
	sectors, weight := w.sectors(func(j job) bool { return true })
	w.bySector = map[string][]int{}
	taken := map[string]bool{}
	place := newWheel(len(w.lists.boroughs), w.jobsIn) // made before the other wheels, which need the employers
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

// sites returns the number of boroughs of an employer, given the share of larger employers in its
// sector. Nearly all businesses have one site; because of chains, trusts and contractors the
// average is 1.2 (ONS, UK business: activity, size and location).
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

// advertsPerBoard is the number of adverts in a large world for each board, so that no board's list
// becomes unrealistically long.
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

// shortNames is how many times a taken short name may be drawn before a name of two parts is used.
// A sector has some thousand short names, and a large world has more employers.
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

// newWord returns a made-up word that is not the name of a real employer.
func newWord(c chance) string { return c.pick(texts.NameHeads) + c.pick(texts.NameTails) }

// jobsIn returns the weight of a borough as a place of work.
func (w *World) jobsIn(i int) float64 {
	b := w.borough(i)
	return float64(b.people) + texts.JobsAdded[b.slug]
}
