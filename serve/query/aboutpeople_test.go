package query

import (
	"slices"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// withoutPlace returns the content without the counts of people in a place, as if the place was added
// after they were made.
func withoutPlace(c snaptest.Content, place string) snaptest.Content {
	c.People = slices.DeleteFunc(c.People, func(r snapshots.PeopleRow) bool { return r.Place == place })
	c.Residents = slices.DeleteFunc(c.Residents, func(r snapshots.ResidentsRow) bool { return r.Place == place })
	c.Candidates = slices.DeleteFunc(c.Candidates, func(r snapshots.CandidatesRow) bool { return r.Value == place })
	c.S106People = slices.DeleteFunc(c.S106People, func(r snapshots.S106PeopleRow) bool { return r.Place == place })
	return c
}

// A place that was added after the counts of people were made has none until the next quarter. The
// response says so.
func TestAPlaceWithoutPeopleYet(t *testing.T) {
	c := withoutPlace(snaptest.DefaultContent(t, "2026-11-20"), "westminster")
	s := mountOnce(t, "2026-11-20", c)
	const yet = "There are no figures about people for Westminster yet: it was added, or its boroughs changed, after " +
		"the current figures were made. They begin with the next quarter's figures."
	for _, tt := range []struct {
		q    api.SkillsUnmetQuery
		note string
	}{
		{api.SkillsUnmetQuery{}, ""}, {api.SkillsUnmetQuery{Place: "camden"}, ""},
		{api.SkillsUnmetQuery{Place: "westminster"}, yet},
		{api.SkillsUnmetQuery{Place: "westminster", Skill: "sql", By: api.ByPlace}, yet},
		{api.SkillsUnmetQuery{Place: "westminster", By: api.ByMonth},
			"Figures about people are of one period, the year to the end of the last quarter, and of no month. " +
				"Leave out by. " + yet},
	} {
		p := s.peopleOf(tt.q)
		if p.Note != tt.note || p.Published != (tt.note == "") || strings.HasSuffix(p.Note, yet) != (p.PlaceNote == yet) {
			t.Errorf("%+v: %+v, want %q", tt.q, *p, tt.note)
		}
	}
	if p := s.peopleOf(api.SkillsUnmetQuery{By: api.ByPlace}); !p.Published || p.Note != yet || p.PlaceNote != "" {
		t.Errorf("of each place: %+v", *p)
	}
	if p := s.AboutPeople("westminster"); p.Published || p.Note != yet {
		t.Errorf("of no single skill: %+v", p)
	}
}

// Counts that are 0 or not published are figures all the same.
func TestAPlaceWithSmallCountsHasPeople(t *testing.T) {
	c := withoutPlace(snaptest.DefaultContent(t, "2026-11-20"), "westminster")
	c.S106People = append(c.S106People, snapshots.S106PeopleRow{Place: "westminster"})
	s := mountOnce(t, "2026-11-20", c)
	if p := s.peopleOf(api.SkillsUnmetQuery{Place: "westminster"}); !p.Published || p.Note != "" {
		t.Errorf("%+v", *p)
	}
}

// The note about a place comes before the note about withdrawn figures, and replaces it where no
// figure is of a single skill.
func TestNotesOfAPlaceAndOfAWithdrawal(t *testing.T) {
	day := snapshots.DateOf(time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC))
	s := &Snapshot{manifest: snapshots.Manifest{PeopleAsOf: &day, PeopleWithdrawn: []snapshots.PeopleWithdrawal{
		{At: day.Time, Skill: "sql", By: "a board", Reason: "The feed was wrong."}}}}
	s.describePeople()
	const yet = "There are no figures about people for new yet: it was added, or its boroughs changed, after the " +
		"current figures were made. They begin with the next quarter's figures."
	p := s.peopleOf(api.SkillsUnmetQuery{Place: "new"})
	want := yet + " The figures about people of sql were withdrawn on 2026-09-30 by a board: The feed was wrong."
	if p.Published || p.AllWithdrawn() || p.Note != want {
		t.Errorf("%+v, want %q", *p, want)
	}
	if p := s.AboutPeople("new"); p.Published || p.AllWithdrawn() || p.Note != yet {
		t.Errorf("of no single skill: %+v", p)
	}
}
