// Package counting decides which adverts are counted. Its input is candidates. Its output is one
// verdict for each, with the rule that excluded it. It applies the advert counting rules of the
// specification, excludes whatever is unknown, and counts a vacancy once however often it was
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
	Reason Reason // Counted, or the reason why not
	// CountedAs is the number of the counted candidate for the same vacancy: its own number if it
	// is counted, -1 if it is excluded for another reason than being a duplicate.
	CountedAs int
	// AppliedAs is the number of the candidate that represents the vacancy when people are counted,
	// "for every counted advert however old". It equals CountedAs if that is not -1. An advert that
	// is excluded only because it was posted before the longest window has one too; any other
	// advert has -1.
	AppliedAs int
}

// Policy holds what the rules need in addition to the adverts.
type Policy struct {
	AsOf sources.Date // the date the data describes
	// Precedence lists the keys of the sources whose terms permit counting. Of two adverts for one
	// vacancy, the one from the earlier source is kept.
	Precedence []string
}

// Deduper counts each vacancy once: candidates are added one by one, and Verdicts then returns a
// verdict for each. It stores 90 bytes for a candidate that passes the rules for single adverts and
// 2 for any other, without pointers: ten million adverts take some 0.9 GB, and half of that in
// addition while Verdicts runs.
type Deduper struct {
	policy   Policy
	rank     map[string]uint16 // rank of each source whose terms permit counting
	start    sources.Date
	sources  []string // keys of sources in the order of their first candidates
	taken    []summary
	admitted int          // number of candidates that passed the rules for single adverts
	chunks   [][]admitted // these candidates, in the order of adding
}

// summary is stored for every candidate.
type summary struct {
	source uint8 // index in Deduper.sources
	reason uint8 // index in reasons
}

// admitted is stored for a candidate that passed the rules for single adverts.
type admitted struct {
	id, requisition, apply, same Key
	number                       uint64 // requisition number; 0 = not stated
	title                        uint64 // folded title; 0 = not stated
	ordinal                      uint32
	posted                       uint16 // days since firstDay
	rank                         uint16 // rank of the source in the policy's order
	old                          bool   // posted before the longest window: used only for people
}

// chunkSize is how many admitted candidates are allocated together, so that growing never copies
// them.
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

// firstDay is the earliest day stored exactly; every earlier day counts as this one.
var firstDay = sources.Date{Year: 1970, Month: time.January, Day: 1}

// daysTo returns the number of days from firstDay to a later day.
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

// Verdicts decides which admitted candidates are for the same vacancy. It yields for each
// candidate, in the order of adding, the key of its source and its verdict. The order of adding
// affects only the numbers, unless one record was delivered twice with the same source, id and day:
// then the first one is kept.
func (l *Deduper) Verdicts() iter.Seq2[string, Verdict] {
	return func(yield func(string, Verdict) bool) {
		vacancies := l.vacancies()
		next := 0 // index of the next admitted candidate
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

// vacancies returns, for each admitted candidate in the order of adding, the number of the
// candidate that represents its vacancy. Candidates within the longest window are grouped
// separately, so that older adverts do not change counts.
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

// currentFirst moves the candidates posted before the longest window to the end.
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
// kept. Candidates within the longest window come first, then the earlier source, the earlier day
// of posting, the smaller id, and the one added first.
func (l *Deduper) inPrecedence() []uint32 {
	type ranked struct {
		first uint64 // rank, day and the first bytes of the id
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
