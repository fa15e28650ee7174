package counting

import "slices"

// sameVacancy groups the admitted candidates (indexes, in order of precedence)
// into vacancies and gives, for each, the position in admitted of the one kept.
func sameVacancy(candidates []Candidate, admitted []int) []int {
	groups := newPartition(len(admitted))
	for _, key := range []func(*Candidate) Key{
		func(c *Candidate) Key { return c.ID }, // the same record delivered twice
		func(c *Candidate) Key { return c.Requisition },
		func(c *Candidate) Key { return c.Apply },
	} {
		first := make(map[Key]int, len(admitted))
		for i, at := range admitted {
			k := key(&candidates[at])
			if k.IsZero() {
				continue
			}
			if j, seen := first[k]; seen {
				groups.join(i, j)
			} else {
				first[k] = i
			}
		}
	}
	joinFortnights(candidates, admitted, groups)
	kept := make([]int, len(admitted))
	for i := range kept {
		kept[i] = groups.root(i)
	}
	return kept
}

// joinFortnights joins adverts with the same employer, title and place that were
// posted within 14 days of the first of their run. A role advertised again later
// is a new vacancy.
func joinFortnights(candidates []Candidate, admitted []int, groups *partition) {
	runs := make(map[Key][]int)
	for i, at := range admitted {
		if k := candidates[at].Same; !k.IsZero() {
			runs[k] = append(runs[k], i)
		}
	}
	for _, run := range runs {
		if len(run) < 2 {
			continue
		}
		posted := func(i int) int64 { return candidates[admitted[i]].Posted.Time().Unix() / 86400 }
		slices.SortFunc(run, func(a, b int) int {
			if d := posted(a) - posted(b); d != 0 {
				return int(d)
			}
			return a - b
		})
		start := run[0]
		for _, i := range run[1:] {
			if posted(i)-posted(start) < FortnightDays {
				groups.join(i, start)
			} else {
				start = i
			}
		}
	}
}

// partition is a union-find in which the root of a group is its smallest member,
// so that the candidate that comes first in precedence is the one kept.
type partition struct{ parent []int }

func newPartition(n int) *partition {
	p := &partition{parent: make([]int, n)}
	for i := range p.parent {
		p.parent[i] = i
	}
	return p
}

func (p *partition) root(i int) int {
	for p.parent[i] != i {
		p.parent[i] = p.parent[p.parent[i]]
		i = p.parent[i]
	}
	return i
}

func (p *partition) join(i, j int) {
	i, j = p.root(i), p.root(j)
	if i > j {
		i, j = j, i
	}
	p.parent[j] = i
}
