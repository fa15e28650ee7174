package disclosure

import (
	"testing"

	"pgregory.net/rapid"

	"labour/snapshots/figure"
)

// TestSharesOfWhoHadTheSkill prints 40 of 50 hired and 24 of 96 turned down who had the skill.
func TestSharesOfWhoHadTheSkill(t *testing.T) {
	rules := Rules{Protection: ProtectionPlain, Places: NewPlaces([]string{"camden"}, nil)}
	s := &Skill{}
	for kind, n := range map[Kind][2]int{KindHired: {50, 40}, KindTurnedDown: {96, 24}, KindTurnedDownFor: {30, 30}} {
		for i := range n[0] {
			s.People = append(s.People, Person{Combination: Combination{Borough: 1}, Kind: kind, HadSkill: i < n[1]})
		}
	}
	rows, _ := rules.PrintSkill(s)
	if len(rows) == 0 {
		t.Fatal("no rows")
	}
	for _, r := range rows {
		if r.HiredWithPct == nil || *r.HiredWithPct != 800 || r.TurnedDownWithPct == nil || *r.TurnedDownWithPct != 250 {
			t.Errorf("%+v prints %v and %v", r.Cell, r.HiredWithPct, r.TurnedDownWithPct)
		}
	}
}

// TestPartsOfHiredNeedTheirTotals: those who had the skill are a part of all who were hired, of the cell and of
// every wider cell, and print only where each of these permits it.
func TestPartsOfHiredNeedTheirTotals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := Rules{Protection: ProtectionRounded, Places: NewPlaces([]string{"camden", "hackney"}, nil)}
		s := &Skill{}
		for i := range rapid.IntRange(1, 24).Draw(rt, "hired") {
			s.People = append(s.People, Person{Combination: Combination{Borough: 1 + uint16(i%13/12)}, Kind: KindHired,
				HadSkill: rapid.IntRange(0, 4).Draw(rt, "had") == 0, Key: Key(rapid.Uint64().Draw(rt, "key"))})
		}
		cells := newTable(rules.Places, s)
		printed, counts := rules.printTable(cells, s.People), cells.count(s.People)
		n := len(cells.columns)
		for i := range n {
			for _, whole := range append([]int32{int32(i)}, cells.above(int32(i))...) {
				all := ProtectionRounded.Print(counts[int(KindHired)*n+int(whole)])
				if part := printed[hiredWith][i]; part.Status() != figure.StatusNotPublished && !MayPrint(part, all) {
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
