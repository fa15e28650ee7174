package sandbox

import (
	"fmt"
	"math"
	"slices"
	"time"

	"labour/sources"
)

// applications makes up all applications, advert by advert, and hands each on.
// They are not kept. The error is that of yield.
func (w *World) applications(yield func(*vacancy, sources.Application) error) error {
	var open []*vacancy
	var weight []float64
	for i := range w.vacancies {
		v := &w.vacancies[i]
		if v.source != fromPlatform || w.asOf.Before(v.posted) || v.posted.Before(w.windowStart()) {
			continue
		}
		c := w.chance(streamApplications + uint64(i))
		shown := min(float64(days(v.posted, w.asOf)), 21) / 21
		open = append(open, v)
		weight = append(weight, math.Exp(0.8*c.NormFloat64())*(0.1+0.9*shown))
	}
	number := 0
	for i, n := range shares(w.size.Applications, weight) {
		for _, a := range w.applicationsTo(open[i], n) {
			number++
			a.ID = fmt.Sprintf("ap-%07d", number)
			if err := yield(open[i], a); err != nil {
				return err
			}
		}
	}
	return nil
}

// candidate is one applicant of an advert, before it is decided.
type candidate struct {
	resident int
	applied  time.Time
	skills   []sources.AskedSkill
	score    float64
	fate     float64 // 0 to 1
}

// applicationsTo are the applications to one advert.
func (w *World) applicationsTo(v *vacancy, n int) []sources.Application {
	c := w.chance(streamApplications + uint64(v.number) + 1<<31)
	place := newWheel(len(w.lists.boroughs), w.jobsIn)
	candidates := make([]candidate, 0, n)
	there := make(map[int]bool, n)
	for range n {
		at := place.spin(c)
		if len(v.boroughs) > 0 {
			at = v.boroughs[c.IntN(len(v.boroughs))]
		}
		r := w.applicant(c, v, at)
		for there[r] { // nobody applies twice to one advert
			r = (r + 1) % len(w.residents)
		}
		there[r] = true
		candidates = append(candidates, w.candidate(c, v, r))
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
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

// candidate is a resident who applies to v, with what was on record at that time.
func (w *World) candidate(c chance, v *vacancy, r int) candidate {
	last := w.asOf
	if !v.closes.IsZero() && v.closes.Before(last) {
		last = v.closes
	}
	window := max(days(v.posted, last), 0)
	day := v.posted.AddDays(int(float64(window+1) * c.Float64() * c.Float64()))
	x := candidate{resident: r, fate: c.Float64(),
		applied: day.Time().Add(time.Duration(c.between(7*3600, 22*3600)) * time.Second)}
	sum := 0.0
	for _, a := range v.asked {
		level := w.residents[r].level(a.skill)
		if level > 0 && c.one(0.12) {
			level-- // learnt since
		}
		sum += min(float64(level)/float64(a.level), 1)
		x.skills = append(x.skills, sources.AskedSkill{Skill: w.lists.skills[a.skill].slug, AskedLevel: a.level, HeldLevel: level})
	}
	x.score = 2.4*sum/float64(max(len(v.asked), 1)) + 0.6*c.NormFloat64()
	return x
}

// decide is how an application ends. What is decided after the date of the world
// is not known yet.
func (w *World) decide(c chance, v *vacancy, x *candidate, best bool) sources.Application {
	a := sources.Application{Resident: w.residents[x.resident].id, Advert: v.id, AppliedAt: x.applied,
		Outcome: sources.OutcomePending, Skills: x.skills}
	recorded := x.applied.AddDate(0, 0, c.between(3, 38)).Add(time.Duration(c.between(0, 20000)) * time.Second)
	if !recorded.Before(w.asOf.AddDays(1).Time()) {
		return a
	}
	switch {
	case x.fate < 0.07:
		a.Outcome = sources.OutcomeWithdrawn
	case x.fate < 0.13:
		return a // nobody ever wrote it down
	case best:
		a.Outcome = sources.OutcomeHired
	default:
		a.Outcome = sources.OutcomeTurnedDown
		turnedDownFor(c, a.Skills)
	}
	a.RecordedAt = recorded
	return a
}

// turnedDownFor names up to three of the skills that fell short; one application
// in eight names none.
func turnedDownFor(c chance, skills []sources.AskedSkill) {
	if c.one(0.125) {
		return
	}
	named := 0
	for _, i := range c.Perm(len(skills)) {
		if s := &skills[i]; s.HeldLevel < s.AskedLevel && named < 3 && (named == 0 || c.one(0.4)) {
			s.TurnedDownFor = true
			named++
		}
	}
}
