package disclosure

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// TestKeysAtTheirEdges: a count that is n above a multiple of 5 is rounded up by the first n fifths
// of all keys.
func TestKeysAtTheirEdges(t *testing.T) {
	const part = 3689348814741910323 // (2^64 - 1) / 5
	for n := range RoundingKey(5) {
		c := TrueCount{People: 20 + int64(n), Key: n * part}
		if got, _ := ProtectionRounded.PublishedCount(c).Number(); got != 20 {
			t.Errorf("%d with the key %d prints %d, want 20", c.People, c.Key, got)
		}
		if n == 0 {
			continue
		}
		c.Key--
		if got, _ := ProtectionRounded.PublishedCount(c).Number(); got != 25 {
			t.Errorf("%d with the key %d prints %d, want 25", c.People, c.Key, got)
		}
	}
}

// TestSmallGroupsAtTheirEdges holds P2 for every kind of part and whole.
func TestSmallGroupsAtTheirEdges(t *testing.T) {
	n, null := figure.CountOf, figure.Count{}
	for _, c := range []struct {
		count figure.Count
		want  bool
	}{{n(0), false}, {n(1), true}, {n(4), true}, {n(5), true}, {n(9), true}, {n(10), false}, {n(20), false},
		{null, false}} {
		if got := IsSmallGroup(c.count); got != c.want {
			t.Errorf("%v is small: %t", c.count, got)
		}
	}
	for _, c := range []struct {
		part, whole figure.Count
		want        bool
	}{
		{n(0), n(0), true}, {n(0), n(3), false}, {n(3), n(3), false}, {n(5), n(5), false}, {n(9), n(9), false},
		{n(10), n(5), false}, {n(9), n(10), false}, {n(10), n(10), true}, {n(0), n(10), false}, {n(3), n(15), false},
		{n(9), n(19), false}, {n(10), n(19), true}, {n(9), n(20), true}, {n(3), n(20), true}, {n(0), n(20), true},
	} {
		if got := MayPublishPart(c.part, c.whole); got != c.want {
			t.Errorf("%v of %v may be printed: %t", c.part, c.whole, got)
		}
	}
}

// TestSharesAtTheirEdges holds the smallest numbers of people for which a share is published, and of
// which it has one decimal.
func TestSharesAtTheirEdges(t *testing.T) {
	n := figure.CountOf
	text := func(s *figure.Tenths) string {
		if s == nil {
			return "null"
		}
		return string(figure.AppendTenths(nil, *s))
	}
	for _, c := range []struct {
		part, whole     int64
		want, residents string
	}{
		{10, 19, "null", "null"}, {10, 20, "50.0", "50.0"}, {336, 999, "34.0", "34.0"}, {336, 1000, "34.0", "33.6"},
		{1001, 1000, "100.0", "100.0"}, {3, 1000, "0.0", "0.3"},
	} {
		if got := text(PublishedShare(n(c.part), n(c.whole))); got != c.want {
			t.Errorf("%d of %d is %s, want %s", c.part, c.whole, got, c.want)
		}
		if got := text(ProtectionRounded.ResidentShare(n(c.part), n(c.whole))); got != c.residents {
			t.Errorf("%d of %d residents is %s, want %s", c.part, c.whole, got, c.residents)
		}
	}
}

// TestSharesOfSmallGroupsAreNull: the people of a borough who had the skill are a part of all people
// who had it. If these are few, the borough's share is null, for hired and for turned-down applicants.
func TestSharesOfSmallGroupsAreNull(t *testing.T) {
	for _, kind := range []OutcomeKind{OutcomeHired, OutcomeTurnedDownAnyReason} {
		for elsewhere, want := range map[int]string{3: "null", 22: "8.0"} {
			rules := Rules{Protection: ProtectionRounded, Places: NewPlaces([]string{"camden", "hackney"}, nil)}
			s := &SkillCountInput{}
			for i := range 30 { // 3 of 30 in camden
				s.People = append(s.People, Person{FilterCombination: FilterCombination{Borough: 1}, Outcome: kind,
					HadSkill: i < 3})
			}
			for i := range 25 {
				s.People = append(s.People, Person{FilterCombination: FilterCombination{Borough: 2}, Outcome: kind,
					HadSkill: i < elsewhere})
			}
			s.People[0].Key = fraction(.5) // 6 with this key print 5
			requireAll(s)
			rows, _ := rules.PublishedSkillCells(s)
			got := "no row"
			for _, r := range rows {
				share := map[OutcomeKind]*figure.Tenths{OutcomeHired: r.HiredWithSkillPct,
					OutcomeTurnedDownAnyReason: r.TurnedDownWithSkillPct}[kind]
				if r.Place == "camden" && share != nil {
					got = string(figure.AppendTenths(nil, *share))
				} else if r.Place == "camden" {
					got = "null"
				}
			}
			if got != want {
				t.Errorf("kind %d: with %d elsewhere camden prints %s, want %s", kind, elsewhere, got, want)
			}
		}
	}
}

// TestRowsWithOnlyAShare: a row is left out where all three of its values are null, and kept for
// either share.
func TestRowsWithOnlyAShare(t *testing.T) {
	for _, c := range []struct {
		kinds []OutcomeKind // of the 30 people in camden
		want  string
	}{
		{nil, "[none everywhere 5]"},
		{[]OutcomeKind{OutcomeHired}, "[none everywhere 5, place camden null]"},
		{[]OutcomeKind{OutcomeTurnedDownAnyReason}, "[none everywhere 5, place camden null]"},
	} {
		rules := Rules{Protection: ProtectionRounded, Places: NewPlaces([]string{"camden"}, nil)}
		s := &SkillCountInput{}
		for range 5 { // a small group everywhere; camden's part of it is null
			s.People = append(s.People, Person{FilterCombination: FilterCombination{Borough: 1},
				Outcome: OutcomeTurnedDownForLackOfSkill})
		}
		for _, kind := range c.kinds {
			for range 30 {
				s.People = append(s.People, Person{FilterCombination: FilterCombination{Borough: 1}, Outcome: kind, HadSkill: true})
			}
		}
		requireAll(s)
		rows, tally := rules.PublishedSkillCells(s)
		var got []string
		for _, r := range rows {
			printed := "null"
			if r.TurnedDown.Status() != figure.StatusNotPublished {
				printed = r.TurnedDown.String()
			}
			place := r.Place
			if place == "" {
				place = "everywhere"
			}
			got = append(got, strings.Join([]string{r.Signature, place, printed}, " "))
		}
		if text := "[" + strings.Join(got, ", ") + "]"; text != c.want ||
			tally != (ValueTally{Numbers: 1, WithinSmallGroup: 1}) {
			t.Errorf("%v: %s, want %s; tally %+v", c.kinds, text, c.want, tally)
		}
	}
}

// TestRowsAreInOrder: rows come by their filters, then by place, then by value.
func TestRowsAreInOrder(t *testing.T) {
	rules := Rules{Protection: ProtectionUnrounded, Places: NewPlaces([]string{"hackney", "camden"}, nil)}
	s := &SkillCountInput{FilterNames: FilterNames{Sectors: []string{"", "digital", "care"},
		Sources: []string{"", "platform"}}}
	for borough := uint16(1); borough <= 2; borough++ {
		for sector := uint16(1); sector <= 2; sector++ {
			s.RequiredCombinations = append(s.RequiredCombinations, FilterCombination{Borough: borough, Sector: sector})
		}
	}
	rows, _ := rules.PublishedSkillCells(s)
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprintf("%s|%s|%s", r.Signature, r.Place, r.Value))
	}
	want := []string{snapshots.Unfiltered + "||", snapshots.FilteredByPlace + "|camden|",
		snapshots.FilteredByPlace + "|hackney|", snapshots.FilteredByPlaceAndSector + "|camden|care",
		snapshots.FilteredByPlaceAndSector + "|camden|digital", snapshots.FilteredByPlaceAndSector + "|hackney|care",
		snapshots.FilteredByPlaceAndSector + "|hackney|digital", snapshots.FilteredBySector + "||care",
		snapshots.FilteredBySector + "||digital"}
	if !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

// TestHashOfTheSecret holds what a manifest says of a secret: printf '\0%.0s' {1..32} | sha256sum.
func TestHashOfTheSecret(t *testing.T) {
	const want = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
	if got := (RoundingSecret{}).SHA256(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestSmallestBaseOfAll: 265 is the first printed number of residents of whom 97 % are sure where all print.
func TestSmallestBaseOfAll(t *testing.T) {
	if got := SmallestBaseOfAll(); got != 265 {
		t.Errorf("all may print from %d on, want 265", got)
	}
}
