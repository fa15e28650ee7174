package disclosure

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// fraction returns a key that is a fraction of 1.
func fraction(f float64) RoundingKey { return RoundingKey(f * (1 << 32) * (1 << 32)) }

// TestTwelvePeople prints the world of the README, and holds the README's table against it.
func TestTwelvePeople(t *testing.T) {
	places := NewPlaces([]string{"camden", "islington"}, nil)
	const camden, islington, care, health = 1, 2, 1, 2
	s := &SkillCountInput{FilterNames: FilterNames{Sectors: []string{"", "care", "health"}}}
	keys := []float64{.10, .20, .30, .05, .15, .25, .85, .55, .05, .01, .02, .73}
	for i, key := range keys {
		c := FilterCombination{Borough: camden, Sector: care}
		if i == 7 || i == 8 {
			c.Sector = health
		}
		if i > 8 {
			c.Borough = islington
		}
		s.RequiredCombinations = append(s.RequiredCombinations, c)
		s.People = append(s.People,
			Person{FilterCombination: c, Outcome: OutcomeTurnedDownForLackOfSkill, Key: fraction(key)})
	}
	s.RequiredCombinations = append(s.RequiredCombinations, FilterCombination{Borough: islington, Sector: health})
	rules := Rules{Protection: ProtectionRounded, Places: places}
	rows, tally := rules.PublishedSkillCells(s)
	if want := (ValueTally{Numbers: 3, WithinSmallGroup: 6}); tally != want {
		t.Errorf("the tally is %+v, want %+v", tally, want)
	}
	printed := map[string]string{}
	for _, r := range rows {
		words := slices.DeleteFunc([]string{r.Place, r.Value}, func(word string) bool { return word == "" })
		printed[strings.Join(words, ", ")] = r.TurnedDown.String()
	}
	printed["everywhere"] = printed[""]
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile("(?m)^\\| ([a-z, ]+) \\| [0-9]+ \\| [0-9.]+ \\| `(.*?)` \\|").FindAllStringSubmatch(
		string(readme), -1)
	if len(lines) != 9 {
		t.Fatalf("%d rows in the README", len(lines))
	}
	for _, line := range lines {
		if got := printed[line[1]]; got != line[2] && (got != "" || line[2] != "null") {
			t.Errorf("%s prints %q, the README has %s", line[1], got, line[2])
		}
	}
}

// TestTally counts the cells by what they print, of those only that can be asked for.
func TestTally(t *testing.T) {
	s := &SkillCountInput{FilterNames: FilterNames{Sectors: []string{"", "care", "health"}}}
	for i := range 29 {
		c := FilterCombination{Borough: 1, Sector: 1}
		if i > 24 {
			c.Sector = 2
		}
		s.People = append(s.People, Person{FilterCombination: c, Outcome: OutcomeTurnedDownForLackOfSkill})
	}
	for i := range 2 {
		s.People = append(s.People, Person{FilterCombination: FilterCombination{Borough: 2, Sector: uint16(1 + i)},
			Outcome: OutcomeTurnedDownForLackOfSkill})
	}
	rules := Rules{Protection: ProtectionRounded, Places: NewPlaces([]string{"camden", "islington"}, nil)}
	requireAll(s)
	// Everywhere 31, care 26, health 5; camden 29, 25 and 4; islington 2, 1 and 1.
	rows, tally := rules.PublishedSkillCells(s)
	if want := (ValueTally{Numbers: 5, UnderFive: 1, WithinSmallGroup: 3}); tally != want || len(rows) != 6 {
		t.Errorf("%+v in %d rows, want %+v in 6", tally, len(rows), want)
	}
	rules.IsAnswerable = func(c Cell) bool { return c.Place != "" && c.Value != "care" }
	rows, tally = rules.PublishedSkillCells(s)
	if want := (ValueTally{Numbers: 1, UnderFive: 1, WithinSmallGroup: 2}); tally != want || len(rows) != 2 {
		t.Errorf("%+v in %d rows, want %+v in 2: what cannot be asked for counts nowhere", tally, len(rows), want)
	}
}

// TestRecordKey holds the key of a record against one that was worked out elsewhere:
// printf 'care-planning\0r-1' | openssl dgst -sha256 -mac HMAC -macopt hexkey:00…00.
func TestRecordKey(t *testing.T) {
	secret, err := ParseSecret(strings.Repeat("00", RoundingSecretSize))
	if err != nil {
		t.Fatal(err)
	}
	keys := secret.NewRoundingKeys()
	if got := keys.KeyOf("care-planning", "r-1"); got != 0xc83686af9fd7e8b9 {
		t.Errorf("%#x", got)
	}
	if keys.KeyOf("a", "bc") == keys.KeyOf("ab", "c") {
		t.Error("a scope and an id are not told apart")
	}
	for _, text := range []string{"", "00", strings.Repeat("00", 31), strings.Repeat("0g", 32),
		strings.Repeat("00", 33)} {
		if _, err := ParseSecret(text); err == nil {
			t.Errorf("%q is taken for a secret", text)
		}
	}
}

// TestDrawIsFair holds that what is printed of a count is on average the count, over keys that are
// spread evenly, and at most 4 from it.
func TestDrawIsFair(t *testing.T) {
	const keys = 10_000
	for n := range int64(40) {
		sum := 0.0
		for i := range keys {
			c := ProtectionRounded.PublishedCount(TrueCount{n, fraction((float64(i) + .5) / keys)})
			if n < 5 {
				if c != figure.CountOf(n) {
					t.Fatalf("%d prints %v", n, c)
				}
				continue
			}
			printed, ok := c.Number()
			if !ok || printed%5 != 0 || printed-n > 4 || n-printed > 4 || n%5 == 0 && printed != n {
				t.Fatalf("%d prints %v", n, c)
			}
			sum += float64(printed)
		}
		if mean := sum / keys; n >= 5 && math.Abs(mean-float64(n)) > .001 {
			t.Errorf("%d prints %.4f on average", n, mean)
		}
	}
}

// drawSkill draws the people of a skill over a few places, sectors, occupations and levels.
func drawSkill(t *rapid.T) (Rules, *SkillCountInput) {
	places := NewPlaces([]string{"a", "b", "c"}, []Area{{"ab", []string{"a", "b"}}, {"all", []string{"a", "b", "c"}},
		{"bc", []string{"b", "c"}}})
	s := &SkillCountInput{FilterNames: FilterNames{Sectors: []string{"", "care", "digital"},
		Sources: []string{"", "platform"}}}
	for range rapid.IntRange(0, 60).Draw(t, "people") {
		c := FilterCombination{Borough: uint16(rapid.IntRange(0, 3).Draw(t, "borough")),
			Sector: uint16(rapid.IntRange(0, 2).Draw(t, "sector")),
			SOC:    ParseSOC(rapid.SampledFrom([]string{"", "21", "2134", "2136", "6135"}).Draw(t, "soc")),
			Level:  uint8(rapid.IntRange(0, 2).Draw(t, "level")), Source: 1}
		s.RequiredCombinations = append(s.RequiredCombinations, c)
		s.People = append(s.People, Person{FilterCombination: c, Outcome: OutcomeKind(rapid.IntRange(0, 2).Draw(t, "kind")),
			HadSkill: rapid.Bool().Draw(t, "had"),
			Key:      RoundingKey(rapid.Uint64().Draw(t, "key"))})
	}
	return Rules{Protection: ProtectionRounded, Places: places}, s
}

// cellPeople returns the people of a kind in a cell, counted by hand.
func cellPeople(r *Rules, s *SkillCountInput, c Cell, kind OutcomeKind) (people []int) {
	for i, p := range s.People {
		inPlace := c.Place == ""
		for _, place := range r.Places.PlacesContaining(p.Borough) {
			inPlace = inPlace || r.Places.Slug(int(place)) == c.Place
		}
		filter := snapshots.WithoutPlaceFilter(c.Signature)
		soc := ""
		if p.SOC != 0 {
			soc = p.SOC.String()
		}
		met := map[string]bool{snapshots.Unfiltered: true, snapshots.FilteredBySector: s.Sectors[p.Sector] == c.Value,
			snapshots.FilteredBySOC:    strings.HasPrefix(soc, c.Value),
			snapshots.FilteredByLevel:  string(rune('0'+p.Level)) == c.Value,
			snapshots.FilteredBySource: s.Sources[p.Source] == c.Value}
		if p.Outcome == kind && inPlace && met[filter] {
			people = append(people, i)
		}
	}
	return people
}

// TestRulesOfACell holds, of every printed cell of drawn skills, P1, P2 and that the same people print
// the same wherever they are counted.
func TestRulesOfACell(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules, s := drawSkill(rt)
		rows, _ := rules.PublishedSkillCells(s)
		sets := map[string]figure.Count{}
		of := map[Cell][]int{}
		for _, r := range rows {
			of[r.Cell] = cellPeople(&rules, s, r.Cell, OutcomeTurnedDownForLackOfSkill)
		}
		for _, r := range rows {
			n := int64(len(of[r.Cell]))
			printed, ok := r.TurnedDown.Number()
			switch {
			case r.TurnedDown.Status() == figure.StatusNotPublished:
				continue
			case n > 0 && n < 5 && r.TurnedDown.Status() != figure.StatusUnderFive, n == 0 && (!ok || printed != 0),
				n >= 5 && (!ok || printed%5 != 0 || printed-n > 4 || n-printed > 4):
				rt.Fatalf("%+v of %d people prints %v", r.Cell, n, r.TurnedDown)
			}
			var set strings.Builder
			for _, i := range of[r.Cell] {
				set.WriteByte(byte(i + 32))
			}
			if before, seen := sets[set.String()]; seen && before != r.TurnedDown {
				rt.Fatalf("%+v prints %v, and the same people %v elsewhere", r.Cell, r.TurnedDown, before)
			}
			sets[set.String()] = r.TurnedDown
			for _, whole := range rows {
				below := whole.Cell != r.Cell && isPart(&rules, r.Cell, whole.Cell)
				if w, _ := whole.TurnedDown.Number(); below && IsSmallGroup(whole.TurnedDown) || below &&
					whole.TurnedDown.Status() == figure.StatusNumber && w == 0 && n > 0 {
					rt.Fatalf("%+v prints %v below %+v, which prints %v", r.Cell, r.TurnedDown, whole.Cell,
						whole.TurnedDown)
				}
				if w, _ := whole.TurnedDown.Number(); below && w > 0 && w < 20 && printed < 10 {
					rt.Fatalf("%+v prints %v below %+v, which prints %d", r.Cell, r.TurnedDown, whole.Cell, w)
				}
			}
		}
	})
}

// isPart reports whether every person who may be in a cell is in another, by their names.
func isPart(r *Rules, part, whole Cell) bool {
	in := map[string][]string{"": {"a", "b", "c", "-"}, "ab": {"a", "b"}, "bc": {"b", "c"}, "all": {"a", "b", "c"}}
	boroughs := func(place string) []string {
		if list, ok := in[place]; ok {
			return list
		}
		return []string{place}
	}
	for _, b := range boroughs(part.Place) {
		if !slices.Contains(boroughs(whole.Place), b) {
			return false
		}
	}
	f, g := snapshots.WithoutPlaceFilter(part.Signature), snapshots.WithoutPlaceFilter(whole.Signature)
	return g == snapshots.Unfiltered || f == g && (part.Value == whole.Value || f == snapshots.FilteredBySOC &&
		strings.HasPrefix(part.Value, whole.Value))
}

// TestShares holds P3 and P4: of printed counts, never above 100, none of fewer than 20.
func TestShares(t *testing.T) {
	n := figure.CountOf
	for _, tt := range []struct {
		part, whole figure.Count
		want        string
	}{{n(10), n(20), "50.0"}, {n(25), n(20), "100.0"}, {n(3), n(20), "13.0"}, {n(0), n(25), "0.0"}, {n(10), n(15), ""},
		{figure.Count{}, n(100), ""}, {n(5), n(3), ""}} {
		got := ""
		if s := PublishedShare(tt.part, tt.whole); s != nil {
			got = string(figure.AppendTenths(nil, *s))
		}
		if got != tt.want {
			t.Errorf("%v of %v is %q, want %q", tt.part, tt.whole, got, tt.want)
		}
	}
}

// TestSharesOfResidentsAreNeverTooLarge holds the largest shares of P4, by hand: of few residents it is
// that of all but 2.5, and of 265 and more, of whom at least 97 % are below, it is 100.
func TestSharesOfResidentsAreNeverTooLarge(t *testing.T) {
	n := figure.CountOf
	for _, tt := range []struct {
		protection  Protection
		part, whole int64
		want        string
	}{
		{ProtectionRounded, 335, 1000, "33.5"}, {ProtectionRounded, 20, 20, "88.0"}, {ProtectionRounded, 25, 20, "88.0"},
		{ProtectionRounded, 15, 20, "75.0"},
		{ProtectionRounded, 60, 60, "96.0"}, {ProtectionRounded, 65, 60, "96.0"}, {ProtectionRounded, 55, 60, "92.0"},
		{ProtectionRounded, 260, 260, "99.0"},
		{ProtectionRounded, 265, 265, "100.0"}, {ProtectionRounded, 1000, 1000, "100.0"},
		{ProtectionUnrounded, 60, 60, "100.0"},
	} {
		s := tt.protection.ResidentShare(n(tt.part), n(tt.whole))
		if s == nil || string(figure.AppendTenths(nil, *s)) != tt.want {
			t.Errorf("%d of %d residents, %s: %v tenths, want %s", tt.part, tt.whole, tt.protection, s, tt.want)
		}
	}
}

// TestAllResidentsAreNearlyAll holds, of every number of residents up to 2,000 and every draw, that a
// printed 100 % is truly 97 % or more, and that what is printed is never above what all would print.
func TestAllResidentsAreNearlyAll(t *testing.T) {
	whole := 0
	for all := int64(20); all <= 2000; all++ {
		for below := all - 2*figure.RoundingStep; below <= all; below++ {
			for draw := range int64(4) {
				part, of := figure.RoundedCount(below, draw&1 > 0), figure.RoundedCount(all, draw&2 > 0)
				if s := ProtectionRounded.ResidentShare(part, of); *s == everybody {
					whole++
					if 100*below < 97*all {
						t.Fatalf("%d of %d residents print as %v of %v, and as 100 %%", below, all, part, of)
					}
				}
			}
		}
	}
	if whole == 0 {
		t.Error("no share of 100 %")
	}
}

// TestFourWhoHaveTheSkill holds four boroughs of 22 residents each, of whom four have the skill:
// nearest rounding would give these four away, since 20 each and 90 in all force 22 each. Whatever
// the draw, nobody's share of a borough tells their number, and all residents print the same for
// every level.
func TestFourWhoHaveTheSkill(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := Rules{Protection: ProtectionRounded, Places: NewPlaces([]string{"a", "b", "c", "d"}, nil)}
		of := make(ResidentCounts, 5)
		for b := 1; b <= 4; b++ {
			of[b][0], of[b][3] = TrueCount{18, RoundingKey(rapid.Uint64().Draw(rt, "without"))},
				TrueCount{4, RoundingKey(rapid.Uint64().Draw(rt, "with"))}
		}
		for place, levels := range rules.PublishedResidentShares(of) {
			for l, share := range levels {
				if share != nil && (*share < 0 || *share > everybody) {
					rt.Fatalf("place %d below %d: %d tenths", place, l+1, *share)
				}
			}
			if levels[0] != nil && levels[1] != nil && *levels[0] != *levels[1] {
				rt.Fatalf("place %d: the same residents print %v and %v", place, *levels[0], *levels[1])
			}
		}
	})
}

// TestResidentsOfSmallPlaces holds that nothing is printed of a place with fewer than 10 printed, nor
// below a group of holders that is small in a wider place.
func TestResidentsOfSmallPlaces(t *testing.T) {
	rules := Rules{Protection: ProtectionRounded, Places: NewPlaces([]string{"a", "b"}, nil)}
	of := ResidentCounts{{}, {{40, 0}, {}, {}, {}, {}, {}}, {{36, 0}, {}, {}, {3, 0}, {}, {}}}
	shares := rules.PublishedResidentShares(of)
	if shares[0][2] == nil || shares[2][2] != nil || shares[1][2] != nil {
		t.Errorf("everywhere %v, with holders %v, without %v: the holders are %q everywhere, and are not divided",
			shares[0][2], shares[2][2], shares[1][2], figure.UnderFiveText)
	}
	if shares[1][3] == nil { // nobody is at level 4: below a 0 is 0
		t.Error("nothing is printed where nobody has the level")
	}
}
