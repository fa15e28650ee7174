// Package counting decides which adverts are counted. It is a pure function:
// candidates in, one verdict for each out, with the rule that excluded it. It
// enforces the advert counting rules of the specification, excludes what is not
// known, and counts a vacancy once however often it was seen.
package counting

import (
	"cmp"
	"slices"

	"labour/sources"
)

// WindowMonths is the longest window that can be asked, in calendar months.
const WindowMonths = 24

// FortnightDays is how close two adverts with the same employer, title and place
// must be to be the same vacancy, in days.
const FortnightDays = 14

// Verdict is what became of one candidate.
type Verdict struct {
	Reason Reason // Counted, or why not
	// CountedAs is the index of the counted candidate that stands for the same
	// vacancy: its own index when counted, -1 when excluded for another reason
	// than being a duplicate.
	CountedAs int
}

// Policy is what the rules need to know beside the adverts.
type Policy struct {
	AsOf sources.Date // the date the data describes
	// Precedence lists the keys of the sources whose terms permit counting; of two
	// adverts of one vacancy the one whose source comes first is kept.
	Precedence []string
}

// WindowStart is the first day of the longest window: calendar months up to and
// including the month of asOf.
func WindowStart(asOf sources.Date, months int) sources.Date {
	first := sources.Date{Year: asOf.Year, Month: asOf.Month, Day: 1}
	return sources.DateOf(first.Time().AddDate(0, 1-months, 0))
}

// Apply gives one verdict per candidate, in their order. Permuting the
// candidates permutes the verdicts and changes nothing else.
func Apply(candidates []Candidate, p Policy) []Verdict {
	rank := make(map[string]int, len(p.Precedence))
	for i, key := range p.Precedence {
		rank[key] = i
	}
	start := WindowStart(p.AsOf, WindowMonths)
	verdicts := make([]Verdict, len(candidates))
	admitted := make([]int, 0, len(candidates))
	for i := range candidates {
		reason := exclude(&candidates[i], rank, p.AsOf, start)
		verdicts[i] = Verdict{Reason: reason, CountedAs: -1}
		if reason == Counted {
			admitted = append(admitted, i)
		}
	}
	before := func(a, b int) int { return compare(&candidates[a], &candidates[b], rank) }
	slices.SortFunc(admitted, before)
	for i, kept := range sameVacancy(candidates, admitted) {
		at := admitted[i]
		verdicts[at].CountedAs = admitted[kept]
		if kept != i {
			verdicts[at].Reason = DuplicateVacancy
		}
	}
	return verdicts
}

// exclude applies the rules that look at one advert alone.
func exclude(c *Candidate, rank map[string]int, asOf, start sources.Date) Reason {
	switch c.Origin {
	case sources.OriginPlatform, sources.OriginEmployerBoard, sources.OriginApprenticeship:
	case sources.OriginJobBoard, sources.OriginAggregator:
		return ImportedListing
	default:
		return UnknownOrigin
	}
	_, permitted := rank[c.Source]
	switch {
	case !permitted:
		return TermsForbid
	case !c.Listed:
		return NotListed
	case c.Country == Abroad:
		return OutsideUK
	case c.Country != InUK:
		return CountryUnknown
	case c.Posted.IsZero():
		return Undated
	case asOf.Before(c.Posted):
		return FutureDated
	case c.Posted.Before(start):
		return BeforeWindow
	}
	return Counted
}

// compare orders the candidates by which is kept of one vacancy: the source that
// comes first, then the one posted first, then by id.
func compare(a, b *Candidate, rank map[string]int) int {
	if c := cmp.Compare(rank[a.Source], rank[b.Source]); c != 0 {
		return c
	}
	if c := a.Posted.Time().Compare(b.Posted.Time()); c != 0 {
		return c
	}
	if a.ID.Less(b.ID) {
		return -1
	}
	if b.ID.Less(a.ID) {
		return 1
	}
	return 0
}
