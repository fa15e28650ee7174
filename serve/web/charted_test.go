package web

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
)

// monthly is a snapshot in which each month has 100 adverts, and the given number of them asks for SQL.
func monthly(asking int64) *recording {
	s, _ := mapped(3)
	s.asOf = dayOf("2026-11-20")
	s.named[api.Skills] = []api.Named{{Value: "driving", Name: "Driving", Kind: licence}, {Value: "sql", Name: "SQL"}}
	s.named[api.Sectors] = []api.Named{{Value: "care", Name: "Care"}}
	s.named[api.Levels] = []api.Named{{Value: "2", Name: "working"}}
	s.unmet = func(q api.SkillsUnmetQuery) (rows []api.SkillsUnmetRow) {
		buckets := map[api.Breakdown]string{"": "-", api.ByMonth: "2026-09 2026-10 2026-11", api.ByPlace: "a b c",
			api.BySector: "care", api.BySOC: "61", api.ByLevel: "2"}
		for i, bucket := range strings.Fields(buckets[q.By]) {
			r := askedOf(asking+int64(i), 100)
			r.Skill, r.SkillName, r.Bucket, r.BucketName = q.Skill, "SQL", &bucket, &bucket
			r.Score.TenThousandths = &r.AdvertsSample.Requiring
			rows = append(rows, r)
		}
		return rows
	}
	return recorded(s.fixed)
}

// skillOf returns the view of a page of SQL, and its request.
func skillOf(s api.Snapshot, target string, fills ...func(*request, filter, *skillView)) (*skillView, *request) {
	v := visit(s, target)
	v.SetPathValue("skill", "sql")
	v.place = placeOfVisit(v)
	return (&Site{}).skillData(v, fills...), v
}

// TestTabsOfASkill: over time unless the address has another breakdown. A tab begins at the first row.
func TestTabsOfASkill(t *testing.T) {
	for asked, want := range map[string]api.Breakdown{"": api.ByMonth, "soc": api.BySOC, "level": api.ByLevel,
		"weather": ""} {
		target := "/skills/sql?by=" + asked
		v := visit(nil, target+"&soc=61&cursor=x&rows=all")
		here, tabs := tabsOf(v)
		if here.By != want || len(tabs) != 5 || (v.err != nil) != (want == "") {
			t.Errorf("%s: %+v (%v)", target, here, v.err)
		}
		for _, tab := range tabs {
			if tab.Here != (tab.By == want) || tab.URL != "/skills/sql?by="+string(tab.By)+"&soc=61#breakdown" {
				t.Errorf("%s: %+v", target, tab)
			}
		}
	}
}

// TestALicenceHasNoLevels: neither a menu nor a tab of them, unless the address asks for that breakdown.
func TestALicenceHasNoLevels(t *testing.T) {
	for target, want := range map[string]string{"sql": "month place sector soc level", "driving": "month place sector soc",
		"driving?by=level": "month place sector soc level"} {
		skill, _, _ := strings.Cut(target, "?")
		v := visit(monthly(30), "/skills/"+target)
		v.SetPathValue("skill", skill)
		d := (&Site{}).skillData(v)
		var tabs []string
		for _, tab := range d.Tabs {
			tabs = append(tabs, string(tab.By))
		}
		if got := strings.Join(tabs, " "); got != want || d.Licence != (skill == "driving") ||
			(d.Form.Levels == nil) != d.Licence {
			t.Errorf("%s: the tabs %s, the levels %v", target, got, d.Form.Levels)
		}
	}
}

// TestThePageOfASkillIsOfItsPlace: with its name, and the form keeps the breakdown and the figure of the map.
func TestThePageOfASkillIsOfItsPlace(t *testing.T) {
	d, _ := skillOf(monthly(30), "/skills/sql?place=a&by=place&map=adverts")
	if d.Here != "A" || d.Where != "A, last 12 months" || d.Name != "SQL" || fmt.Sprint(d.Form.Keep) !=
		"[{adverts map false} {place by false}]" {
		t.Errorf("%+v", d)
	}
	if d, _ := skillOf(monthly(30), "/skills/sql"); d.Here != "All places" {
		t.Errorf("without a place it is of %s", d.Here)
	}
	v := visit(monthly(30), "/skills/sqq")
	v.SetPathValue("skill", "sqq")
	(&Site{}).skillData(v)
	var f *fault
	if !errors.As(v.err, &f) || f.status != 404 || f.words != "No skill has that name." ||
		!slices.Contains(f.nearest, link{"SQL", "/skills/sql"}) || f.nearest[len(f.nearest)-1] != (link{"Search", "/find"}) {
		t.Errorf("an unknown skill: %v", v.err)
	}
	if _, v := skillOf(monthly(30), "/skills/sql?map=weather"); v.err == nil {
		t.Error("an unknown map is no fault where none is drawn")
	}
}

// TestASkillIsComparedWithAllOtherPlaces, without the adverts of the place itself.
func TestASkillIsComparedWithAllOtherPlaces(t *testing.T) {
	for _, c := range []struct {
		here, all [2]int64
		unclear   bool
	}{
		{[2]int64{40, 50}, [2]int64{50, 100}, false}, // 10 of the 50 other ones
		{[2]int64{30, 100}, [2]int64{280, 1000}, true},
	} {
		s, score := monthly(30), int64(400_000)
		s.unmet = func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow {
			row := askedOf(c.here[0], c.here[1])
			if q.Place == "" {
				row = askedOf(c.all[0], c.all[1])
			}
			if q.Source == "" {
				row.Score.TenThousandths = &score
			}
			return []api.SkillsUnmetRow{row}
		}
		d, _ := skillOf(s, "/skills/sql?place=a", askSkill)
		if d.Unclear != c.unclear || d.Whole == nil || d.Whole.AdvertsSample.Adverts != c.all[1] ||
			d.Row.AdvertsSample.Adverts != c.here[1] || !strings.Contains(string(d.Pairing), "<svg") ||
			!strings.Contains(string(d.Pairing), "A rectangle ") {
			t.Errorf("%v of %v: %+v", c.here, c.all, d)
		}
		if d, _ := skillOf(s, "/skills/sql", askSkill); d.Whole != nil || d.Unclear || d.Row == nil {
			t.Errorf("of all places: %+v", d)
		}
		if d, _ := skillOf(s, "/skills/sql?place=a&source=employer_boards", askSkill); d.Row == nil || d.Pairing != "" {
			t.Errorf("without a score: %s", d.Pairing)
		}
		s.unmet = nil
		if d, _ := skillOf(s, "/skills/sql?place=a", askSkill); d.Row != nil || d.Whole != nil || d.Pairing != "" {
			t.Errorf("of no adverts: %+v", d)
		}
	}
}

// TestBreakdownsOfASkill: months have a line and no map, places a map and no line, and others a table alone.
func TestBreakdownsOfASkill(t *testing.T) {
	for _, c := range []struct {
		by, asks   string
		line, maps bool
		rows       int
	}{
		{"month", "unmet Place=a Window=24 Skill=sql By=month Limit=5000", true, false, 3},
		{"place", "unmet Window=12 Skill=sql By=place Limit=5000", false, true, 3},
		{"sector", "unmet Place=a Window=12 Skill=sql By=sector Limit=5000", false, false, 1},
	} {
		s := monthly(30)
		d, v := skillOf(s, "/skills/sql?place=a&by="+c.by, askBreakdown)
		asked, _, _ := strings.Cut(s.queries(), "\n")
		if v.err != nil || asked != c.asks || (d.Trend.Drawing != "") != c.line || (d.Map != nil) != c.maps ||
			len(d.Rows) != c.rows || (d.Months != nil) != c.line || !d.Columns["adverts_share_pct"] || d.AsTable || d.Nothing {
			t.Errorf("by %s (%v) it asks %s: %+v", c.by, v.err, asked, d)
		}
	}
	if d, _ := skillOf(monthly(30), "/skills/sql?by=sector&rows=all", askBreakdown); !d.AsTable {
		t.Error("all rows are not a table")
	}
}

// TestALicenceThatNoAdvertAsksForAtALevel is a sentence only.
func TestALicenceThatNoAdvertAsksForAtALevel(t *testing.T) {
	for _, c := range []struct {
		target  string
		asking  int64
		nothing bool
	}{
		{"driving?by=soc&level=2", 0, true}, {"driving?by=soc&level=2", 1, false}, {"driving?by=soc", 0, false},
		{"sql?by=soc&level=2", 0, false},
	} {
		skill, _, _ := strings.Cut(c.target, "?")
		v := visit(monthly(c.asking), "/skills/"+c.target)
		v.SetPathValue("skill", skill)
		if d := (&Site{}).skillData(v, askBreakdown); d.Nothing != c.nothing || (d.Rows == nil) != c.nothing {
			t.Errorf("%s, asked for by %d: %+v", c.target, c.asking, d)
		}
	}
}

// TestChartsHaveAddressesOfTheirOwn: a file and a frame, with the filters of the page. A map needs a higher frame.
func TestChartsHaveAddressesOfTheirOwn(t *testing.T) {
	const file, frame = "/skills/sql/chart.svg?", "https://labour.example/embed/skills/sql?"
	for query, want := range map[string]chartLinks{
		"?soc=61&cursor=x&rows=all": {file + "soc=61", frame + "soc=61", 960},
		"?by=place":                 {file + "by=place", frame + "by=place", 1080},
	} {
		if got := visit(nil, "/skills/sql"+query).chartLinks("sql"); got != want {
			t.Errorf("%s: %+v, want %+v", query, got, want)
		}
	}
}

// TestAChartOnItsOwn: its title, what it is of, and its page. Without a line or a map there is none.
func TestAChartOnItsOwn(t *testing.T) {
	s := &Site{}
	for _, c := range []struct{ query, title, where string }{
		{"?place=a", "Adverts that ask for SQL, by month", "A, last 24 months"},
		{"?by=place&place=a", "SQL: score by borough", "all places, last 12 months"},
		{"?by=place&map=adverts&place=a", "SQL: adverts asking by borough", "all places, last 12 months"},
		{"?by=sector", "", ""},
	} {
		snapshot := monthly(30)
		v := visit(snapshot, "/embed/skills/sql"+c.query)
		v.SetPathValue("skill", "sql")
		shown := s.embedPage(v)
		got := shown.data.(chartView)
		if c.where == "" {
			var f *fault
			if !errors.As(v.err, &f) || f.status != 404 || f.title != "There is no chart" ||
				!slices.Equal(f.nearest, []link{{"SQL", "/skills/sql" + c.query}}) {
				t.Errorf("%s: %v", c.query, v.err)
			}
			continue
		}
		isLine := strings.HasPrefix(c.title, "Adverts")
		if v.err != nil || shown.title != c.title || got.Where != c.where || got.Page != "/skills/sql"+c.query ||
			got.Drawing == "" || (got.Narrow != "") != isLine || (got.Note != "") != isLine || (len(got.Key) > 0) == isLine ||
			!v.stamp.People || shown.template != "embed" {
			t.Errorf("%s (%v): %+v", c.query, v.err, got)
		}
	}
}

// TestAChartAsAFile tells below the drawing what it is of, how to read it, its sources and its page.
func TestAChartAsAFile(t *testing.T) {
	for _, c := range []struct{ query, has string }{
		{"?place=a", "A, last 24 months. Data as of 20 November 2026, snapshot 2026-11-20.1."},
		{"?place=a", "Share of the adverts of each month"}, {"?place=a", "https://labour.example/skills/sql?place=a"},
		{"?by=place&map=adverts", "All places, last 12 months. Data as of 20 November 2026"},
		{"?by=place&map=adverts", "no clear difference from all other places together"},
		{"?by=place&map=adverts", "https://labour.example/skills/sql?by=place"},
		{"?place=a", "Made-up data: every figure is invented."},
	} {
		v := visit(monthly(30), "/skills/sql/chart.svg"+c.query)
		v.SetPathValue("skill", "sql")
		v.stamp.Sources = []api.Source{{Key: "a", AttributionStatement: "Source: A."}}
		shown := (&Site{Options: Options{MadeUp: true}}).chartFile(v)
		text := strings.Join(strings.Fields(strings.ReplaceAll(withoutTags(string(shown.body)), "\n", " ")), " ")
		if shown.kind != "image/svg+xml" || shown.name != "sql.svg" || !strings.Contains(text, "Source: A.") ||
			!strings.Contains(strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(c.has, " ", "")) {
			t.Errorf("%s: no %q in %s (%v)", c.query, c.has, text, v.err)
		}
	}
}
