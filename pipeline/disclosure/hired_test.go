package disclosure

import (
	"testing"

	"pgregory.net/rapid"

	"labour/snapshots/figure"
)

// TestSharesOfWhoHadTheSkill prints 40 of 50 hired and 24 of 96 turned down who had the skill.
func TestSharesOfWhoHadTheSkill(t *testing.T) {
	rules := Rules{Protection: ProtectionUnrounded, Places: NewPlaces([]string{"camden"}, nil)}
	s := &SkillCountInput{}
	for kind, n := range map[OutcomeKind][2]int{OutcomeHired: {50, 40}, OutcomeTurnedDownAnyReason: {96, 24},
		OutcomeTurnedDownForLackOfSkill: {30, 30}} {
		for i := range n[0] {
			s.People = append(s.People, Person{FilterCombination: FilterCombination{Borough: 1}, Outcome: kind,
				HadSkill: i < n[1]})
		}
	}
	rows, _ := rules.PublishedSkillCells(s)
	if len(rows) == 0 {
		t.Fatal("no rows")
	}
	for _, r := range rows {
		if r.HiredWithSkillPct == nil || *r.HiredWithSkillPct != 800 || r.TurnedDownWithSkillPct == nil ||
			*r.TurnedDownWithSkillPct != 250 {
			t.Errorf("%+v prints %v and %v", r.Cell, r.HiredWithSkillPct, r.TurnedDownWithSkillPct)
		}
	}
}

// TestPartsOfHiredNeedTheirTotals: those who had the skill are a part of all who were hired, of the
// cell and of every wider cell, and print only where each of these permits it.
func TestPartsOfHiredNeedTheirTotals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := Rules{Protection: ProtectionRounded, Places: NewPlaces([]string{"camden", "hackney"}, nil)}
		s := &SkillCountInput{}
		for i := range rapid.IntRange(1, 24).Draw(rt, "hired") {
			s.People = append(s.People, Person{FilterCombination: FilterCombination{Borough: 1 + uint16(i%13/12)},
				Outcome:  OutcomeHired,
				HadSkill: rapid.IntRange(0, 4).Draw(rt, "had") == 0, Key: RoundingKey(rapid.Uint64().Draw(rt, "key"))})
		}
		cells := newTable(rules.Places, s)
		printed, counts := rules.printTable(cells, s.People), cells.count(s.People)
		n := len(cells.columns)
		for i := range n {
			for _, whole := range append([]int32{int32(i)}, cells.widerColumns(int32(i))...) {
				all := ProtectionRounded.PublishedCount(counts[int(OutcomeHired)*n+int(whole)])
				if part := printed[hiredWith][i]; part.Status() != figure.StatusNotPublished && !MayPublishPart(part, all) {
					rt.Fatalf("%v of %v hired is printed", part, all)
				}
			}
		}
	})
}

// TestNearlyAllBegins at the first printed number whose worst case is 97 %.
func TestNearlyAllBegins(t *testing.T) {
	for printed, want := range map[int64]bool{260: false, 265: true} {
		if got := provesNearlyAll(printed); got != want {
			t.Errorf("%d printed of %d: %t", printed, printed, got)
		}
	}
}
