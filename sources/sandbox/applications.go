package sandbox

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"labour/sources"
)

// applications yields every application with its advert. All applications for one advert come
// together.
func (w *World) applications() iter.Seq2[*vacancy, *sources.Application] {
	return func(yield func(*vacancy, *sources.Application) bool) {
		c := w.rng(streamApplications)
		weight := make([]float64, w.adverts.own)
		for i := range weight {
			weight[i] = w.applicantWeight(c, w.vacancy(i))
		}
		number := 0
		for i, n := range shares(w.size.Applications, weight) {
			v := w.vacancy(i)
			for _, a := range w.applicationsTo(c, v, n) {
				number++
				a.ID = fmt.Sprintf("ap-%07d", number)
				if !yield(v, &a) {
					return
				}
			}
		}
	}
}

// applicantWeight returns the relative number of applicants for a platform advert. It is lower for
// adverts from the last three weeks. It is 0 for adverts from the last day of the made-up data, and
// for adverts from before the 24 months that the data cover.
func (w *World) applicantWeight(c rng, v *vacancy) float64 {
	if v.postingDay.Before(w.windowStart()) || !v.postingDay.Before(w.asOf) {
		return 0
	}
	shown := min(float64(days(v.postingDay, w.asOf)), 21) / 21
	return math.Exp(0.8*c.NormFloat64()) * (0.1 + 0.9*shown)
}

// candidate is an applicant for an advert whose outcome is not decided yet.
type candidate struct {
	resident *resident
	applied  time.Time
	skills   []sources.RequiredSkill
	score    float64
	fate     float64 // random number from 0 to 1 that decides on withdrawal or a missing outcome
}

// applicationsTo generates n applications for one advert.
func (w *World) applicationsTo(c rng, v *vacancy, n int) []sources.Application {
	candidates := make([]candidate, 0, n)
	there := make(map[int]bool, n)
	for range n {
		at := w.distributions.work.draw(c)
		if len(v.boroughs) > 0 {
			at = v.boroughs[c.IntN(len(v.boroughs))]
		}
		r := w.applicant(c, v, at)
		for there[r.number] { // nobody applies to the same advert twice
			r = w.resident((r.number + 1) % w.size.Residents)
		}
		there[r.number] = true
		candidates = append(candidates, w.candidate(c, v, r))
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	places := 1
	for places < 1+n/8 && c.one(0.6) {
		places++
	}
	out := make([]sources.Application, 0, n)
	for i := range candidates {
		out = append(out, w.decide(c, v, &candidates[i], i < places))
	}
	slices.SortStableFunc(out, func(a, b sources.Application) int { return a.AppliedAt.Compare(b.AppliedAt) })
	return out
}

// candidate returns resident r as an applicant for an advert. It sets the time of the application,
// and the skills that were recorded at this time.
func (w *World) candidate(c rng, v *vacancy, r *resident) candidate {
	last := w.asOf.AddDays(-1)
	if !v.closes.IsZero() && v.closes.Before(last) {
		last = v.closes
	}
	window := max(days(v.postingDay, last), 0)
	day := v.postingDay.AddDays(int(float64(window+1) * c.Float64() * c.Float64()))
	x := candidate{resident: r, fate: c.Float64(),
		applied: day.Time().Add(time.Duration(c.between(7*3600, 22*3600)) * time.Second)}
	sum := 0.0
	for _, a := range v.requirements {
		level := r.level(a.skill)
		if level > 0 && c.one(0.12) {
			level-- // learnt after the application
		}
		sum += min(float64(level)/float64(a.level), 1)
		x.skills = append(x.skills, sources.RequiredSkill{Skill: w.lists.skills[a.skill].slug, AskedLevel: a.level,
			HeldLevel: level})
	}
	x.score = 2.4*sum/float64(max(len(v.requirements), 1)) + 0.6*c.NormFloat64()
	return x
}

// decide returns the application of the candidate x for the advert v, with its outcome. If best is
// true, the candidate is hired unless the application is withdrawn or its outcome is pending. The
// outcome is pending if it was never recorded, or if it would be recorded after the date of the
// made-up data.
func (w *World) decide(c rng, v *vacancy, x *candidate, best bool) sources.Application {
	a := sources.Application{Resident: x.resident.id, Advert: v.id, AppliedAt: x.applied,
		Outcome: sources.OutcomePending, Skills: x.skills}
	recorded := x.applied.AddDate(0, 0, c.between(3, 38)).Add(time.Duration(c.between(0, 20000)) * time.Second)
	if !recorded.Before(w.asOf.Time()) {
		return a
	}
	switch {
	case x.fate < 0.07:
		a.Outcome = sources.OutcomeWithdrawn
	case x.fate < 0.13:
		return a // the outcome was never recorded
	case best:
		a.Outcome = sources.OutcomeHired
	default:
		a.Outcome = sources.OutcomeTurnedDown
		turnedDownFor(c, a.Skills)
	}
	a.RecordedAt = recorded
	return a
}

// turnedDownFor marks up to three missing skills as reasons for turning the applicant down. One
// application in eight has no reason.
func turnedDownFor(c rng, skills []sources.RequiredSkill) {
	if c.one(0.125) {
		return
	}
	named := 0
	for _, i := range c.Perm(len(skills)) {
		s := &skills[i]
		mayName := s.HeldLevel < s.AskedLevel && named < 3
		if mayName && (named == 0 || c.one(0.4)) {
			s.TurnedDownFor = true
			named++
		}
	}
}
