package skillsplans

import (
	"context"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/soc2020"
)

// TestMistakesOfAPlanAreNamed, each with its own words, and all at once.
func TestMistakesOfAPlanAreNamed(t *testing.T) {
	for says, change := range map[string]func(*Plan){
		`file "plan.csv" must be a path or`:                                 func(p *Plan) { p.CSVFile = "plan.csv" },
		`id "The Plan" must be lower-case letters, digits and underscores`:  func(p *Plan) { p.ID = "The Plan" },
		`id "a-b" must be lower-case letters, digits and underscores`:       func(p *Plan) { p.ID = "a-b" },
		`id "__" must be lower-case letters, digits and underscores`:        func(p *Plan) { p.ID = "__" },
		"title is missing: what is the plan called?":                        func(p *Plan) { p.Title = " " },
		`region "E6900003" must be a national statistics code`:              func(p *Plan) { p.RegionCode = "E6900003" },
		`region "E690000399" must be a national statistics code`:            func(p *Plan) { p.RegionCode = "E690000399" },
		`published "" must be the day of publication, YYYY-MM-DD`:           func(p *Plan) { p.Published = "" },
		`published "2025-02-30" must be the day of publication, YYYY-MM-DD`: func(p *Plan) { p.Published = "2025-02-30" },
		`source "plan_exampleshire": link must be an http(s) address`:       func(p *Plan) { p.Link = "plan" },
	} {
		p := plan("https://chamber.example")
		change(&p)
		if list, err := New(Config{Plans: []Plan{p}}); list != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	_, err := New(Config{Plans: []Plan{{}}})
	for _, says := range []string{"file ", "id ", "title ", "region ", "published ", "licence "} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}

// TestBrokenRowsAreNamed: rows of another length with those whose values are wrong.
func TestBrokenRowsAreNamed(t *testing.T) {
	text := "kind,code,page\n" + strings.Repeat("\n", 2) + "skill,excel\nskill,word,1\n,,\nskill,word,2\n"
	for _, g := range soc2020.Groups()[:40] {
		text += "occupation," + g.Code + ",7\n"
	}
	parsed, err := parse(context.Background(), []byte(text), plan("https://chamber.example"))
	if err != nil || len(parsed.Records) != 41 || len(parsed.Faults) != 2 {
		t.Fatalf("%d records, %+v, %v", len(parsed.Records), parsed.Faults, err)
	}
	if f := parsed.Faults[0]; f.Code != sources.FaultBrokenRow || f.Where != "line 4" {
		t.Errorf("%+v, want a broken row in line 4", f)
	}
	if f := parsed.Faults[1]; f.Code != sources.FaultSchema || f.Where != "line 7" ||
		f.Detail != "skill word is there twice; the first is used" {
		t.Errorf("%+v, want the second row in line 7", f)
	}
}

// TestCodesOfPriorities at the ends of what each kind may have.
func TestCodesOfPriorities(t *testing.T) {
	for row, ok := range map[string]bool{"occupation,1,": true, "occupation,9269,": true, "occupation,9999,": false,
		"occupation,0111,":  false,
		"occupation,11111,": false, "sector,digital,": true, "sector,Digital,": false, "skill,a-b,": true,
		"skill,a--b,":  false,
		"skill,a,9999": true, "skill,a,10000": false, "skill,a,XVIII": true, "skill,a,xviiiiiii": false,
		"skill,a,v1": false,
		"Skill,a,":   false} {
		parsed, err := parse(context.Background(), []byte("kind,code,page\n"+row+"\n"), plan("https://chamber.example"))
		if err != nil || len(parsed.Records) == 1 != ok || len(parsed.Faults) == 0 != ok {
			t.Errorf("%s: %+v, %v", row, parsed, err)
		}
	}
}
