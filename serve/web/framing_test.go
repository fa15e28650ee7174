package web

import (
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/serve/etag"
	"labour/serve/partners/dashboard"
	"labour/snapshots/figure"
)

// navigationSaid is the navigation in words: each group with its addresses, and a star where the page is.
func navigationSaid(groups []navGroup) string {
	var lines []string
	star := map[bool]string{true: "*"}
	for _, g := range groups {
		line := g.Name + star[g.Here] + ":"
		for _, e := range g.Entries {
			line += " " + e.URL + star[e.Here]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestNavigationKeepsThePlace: links to pages of a place lead to the chosen one. The entry of the page is marked,
// with its group. Partners have a page if there is a dashboard.
func TestNavigationKeepsThePlace(t *testing.T) {
	const everywhere = "Explore: /skills /places /occupations /courses /plan /gaps /evidence /changes"
	const about, developers = "About the data: /docs/methods /sources /snapshots", "Developers: /docs /docs/api"
	open := &dashboard.Options{}
	for _, c := range []struct {
		partners       *dashboard.Options
		place, section string
		want           []string
	}{
		{nil, "", "", []string{everywhere, about, developers}},
		{open, "", "", []string{everywhere, about, developers + " /partner"}},
		{open, "", "/partner", []string{everywhere, about, strings.Replace(developers, ":", "*:", 1) + " /partner*"}},
		{nil, "camden", "/skills", []string{"Explore*: /skills?place=camden* /places/camden /occupations?place=camden " +
			"/courses?region=camden /plan?place=camden /gaps?place=camden /evidence?place=camden /changes?place=camden",
			about, developers}},
		{nil, "a b", "/places", []string{"Explore*: /skills?place=a%20b /places/a%20b* /occupations?place=a%20b " +
			"/courses?region=a%20b /plan?place=a%20b /gaps?place=a%20b /evidence?place=a%20b /changes?place=a%20b",
			about, developers}},
		{nil, "", "/sources", []string{everywhere, "About the data*: /docs/methods /sources* /snapshots", developers}},
	} {
		s := &Site{Options: Options{Dashboard: c.partners}}
		if got, want := navigationSaid(s.navigation(c.place, c.section)), strings.Join(c.want, "\n"); got != want {
			t.Errorf("%q of %q:\n%s\nwant\n%s", c.section, c.place, got, want)
		}
	}
}

// TestTheFrameOfAPage has the search of the search page only, the chosen occupation, and how counts are protected.
func TestTheFrameOfAPage(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	s.OperatorContact = "a@b.example"
	snapshot := filtered()
	snapshot.named[api.Skills] = []api.Named{{Value: "driving", Kind: "licence"}, {Value: "sql", Kind: "technical"}}
	v := visit(snapshot, "/find?q=care&soc=6135")
	v.place = "camden"
	f := s.frame(v, view{title: "Search", section: "/find", data: 7})
	if f.Title != "Search" || f.Query != "care" || f.SOC != "6135" || f.Place != "camden" || f.Plain || f.NoPeople ||
		f.Stamp != nil || f.Embedded || f.Contact != "a@b.example" || f.Base != "https://labour.example" || f.Data != 7 ||
		f.Platform != "Example Works" || f.HasLevel("driving") || !f.HasLevel("sql") || f.Past != nil {
		t.Errorf("%+v", f)
	}
	if f := s.frame(v, view{section: "/skills"}); f.Query != "" {
		t.Errorf("the page of skills searches for %q", f.Query)
	}
	v = visit(snapshot, "/embed/skills/sql?by=place")
	v.stamp.Snapshot, v.stamp.People = snapshot, true
	snapshot.people = api.People{Protection: "plain", Withdrawn: true}
	f = s.frame(v, view{title: "A map"})
	if !f.Plain || !f.NoPeople || !f.Embedded || f.Stamp == nil ||
		f.Stamp.Workbook != "/workbook/embed/skills/sql?by=place" ||
		f.Stamp.Cite != "Example Works, “A map”, data as of 1 January 0001, snapshot 2026-11-20.1, "+
			"https://labour.example/embed/skills/sql?by=place&snapshot=2026-11-20.1" {
		t.Errorf("%+v with %+v", f, f.Stamp)
	}
	v.stamp.People = false
	if f := s.frame(v, view{}); f.NoPeople {
		t.Error("a page without people misses them")
	}
	if f := s.frame(visit(nil, "/docs"), view{}); f.Platform != "" || f.SOC != "" || f.HasLevel != nil || f.Stamp != nil {
		t.Errorf("without data: %+v", f)
	}
}

// TestACitationHasEachStatement, a line each, below the title, the date and the address of the figures.
func TestACitationHasEachStatement(t *testing.T) {
	v := visit(&fixed{asOf: dayOf("2026-11-20")}, "/skills?soc=61")
	v.stamp.Sources = []api.Source{{Key: "a", AttributionStatement: "Source: A."},
		{Key: "b", AttributionStatement: "Source: B."}}
	want := "Example Works, “Skills”, data as of 20 November 2026, snapshot 2026-11-20.1, " +
		"https://labour.example/skills?snapshot=2026-11-20.1&soc=61\nSource: A.\nSource: B."
	if got := v.cite("Skills"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFunctionsOfTemplates: what templates write with them.
func TestFunctionsOfTemplates(t *testing.T) {
	s := &Site{version: "0123456789abcdef"}
	day := dayOf("2026-02-03")
	date, tenths := api.DateOf(day), figure.Tenths(123)
	data := map[string]any{"Day": day, "At": &day, "Date": date, "DateAt": &date, "SOC": "61", "N": int64(1234),
		"Share": api.Share{Tenths: 5}, "Percent": api.Percent{Tenths: &tenths}, "Row": shareOf(120, 30, "20-49"),
		"Rows": []api.SkillsUnmetRow{shareOf(120, 0, ""), shareOf(305, 0, "")}}
	for text, want := range map[string]string{
		`{{date .Day}}`: "3 February 2026", `{{month .At}}`: "February 2026", `{{iso .Date}}`: "2026-02-03",
		`{{date .DateAt}}`:                            "3 February 2026",
		`{{asset "style.css"}}`:                       "/static/style.css?v=0123456789ab",
		`{{skillurl "c++" nil}}`:                      "/skills/c&#43;&#43;",
		`{{address "/skills" "soc" .SOC "by" ""}}`:    "/skills?soc=61",
		`{{occupation .SOC "camden"}}`:                "/occupations/61?place=camden",
		`{{email "a@b.example"}}`:                     "true",
		`{{email "https://a.example/"}}`:              "false",
		`{{len plainHeads}}`:                          "7",
		`{{fraction .Rows}}`:                          "0 of 2",
		`{{sampleShare 5}}`:                           fmt.Sprint(api.Share{Tenths: 5}),
		`{{tenths (sample 5)}} {{tenths .Percent}}`:   "5 123",
		`{{shareOf .Share}}`:                          "5",
		`{{mostAsked .Rows}}`:                         "305",
		`{{lower "ABC"}}`:                             "abc",
		"{{plain \"`a` b\"}}":                         "a b",
		`{{range parts "/v1/labour"}}[{{.}}]{{end}}`:  "[/v1][/labour]",
		`{{with put "a" 1 "b" 2}}{{.a}}{{.b}}{{end}}`: "12",
		`{{grouped .N}}`:                              "1,234",
		`{{metric "apprenticeship_starts"}}`:          "Apprenticeship starts",
		`{{metric "other"}}`:                          "other",
		`{{tidy "employer_boards"}}`:                  "Employer boards",
		`{{int64 (len .Rows)}}`:                       "2",
		`{{say "adverts_share_pct" .Share}}`:          `<data value="0.5" data-f="adverts_share_pct">1%</data>`,
		`{{firstBase .Rows}}`:                         `<data class="base" value="" data-f="adverts_base"></data>`,
	} {
		page, err := template.New("").Funcs(s.functions()).Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := page.Execute(&b, data); err != nil || b.String() != want {
			t.Errorf("%s: %s (%v), want %s", text, b.String(), err, want)
		}
	}
}

// TestPagesAreKeptUntilTheyChange: a page that was made has a tag of its text, unless one was known before; a page
// with a status of its own is never kept.
func TestPagesAreKeptUntilTheyChange(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	send := func(v *request, shown view) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.send(w, v, shown)
		return w
	}
	file := view{body: []byte("a,b\n"), kind: "text/csv", name: "plan.csv"}
	w := send(visit(nil, "/plan.csv"), file)
	tag := etag.Of([]byte("a,b\n"))
	if w.Code != http.StatusOK || w.Body.String() != "a,b\n" || !reflect.DeepEqual(w.Header(), http.Header{
		"Content-Type": {"text/csv"}, "Content-Disposition": {`attachment; filename="plan.csv"`}, "Etag": {tag},
		"Cache-Control": {"public, max-age=60"}}) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	again := visit(nil, "/plan.csv")
	again.Header.Set("If-None-Match", tag)
	if w := send(again, file); w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("ETag") != tag {
		t.Errorf("again: %d %v %s", w.Code, w.Header(), w.Body)
	}
	again.tag = `W/"known"`
	if w := send(again, file); w.Code != http.StatusOK || w.Header().Get("ETag") != `W/"known"` {
		t.Errorf("with a known tag: %d %v", w.Code, w.Header())
	}
	again.tag = ""
	file.status = http.StatusNotFound
	if w := send(again, file); w.Code != http.StatusNotFound || w.Body.String() != "a,b\n" ||
		w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
		t.Errorf("an error: %d %v %s", w.Code, w.Header(), w.Body)
	}
	w = send(visit(nil, "/x"), view{body: []byte("x")})
	if w.Header().Get("Content-Type") != "text/html; charset=utf-8" || w.Header()["Content-Disposition"] != nil {
		t.Errorf("without a kind: %v", w.Header())
	}
}

// TestPagesOfAPastSnapshotStayInIt: their links lead to it, and those of today name none.
func TestPagesOfAPastSnapshotStayInIt(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	s.snapshotSections = s.datedSections()
	s.templates["links"] = template.Must(template.New("").Parse(`<a href="/skills">`))
	for want, past := range map[string]*past{`<a href="/skills">`: nil,
		`<a href="/skills?snapshot=2026-11-20.1">`: &earlier} {
		v := visit(&fixed{}, "/")
		v.past = past
		w := httptest.NewRecorder()
		if s.send(w, v, view{template: "links"}); w.Body.String() != want || w.Code != http.StatusOK {
			t.Errorf("%d %s, want %s", w.Code, w.Body, want)
		}
	}
}
