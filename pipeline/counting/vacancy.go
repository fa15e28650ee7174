package counting

import (
	"cmp"
	"slices"
)

// sameVacancy groups the admitted candidates into vacancies, by their places in
// order. Candidates with the same key are neighbours once sorted by it. The surest key
// comes first: groups with two requisition numbers are not joined by a later one.
func (l *Deduper) sameVacancy(order []uint32) partition {
	groups := newPartition(len(order))
	numbers := make([]uint64, len(order)) // of each group, at its root
	for place, i := range order {
		numbers[place] = l.at(i).number
	}
	list := l.sorted(make([]keyed, 0, len(order)), order, func(k *kept) Key { return k.id })
	for i := 1; i < len(list); i++ {
		if list[i].key == list[i-1].key { // the same record delivered twice: its first number is its number
			number := cmp.Or(numbers[groups.root(list[i-1].place)], numbers[list[i].place])
			groups.join(list[i].place, list[i-1].place)
			numbers[groups.root(list[i].place)] = number
		}
	}
	for _, key := range []func(*kept) Key{
		func(k *kept) Key { return k.requisition },
		func(k *kept) Key { return k.apply },
	} {
		list = l.sorted(list, order, key)
		for i := 1; i < len(list); i++ {
			if list[i].key == list[i-1].key {
				groups.joinNumbered(list[i].place, list[i-1].place, numbers)
			}
		}
	}
	list = l.sorted(list, order, func(k *kept) Key { return k.same })
	joinFortnights(list, groups, numbers)
	return groups
}

// keyed is the key of one candidate.
type keyed struct {
	key    Key
	place  uint32 // in precedence
	posted uint16
}

// sorted are the candidates that have a key, by key, then by the day of posting, then
// by precedence. The memory of list is used again.
func (l *Deduper) sorted(list []keyed, order []uint32, key func(*kept) Key) []keyed {
	list = list[:0]
	for place, i := range order {
		k := l.at(i)
		if x := key(k); !x.IsZero() {
			list = append(list, keyed{x, uint32(place), k.posted})
		}
	}
	slices.SortFunc(list, func(a, b keyed) int {
		if c := a.key.Compare(b.key); c != 0 {
			return c
		}
		if a.posted != b.posted {
			return int(a.posted) - int(b.posted)
		}
		return cmp.Compare(a.place, b.place)
	})
	return list
}

// joinFortnights joins adverts with the same employer, title and place that were
// posted within 14 days of the first of their run. A role advertised again later
// is a new vacancy.
func joinFortnights(list []keyed, groups partition, numbers []uint64) {
	start := 0
	for i := 1; i < len(list); i++ {
		if list[i].key == list[start].key && list[i].posted-list[start].posted < FortnightDays {
			groups.joinNumbered(list[i].place, list[i-1].place, numbers)
		} else {
			start = i
		}
	}
}

// partition is a union-find in which the root of a group is its smallest member,
// so that the candidate that comes first in precedence is the one kept. It holds the
// parent of each.
type partition []uint32

func newPartition(n int) partition {
	p := make(partition, n)
	for i := range p {
		p[i] = uint32(i)
	}
	return p
}

func (p partition) root(i uint32) uint32 {
	for p[i] != i {
		p[i] = p[p[i]]
		i = p[i]
	}
	return i
}

// joinNumbered joins two groups, unless they have two requisition numbers.
func (p partition) joinNumbered(i, j uint32, numbers []uint64) {
	a, b := numbers[p.root(i)], numbers[p.root(j)]
	if a != 0 && b != 0 && a != b {
		return
	}
	p.join(i, j)
	numbers[p.root(i)] = max(a, b)
}

func (p partition) join(i, j uint32) {
	i, j = p.root(i), p.root(j)
	if i > j {
		i, j = j, i
	}
	p[j] = i
}
