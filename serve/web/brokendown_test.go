package web

import (
	"html/template"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots/figure"
)

// TestABreakdownByPlaceWarnsOfFewResidents: among the rows that the page shows. Other breakdowns do not.
func TestABreakdownByPlaceWarnsOfFewResidents(t *testing.T) {
	for by, want := range map[string]string{"place": "Few residents are registered in A; because counts are rounded, a " +
		"share of residents can be off by up to 9 points.", "sector": "", "month": ""} {
		s := monthly(30)
		rows, share := s.unmet, figure.Tenths(500)
		s.unmet = func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow {
			list := rows(q)
			for i := range list {
				list[i].PeopleBelow.Tenths = &share
			}
			return list
		}
		s.people.Protection = "rounded"
		v := visit(s, "/skills/sql?by="+by)
		v.SetPathValue("skill", "sql")
		v.registered = counts{"a": {"A", 100}, "b": {"B", 1000}, "care": {"Care", 1}, "2026-09": {"Month", 1}}
		if d := (&Site{}).skillData(v, askBreakdown); d.Few != want {
			t.Errorf("by %s: %q, want %q", by, d.Few, want)
		}
	}
}

// TestNothingIsDrawnOfASkillAfterAFault: neither a map nor pathways are asked for.
func TestNothingIsDrawnOfASkillAfterAFault(t *testing.T) {
	s := monthly(30)
	v := visit(s, "/skills/sql?by=place")
	v.fail(redirectError("/"))
	d := &skillView{Skill: "sql", By: breakdown{By: api.ByPlace}}
	askSkill(v, filter{Window: 12}, d)
	askBreakdown(v, filter{Window: 12}, d)
	askWays(v, filter{Window: 12}, d)
	if asked := s.queries(); asked != "" || d.Map != nil || d.Rows != nil || d.Ways.Pathways != nil || d.Row != nil {
		t.Errorf("it asks %s and shows %+v", asked, d)
	}
}

// TestALineOfHandfuls marks them, and has a drawing for narrow screens.
func TestALineOfHandfuls(t *testing.T) {
	for _, c := range []struct {
		adverts int64
		few     bool
	}{{19, true}, {20, false}} {
		s := monthly(1)
		s.quarters = []api.Quarter{{From: dayOf("2026-04-01"), Adverts: c.adverts}, {From: dayOf("2026-07-01"),
			Adverts: 100}}
		line := trendOf(visit(s, "/skills/sql"), filter{Window: 12}, &skillView{Skill: "sql", Name: "SQL"}, s.AsOf())
		if line.Few != c.few || line.Step != "quarter" || line.Narrow == "" || line.Narrow == line.Drawing ||
			strings.Contains(line.Note, "Square") != c.few {
			t.Errorf("of %d adverts: %+v", c.adverts, line)
		}
	}
}

// TestDrawingsOfTemplates are those of package chart, on the scale of all per cents.
func TestDrawingsOfTemplates(t *testing.T) {
	hired, turned := figure.Tenths(600), figure.Tenths(250)
	functions := (&Site{version: "0123456789abcdef"}).functions()
	dumbbell, ok := functions["dumbbell"].(func(a, b api.Percent) template.HTML)
	if !ok {
		t.Fatal("no dumbbell")
	}
	want := chart.DrawDumbbell(&hired, &turned, 1000)
	if got := dumbbell(api.Percent{Tenths: &hired}, api.Percent{Tenths: &turned}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
