package skill

import (
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
		{"Excellent communication and organisational skills.", "organisation", LevelAdvanced},
		{"Excellent written and verbal communication skills.", "communication", LevelAdvanced},
		{"You need strong knowledge of SQL and Python.", "python", LevelAdvanced},
		{"Advanced Excel skills are needed.", "excel", LevelAdvanced},
		{"You have good knowledge of Word, Excel and PowerPoint.", "powerpoint", LevelWorking},
		{"Two years of experience in sales.", "sales", LevelWorking},
		{"At least 5 years experience in customer service.", "customer-care", LevelAdvanced},
		{"You are fluent in French.", "french", LevelAdvanced},
		{"A strong team player is needed.", "team-working", LevelAdvanced},
		{"You have an awareness of safeguarding.", "safeguarding", LevelEntry},
		{"You have a good understanding of safeguarding.", "safeguarding", LevelWorking},
		{"You need working knowledge of SQL.", "sql", LevelWorking},
		{"You have significant experience in project management.", "project-management", LevelAdvanced},
		{"You need strong SQL Python.", "python", LevelAdvanced},
		{"You are a confident communicator.", "communication", LevelWorking},
		// One that belongs to something else does not.
		{"Strong interpersonal skills and the ability to work independently are needed.", "initiative", LevelUnknown},
		{"Strong interpersonal skills, able to work independently.", "initiative", LevelUnknown},
		{"You will be working very closely with families to offer personal care.", "personal-care", LevelUnknown},
		{"You will be working closely with the team as a team player.", "team-working", LevelUnknown},
		{"You deal with complaints from customers.", "customer-complaints", LevelUnknown},
		{"You are competent to deal with complaints from customers.", "customer-complaints", LevelUnknown},
		{"Maintain a vigilant awareness of safeguarding.", "safeguarding", LevelUnknown},
		{"You raise awareness of safeguarding.", "safeguarding", LevelUnknown},
		{"You will deliver excellent customer service.", "customer-care", LevelUnknown},
		{"You will build strong relationships with clients.", "relationship-building", LevelUnknown},
		{"You develop good working relationships with partners.", "relationship-building", LevelUnknown},
		{"You will be working with children with learning disabilities.", "special-needs-education", LevelUnknown},
		{"A good deal of cleaning is part of the job.", "cleaning", LevelUnknown},
		{"A comprehensive range of administrative duties awaits you.", "administration", LevelUnknown},
		{"You like a strong coffee and plumbing.", "plumbing", LevelUnknown},
		{"Excellent opportunity for a plumber with plumbing experience.", "plumbing", LevelUnknown},
		{"You have a good sense of humour and do cleaning.", "cleaning", LevelUnknown},
		{"Practical cleaning and some evening work.", "cleaning", LevelUnknown},
		{"You support basic printing, operating systems, Excel.", "excel", LevelUnknown},
		{"An expert team; you need Python.", "python", LevelUnknown},
		{"You join a skilled team and use Python.", "python", LevelUnknown},
		{"You need a driving licence and excellent driving skills.", "driving-car-van", LevelUnknown},
		{"Good food hygiene certificate needed.", "food-hygiene", LevelUnknown},
		{"You have a strong DBS check record: an enhanced DBS check is needed.", "dbs-check", LevelUnknown},
		{"In a good school you do cleaning.", "cleaning", LevelUnknown},
	} {
		checkLevel(t, r, c.text, c.skill, c.want)
	}
}

// TestUsualLevels holds what the register says of the level that an advert means which states none: a
// licence is held or not, and no advert means an expert without a word.
func TestUsualLevels(t *testing.T) {
	licences := 0
	for _, s := range load(t).Skills() {
		switch {
		case s.IsLicence():
			licences++
			if s.Level != LevelEntry || s.LevelName(LevelEntry) != "held" {
				t.Errorf("%s is a licence of level %d, %q", s.Slug, s.Level, s.LevelName(LevelEntry))
			}
		case s.Level > LevelAdvanced || s.LevelName(s.Level) != s.Level.Name():
			t.Errorf("%s is usually asked at %d", s.Slug, s.Level)
		}
	}
	for _, slug := range []string{"dbs-check", "driving-car-van", "food-hygiene", "first-aid", "nmc-registration",
		"english-maths-gcse", "forklift"} {
		if s, ok := load(t).FindSkill(slug); !ok || !s.IsLicence() {
			t.Errorf("%s is no licence", slug)
		}
	}
	if licences == 0 {
		t.Error("no licence")
	}
}
