package coding

import (
	"reflect"
	"testing"

	"labour/pipeline/coding/place"
	"labour/pipeline/coding/skill"
	"labour/sources"
)

func coder(t *testing.T) *Coder {
	t.Helper()
	registers, err := LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	places, faults := place.NewGazetteer(nil, nil, nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return &Coder{Registers: registers, Gazetteer: places}
}

// TestSkillsAreJoined checks that the highest stated level of any origin counts, that the skills of an
// apprenticeship get no made-up level, and that a licence has no level.
func TestSkillsAreJoined(t *testing.T) {
	c := coder(t)
	asked := func(slug string, level skill.Level) SkillLevel {
		number, _ := c.Skills.FindIndexByLabel(slug)
		return SkillLevel{Skill: slug, Number: int16(number), Level: level}
	}
	for _, k := range []struct {
		name   string
		wanted []sources.ListedSkill
		text   string
		course int
		want   []SkillLevel
	}{
		{"the publisher's level is higher", []sources.ListedSkill{{Skill: "python", Level: 4}}, "You have basic Python.", 0,
			[]SkillLevel{asked("python", 4)}},
		{"the text's level is higher", []sources.ListedSkill{{Skill: "python", Level: 1}}, "You need expert Python.", 0,
			[]SkillLevel{asked("python", 5)}},
		{"one of two states none", []sources.ListedSkill{{Skill: "python"}, {Skill: "python", Level: 2}}, "", 0,
			[]SkillLevel{asked("python", 2)}},
		{"nobody states one", []sources.ListedSkill{{Skill: "sql"}, {Skill: "python"}}, "", 3,
			[]SkillLevel{asked("python", 0), asked("sql", 0)}},
		{"a licence", []sources.ListedSkill{{Skill: "dbs-check", Level: 4}, {Skill: "food-hygiene", Level: 2}}, "", 0,
			[]SkillLevel{asked("dbs-check", 0), asked("food-hygiene", 0)}},
		{"not a level, not a skill", []sources.ListedSkill{{Skill: "python", Level: 9}, {Skill: "no such skill"}}, "", 0,
			[]SkillLevel{asked("python", 0)}},
		{"nothing", nil, "", 0, []SkillLevel{}},
	} {
		a := sources.Advert{Title: "Post", Text: k.text, Wanted: k.wanted, CourseLevel: k.course}
		for range 2 { // the buffers of the first advert must not show in the second
			if got := c.CodeAdvert(&a).Skills; !reflect.DeepEqual(append([]SkillLevel{}, got...), k.want) {
				t.Errorf("%s: %v, want %v", k.name, got, k.want)
			}
		}
	}
}

// TestTitlesAreRemembered holds that a title has the same occupation whenever it is read.
func TestTitlesAreRemembered(t *testing.T) {
	c := coder(t)
	for _, title := range []string{"Nurse", "Software Engineer", "Xyzzy", "Nurse", "Xyzzy", "Software Engineer"} {
		a := sources.Advert{Title: title}
		if got, want := c.CodeAdvert(&a).SOC, c.Occupations.CodeTitle(title).SOC; got != want {
			t.Errorf("%s: %q, want %q", title, got, want)
		}
	}
}

func BenchmarkCode(b *testing.B) {
	registers, err := LoadRegisters(nil)
	if err != nil {
		b.Fatal(err)
	}
	places, faults := place.NewGazetteer(nil, nil, nil)
	if len(faults) > 0 {
		b.Fatal(faults)
	}
	c := &Coder{Registers: registers, Gazetteer: places}
	a := sources.Advert{Title: "Senior data analyst", Wanted: []sources.ListedSkill{{Skill: "sql", Level: 3}},
		Text: "We are looking for an analyst. You have strong Python and working knowledge of Excel.\nBenefits\n" +
			"We use Slack.\n"}
	b.ReportAllocs()
	for b.Loop() {
		c.CodeAdvert(&a)
	}
}
