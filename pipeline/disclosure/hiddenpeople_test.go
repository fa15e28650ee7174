package disclosure

import (
	"reflect"
	"slices"
	"testing"
)

// requireAll adds a required combination for each person, as if every advert were of the last two years.
func requireAll(s *SkillCountInput) {
	for _, p := range s.People {
		s.RequiredCombinations = append(s.RequiredCombinations, p.FilterCombination)
	}
}

// TestHiddenPeopleAddNoRow: a person who is not shown, in a combination for which no advert requires the
// skill, changes neither rows nor tally. Enough people are shown there as elsewhere.
func TestHiddenPeopleAddNoRow(t *testing.T) {
	made := func(outcome OutcomeKind, level uint8, n int) ([]PublishedCell, ValueTally) {
		required := FilterCombination{Borough: 1, Level: 2}
		s := &SkillCountInput{RequiredCombinations: []FilterCombination{required}}
		for range 25 {
			s.People = append(s.People, Person{FilterCombination: required, Outcome: OutcomeTurnedDownForLackOfSkill})
		}
		for range n {
			s.People = append(s.People, Person{FilterCombination: FilterCombination{Borough: 1, Level: level},
				Outcome: outcome})
		}
		return (&Rules{Protection: ProtectionRounded, Places: NewPlaces([]string{"camden"}, nil)}).PublishedSkillCells(s)
	}
	rows, tally := made(OutcomeHired, 2, 0)
	for _, outcome := range []OutcomeKind{OutcomeHired, OutcomeTurnedDownAnyReason} {
		if got, counted := made(outcome, 5, 1); !reflect.DeepEqual(got, rows) || counted != tally {
			t.Errorf("outcome %d: one person changes rows or tally to %+v, %+v; want %+v, %+v", outcome, got, counted,
				rows, tally)
		}
	}
	shown := func(rows []PublishedCell) bool {
		return slices.ContainsFunc(rows, func(c PublishedCell) bool { return c.Value == "5" })
	}
	if got, _ := made(OutcomeTurnedDownForLackOfSkill, 5, 30); !shown(got) {
		t.Error("30 people who were turned down for the skill at level 5 are not shown")
	}
	if got, _ := made(OutcomeHired, 5, 30); !shown(got) {
		t.Error("the share of 30 people who were hired at level 5 is not shown")
	}
}
