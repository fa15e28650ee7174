package sandbox

import (
	"slices"
	"strings"
)

type employer struct {
	// Slug is also the token (name at the vendor) of the employer's board, if there is one.
	Name, Slug, sector string
	homes              []int // indices of the boroughs where the employer has sites
}

// vendor is the applicant-tracking vendor of all made-up employers' boards.
const vendor = "greenhouse"

// advertsPerEmployer is the average number of adverts per employer in two years. It is estimated
// from 301,414 apprenticeship starts at 66,645 employers in England in 2019/20 (Department for
// Education, Apprenticeships in England by industry characteristics, table 11).
const advertsPerEmployer = 4.5

// rankingOfEmployers is the exponent of Zipf's law for the number of adverts per employer. It gives
// 3 % of the employers a third of the adverts. This is about the share of large businesses in all
// vacancies (Office for National Statistics, Vacancies and jobs in the UK, January 2021).
const rankingOfEmployers = 1.0

// makeEmployers generates the employers of every sector and gives some of them a board.
func (w *World) makeEmployers() {
	c := w.rng(streamEmployers)
	sectors, weight := w.sectors(func(j job) bool { return true })
	w.bySector = map[string][]int{}
	taken := map[string]bool{}
	// w.distributions is not made yet, because it needs the employers.
	place := newWeighted(len(w.lists.boroughs), w.jobsIn)
	for i, n := range shares(max(int(float64(w.size.Adverts)/advertsPerEmployer), 60), weight) {
		n = max(n, 3)
		for rank := range n {
			e := employer{Name: newName(c, sectors[i], taken), sector: sectors[i]}
			e.Slug = strings.ReplaceAll(strings.ToLower(e.Name), " ", "")
			for range sites(c, float64(rank)/float64(n)) {
				if b := place.draw(c); !slices.Contains(e.homes, b) {
					e.homes = append(e.homes, b)
				}
			}
			w.bySector[e.sector] = append(w.bySector[e.sector], len(w.employers))
			w.employers = append(w.employers, e)
		}
	}
	w.makeBoards()
}

// sites returns the number of boroughs in which an employer has sites. largerShare is the share of
// employers in its sector that are larger, 0 to 1.
func sites(c rng, largerShare float64) int {
	switch {
	case largerShare < 0.03:
		return c.between(6, 24)
	case largerShare < 0.1:
		return c.between(2, 6)
	case c.one(0.2):
		return 2
	}
	return 1
}

// advertsPerBoard sets the number of boards in a large made-up world. A world of more than 150,000
// adverts has one board per advertsPerBoard adverts. Smaller worlds have up to 60 boards.
const advertsPerBoard = 2500

// makeBoards gives a board to the largest employers in each sector that uses boards.
func (w *World) makeBoards() {
	sectors, weight := w.sectors(func(j job) bool { return j.boards })
	for i, n := range shares(min(max(w.size.Adverts/200, 9), max(60, w.size.Adverts/advertsPerBoard)), weight) {
		largest := w.bySector[sectors[i]]
		w.boards = append(w.boards, largest[:min(n, len(largest))]...)
	}
}

// sectors returns the names and weights of all sectors. The weight of a sector is the sum of the
// weights of its jobs for which isIncluded returns true.
func (w *World) sectors(isIncluded func(job) bool) (names []string, weight []float64) {
	for _, j := range w.lists.jobs {
		i := slices.Index(names, j.sector)
		if i < 0 {
			i = len(names)
			names, weight = append(names, j.sector), append(weight, 0)
		}
		if isIncluded(j) {
			weight[i] += float64(j.weight)
		}
	}
	return names, weight
}

// shortNames is the number of attempts to find a short name for an employer. After these, newName
// tries longer names of two invented words.
const shortNames = 20

// newName returns a new name for an employer in a sector, such as "Larkmoor Care" or "Larkmoor and
// Tolvgate Care". taken holds the names already in use.
func newName(c rng, sector string, taken map[string]bool) string {
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

// newWord returns an invented word for an employer's name, such as "Larkmoor".
func newWord(c rng) string { return c.pick(texts.NameHeads) + c.pick(texts.NameTails) }

// jobsIn returns the relative number of jobs in borough i.
func (w *World) jobsIn(i int) float64 {
	b := w.borough(i)
	return float64(b.people) + texts.JobsAdded[b.slug]
}
