// Package disclosure prints counts of people: true counts in, printed values out.
// It is the only place where a true count of people becomes something that may be
// seen. README.md has the rules P1 to P9, the guarantees and what is not promised.
//
// Everything that is withdrawn is decided from what would be printed and from the
// released advert cells, never from a count that is hidden, so that moving a person
// between two values of a small group changes nothing that is released.
package disclosure

import (
	"slices"

	"labour/snapshots/figure"
)

// Protection is how counts of people are protected.
type Protection string

// The two protections that an operator can choose.
const (
	// Rounded prints 0, "<5" and multiples of 5, and withdraws what could be worked out.
	Rounded Protection = "rounded"
	// Plain prints exact numbers from 5 and withdraws nothing: "exact numbers from 5,
	// "<5" below, no P2, no rounding". The audit still counts what can be worked out.
	Plain Protection = "plain"
)

// Count prints a true count (P1): "0 is `0`. 1 to 4 is `"<5"`. 5 or more is the
// nearest multiple of 5".
func (p Protection) Count(n int64) figure.Count {
	if p == Plain {
		return figure.CountOf(n)
	}
	return figure.Rounded(n)
}

// The bases of shares, in printed people (P3 and P4).
const (
	smallestBase = 20   // no share of fewer
	tenthsBase   = 1000 // residents from which a share has one decimal
)

// Share prints a share (P3): "numerator and denominator both as printed, `"<5"` standing as 2.5,
// whole per cent, and only where the printed denominator is at least 20; else null".
func Share(part, whole figure.Count) *figure.Tenths { return share(part, whole, 10) }

// ResidentShare prints a share of residents (P4), which has "one decimal where the
// printed denominator is at least 1,000".
func ResidentShare(part, whole figure.Count) *figure.Tenths {
	if n, _ := whole.Number(); n >= tenthsBase {
		return share(part, whole, 1)
	}
	return Share(part, whole)
}

// share prints a share in steps of so many tenths of a per cent.
func share(part, whole figure.Count, step int64) *figure.Tenths {
	of, _ := whole.Number()
	if part.Status() == figure.NotPublished || of < smallestBase {
		return nil
	}
	s := figure.ShareStep(inHalves(part), 2*of, step)
	return &s
}

// inHalves returns twice a printed count, with "<5" standing as 2.5 and null as 0.
func inHalves(c figure.Count) int64 {
	if c.Status() == figure.Small {
		return figure.SmallestShown
	}
	n, _ := c.Number()
	return 2 * n
}

// Lines prints counts that sums bind (P7): each under P1, null below a small one under P2,
// and audited. Counts that are not known are negative and print null.
func (p Protection) Lines(counts []int64, sums []Sum) ([]figure.Count, Tally) {
	truth, asked := make([]int32, len(counts)), make([]int32, 0, len(counts))
	for i, n := range counts {
		if truth[i] = int32(n); n >= 0 {
			asked = append(asked, int32(i))
		}
	}
	s := newSystem(len(counts), sums)
	printed, _ := p.print(truth, asked, s)
	workedOut, withdrawn := (&audit{p, printed, truth}).run(s, asked)
	return printed, Tally{Withdrawn: withdrawn, WorkedOut: workedOut}
}

// lines returns so many counts of each place, none of which is known yet, and how places add up.
func (p *Places) lines(each int) (counts []int64, sums []Sum) {
	for place, of := range p.sums {
		for _, places := range of {
			s := Sum{Whole: int32(place * each)}
			for _, part := range places {
				s.Parts = append(s.Parts, int32(part)*int32(each))
			}
			for range each {
				sums = append(sums, s)
				s.further++
			}
		}
	}
	return slices.Repeat([]int64{-1}, len(p.sums)*each), sums
}

// outside returns how many of everywhere are in no borough. Where it is nobody, a reader is
// taken to know that, since all who are counted should be in one.
func (p *Places) outside(count func(place int) int64) int64 {
	n := count(0)
	for borough := range p.boroughs {
		n -= count(borough + 1)
	}
	return n
}

// ByPlace prints a count of each place (P7).
func (r *Rules) ByPlace(count func(slug string) int64) (map[string]figure.Count, Tally) {
	counts, sums := r.Places.lines(1)
	for place, slug := range r.Places.slugs {
		counts[place] = count(slug)
	}
	if r.Places.outside(func(place int) int64 { return counts[place] }) == 0 {
		counts[r.Places.nowhere] = 0
	}
	printed, tally := r.Lines(counts, sums)
	out := map[string]figure.Count{}
	for place, slug := range r.Places.slugs {
		out[slug] = printed[place]
	}
	return out, tally
}

// Levels is how many levels of a skill there are.
const Levels = 5

// Residents are those of each place, in the order of Places: below each level of a skill or
// without a record, and at last all.
type Residents [][Levels + 1]int64

// NoResidents returns residents of no place yet.
func (p *Places) NoResidents() Residents { return make(Residents, len(p.slugs)) }

// Residents prints the share of the residents of each place below each level of a skill
// (P4); nil is not published. "Residents' levels nested", and some may live in no served borough.
func (r *Rules) Residents(s Residents) ([][Levels]*figure.Tenths, Tally) {
	const between = Levels + 1 // from one level to below the next, which nobody can ask for
	const each = between + Levels
	counts, sums := r.Places.lines(each)
	for place := range r.Places.sums {
		for l := range int32(Levels) { // the next level's, and after the highest all
			sums = append(sums, Sum{Whole: l + 1, Parts: []int32{l, between + l}, further: int32(place * each)})
		}
		if place < len(s) {
			copy(counts[place*each:], s[place][:])
		}
	}
	if r.Places.outside(func(place int) int64 { return s[place][Levels] }) == 0 {
		clear(counts[int(r.Places.nowhere)*each:])
	}
	printed, tally := r.Lines(counts, sums)
	out := make([][Levels]*figure.Tenths, len(s))
	for place := range out {
		for l := range Levels {
			out[place][l] = ResidentShare(printed[place*each+l], printed[place*each+Levels])
		}
	}
	return out, tally
}
