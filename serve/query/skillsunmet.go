package query

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// ownSource is the key of the service's own figures; every row of skills not met
// carries it.
const ownSource = "platform"

// combination is the published combination that holds the figures of people of a question.
// They are fixed by rule and never by data: a question outside them has no figures of
// people at all, whatever the counts are.
type combination struct {
	// Signature is one of the signatures of package snapshots; empty = the question is
	// outside the published combinations and every people field is null.
	Signature string
	// Place and Value are keys of the table people. Where a part is broken down it is
	// empty here, and the bucket of each row takes its place.
	Place, Value string
}

// combinationOf is that of a question: "no filter, one filter, or `place` with one other, `by`
// counting as a filter; SOC prefixes are filters like others. Elsewhere, and by month, they are
// `null`". skill is no filter.
func combinationOf(q api.SkillsUnmetQuery) combination {
	others := otherFilters(q)
	if len(others) > 1 || q.By == api.ByMonth {
		return combination{}
	}
	c := combination{Signature: snapshots.SigNone, Place: q.Place}
	if len(others) == 1 {
		c.Signature, c.Value = others[0].signature, others[0].value
	}
	switch {
	case q.Place == "" && q.By != api.ByPlace:
	case c.Signature == snapshots.SigNone:
		c.Signature = snapshots.SigPlace
	default:
		c.Signature = snapshots.SigPlace + "_" + c.Signature
	}
	if q.By == api.ByPlace {
		c.Place = ""
	}
	return c
}

// peopleFilter is a filter with the signature of the figures of people under it.
type peopleFilter struct {
	signature, value string // no value where it is broken down
	by               api.By // that breaks it down; empty for none
}

// otherFilters lists the filters of a question besides the place, by included.
func otherFilters(q api.SkillsUnmetQuery) (list []peopleFilter) {
	level := ""
	if q.Level != 0 {
		level = strconv.Itoa(int(q.Level))
	}
	for _, f := range []peopleFilter{{snapshots.SigSector, q.Sector, api.BySector}, {snapshots.SigSOC, q.SOC, api.BySOC},
		{snapshots.SigLevel, level, api.ByLevel}, {snapshots.SigSource, q.Source, ""}} {
		if f.by != "" && f.by == q.By {
			f.value = ""
			list = append(list, f)
		} else if f.value != "" {
			list = append(list, f)
		}
	}
	return list
}

// peopleOf says what the figures about people of a question are.
func (s *Snapshot) peopleOf(q api.SkillsUnmetQuery) *api.People {
	p := s.people
	switch {
	case s.manifest.PeopleAsOf == nil:
		p.Note = "This snapshot has no figures about people."
		return &p
	case s.allWithdrawn:
		return &p
	case q.Source != "" && q.Source != ownSource:
		p.Note = "Applications to adverts of " + q.Source + " are never seen, so nothing is known of the people. " +
			"Leave out source, or ask for source=" + ownSource + "."
	case q.By == api.ByMonth:
		p.Note = "Figures about people are of one period, and of no month. Leave out by."
	case combinationOf(q).Signature == "":
		p.Note = "There are figures about people for one filter, or for a place with one other; by counts as a filter. " +
			"Leave out all but one besides place."
	default:
		p.Published = true
		return &p
	}
	p.Withdrawn = false // the question has none to withdraw
	return &p
}

// describePeople notes what is true of the figures about people of every question: their
// period, how they are protected, and which of them the operator withdrew.
func (s *Snapshot) describePeople() {
	m := s.manifest
	s.people = api.People{To: api.MaybeDateOf(s.PeopleAsOf()), Protection: "hidden", RoundedTo: 1}
	if m.People != nil {
		s.people.From, s.people.Protection = api.MaybeDateOf(m.People.From.Time), m.People.Protection
	}
	if m.Rounded() {
		s.people.RoundedTo = figure.RoundedTo
	}
	if m.PeopleAsOf == nil {
		return
	}
	var notes []string
	for _, w := range m.PeopleWithdrawn {
		of := ""
		if w.Skill != "" {
			of = " of " + w.Skill
		}
		s.allWithdrawn = s.allWithdrawn || w.Skill == ""
		notes = append(notes, fmt.Sprintf("The figures about people%s were withdrawn on %s by %s: %s",
			of, w.At.Format(time.DateOnly), w.By, w.Reason))
	}
	s.people.Note, s.people.Withdrawn = strings.Join(notes, " "), len(notes) > 0
}
