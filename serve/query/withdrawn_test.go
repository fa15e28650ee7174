package query

import (
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// The note of figures about people names the withdrawn figures and the reason. Each note ends with a full stop.
func TestNoteOfWithdrawnPeople(t *testing.T) {
	day := snapshots.DateOf(time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC))
	of := func(skill string) snapshots.PeopleWithdrawal {
		return snapshots.PeopleWithdrawal{At: day.Time, Skill: skill, By: "a board", Reason: "The feed was wrong."}
	}
	unfinished := of("excel")
	unfinished.Reason = "The feed was late"
	for _, tt := range []struct {
		withdrawn []snapshots.PeopleWithdrawal
		published bool
		note      string
	}{
		{nil, true, ""},
		{[]snapshots.PeopleWithdrawal{of("sql")}, true,
			"The figures about people of sql were withdrawn on 2026-09-30 by a board: The feed was wrong."},
		{[]snapshots.PeopleWithdrawal{unfinished, of("sql")}, true,
			"The figures about people of excel were withdrawn on 2026-09-30 by a board: The feed was late. " +
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

// TestCandidatesWithoutCounts: every borough, level and sector is listed without a count if all counts are withdrawn.
func TestCandidatesWithoutCounts(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	c.Candidates = nil
	s := mountOnce(t, publishedAsOf, c)
	got, err := s.Candidates(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	boroughs := 0
	for _, p := range c.Places {
		if p.AreaKind == "borough" {
			boroughs++
		}
	}
	if len(got.ByBorough) != boroughs || len(got.ByLevel) != len(c.Levels) || len(got.BySectorSought) != len(c.Sectors) {
		t.Errorf("%d boroughs, %d levels and %d sectors, want %d, %d and %d", len(got.ByBorough), len(got.ByLevel),
			len(got.BySectorSought), boroughs, len(c.Levels), len(c.Sectors))
	}
	for _, b := range got.ByBorough {
		if b.Residents != (api.Count{}) || b.BoroughName == "" {
			t.Errorf("%+v", b)
		}
	}
}
