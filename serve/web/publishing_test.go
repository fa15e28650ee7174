package web

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// TestRegionsOfAnAddress: a place is the region of its council, and an area of several boroughs is none, as its page
// explains. Any other text is a code or a short name.
func TestRegionsOfAnAddress(t *testing.T) {
	s := filtered()
	s.regions = map[string]api.Region{"E09000007": {Code: "E09000007", Name: "Camden"},
		"lsip": {Code: "E69", Name: "A plan"}}
	for target, want := range map[string]string{"/courses": "", "/courses?region=camden": "E09000007",
		"/courses?region=CAMDEN": "E09000007", "/courses?region=east": "", "/courses?region=lsip": "E69"} {
		v := visit(s, target)
		if got := regionOf(v); got.Code != want || v.err != nil {
			t.Errorf("%s: %+v (%v), want %q", target, got, v.err, want)
		}
	}
	v := visit(s, "/courses?region=X1&metric=x")
	regionOf(v)
	var f *fault
	if !errors.As(v.err, &f) || f.status != 400 || f.parameter != "region" ||
		f.words != "There is no region “X1”. A region is an official code, such as E12000007, or the short name of a "+
			"skills improvement plan area." || !slices.Equal(f.nearest, []link{{"Find a region", "/places#codes"},
		{"Figures of England", "/courses?metric=x"}}) {
		t.Errorf("an unknown region: %+v", v.err)
	}
}

// TestRowsOfASearch: those with every word, up to the limit, and the number of all.
func TestRowsOfASearch(t *testing.T) {
	rows := []string{"care worker", "nurse", "senior care worker", "careers"}
	for _, c := range []struct {
		asked string
		most  int
		first string
		found int
	}{
		{"", 9, "care worker,nurse,senior care worker,careers", 4}, {"care", 3, "care worker,senior care worker,careers", 3},
		{"care", 2, "care worker,senior care worker", 3}, {"work care", 1, "care worker", 2}, {"cook", 9, "", 0},
	} {
		first, found := searchRows(rows, func(r string) string { return r }, c.asked, c.most)
		if strings.Join(first, ",") != c.first || found != c.found {
			t.Errorf("%q up to %d: %q of %d, want %+v", c.asked, c.most, first, found, c)
		}
	}
}

// TestColumnsOfForecasts: a column is left out if no row has its figure, and bars reach to the largest change, up or
// down. A search is in the name and the code.
func TestColumnsOfForecasts(t *testing.T) {
	change := func(n figure.Tenths) api.Percent { return api.Percent{Tenths: &n} }
	openings := int64(100)
	up, down, none := api.SkillsGapsRow{SOC: "61", Occupation: "Care", ProjectedChange: change(30)},
		api.SkillsGapsRow{SOC: "72", Occupation: "Sales", ProjectedChange: change(-45)},
		api.SkillsGapsRow{SOC: "54", Occupation: "Chefs", ProjectedOpenings: &openings}
	for _, c := range []struct {
		q       string
		rows    []api.SkillsGapsRow
		columns gapColumns
		most    int64
		found   int
	}{
		{"", []api.SkillsGapsRow{up, down, none}, gapColumns{true, true}, 45, 3},
		{"", []api.SkillsGapsRow{up}, gapColumns{true, false}, 30, 1},
		{"", []api.SkillsGapsRow{none}, gapColumns{false, true}, 0, 1},
		{"72", []api.SkillsGapsRow{up, down, none}, gapColumns{true, false}, 45, 1},
		{"chef", []api.SkillsGapsRow{none, up, down}, gapColumns{false, true}, 0, 1}, {"", nil, gapColumns{}, 0, 0},
	} {
		s := filtered()
		s.gaps = c.rows
		d := (&Site{}).gaps(visit(s, "/gaps?q="+c.q)).data.(listView[api.SkillsGapsRow])
		if d.Columns != c.columns || d.Most != c.most || d.Found != c.found || len(d.Rows) != c.found {
			t.Errorf("%q: %+v, want %+v", c.q, d, c)
		}
	}
}

// TestThePageOfTraining: a search is in the subject and the region, and leads to the sectors that are taught.
func TestThePageOfTraining(t *testing.T) {
	s := planSnapshot()
	row := func(subject, region string) api.CourseDemandRow {
		return api.CourseDemandRow{Metric: "apprenticeship_starts", SubjectArea: subject, RegionName: region}
	}
	s.training = []api.CourseDemandRow{row("Health, Public Services and Care", "Camden"), row("Law", "Hackney")}
	for q, want := range map[string][3]int{"": {2, 1, 1}, "law": {1, 1, 0}, "camden": {1, 1, 1}, "nothing": {0, 0, 0}} {
		v := visit(s, "/courses?region=camden&q="+q)
		d := (&Site{}).courses(v).data.(listView[api.CourseDemandRow])
		if got := [3]int{d.Found, len(d.Kinds), len(d.Sectors)}; got != want || d.Region != "Camden" || v.err != nil {
			t.Errorf("%q: %v (%v), want %v", q, got, v.err, want)
		}
		if menu := menusSaid([]optionGroup{{Options: d.Choices["metric"]}}); !strings.HasPrefix(menu, "[ All kinds*, ") {
			t.Errorf("the kinds are %s", menu)
		}
	}
	v := visit(s, "/courses?metric=rumours")
	if (&Site{}).courses(v); fmt.Sprint(v.faultyParameters) != "[metric]" {
		t.Errorf("an unknown kind: %v", v.err)
	}
}

// TestThePageOfEvidence opens with the newest of each kind but news. A search has forty, those of news last.
func TestThePageOfEvidence(t *testing.T) {
	s := recorded(filtered())
	soc := "61"
	for i := range 41 {
		s.evidence = append(s.evidence, api.EvidenceRow{ID: fmt.Sprint(i), Kind: []string{"news", "report"}[i%2],
			Title: "Care", Statement: "Few nurses", SOC: &soc})
	}
	d := (&Site{}).evidence(visit(s, "/evidence?soc=61")).data.(evidenceView)
	if len(d.Kinds) != 1 || d.Kinds[0].Name != "Reports" || d.Kinds[0].URL != "/evidence?kind=report&soc=61" ||
		len(d.Kinds[0].Rows) != 20 || d.News != "/evidence?kind=news&soc=61" || d.Occupation != "Care" || d.Rows != nil {
		t.Errorf("%+v", d)
	}
	for _, q := range []string{"care", "nurses", "61", "care+61"} {
		d = (&Site{}).evidence(visit(s, "/evidence?q="+q)).data.(evidenceView)
		if d.Found != 41 || len(d.Rows) != 40 || d.Rows[0].ID != "1" || d.Rows[19].ID != "39" || d.Rows[20].ID != "0" ||
			d.Kinds != nil || d.Occupation != "" {
			t.Errorf("%s: %d of %d", q, len(d.Rows), d.Found)
		}
	}
	v := visit(s, "/evidence?kind=report&cursor=x")
	v.after = &api.EvidencePosition{ID: "e"}
	if d := (&Site{}).evidence(v).data.(evidenceView); len(d.Rows) != 20 || d.First != "/evidence?kind=report" ||
		!strings.Contains(s.queries(), "Kind=report After={0001-01-01 00:00:00 +0000 UTC e} Limit=20") {
		t.Errorf("a later page: %+v", d)
	}
	for target, want := range map[string]string{"/evidence?kind=rumour": "[kind]", "/evidence?soc=99": "[soc]"} {
		v := visit(s, target)
		if (&Site{}).evidence(v); fmt.Sprint(v.faultyParameters) != want {
			t.Errorf("%s: %v", target, v.faultyParameters)
		}
	}
}

// TestThePageOfStatus: which sources are late, when it was published, and without data nothing.
func TestThePageOfStatus(t *testing.T) {
	site, _ := siteFor(t, &loaded{})
	s := recorded(&fixed{asOf: dayOf("2026-11-20"), people: api.People{Withdrawn: true}})
	s.peopleTo = dayOf("2026-06-30")
	s.sources = []api.SourcesRow{{Key: "a"}, {Key: "b", Stale: true}, {Key: "c"}}
	v := visit(s, "/status")
	v.at = nowOf()
	shown := site.status(v)
	d := shown.data.(statusView)
	if v.err != nil || d.Sources != 3 || len(d.Late) != 1 || d.Late[0].Key != "b" || d.Overdue || !d.Withdrawn ||
		!d.Published.IsZero() || !v.stamp.People || shown.template != "status" {
		t.Errorf("%v: %+v", v.err, d)
	}
	s.people = api.People{Published: true}
	if d := site.status(v).data.(statusView); !d.Overdue || d.Withdrawn {
		t.Errorf("with figures about people: %+v", d)
	}
	if got := site.status(visit(nil, "/status")); got.data != nil || got.template != "status" || got.title != "Status" {
		t.Errorf("without data: %+v", got)
	}
}

// TestSourcesHaveTheirCoverage, and a report that cannot be read is a fault.
func TestSourcesHaveTheirCoverage(t *testing.T) {
	site, _ := siteFor(t, &loaded{})
	s := recorded(&fixed{})
	s.sources = []api.SourcesRow{{Key: "a"}, {Key: "b"}}
	file := filepath.Join(site.Store.SnapshotDir("2026-11-20.1"), snapshots.ReportFileName)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	const adverts = `"adverts":{"in_uk":100,"placed":50,"with_soc":1,"with_sector":2`
	for report, want := range map[string]*coverage{
		`{"sources":[{"source":"b",` + adverts + `,"with_skill":3,"no_text":100}}]}`: {Placed: 50, Occupation: 1, Sector: 2},
		`{"sources":[{"source":"b",` + adverts + `,"with_skill":1,"no_text":98}}]}`: {Placed: 50, Occupation: 1, Sector: 2,
			Skill: 50},
		`{"sources":[`: nil,
	} {
		if err := os.WriteFile(file, []byte(report), 0o600); err != nil {
			t.Fatal(err)
		}
		v := visit(s, "/sources")
		list := site.sources(v).data.([]sourceView)
		if len(list) != 2 || list[0].Coverage != nil || (v.err != nil) != (want == nil) ||
			fmt.Sprintf("%+v", list[1].Coverage) != fmt.Sprintf("%+v", want) {
			t.Errorf("%s: %+v (%v), want %+v", report, list, v.err, want)
		}
	}
}
