package web

import (
	"testing"

	"labour/serve/api"
)

// askedPages is a snapshot in which care services ask for first aid, with rows for every page.
func askedPages() *recording {
	r := recorded(planSnapshot())
	r.named[api.Skills] = []api.Named{{Value: "first-aid", Name: "First aid"}}
	r.named[api.Occupations] = []api.Named{{Value: "6", Name: "Caring"}, {Value: "61", Name: "Care"},
		{Value: "6135", Name: "Care workers"}}
	r.local = []api.PrioritiesRow{}
	soc := "6135"
	r.evidence = []api.EvidenceRow{{ID: "e1", SOC: &soc, Kind: "report", Signal: "gap", SourceKey: "office"}}
	return r
}

// TestPagesAskForWhatTheyShow: each page asks for as many rows as it has room for, with its filters, and its
// foot lists the calls of the API that have the same figures.
func TestPagesAskForWhatTheyShow(t *testing.T) {
	site, _ := siteFor(t, &loaded{})
	for _, c := range []struct {
		target, name, value string // the address, and the variable of its path
		show                func(*request) view
		queries, calls      string
	}{
		{"/", "", "", site.home, `unmet Window=12 Limit=5`, `The five skills above: skills-unmet?limit=5`},
		{"/skills?place=camden&window=3", "", "", site.skills, `unmet Place=camden Window=3 Limit=20`,
			`This page of the list: skills-unmet?limit=20&place=camden&window=3`},
		{"/skills?sort=people_turned_down", "", "", site.skills, `unmet Window=12 Limit=5000`,
			`This page of the list: skills-unmet?limit=200`},
		{"/gaps?country=US", "", "", site.gaps, `gaps Country=US Limit=5000`,
			`All forecasts of this country or region: skills-gaps?country=US&limit=5000`},
		{"/courses?region=camden&metric=skills_bootcamp_starts", "", "", site.courses,
			`courses Country=GB Region=E09000007 Metric=skills_bootcamp_starts Limit=5000`,
			`All figures of this region and kind: course-demand?limit=5000&metric=skills_bootcamp_starts&region=E09000007`},
		{"/evidence?soc=61", "", "", site.evidence, `evidence Country=GB SOC=61 Kind=statistic Limit=5
			evidence Country=GB SOC=61 Kind=projection Limit=5
			evidence Country=GB SOC=61 Kind=report Limit=5`,
			`The newest statistics: evidence?kind=statistic&limit=5&soc=61
			The newest projections: evidence?kind=projection&limit=5&soc=61
			The newest reports: evidence?kind=report&limit=5&soc=61`},
		{"/evidence?kind=report", "", "", site.evidence, `evidence Country=GB Kind=report Limit=20`,
			`This page of the list: evidence?kind=report&limit=20`},
		{"/evidence?q=care&region=camden", "", "", site.evidence, `evidence Country=GB Region=E09000007 Limit=5000`,
			`All that was searched, newest first, the first 200: evidence?limit=200&region=E09000007`},
		{"/changes?place=camden", "", "", site.changesNow, `quarters Place=camden Window=12
			sources At=2026-11-21 00:00:00 +0000 UTC`, ``},
		{"/places?kind=lsip&name=East", "", "", site.places, `places Limit=5000
			regions Kind=lsip Name=East Limit=5000`,
			`The places and their codes: places?limit=5000
			All regions of this kind and name: regions?kind=lsip&limit=5000&name=East`},
		{"/places?name=East", "", "", site.places, `places Limit=5000
			regions Kind=council Name=East Limit=5000`,
			`The places and their codes: places?limit=5000
			All regions of this kind and name: regions?kind=council&limit=5000&name=East`},
		{"/occupations/61?place=camden", "soc", "61", site.occupation, `unmet Place=camden SOC=61 Window=12 Limit=10
			next SOC=61 Limit=8
			gaps Country=GB SOC=61 Limit=10
			evidence Country=GB Limit=5000
			jobs Borough=camden SOC=61 Limit=5`,
			`What adverts of this occupation ask for: skills-unmet?limit=10&place=camden&soc=61
			Forecasts for this occupation: skills-gaps?limit=10&soc=61
			All evidence of the country: evidence?limit=200`},
	} {
		r := askedPages()
		v := visit(r, c.target)
		v.SetPathValue(c.name, c.value)
		c.show(v)
		if got, want := r.queries(), linesOf(c.queries); v.err != nil || got != want {
			t.Errorf("%s (%v) asks\n%s\nwant\n%s", c.target, v.err, got, want)
		}
		if got, want := callsSaid(v), linesOf(c.calls); got != want {
			t.Errorf("%s lists\n%s\nwant\n%s", c.target, got, want)
		}
	}
}

// TestPagesOfASkillAskForWhatTheyShow: months are always those of two years, a breakdown by place covers all
// places, and a choice of one occupation or sector is not broken down by it.
func TestPagesOfASkillAskForWhatTheyShow(t *testing.T) {
	site, _ := siteFor(t, &loaded{})
	const ways = `
		unmet Place=camden Window=12 Skill=first-aid By=soc Limit=200
		unmet Window=12 Skill=first-aid By=sector Limit=200
		courses Country=GB Region=E09000007 Limit=5000`
	for _, c := range []struct{ target, queries, calls string }{
		{"/skills/first-aid?place=camden&by=sector", `unmet Place=camden Window=12 Skill=first-aid Limit=1
			unmet Window=12 Skill=first-aid Limit=1
			unmet Place=camden Window=12 Skill=first-aid By=sector Limit=5000` + ways,
			`The figures of this skill: skills-unmet?limit=1&place=camden&skill=first-aid
			The figures of this skill in all places: skills-unmet?limit=1&skill=first-aid
			The breakdown: skills-unmet?by=sector&limit=200&place=camden&skill=first-aid
			Who asks for it, by occupation: skills-unmet?by=soc&limit=200&place=camden&skill=first-aid
			Who asks for it, by sector: skills-unmet?by=sector&limit=200&skill=first-aid`},
		{"/skills/first-aid?sector=care-services&soc=6135&by=level", `
			unmet Sector=care-services SOC=6135 Window=12 Skill=first-aid Limit=1
			unmet Sector=care-services SOC=6135 Window=12 Skill=first-aid By=level Limit=5000`,
			`The figures of this skill: skills-unmet?limit=1&sector=care-services&skill=first-aid&soc=6135
			The breakdown: skills-unmet?by=level&limit=200&sector=care-services&skill=first-aid&soc=6135`},
	} {
		r := askedPages()
		r.unmet = func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow { return planSnapshot().unmet(q)[:1] }
		v := visit(r, c.target)
		v.SetPathValue("skill", "first-aid")
		v.place = "camden"
		site.skill(v)
		if got, want := r.queries(), linesOf(c.queries); v.err != nil || got != want {
			t.Errorf("%s (%v) asks\n%s\nwant\n%s", c.target, v.err, got, want)
		}
		if got, want := callsSaid(v), linesOf(c.calls); got != want {
			t.Errorf("%s lists\n%s\nwant\n%s", c.target, got, want)
		}
	}
}
