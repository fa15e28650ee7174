package query

import (
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
)

// The note of figures about people names the withdrawn figures and the reason.
func TestNoteOfWithdrawnPeople(t *testing.T) {
	day := snapshots.DateOf(time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC))
	of := func(skill string) snapshots.PeopleWithdrawal {
		return snapshots.PeopleWithdrawal{At: day.Time, Skill: skill, By: "a board", Reason: "The feed was wrong."}
	}
	for _, tt := range []struct {
		withdrawn []snapshots.PeopleWithdrawal
		published bool
		note      string
	}{
		{nil, true, ""},
		{[]snapshots.PeopleWithdrawal{of("sql")}, true,
			"The figures about people of sql were withdrawn on 2026-09-30 by a board: The feed was wrong."},
		{[]snapshots.PeopleWithdrawal{of("")}, false,
			"The figures about people were withdrawn on 2026-09-30 by a board: The feed was wrong."},
	} {
		s := &Snapshot{manifest: snapshots.Manifest{PeopleAsOf: &day,
			People: &snapshots.People{To: day, Protection: "rounded"}, PeopleWithdrawn: tt.withdrawn}}
		s.describePeople()
		if p := s.peopleOf(api.SkillsUnmetQuery{}); p.Published != tt.published || p.Note != tt.note ||
			p.Withdrawn != (tt.note != "") {
			t.Errorf("%+v, want %q", p, tt.note)
		}
	}
}
