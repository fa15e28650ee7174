package web

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// TestEqualFiguresHaveAnOrder: subjects of training and sectors of a plan by name, whatever the order of the rows.
func TestEqualFiguresHaveAnOrder(t *testing.T) {
	var rows []api.CourseDemandRow
	var plan []planRow
	for _, name := range strings.Fields("Law Arts Care") {
		rows = append(rows, api.CourseDemandRow{Metric: "apprenticeship_starts", SubjectArea: name,
			Value: api.Count{Count: figure.CountOf(10)}})
		r := askedOf(30, 100)
		r.BucketName = &name
		plan = append(plan, planRow{Sector: r})
	}
	var subjects, sectors []string
	for _, r := range kindsOfTraining(rows)[0].Rows {
		subjects = append(subjects, r.SubjectArea)
	}
	sortPlan(plan)
	for _, r := range plan {
		sectors = append(sectors, *r.Sector.BucketName)
	}
	for _, got := range []string{strings.Join(subjects, " "), strings.Join(sectors, " ")} {
		if got != "Arts Care Law" {
			t.Errorf("the order is %s", got)
		}
	}
}

// TestAHeavyMapOfPlacesIsNotDrawn: the page has its list alone, and does not credit the source of outlines.
func TestAHeavyMapOfPlacesIsNotDrawn(t *testing.T) {
	s, _ := mapped(2)
	for i := range s.outlines {
		var ring orb.Ring
		for n := range 3000 {
			ring = append(ring, orb.Point{float64(i) + float64(n%2)/10, 51 + float64(n)/3000})
		}
		s.outlines[i].Shape = orb.MultiPolygon{{append(ring, ring[0])}}
	}
	if d := (&Site{}).places(visit(s, "/places")).data.(placesView); d.Map != "" {
		t.Errorf("a map of %d bytes is drawn", len(d.Map))
	}
}

// TestTablesOfPagesAsFiles: the name of the file has the place, and each line ends with the statements of all sources,
// which no program takes for a formula.
func TestTablesOfPagesAsFiles(t *testing.T) {
	for target, name := range map[string]string{"/plan.csv": "plan-all-places.csv",
		"/plan.csv?place=camden": "plan-camden.csv"} {
		v := visit(planSnapshot(), target)
		v.stamp.Sources = []api.Source{{Key: "a", AttributionStatement: "=A."}, {Key: "b", AttributionStatement: "B."}}
		shown := sheetOf(v, "plan", []string{"x", "attribution_statement"}, [][]string{{"1"}, {"2"}})
		if shown.name != name || shown.kind != "text/csv; charset=utf-8" || v.err != nil ||
			string(shown.body) != "x,attribution_statement\n1,'=A. B.\n2,'=A. B.\n" {
			t.Errorf("%s: %s %s (%v) %s", target, shown.name, shown.kind, v.err, shown.body)
		}
	}
	if shown := planCSV(visit(planSnapshot(), "/plan.csv")); strings.Count(string(shown.body), "\n") != 2 ||
		!strings.HasPrefix(string(shown.body), "sector,sector_name,skill,skill_name,") ||
		!strings.Contains(string(shown.body), "\ncare-services,Care,first-aid,First aid,30.0,100-249,") {
		t.Errorf("%s", shown.body)
	}
}

// TestThePlannersPage: it leads to its file, with the place.
func TestThePlannersPage(t *testing.T) {
	v := visit(planSnapshot(), "/plan?place=camden")
	shown := (&Site{}).plan(v)
	d := shown.data.(planTable)
	if shown.title != "Planner's table: Camden, last 12 months" || shown.section != "/plan" || d.Place.Name != "Camden" ||
		d.CSV != "/plan.csv?place=camden" || menusSaid(d.Groups) != "[camden Camden*]" ||
		!v.stamp.People {
		t.Errorf("%+v with %+v", shown, d)
	}
}
