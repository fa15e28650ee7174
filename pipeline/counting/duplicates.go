package counting

import (
	"cmp"
	"iter"
	"slices"
)

// sameVacancy groups adverts by vacancy. order has the indices of the stored adverts by precedence.
// Element i of the returned partition stands for the advert with the index order[i]. sameVacancy
// joins adverts with the same
//
//   - ID, unless the ID was given to another vacancy,
//   - employer, title and requisition number,
//   - apply address, or
//   - employer, title and place within 14 days.
//
// Different requisition numbers prevent joining, except for adverts with the same ID and title.
func (l *Deduper) sameVacancy(order []uint32) partition {
	groups := newPartition(len(order))
	numbers := make([]uint64, len(order)) // requisition number of each group, at its root
	for position, i := range order {
		numbers[position] = l.at(i).number
	}
	list := l.sortByKey(make([]keyedAdvert, 0, len(order)), order, func(k *admittedAdvert) TextHash { return k.id })
	for i := 1; i < len(list); i++ {
		before, after := list[i-1], list[i]
		if before.key != after.key || isOtherVacancy(l.at(order[before.position]), l.at(order[after.position])) {
			continue
		}
		// The same record was delivered twice. Its first number counts.
		number := cmp.Or(numbers[groups.root(before.position)], numbers[after.position])
		groups.join(before.position, after.position)
		numbers[groups.root(after.position)] = number
	}
	list = l.sortByKey(list, order, func(k *admittedAdvert) TextHash { return k.requisition })
	for same := range sameKey(list) {
		groups.joinAll(same, numbers)
	}
	list = l.sortByKey(list, order, func(k *admittedAdvert) TextHash { return k.apply })
	for same := range sameKey(list) {
		if l.oneTitle(same, order) {
			groups.joinAll(same, numbers)
		}
	}
	list = l.sortByKey(list, order, func(k *admittedAdvert) TextHash { return k.same })
	joinFortnights(list, groups, numbers)
	return groups
}

// isOtherVacancy reports whether two adverts with the same ID are for different vacancies, because the
// publisher used the ID again. Their requisition numbers and their titles then differ. If only one of
// these differs, the publisher has edited the advert.
func isOtherVacancy(a, b *admittedAdvert) bool {
	if a.number == 0 || b.number == 0 || a.number == b.number {
		return false
	}
	return a.title != 0 && b.title != 0 && a.title != b.title
}

// keyedAdvert is an advert with one of the hashes that identify its vacancy. Adverts with the same
// hash may be for the same vacancy.
type keyedAdvert struct {
	key        TextHash
	position   uint32 // position of the advert in the order of precedence, from 0
	postingDay uint16
}

// at returns the i-th stored advert, from 0, in the order of adding.
func (l *Deduper) at(i uint32) *admittedAdvert { return &l.chunks[i/chunkSize][i%chunkSize] }

// sortByKey returns the stored adverts for which the function key returns a hash that is not zero.
// They are sorted by this hash, then by day of posting, then by precedence. order has the indices
// of all stored adverts by precedence. sortByKey overwrites list to save memory.
func (l *Deduper) sortByKey(list []keyedAdvert, order []uint32, key func(*admittedAdvert) TextHash) []keyedAdvert {
	list = list[:0]
	for position, i := range order {
		k := l.at(i)
		if x := key(k); !x.IsZero() {
			list = append(list, keyedAdvert{x, uint32(position), k.postingDay})
		}
	}
	slices.SortFunc(list, func(a, b keyedAdvert) int {
		if c := a.key.Compare(b.key); c != 0 {
			return c
		}
		if a.postingDay != b.postingDay {
			return int(a.postingDay) - int(b.postingDay)
		}
		return cmp.Compare(a.position, b.position)
	})
	return list
}

// sameKey yields each group of adverts with equal keys. list must be sorted by key. A group may
// consist of a single advert.
func sameKey(list []keyedAdvert) iter.Seq[[]keyedAdvert] {
	return func(yield func([]keyedAdvert) bool) {
		start := 0
		for i := 1; i <= len(list); i++ {
			if i < len(list) && list[i].key == list[start].key {
				continue
			}
			if !yield(list[start:i]) {
				return
			}
			start = i
		}
	}
}

// oneTitle reports whether adverts that share an apply address all have the same title. If their
// titles differ, the address is a careers page and does not identify a vacancy. order has the
// indices of the stored adverts by precedence.
func (l *Deduper) oneTitle(adverts []keyedAdvert, order []uint32) bool {
	title := l.at(order[adverts[0].position]).title
	for _, k := range adverts {
		if l.at(order[k.position]).title != title {
			return false
		}
	}
	return title != 0
}

// joinFortnights joins adverts with the same employer, title and place, if they were posted less
// than 14 days after the first of them. An advert that was posted later begins a new vacancy. list
// is sorted by sortByKey. numbers has the requisition number of each group, at its root.
func joinFortnights(list []keyedAdvert, groups partition, numbers []uint64) {
	start := 0
	for i := 1; i < len(list); i++ {
		if list[i].key == list[start].key && list[i].postingDay-list[start].postingDay < SameVacancyDays {
			groups.joinNumbered(list[i].position, list[i-1].position, numbers)
		} else {
			start = i
		}
	}
}

// partition groups adverts in a union-find structure. Element i is the parent of advert i. The root
// of a group is its advert with the highest precedence.
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

// joinAll joins the groups of all the adverts, except groups with different requisition numbers.
// numbers has the requisition number of each group, at its root; 0 = none.
func (p partition) joinAll(adverts []keyedAdvert, numbers []uint64) {
	for i := 1; i < len(adverts); i++ {
		p.joinNumbered(adverts[i].position, adverts[i-1].position, numbers)
	}
}

// joinNumbered joins the groups of the adverts i and j, unless both groups have requisition numbers
// and these differ. numbers has the requisition number of each group, at its root; 0 = none.
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
