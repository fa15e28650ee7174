package query

import (
	"fmt"
	"slices"
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
		p.MissingNote = "This snapshot has no figures about people."
		p.Note = p.MissingNote
		return &p
	case s.allWithdrawn:
		return &p
	}
	p.PlaceNote = s.placeNote(q.Place)
	reason, advice := filtersNote(q)
	p.MissingNote = reason
	switch {
	case reason != "":
		p.Note = joinSentences(reason, advice, p.PlaceNote, p.Note)
	case p.PlaceNote != "":
		p.Note = joinSentences(p.PlaceNote, p.Note)
	default:
		p.Published = true
		if q.By == api.ByPlace {
			p.Note = joinSentences(s.newPlacesNote(), p.Note)
		}
		return &p
	}
	p.Withdrawn = false // the query has no such figures
	return &p
}

// placeNote returns the reason why no figures about people exist for a place yet. It is empty if
// they exist, even if each of them is 0 or too small to be published.
func (s *Snapshot) placeNote(place string) string {
	if place == "" || s.cached.peoplePlaces[place] {
		return ""
	}
	return "There are no figures about people for " + s.nameOf(api.Places, place) + " yet: it was added, or its " +
		"boroughs changed, after the current figures were made. They begin with the next quarter's figures."
}

// newPlacesNote returns the reasons of placeNote for all places, for a breakdown by place.
func (s *Snapshot) newPlacesNote() string {
	var notes []string
	for _, place := range s.Values(api.Places) {
		notes = append(notes, s.placeNote(place))
	}
	return joinSentences(notes...)
}

// joinSentences returns the sentences that are not empty, with a space between them.
func joinSentences(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// filtersNote returns the reason why figures about people are never published for the filters of a
// query. Pages show it too, so it names no parameter. advice tells a client which parameters to
// change. Both are empty if the filters are a published combination.
func filtersNote(q api.SkillsUnmetQuery) (reason, advice string) {
	switch {
	case q.Source != "" && q.Source != api.PlatformKey:
		return "People are known only where they applied on the platform, so figures about people are not published for " +
			"adverts of other sources.", adviceOf(q)
	case q.By == api.ByMonth:
		return "Figures about people are of one period, the year to the end of the last quarter, and of no month.",
			adviceOf(q)
	case combinationOf(q).Signature == "":
		return "There are figures about people for one filter, or for a place with one other; a breakdown counts as a " +
			"filter. Leave out all but one besides the place.", ""
	}
	return "", ""
}

// adviceOf returns a sentence that tells a client how to change the query q to get figures about
// people. There are none for q, because it selects another source than the platform or is by month.
func adviceOf(q api.SkillsUnmetQuery) string {
	var parameters []string
	ending := "."
	if q.Source != "" && q.Source != api.PlatformKey {
		q.Source = api.PlatformKey
		if combinationOf(q).Signature != "" {
			ending = ", or ask for source=" + api.PlatformKey + "."
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

// AboutPeople describes the figures about people that are not for a single skill, such as counts of
// residents. place is the place of the figures; "" = the whole platform. The operator withdraws all
// of these figures or none.
func (s *Snapshot) AboutPeople(place string) api.People {
	p := *s.peopleOf(api.SkillsUnmetQuery{Place: place})
	if p.Published || p.PlaceNote != "" {
		p.Note, p.Withdrawn = p.PlaceNote, false // without the notes about single skills
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
			of, w.At.Format(time.DateOnly), w.By, withFullStop(w.Reason)))
	}
	s.people.Note, s.people.Withdrawn = strings.Join(notes, " "), len(notes) > 0
}

// withFullStop returns a text that ends like a sentence, so that another sentence can follow it.
func withFullStop(text string) string {
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}
