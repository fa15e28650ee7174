package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots/figure"
)

// boroughRow is the row of a borough, with a count of people turned down if that is not negative.
func boroughRow(place string, asking, adverts, turned int64) bucketRow {
	r := bucketRow{SkillsUnmetRow: askedOf(asking, adverts)}
	name := strings.ToUpper(place)
	r.Bucket, r.BucketName = &place, &name
	if turned >= 0 {
		r.TurnedDown = api.Count{Count: figure.CountOf(turned)}
	}
	return r
}

// TestFiguresOfAMap: each is chosen by its word in the address, and has the address of its map. Three have none.
func TestFiguresOfAMap(t *testing.T) {
	for asked, field := range map[string]string{"": "score", "score": "score", "adverts": "adverts_share_pct",
		"residents": "people_below_share_pct", "turned-down": "people_turned_down", "hired": "",
		"difference_pct_points": ""} {
		v := visit(nil, "/skills/sql?by=place&map="+asked)
		here, all := measureOf(v)
		if here.Field != field || len(all) != 4 || (v.err != nil) != (field == "") {
			t.Errorf("%q: %s of %d (%v)", asked, here.Field, len(all), v.err)
		}
		for _, m := range all {
			if m.URL != "/skills/sql?by=place&map="+m.Map+"#map" || m.Here != (m.Field == field) {
				t.Errorf("%q: %+v", asked, m)
			}
		}
		if all[1].Name != "Adverts asking" || all[2].Name != "Residents without it" {
			t.Errorf("they are called %q and %q", all[1].Name, all[2].Name)
		}
	}
	for field, about := range map[string]bool{"score": false, "adverts_share_pct": false, "people_below_share_pct": true,
		"people_turned_down": true} {
		if got := (measure{Field: field}).isAboutPeople(); got != about {
			t.Errorf("%s is about people: %v", field, got)
		}
	}
}

// TestKeyOfAMap: the colours with the lowest figures first, then no clear difference, fewer than five, and no figure,
// each with its number of boroughs. What is not on the map is not in the key.
func TestKeyOfAMap(t *testing.T) {
	turned := measures()[3]
	rows := []bucketRow{boroughRow("a", 1, 2, 10), boroughRow("b", 1, 2, 50), boroughRow("c", 1, 2, 52)}
	s := scaleOf(turned, rows)
	var areas []chart.Area
	for _, class := range []string{classOf(turned, rows[0].SkillsUnmetRow, s), classOf(turned, rows[1].SkillsUnmetRow, s),
		classOf(turned, rows[2].SkillsUnmetRow, s), chart.ClassUnderFive, chart.ClassNoFigure, chart.ClassNoFigure} {
		areas = append(areas, chart.Area{Class: class})
	}
	said := func(key []keyEntry) (text string) {
		for _, e := range key {
			text += fmt.Sprintf("%d of %s; ", e.Number, e.Words)
			if e.Sample == "" {
				t.Errorf("%s has no sample", e.Words)
			}
		}
		return text
	}
	want := "1 of 10 to 19; 2 of 50 to 59; 1 of <5: from 1 to 4 people; " +
		"2 of not published, or no advert asks for it, or too few adverts to show; "
	if got := said(keyOf(turned, s, areas)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	unclear := []chart.Area{{Class: chart.ClassNotSignificant}, {Class: chart.ClassNoFigure}}
	want = "1 of no clear difference from all other places together, or a handful of adverts; " +
		"1 of not published, or too few adverts to show; "
	if got := said(keyOf(measures()[0], scale{}, unclear)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := keyOf(measures()[0], scale{}, nil); len(got) > 0 {
		t.Errorf("the key of an empty map is %+v", got)
	}
}

// TestAreasOfAMap: a borough without a row has no figure, one whose figure is unclear says why, and one whose figure
// is not published has no such reason. The borough of the page is marked.
func TestAreasOfAMap(t *testing.T) {
	s := &fixed{named: map[api.Vocabulary][]api.Named{}}
	var outlines []api.Outline
	for _, place := range []string{"clear", "few", "hidden", "missing", "zero"} {
		s.named[api.Places] = append(s.named[api.Places], api.Named{Value: place, Name: strings.ToUpper(place)})
		outlines = append(outlines, api.Outline{Place: place})
	}
	v := visit(s, "/skills/sql")
	v.place = "few"
	rows := []bucketRow{boroughRow("clear", 30, 100, 20), boroughRow("few", 5, 10, 20), boroughRow("hidden", 9, 90, -1),
		boroughRow("zero", 0, 100, 20)}
	unclear := unclearPlaces{"few": "a handful of adverts", "hidden": "no clear difference"}
	said := func(m measure) string {
		var list []string
		for _, a := range areasOf(v, m, rows, unclear, scaleOf(m, rows), outlines) {
			list = append(list, fmt.Sprintf("%s %s/%s %s [%s] %v", a.Place, a.Label, a.Name, a.Said, a.Token, a.Here))
			if (a.Class == chart.ClassNotSignificant) != strings.Contains(a.Name, "(") ||
				(a.Class == chart.ClassNoFigure) != (a.Place == "missing" || a.Said == "not published") {
				t.Errorf("%s has the class %s", a.Place, a.Class)
			}
		}
		return strings.Join(list, "\n")
	}
	if got, want := said(measures()[3]), linesOf(`clear CLEAR/CLEAR 20 [20] false
		few FEW/FEW (a handful of adverts) 20 [20] true
		hidden HIDDEN/HIDDEN not published [null] false
		missing MISSING/MISSING no advert asks for it, or too few adverts to show [] false
		zero ZERO/ZERO 20 [] false`); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got, want := said(measures()[1]), linesOf(`clear CLEAR/CLEAR 30% [30.0] false
		few FEW/FEW (a handful of adverts) 50% [50.0] true
		hidden HIDDEN/HIDDEN (no clear difference) 10% [10.0] false
		missing MISSING/MISSING too few adverts to show [] false
		zero ZERO/ZERO none [] false`); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestEndsOfAMapSayTheirFigures: with the token of the API, unless no call has the row.
func TestEndsOfAMapSayTheirFigures(t *testing.T) {
	m := measures()[1]
	if got, want := string(endOf(m, boroughRow("a", 30, 100, 1)).Said),
		`<data value="30.0" data-f="adverts_share_pct">30%</data>`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := string(endOf(m, boroughRow("a", 0, 1000, 1)).Said); got != "0%" {
		t.Errorf("%s, want 0%%", got)
	}
}

// TestBoroughsAreSortedByTheirFigures: the highest first, equal ones by name, and those without a figure last.
func TestBoroughsAreSortedByTheirFigures(t *testing.T) {
	rows := []bucketRow{boroughRow("d", 1, 2, -1), boroughRow("c", 1, 2, 10), boroughRow("b", 1, 2, 30),
		boroughRow("a", 1, 2, 10), boroughRow("e", 1, 2, -1)}
	sortBy(measures()[3], rows)
	var order []string
	for _, r := range rows {
		order = append(order, *r.Bucket)
	}
	if got := strings.Join(order, ""); got != "bacde" {
		t.Errorf("the order is %s", got)
	}
	if with := withFigure(measures()[3], rows); len(with) != 3 || len(rows) != 5 {
		t.Errorf("%d of %d boroughs have a figure", len(with), len(rows))
	}
	outlines := []api.Outline{{Place: "a"}, {Place: "c"}}
	if got := missingOf(rows, outlines); got != "B, D, E" {
		t.Errorf("without an outline are %q", got)
	}
	if got := missingOf(rows[1:3], outlines); got != "" {
		t.Errorf("without an outline are %q", got)
	}
}

// TestLinksOfAMapKeepTheFilters, but for the place and what belongs to the breakdown.
func TestLinksOfAMapKeepTheFilters(t *testing.T) {
	v := visit(nil, "/skills/sql?place=camden&with=x&cursor=y&rows=all&by=place&map=score&soc=61&snapshot=2026-11-19.1")
	if got, want := v.linkOfMap("sql"), "/skills/sql?place={place}&snapshot=2026-11-19.1&soc=61"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := keepMap(v.URL.Query()); !slices.Equal(got, []option{{Value: "score", Name: "map"}}) {
		t.Errorf("the form keeps %v", got)
	}
	if got := keepMap(nil); got != nil {
		t.Errorf("without a map the form keeps %v", got)
	}
}

// mapped is a snapshot with n boroughs with outlines, and an area.
func mapped(n int) (*recording, []bucketRow) {
	s := &fixed{named: map[api.Vocabulary][]api.Named{}}
	var rows []bucketRow
	for i := range n {
		place, west := string(rune('a'+i)), float64(i)
		s.named[api.Places] = append(s.named[api.Places], api.Named{Value: place, Name: strings.ToUpper(place),
			Kind: "borough"})
		s.outlines = append(s.outlines, api.Outline{Place: place, Shape: orb.MultiPolygon{{{{west, 51}, {west + 1, 51},
			{west + 1, 52}, {west, 52}, {west, 51}}}}})
		row := boroughRow(place, int64(900-100*i), 1000, 5)
		share := figure.Tenths(500)
		row.PeopleBelow = api.Percent{Tenths: &share}
		rows = append(rows, row)
	}
	s.named[api.Places] = append(s.named[api.Places], api.Named{Value: "z", Name: "Z", Kind: "area"})
	rows = append(rows, boroughRow("z", 990, 1000, 5))
	s.unmet = func(api.SkillsUnmetQuery) []api.SkillsUnmetRow { return []api.SkillsUnmetRow{askedOf(500, 10_000)} }
	return recorded(s), rows
}

// TestAMapIsOfBoroughs: an area of several is not on it. Its drawing has the address of each borough. A map of one
// borough is not drawn, nor one after a fault.
func TestAMapIsOfBoroughs(t *testing.T) {
	s, rows := mapped(7)
	v := visit(s, "/skills/sql?map=adverts")
	d := &skillView{Skill: "sql", Name: "SQL"}
	drawMap(v, filter{Window: 12}, d, rows)
	if d.Map == nil || d.Map.Measure.Field != "adverts_share_pct" || len(d.Map.Measures) != 4 ||
		namesOf(d.Map.Most) != "ABC" || namesOf(d.Map.Least) != "GFE" || d.Map.Missing != "" || d.Map.Unranked != "" ||
		d.Map.Few != "" || v.stamp.Snapshot == nil {
		t.Fatalf("%+v", d.Map)
	}
	for _, want := range []string{`data-link="/skills/sql?place={place}"`, `data-row="g"`,
		"SQL by borough: adverts asking. The table has the same figures."} {
		if !strings.Contains(string(d.Map.Drawing), want) {
			t.Errorf("the drawing has no %s: %s", want, d.Map.Drawing)
		}
	}
	one, rows := mapped(1)
	if drawMap(visit(one, "/skills/sql"), filter{Window: 12}, d, rows); d.Map == nil {
		t.Fatal("the map of another page is taken away")
	}
	for target, s := range map[string]*recording{"/skills/sql": one, "/skills/sql?map=none": s} {
		d := &skillView{Skill: "sql"}
		if drawMap(visit(s, target), filter{Window: 12}, d, rows); d.Map != nil {
			t.Errorf("%s is drawn", target)
		}
	}
}

// TestAMapOfResidentsWarns of places with few registered residents, which are not among its highest.
func TestAMapOfResidentsWarns(t *testing.T) {
	s, rows := mapped(7)
	s.people.Protection = "rounded"
	v := visit(s, "/skills/sql?map=residents")
	v.registered = counts{"a": {Name: "A", Count: 100}, "b": {Name: "B", Count: 1000}}
	for i := range rows {
		share := figure.Tenths(900 - 100*i)
		rows[i].PeopleBelow = api.Percent{Tenths: &share}
	}
	d := &skillView{Skill: "sql"}
	drawMap(v, filter{Window: 12}, d, rows)
	if d.Map == nil || d.Map.Few != "Few residents are registered in A; because counts are rounded, a share of residents "+
		"can be off by up to 9 points." || d.Map.Unranked == "" || namesOf(d.Map.Most) != "BCD" {
		t.Errorf("%+v", d.Map)
	}
}
