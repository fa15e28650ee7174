package query

import (
	"labour/serve/api"
	"labour/serve/query/lattice"
	"labour/snapshots/figure"
)

// peopleOf says what the figures about people of a question are.
func (s *Snapshot) peopleOf(q api.SkillsUnmetQuery) *api.People {
	p := &api.People{AsOf: api.MaybeDateOf(s.PeopleAsOf()), Protection: "hidden", RoundedTo: 1}
	if s.manifest.People != nil {
		p.Protection = s.manifest.People.Protection
	}
	if s.manifest.Rounded() {
		p.RoundedTo = figure.RoundedTo
	}
	switch {
	case s.manifest.PeopleAsOf == nil:
		p.Note = "This snapshot has no figures about people."
	case q.Source != "" && q.Source != ownSource:
		p.Note = "Applications to adverts of " + q.Source + " are never seen, so nothing is known of the people. Leave out source, or ask for source=" + ownSource + "."
	case q.By == api.ByMonth && (q.Place != "" || lattice.Others(q) > 1):
		p.Note = "By month there are figures about people without other filters. Leave out every filter but by=month."
	case !lattice.Of(q).Published():
		p.Note = "There are figures about people for one filter, or for a place with one other; by counts as a filter. Leave out all but one besides place."
	default:
		p.Published = true
	}
	return p
}
