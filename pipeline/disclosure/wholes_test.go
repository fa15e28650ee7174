package disclosure

import (
	"slices"
	"strings"
	"testing"
)

// TestPlainCountsAreExact: without rounding, a count from 5 on prints itself, whatever its key.
func TestPlainCountsAreExact(t *testing.T) {
	for people, want := range map[int64]string{0: "0", 1: "<5", 4: "<5", 5: "5", 6: "6", 9: "9", 23: "23"} {
		for _, key := range []RoundingKey{0, ^RoundingKey(0)} {
			if got := ProtectionUnrounded.PublishedCount(TrueCount{people, key}).String(); got != want {
				t.Errorf("%d with the key %d prints %s, want %s", people, key, got, want)
			}
		}
	}
}

// TestKeysDoNotDependOnEarlierOnes: a record has the same key whichever records come before it.
func TestKeysDoNotDependOnEarlierOnes(t *testing.T) {
	keys := RoundingSecret{}.NewRoundingKeys()
	first := keys.KeyOf("care-planning", "r-1")
	other := keys.KeyOf("care-planning", "r-2")
	if again := keys.KeyOf("care-planning", "r-1"); again != first || other == first {
		t.Errorf("%#x, then %#x; another record %#x", first, again, other)
	}
}

// TestAnAreaOfTheNameOfABorough: people of a borough count in it, also where an area has the same slug.
func TestAnAreaOfTheNameOfABorough(t *testing.T) {
	p := NewPlaces([]string{"camden", "hackney"}, []Area{{"hackney", []string{"camden"}}})
	if got := p.BoroughNumber("hackney"); got != 2 {
		t.Errorf("hackney has the number %d, want 2", got)
	}
}

// TestWholesOfResidents holds which counts contain a count of residents: all residents of the same
// place, and in each larger place all residents and those of the same levels.
func TestWholesOfResidents(t *testing.T) {
	p := NewPlaces([]string{"a", "b"}, []Area{{"area-a", []string{"a"}}, {"area-ab", []string{"a", "b"}}})
	const everywhere, a, b, areaA, areaAB = 0, 1, 2, 3, 4
	at := func(place, cell int) int { return place*perPlace + cell }
	for _, c := range []struct {
		place, cell int
		want        []int
	}{
		{everywhere, allResidents, nil},
		{everywhere, belowLevel + 2, []int{at(everywhere, allResidents)}},
		{areaAB, allResidents, []int{at(everywhere, allResidents)}},
		{areaAB, atLevel + 5, []int{at(areaAB, allResidents), at(everywhere, allResidents), at(everywhere, atLevel+5)}},
		{a, allResidents, []int{at(everywhere, allResidents), at(areaAB, allResidents)}},
		{a, belowLevel + 1, []int{at(a, allResidents), at(everywhere, allResidents), at(everywhere, belowLevel+1),
			at(areaAB, allResidents), at(areaAB, belowLevel+1)}},
		{b, atLevel + 1, []int{at(b, allResidents), at(everywhere, allResidents), at(everywhere, atLevel+1),
			at(areaAB, allResidents), at(areaAB, atLevel+1)}},
		{areaA, atLevel + 3, []int{at(areaA, allResidents), at(everywhere, allResidents), at(everywhere, atLevel+3),
			at(areaAB, allResidents), at(areaAB, atLevel+3)}},
	} {
		var got []int
		for _, whole := range p.aboveResidents(at(c.place, c.cell)) {
			got = append(got, int(whole))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("count %d of place %d is in %v, want %v", c.cell, c.place, got, c.want)
		}
	}
}

// TestOccupationsOfEveryLength: a person with a code of four digits counts under each of its
// prefixes, and each of these contains the longer ones.
func TestOccupationsOfEveryLength(t *testing.T) {
	s := &SkillCountInput{People: []Person{{FilterCombination: FilterCombination{SOC: ParseSOC("2134")}}}}
	rules := Rules{Protection: ProtectionUnrounded, Places: NewPlaces(nil, nil)}
	rows, _ := rules.PublishedSkillCells(s)
	var values []string
	for _, r := range rows {
		values = append(values, r.Signature+" "+r.Value)
	}
	if got := strings.Join(values, ", "); got != "none , soc 2, soc 21, soc 213, soc 2134" {
		t.Errorf("counted under %s", got)
	}
	soc := func(code string) filter { return filter{occupation, uint16(ParseSOC(code))} }
	for _, c := range []struct {
		part filter
		want []filter
	}{
		{filter{}, nil}, {filter{sector, 3}, []filter{{}}}, {filter{level, 3}, []filter{{}}},
		{filter{source, 3}, []filter{{}}}, {soc("2"), []filter{{}}}, {soc("21"), []filter{{}, soc("2")}},
		{soc("2134"), []filter{{}, soc("213"), soc("21"), soc("2")}},
		{soc("0012"), []filter{{}, soc("001"), soc("00"), soc("0")}},
	} {
		if got := c.part.widerFilters(); !slices.Equal(got, c.want) {
			t.Errorf("%v is in %v, want %v", c.part, got, c.want)
		}
	}
}
