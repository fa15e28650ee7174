package counting

import (
	"cmp"
	"iter"
	"slices"
)

// sameVacancy groups the admitted candidates into vacancies, by their indices in order. Candidates
// sorted by a key are adjacent if they share it. The most reliable key comes first: groups with two
// requisition numbers are not joined by a later one.
func (l *Deduper) sameVacancy(order []uint32) partition {
	groups := newPartition(len(order))
	numbers := make([]uint64, len(order)) // of each group, at its root
	for place, i := range order {
		numbers[place] = l.at(i).number
	}
	list := l.sorted(make([]keyedCandidate, 0, len(order)), order, func(k *admitted) Key { return k.id })
	for i := 1; i < len(list); i++ {
		if list[i].key == list[i-1].key { // the same record was delivered twice; its first number counts
			number := cmp.Or(numbers[groups.root(list[i-1].place)], numbers[list[i].place])
			groups.join(list[i].place, list[i-1].place)
			numbers[groups.root(list[i].place)] = number
		}
	}
	list = l.sorted(list, order, func(k *admitted) Key { return k.requisition })
	for same := range sameKey(list) {
		groups.joinAll(same, numbers)
	}
	list = l.sorted(list, order, func(k *admitted) Key { return k.apply })
	for same := range sameKey(list) {
		if l.oneTitle(same, order) {
			groups.joinAll(same, numbers)
		}
	}
	list = l.sorted(list, order, func(k *admitted) Key { return k.same })
	joinFortnights(list, groups, numbers)
	return groups
}

// keyedCandidate is one candidate with one of its keys.
type keyedCandidate struct {
	key    Key
	place  uint32 // index in order of precedence
	posted uint16
}

// at returns the i-th admitted candidate.
func (l *Deduper) at(i uint32) *admitted { return &l.chunks[i/chunkSize][i%chunkSize] }

// sorted returns the candidates that have a key, by key, then by the day of posting, then by
// precedence. It reuses the memory of list.
func (l *Deduper) sorted(list []keyedCandidate, order []uint32, key func(*admitted) Key) []keyedCandidate {
	list = list[:0]
	for place, i := range order {
		k := l.at(i)
		if x := key(k); !x.IsZero() {
			list = append(list, keyedCandidate{x, uint32(place), k.posted})
		}
	}
	slices.SortFunc(list, func(a, b keyedCandidate) int {
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

// sameKey yields the runs of equal keys in a sorted list.
func sameKey(list []keyedCandidate) iter.Seq[[]keyedCandidate] {
	return func(yield func([]keyedCandidate) bool) {
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

// oneTitle reports whether all candidates with the same apply address have the same title. An
// address shared by several titles is the careers page of an employer, and identifies no vacancy.
func (l *Deduper) oneTitle(same []keyedCandidate, order []uint32) bool {
	title := l.at(order[same[0].place]).title
	for _, k := range same {
		if l.at(order[k.place]).title != title {
			return false
		}
	}
	return title != 0
}

// joinFortnights joins adverts with the same employer, title and place that were posted within 14
// days of the first of their group. A role advertised again later is a new vacancy.
func joinFortnights(list []keyedCandidate, groups partition, numbers []uint64) {
	start := 0
	for i := 1; i < len(list); i++ {
		if list[i].key == list[start].key && list[i].posted-list[start].posted < FortnightDays {
			groups.joinNumbered(list[i].place, list[i-1].place, numbers)
		} else {
			start = i
		}
	}
}

// partition is a union-find structure in which the root of a group is its smallest member, so that
// the candidate with the highest precedence is kept. It holds the parent of each member.
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

// joinAll joins adjacent candidates, as far as their requisition numbers permit.
func (p partition) joinAll(same []keyedCandidate, numbers []uint64) {
	for i := 1; i < len(same); i++ {
		p.joinNumbered(same[i].place, same[i-1].place, numbers)
	}
}

// joinNumbered joins two groups, unless they have different requisition numbers.
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

// Reason is why an advert is not counted. It is empty for an advert that is counted.
type Reason string

// The reasons, in the order in which the rules are applied.
const (
	Counted          Reason = ""
	ImportedListing  Reason = "imported_listing"
	UnknownOrigin    Reason = "unknown_origin"
	TermsForbid      Reason = "terms_do_not_permit"
	NotListed        Reason = "not_listed"
	NoRole           Reason = "no_role"
	OutsideUK        Reason = "outside_uk"
	CountryUnknown   Reason = "country_unknown"
	Undated          Reason = "undated"
	FutureDated      Reason = "future_dated"
	BeforeWindow     Reason = "before_window"
	DuplicateVacancy Reason = "duplicate"
)

// reasons lists the reasons by number, Counted first.
var reasons = [...]Reason{Counted, ImportedListing, UnknownOrigin, TermsForbid, NotListed, NoRole, OutsideUK,
	CountryUnknown, Undated,
	FutureDated, BeforeWindow, DuplicateVacancy}

// Rule is a reason with the sentence of the specification that it enforces.
type Rule struct {
	Reason   Reason
	Sentence string // from the specification, or from the documented choice
}

const onlyFrom = "Adverts are counted only from roles posted on the platform itself, from employers' own applicant-tracking boards, and from a national apprenticeship vacancy service."

// Rules lists every rule in the order of application: an advert that breaks
// several is excluded by the first.
func Rules() []Rule {
	return []Rule{
		{ImportedListing,
			"Listings from job boards and aggregators, and listings imported from them, are excluded, because their terms forbid passing on vacancy counts."},
		{UnknownOrigin, onlyFrom + " Where it was first posted is not known, so it is not counted."},
		{TermsForbid, onlyFrom + " The terms of the source that delivered it do not permit counting."},
		{NotListed, onlyFrom + " A prospect post or a direct link is not a role on the board."},
		{NoRole, onlyFrom + " A talent pool, or an invitation to apply for what may come, is no role."},
		{OutsideUK, "Regions cover the United Kingdom only."},
		{CountryUnknown,
			"Regions cover the United Kingdom only. Which country the work is in is not known, so it is not counted."},
		{Undated, "window: one of 3, 6, 12, 24 (months). Without a date of posting no window holds it."},
		{FutureDated, "The date the data describes: a role posted after it is not counted yet."},
		{BeforeWindow, "window: one of 3, 6, 12, 24 (months). It was posted before the longest window."},
		{DuplicateVacancy,
			"The same vacancy seen twice (same title, with the same employer and requisition, the same apply address, or the same employer, place and fortnight) is counted once. Two requisition numbers are two vacancies; a requisition without a digit, or an apply address that several titles share, tells nothing."},
	}
}
