// Package counting decides which adverts are counted. Its input is candidates, its output one
// verdict for each, with the rule that excluded it. It enforces the advert counting rules of the
// specification, excludes what is not known, and counts a vacancy once however often it was
// advertised.
package counting

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/coding/place"
	"labour/sources"
)

// FortnightDays is how close two adverts with the same employer, title and place
// must be to be the same vacancy, in days.
const FortnightDays = 14

// Verdict is the result of the counting rules for one candidate.
type Verdict struct {
	Reason Reason // Counted, or why not
	// CountedAs is the number of the counted candidate that represents the same vacancy: its own
	// number when counted, -1 when excluded for another reason than being a duplicate.
	CountedAs int
	// AppliedAs is the number of the candidate that represents the vacancy where people are counted,
	// who count "for every counted advert however old": that of CountedAs, and of an advert that was
	// only posted before the longest window that of its vacancy all the same; else -1.
	AppliedAs int
}

// Policy holds what the rules need in addition to the adverts.
type Policy struct {
	AsOf sources.Date // the date the data describes
	// Precedence lists the keys of the sources whose terms permit counting; of two
	// adverts of one vacancy the one whose source comes first is kept.
	Precedence []string
}

// Deduper counts each vacancy once: candidates are added one by one, and Verdicts then returns a
// verdict for each. It stores 90 bytes of a candidate that passes the rules for single adverts and
// 2 of any other, all without pointers: ten million adverts take some 0.9 GB, and half of that more
// while Verdicts runs.
type Deduper struct {
	policy   Policy
	rank     map[string]uint16 // of the sources whose terms permit counting
	start    sources.Date
	sources  []string // keys, in the order in which they were first met
	taken    []summary
	admitted int          // of those taken, the ones that passed
	chunks   [][]admitted // them, in the order in which they were taken
}

// summary is stored for every candidate.
type summary struct {
	source uint8 // place in Deduper.sources
	reason uint8 // place in reasons
}

// admitted is stored for a candidate that passed the rules for single adverts.
type admitted struct {
	id, requisition, apply, same Key
	number                       uint64 // of the requisition; 0 = not stated
	title                        uint64 // folded; 0 = not stated
	ordinal                      uint32
	posted                       uint16 // days from firstDay
	rank                         uint16 // place of the source in the policy's order
	old                          bool   // posted before the longest window: for people only
}

// chunkSize is how many admitted candidates are kept together, so that none is
// copied when there come to be more.
const chunkSize = 1 << 14

// NewDeduper returns an empty Deduper. A policy may name 65,535 sources.
func NewDeduper(p Policy) *Deduper {
	l := &Deduper{policy: p, rank: make(map[string]uint16, len(p.Precedence)),
		start: calendar.Window(p.AsOf, calendar.LongestWindow).From}
	for i, key := range p.Precedence {
		l.rank[key] = uint16(i)
	}
	return l
}

// Len returns how many candidates were added; the next one has that number.
func (l *Deduper) Len() int { return len(l.taken) }

// Add adds a candidate. At most 255 sources deliver candidates.
func (l *Deduper) Add(c *Candidate) {
	source := slices.Index(l.sources, c.Source)
	if source < 0 {
		source = len(l.sources)
		l.sources = append(l.sources, c.Source)
	}
	reason := l.exclude(c)
	l.taken = append(l.taken, summary{uint8(source), uint8(slices.Index(reasons[:], reason))})
	if reason != Counted && reason != BeforeWindow {
		return
	}
	if l.admitted%chunkSize == 0 {
		l.chunks = append(l.chunks, make([]admitted, 0, chunkSize))
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, admitted{id: c.ID, requisition: c.Requisition, apply: c.Apply, same: c.Same, number: c.Number,
		title:   c.Title,
		ordinal: uint32(l.Len() - 1), posted: daysTo(c.Posted), rank: l.rank[c.Source], old: reason == BeforeWindow})
	l.admitted++
}

// firstDay is the earliest day that is kept exactly; every earlier day counts as this one.
var firstDay = sources.Date{Year: 1970, Month: time.January, Day: 1}

// daysTo returns how many days lie between firstDay and a later one.
func daysTo(day sources.Date) uint16 {
	if day.Before(firstDay) {
		return 0
	}
	return uint16(day.Time().Sub(firstDay.Time()) / (24 * time.Hour))
}

// exclude applies the rules that need only a single advert.
func (l *Deduper) exclude(c *Candidate) Reason {
	switch c.Origin {
	case sources.OriginPlatform, sources.OriginEmployerBoard, sources.OriginApprenticeship:
	case sources.OriginJobBoard, sources.OriginAggregator:
		return ImportedListing
	default:
		return UnknownOrigin
	}
	_, permitted := l.rank[c.Source]
	switch {
	case !permitted:
		return TermsForbid
	case !c.Listed:
		return NotListed
	case !c.Role:
		return NoRole
	case c.Country == place.Abroad:
		return OutsideUK
	case c.Country != place.InUK:
		return CountryUnknown
	case c.Posted.IsZero():
		return Undated
	case l.policy.AsOf.Before(c.Posted):
		return FutureDated
	case c.Posted.Before(l.start):
		return BeforeWindow
	}
	return Counted
}

// Verdicts decides which admitted candidates are the same vacancy. It yields for each candidate, in
// the order of adding, the key of its source and its verdict. The order of adding changes only the
// numbers, unless one record was delivered twice with the same source, id and day: then the first
// one is kept.
func (l *Deduper) Verdicts() iter.Seq2[string, Verdict] {
	return func(yield func(string, Verdict) bool) {
		vacancies := l.vacancies()
		next := 0 // of the admitted ones
		for number, t := range l.taken {
			v := Verdict{reasons[t.reason], -1, -1}
			if v.Reason == Counted || v.Reason == BeforeWindow {
				v.AppliedAs = vacancies[next]
				next++
			}
			if v.Reason == Counted {
				v.CountedAs = v.AppliedAs
				if v.CountedAs != number {
					v.Reason = DuplicateVacancy
				}
			}
			if !yield(l.sources[t.source], v) {
				return
			}
		}
	}
}

// vacancies returns, for each admitted candidate in the order of adding, the number of the one that
// represents its vacancy. Those of the longest window are grouped by themselves, so that older
// adverts do not change counts.
func (l *Deduper) vacancies() []int {
	order := l.inPrecedence()
	current := len(order)
	for current > 0 && l.at(order[current-1]).old {
		current--
	}
	standing := make([]int, len(order))
	groups := l.sameVacancy(order[:current])
	for place, i := range order[:current] {
		standing[i] = int(l.at(order[groups.root(uint32(place))]).ordinal)
	}
	if current == len(order) {
		return standing
	}
	groups = l.sameVacancy(order)
	for place := current; place < len(order); place++ {
		root := groups.root(uint32(place))
		if int(root) < current {
			standing[order[place]] = standing[order[root]]
		} else {
			standing[order[place]] = int(l.at(order[root]).ordinal)
		}
	}
	return standing
}

// currentFirst moves the candidates that were posted before the longest window behind the others.
func (l *Deduper) currentFirst(order []uint32) []uint32 {
	current := make([]uint32, 0, len(order))
	var old []uint32
	for _, i := range order {
		if l.at(i).old {
			old = append(old, i)
		} else {
			current = append(current, i)
		}
	}
	return append(current, old...)
}

// inPrecedence returns the admitted candidates in order of precedence; the first of each vacancy is
// kept. Those of the longest window come first, then the earlier source, then the earlier day of
// posting, then the smaller id, then the one that was added first.
func (l *Deduper) inPrecedence() []uint32 {
	type ranked struct {
		first uint64 // rank, day and the beginning of the id
		at    uint32
	}
	list := make([]ranked, l.admitted)
	for i := range list {
		k := l.at(uint32(i))
		list[i] = ranked{uint64(k.rank)<<48 | uint64(k.posted)<<32 | k.id.hi>>32, uint32(i)}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		if c := cmp.Compare(a.first, b.first); c != 0 {
			return c
		}
		if c := l.at(a.at).id.Compare(l.at(b.at).id); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
	order := make([]uint32, len(list))
	for p, r := range list {
		order[p] = r.at
	}
	return l.currentFirst(order)
}
