package query

import (
	"fmt"
	"strings"
	"time"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// peopleOf describes the figures about people in the response to a query. If the response has none,
// it explains why.
func (s *Snapshot) peopleOf(q api.SkillsUnmetQuery) *api.People {
	p := s.people
	switch {
	case s.manifest.PeopleAsOf == nil:
		p.Note = "This snapshot has no figures about people."
		return &p
	case s.allWithdrawn:
		return &p
	case q.Source != "" && q.Source != ownSource:
		p.Note = "People are known only where they applied on the platform, so figures about people are not published for " +
			"source=" + q.Source + ". " + adviceOf(q)
	case q.By == api.ByMonth:
		p.Note = "Figures about people are of one period, and of no month. " + adviceOf(q)
	case combinationOf(q).Signature == "":
		p.Note = "There are figures about people for one filter, or for a place with one other; by counts as a filter. " +
			"Leave out all but one besides place."
	default:
		p.Published = true
		return &p
	}
	p.Withdrawn = false // the query has no such figures
	return &p
}

// adviceOf returns a sentence that tells a client how to change its query to get figures about
// people. The query has none because it names another source than the platform or is by month.
func adviceOf(q api.SkillsUnmetQuery) string {
	var parameters []string
	ending := "."
	if q.Source != "" && q.Source != ownSource {
		q.Source = ownSource
		if combinationOf(q).Signature != "" {
			ending = ", or ask for source=" + ownSource + "."
		}
		q.Source = ""
		parameters = append(parameters, "source")
	}
	if q.By == api.ByMonth {
		parameters = append(parameters, "by")
		q.By = ""
	}
	if combinationOf(q).Signature == "" {
		parameters = append(parameters, "all other filters but one besides place")
	}
	return "Leave out " + strings.Join(parameters, " and ") + ending
}

// People describes the figures about people that are not for a single skill, such as counts of
// residents. The operator withdraws all of them or none.
func (s *Snapshot) People() api.People {
	p := *s.peopleOf(api.SkillsUnmetQuery{})
	if p.Published {
		p.Note, p.Withdrawn = "", false // about single skills
	}
	return p
}

// describePeople sets s.people, which describes the figures about people. It holds their period,
// their rounding, and whether the operator withdrew any of them.
func (s *Snapshot) describePeople() {
	m := s.manifest
	s.people = api.People{To: api.NullableDateOf(s.PeopleAsOf()), Protection: "hidden", RoundedTo: 1}
	if m.People != nil {
		s.people.From, s.people.Protection = api.NullableDateOf(m.People.From.Time), m.People.Protection
	}
	if m.RoundsPeople() {
		s.people.RoundedTo = figure.RoundingStep
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
