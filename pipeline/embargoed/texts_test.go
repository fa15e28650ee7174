package embargoed

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"labour/sources"
)

var asOf = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func publishersByKey() map[string]sources.Info {
	return map[string]sources.Info{"news_office": {Publisher: "Office for Examples",
		Licence: "Open Government Licence v3.0", Link: "https://office.example/"}}
}

func TestSignalsAreOurOwnSentences(t *testing.T) {
	at := sources.Date{Year: 2026, Month: 11, Day: 12}
	rows := signals([]sources.Headline{
		{Source: "news_office", ID: "1", Published: at, Topics: []sources.Topic{"vacancies", "job_losses", "pay",
			"pay"}, Link: "https://office.example/1"},
		{Source: "news_office", ID: "1", Published: at.AddDays(-30), Topics: []sources.Topic{"pay"},
			Link: "https://office.example/old"},
		{Source: "news_office", ID: "2", Published: at.AddDays(-1), Topics: []sources.Topic{"skills"},
			Link: "https://office.example/2"},
		{Source: "news_office", ID: "3", Published: at, Link: "https://office.example/3"},
		{Source: "news_other", ID: "4", Published: at, Topics: []sources.Topic{"pay"}, Link: "https://other.example/4"},
		{Source: "news_office", ID: "5", Published: at.AddDays(9), Topics: []sources.Topic{"pay"},
			Link: "https://office.example/5"},
	}, publishersByKey(), asOf)
	if len(rows) != 2 {
		t.Fatalf("%d rows: what has no topic, no permission, or is still to come, is left out: %+v", len(rows), rows)
	}
	if rows[1].Summary != "Office for Examples published on skills on 11 November 2026." ||
		rows[0].Summary != "Office for Examples published on job losses, pay and vacancies on 12 November 2026." {
		t.Errorf("%q, %q", rows[1].Summary, rows[0].Summary)
	}
	if r := rows[0]; r.Topics != "job_losses,pay,vacancies" || r.Link != "https://office.example/1" ||
		r.Licence != "Open Government Licence v3.0" || !strings.HasPrefix(r.ID, "news_office:") {
		t.Errorf("%+v", r)
	}
}

func TestPrioritiesAreNamedFromOurLists(t *testing.T) {
	p := func(kind, code, page string) sources.PlanPriority {
		return sources.PlanPriority{Source: "news_office", Plan: "a-plan", Title: "The plan for Exampleshire",
			RegionCode: "E69000039", Kind: kind, Code: code, Page: page,
			Published: sources.Date{Year: 2025, Month: 8, Day: 1}, Link: "https://office.example/plan"}
	}
	other := p("skill", "sql", "")
	other.Source = "plan_other"
	name := func(kind, code string) (string, bool) {
		n, ok := map[string]string{"occupation 2231": "Nurses", "skill sql": "SQL",
			"sector digital": "Digital"}[kind+" "+code]
		return n, ok
	}
	var unknown []string
	rows := priorities([]sources.PlanPriority{p("skill", "sql", ""), p("occupation", "2231", "14"),
		p("occupation", "2231", "15"), p("occupation", "9999", "1"), p("sector", "digital", "iv"), other},
		publishersByKey(), name, func(p sources.PlanPriority) { unknown = append(unknown, p.Code) })
	want := []string{"The plan for Exampleshire (Office for Examples, 2025) lists Nurses (SOC 2020 2231) as in " +
		"demand, page 14.",
		"The plan for Exampleshire (Office for Examples, 2025) lists the sector Digital as in demand, page iv.",
		"The plan for Exampleshire (Office for Examples, 2025) lists the skill SQL as in demand."}
	if len(rows) != len(want) || len(unknown) != 1 || unknown[0] != "9999" {
		t.Fatalf("%+v, unknown %v", rows, unknown)
	}
	for i, r := range rows {
		if r.Summary != want[i] || (r.Page == nil) != (i == 2) {
			t.Errorf("%+v, want %q", r, want[i])
		}
	}
}

// TestNewsIsEvidenceWhereItsTermsPermit: "A source with an unknown licence is not
// published", nor is one whose terms permit no summary; and a headline is never counted.
func TestNewsIsEvidenceWhereItsTermsPermit(t *testing.T) {
	var infos []sources.Info
	var headlines []sources.Headline
	for key, may := range map[string]bool{"news_open": true, "news_silent": false, "news_unknown": true} {
		licence := "Open Government Licence v3.0"
		if key == "news_unknown" {
			licence = "Not confirmed"
		}
		infos = append(infos, sources.Info{Key: key, Publisher: "Office", Licence: licence,
			Link: "https://office.example/", Terms: sources.Terms{MaySummarise: may}})
		for _, day := range []int{19, 21} { // one is still to come
			headlines = append(headlines, sources.Headline{Source: key, ID: fmt.Sprint(day),
				Topics:    []sources.Topic{"pay"},
				Published: sources.Date{Year: 2026, Month: time.November, Day: day}, Link: "https://office.example/1"})
		}
	}
	rows := SummariseHeadlines(infos, headlines, asOf)
	if len(rows) != 1 || rows[0].SourceKey != "news_open" ||
		rows[0].Summary != "Office published on pay on 19 November 2026." ||
		rows[0].Licence != "Open Government Licence v3.0" || rows[0].Link != "https://office.example/1" {
		t.Errorf("%+v", rows)
	}
}
