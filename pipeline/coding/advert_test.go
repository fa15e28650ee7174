package coding

import (
	"fmt"
	"testing"

	"labour/pipeline/coding/occupation"
	"labour/pipeline/coding/place"
	"labour/pipeline/coding/skill"
	"labour/sources"
)

// TestOccupationAndSectorOfAnAdvert: a unit group that the publisher states counts, otherwise the
// title; the route that it states is the sector, otherwise that of the occupation.
func TestOccupationAndSectorOfAnAdvert(t *testing.T) {
	c := coder(t)
	const health, digital = "health-and-science", "digital"
	for _, tt := range []struct {
		name, soc, title, route string
		want, sector            string
		titled                  bool // the title was coded
	}{
		{"a unit group", "2134", "Nurse", "", "2134", digital, false},
		{"no unit group", "9998", "Nurse", "", "2237", health, true},
		{"a larger group", "213", "Nurse", "", "2237", health, true},
		{"a group of two digits", "21", "Nurse", "", "2237", health, true},
		{"none", "", "Nurse", "", "2237", health, true},
		{"a route", "", "Nurse", "Digital", "2237", digital, true},
		{"a route and a unit group", "2237", "Xyzzy", "Digital", "2237", digital, false},
		{"no such route", "2237", "Xyzzy", "Nowhere", "2237", health, false},
		{"nothing", "", "Xyzzy", "", "", "", true},
	} {
		got := c.CodeAdvert(&sources.Advert{SOC: tt.soc, Title: tt.title, Route: tt.route})
		if got.SOC != tt.want || got.Sector != tt.sector {
			t.Errorf("%s: the occupation is %q and the sector %q, want %q and %q", tt.name, got.SOC, got.Sector, tt.want,
				tt.sector)
		}
		if titled := got.Title != (occupation.Coding{}); titled != (tt.titled && tt.want != "") {
			t.Errorf("%s: the title was coded to %+v", tt.name, got.Title)
		}
	}
}

// TestTextsDecideDoubtfulTitles: the text, the department and the employer count for a title that
// is known by single words or not at all, and not for one that is known as a whole.
func TestTextsDecideDoubtfulTitles(t *testing.T) {
	c := coder(t)
	context := occupation.AdvertContext{Text: "You will care for residents in a care home. You will teach maths in " +
		"our school.",
		Department: "Kitchen", Employer: "Primary School"}
	doubtful := false
	for range 2 { // a remembered title is decided again
		for _, title := range []string{"Assistant Manager", "Engineer", "Xyzzy", "Nurse"} {
			got := c.CodeAdvert(&sources.Advert{Title: title, Text: context.Text, Department: context.Department,
				Employer: context.Employer}).Title
			alone, within := c.Occupations.CodeTitle(title), c.Occupations.CodeTitleInContext(title, context)
			doubtful = doubtful || alone != within
			if got != within || title == "Nurse" && alone.Confidence != 1 {
				t.Errorf("%s is %+v, want %+v (alone %+v)", title, got, within, alone)
			}
		}
	}
	if !doubtful {
		t.Error("no title is doubtful")
	}
}

// TestTitlesThatAreKept: a title is coded once, and the store of titles starts again when
// they are too many.
func TestTitlesThatAreKept(t *testing.T) {
	c := coder(t)
	soc := func(title string) string { return c.CodeAdvert(&sources.Advert{Title: title}).SOC }
	if got := soc("Nurse"); got != "2237" || len(c.titles) != 1 {
		t.Fatalf("a nurse is %q, kept are %d titles", got, len(c.titles))
	}
	c.titles["Nurse"] = occupation.Coding{SOC: "2134", MatchedBy: occupation.MatchWholeTitle}
	if got := soc("Nurse"); got != "2134" {
		t.Errorf("a title that is kept is coded again: %q", got)
	}
	for i := len(c.titles); i < maxCachedTitles-1; i++ {
		c.titles[fmt.Sprint(i)] = occupation.Coding{}
	}
	if soc("Tutor"); len(c.titles) != maxCachedTitles {
		t.Errorf("kept are %d titles, want %d", len(c.titles), maxCachedTitles)
	}
	if soc("Teacher"); len(c.titles) != 1 {
		t.Errorf("kept are %d titles, want the last alone", len(c.titles))
	}
}

// TestReadableAdverts: an advert has skills if it has a text of more than spaces, or a list of skills.
func TestReadableAdverts(t *testing.T) {
	c := coder(t)
	for _, tt := range []struct {
		text   string
		wanted []sources.ListedSkill
		want   bool
	}{
		{"", nil, false}, {" \n\t", nil, false}, {"a", nil, true}, {"", []sources.ListedSkill{{}}, true},
		{"a", []sources.ListedSkill{{}}, true},
	} {
		got := c.CodeAdvert(&sources.Advert{Text: tt.text, Wanted: tt.wanted})
		if got.Readable != tt.want || (got.Skills != nil) != tt.want {
			t.Errorf("%q with %d skills: readable %t, %v", tt.text, len(tt.wanted), got.Readable, got.Skills)
		}
	}
}

// TestLevelsThatAreStated: a level from 1 to 5 counts, of a skill that is no licence.
func TestLevelsThatAreStated(t *testing.T) {
	c := coder(t)
	python, _ := c.Skills.FindIndexByLabel("python")
	licence, _ := c.Skills.FindIndexByLabel("dbs-check")
	for level, want := range map[int]skill.Level{-1: 0, 0: 0, 1: 1, 2: 2, 5: 5, 6: 0} {
		if got := c.statedLevel(python, level); got != want {
			t.Errorf("level %d is %d, want %d", level, got, want)
		}
		if got := c.statedLevel(licence, level); got != skill.LevelUnknown {
			t.Errorf("level %d of a licence is %d", level, got)
		}
	}
}

// TestOwnSkillsReplaceTheBuiltIn: a register of skills that is given is used, the others are those
// of the program.
func TestOwnSkillsReplaceTheBuiltIn(t *testing.T) {
	own := coder(t).Skills
	given := &skill.Register{}
	for _, want := range []*skill.Register{own, given} {
		r, err := LoadRegisters(want)
		if err != nil || r.Skills != want || r.Occupations == nil || r.Sectors == nil {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// TestNotedTitles: a title is noted if it has no code, a code of fewer than four digits, or a code
// with less confidence than a sure one. A code that the publisher states is sure.
func TestNotedTitles(t *testing.T) {
	for _, tt := range []struct {
		soc    string
		title  occupation.Coding
		listed string
	}{
		{"", occupation.Coding{}, "uncoded"}, {"2237", occupation.Coding{}, ""}, {"22", occupation.Coding{}, ""},
		{"2237", occupation.Coding{SOC: "2237", Confidence: certainConfidence}, ""},
		{"2237", occupation.Coding{SOC: "2237", Confidence: .59}, "doubted"},
		{"223", occupation.Coding{SOC: "223", Confidence: 1}, "doubted"},
	} {
		var n Notes
		coded := CodedAdvert{Place: place.Coding{Country: place.CountryUK}, SOC: tt.soc, Title: tt.title}
		n.Add(&sources.Advert{Title: "x"}, &coded)
		if err := n.WriteFile(t.TempDir() + "/notes.json"); err != nil {
			t.Fatal(err)
		}
		got := map[[2]int]string{{0, 0}: "", {1, 0}: "uncoded", {0, 1}: "doubted"}[[2]int{len(n.Uncoded), len(n.Doubted)}]
		if got != tt.listed {
			t.Errorf("%q by %+v is listed as %q, want %q", tt.soc, tt.title, got, tt.listed)
		}
	}
}
