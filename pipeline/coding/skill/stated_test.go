package skill

import (
	"slices"
	"testing"
)

// TestStatedLevels holds that a level is read only from the phrase of the skill itself.
func TestStatedLevels(t *testing.T) {
	r := load(t)
	for _, c := range []struct {
		text, skill string
		want        Level
	}{
		// A level word in the phrase counts.
		{"Excellent communication and organisational skills.", "organisation", Advanced},
		{"Excellent written and verbal communication skills.", "communication", Advanced},
		{"You need strong knowledge of SQL and Python.", "python", Advanced},
		{"Advanced Excel skills are needed.", "excel", Advanced},
		{"You have good knowledge of Word, Excel and PowerPoint.", "powerpoint", Working},
		{"Two years of experience in sales.", "sales", Working},
		{"At least 5 years experience in customer service.", "customer-care", Advanced},
		{"You are fluent in French.", "french", Advanced},
		{"A strong team player is needed.", "team-working", Advanced},
		{"You have an awareness of safeguarding.", "safeguarding", Entry},
		{"You have a good understanding of safeguarding.", "safeguarding", Working},
		{"You need working knowledge of SQL.", "sql", Working},
		{"You have significant experience in project management.", "project-management", Advanced},
		{"You need strong SQL Python.", "python", Advanced},
		{"You are a confident communicator.", "communication", Working},
		// One that belongs to something else does not.
		{"Strong interpersonal skills and the ability to work independently are needed.", "initiative", Unknown},
		{"Strong interpersonal skills, able to work independently.", "initiative", Unknown},
		{"You will be working very closely with families to offer personal care.", "personal-care", Unknown},
		{"You will be working closely with the team as a team player.", "team-working", Unknown},
		{"You deal with complaints from customers.", "customer-complaints", Unknown},
		{"You are competent to deal with complaints from customers.", "customer-complaints", Unknown},
		{"Maintain a vigilant awareness of safeguarding.", "safeguarding", Unknown},
		{"You raise awareness of safeguarding.", "safeguarding", Unknown},
		{"You will deliver excellent customer service.", "customer-care", Unknown},
		{"You will build strong relationships with clients.", "relationship-building", Unknown},
		{"You develop good working relationships with partners.", "relationship-building", Unknown},
		{"You will be working with children with learning disabilities.", "special-needs-education", Unknown},
		{"A good deal of cleaning is part of the job.", "cleaning", Unknown},
		{"A comprehensive range of administrative duties awaits you.", "administration", Unknown},
		{"You like a strong coffee and plumbing.", "plumbing", Unknown},
		{"Excellent opportunity for a plumber with plumbing experience.", "plumbing", Unknown},
		{"You have a good sense of humour and do cleaning.", "cleaning", Unknown},
		{"Practical cleaning and some evening work.", "cleaning", Unknown},
		{"You support basic printing, operating systems, Excel.", "excel", Unknown},
		{"An expert team; you need Python.", "python", Unknown},
		{"You join a skilled team and use Python.", "python", Unknown},
		{"You need a driving licence and excellent driving skills.", "driving-car-van", Unknown},
		{"Good food hygiene certificate needed.", "food-hygiene", Unknown},
		{"You have a strong DBS check record: an enhanced DBS check is needed.", "dbs-check", Unknown},
		{"In a good school you do cleaning.", "cleaning", Unknown},
	} {
		found := r.Recognise(c.text)
		i := slices.IndexFunc(found, func(f Found) bool { return f.Skill == c.skill })
		if i < 0 {
			t.Errorf("%q: %s not found in %v", c.text, c.skill, found)
		} else if found[i].Level != c.want {
			t.Errorf("%q: %s at level %d, want %d", c.text, c.skill, found[i].Level, c.want)
		}
	}
}

// TestUsualLevels holds what the register says of the level that an advert means which states none: a
// licence is held or not, and no advert means an expert without a word.
func TestUsualLevels(t *testing.T) {
	licences := 0
	for _, s := range load(t).Skills() {
		switch {
		case s.Licence():
			licences++
			if s.Level != Entry || s.UsualLevel() != Entry || s.LevelName(Entry) != "held" {
				t.Errorf("%s is a licence of level %d, %q", s.Slug, s.Level, s.LevelName(Entry))
			}
		case s.UsualLevel() != s.Level || s.Level > Advanced || s.LevelName(s.Level) != s.Level.Name():
			t.Errorf("%s is usually asked at %d", s.Slug, s.Level)
		}
	}
	for _, slug := range []string{"dbs-check", "driving-car-van", "food-hygiene", "first-aid", "nmc-registration",
		"english-maths-gcse", "forklift"} {
		if s, ok := load(t).Lookup(slug); !ok || !s.Licence() {
			t.Errorf("%s is no licence", slug)
		}
	}
	if licences == 0 {
		t.Error("no licence")
	}
}
