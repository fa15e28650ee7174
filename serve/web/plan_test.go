package web_test

import (
	"encoding/csv"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// The planner's table has a row for each sector, with the skill, the training and the forecast on
// the same line, each with a link to its evidence; and the CSV has the same rows.
func TestPlannersTable(t *testing.T) {
	s := newSite(t)
	var sectors []string
	linked := map[string]int{}
	for _, row := range elements(s.page(t, "/plan"), "tr") {
		head := elements(row, "th")
		if len(head) != 1 || attribute(head[0], "scope") != "row" {
			continue
		}
		sectors = append(sectors, text(head[0]))
		for _, a := range elements(row, "a") {
			path, _, _ := strings.Cut(strings.TrimPrefix(attribute(a, "href"), "/"), "?")
			linked[strings.SplitN(path, "/", 2)[0]]++
		}
	}
	if len(sectors) < 2 || linked["skills"] < 2*len(sectors) || linked["courses"] == 0 || linked["occupations"] == 0 {
		t.Errorf("sectors %v with links %v", sectors, linked)
	}
	w := s.get(t, "/plan.csv")
	lines, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || w.Code != http.StatusOK || len(lines) != len(sectors)+1 {
		t.Fatalf("status %d, %d lines, %v", w.Code, len(lines), err)
	}
	name, said := slices.Index(lines[0], "sector_name"), slices.Index(lines[0], "attribution_statement")
	for i, line := range lines[1:] {
		if line[name] != sectors[i] || !strings.Contains(line[said], "Source: ") {
			t.Errorf("line %d is %v, want the sector %s with its statements", i+1, line, sectors[i])
		}
	}
	again := httptest.NewRequest(http.MethodGet, "/plan.csv", nil)
	again.Host = "labour.example"
	again.Header["If-None-Match"] = w.Header()["ETag"]
	if w := s.do(again); w.Code != http.StatusNotModified {
		t.Errorf("the same table again: status %d", w.Code)
	}
	if w := s.get(t, "/plan.csv?place=nowhere"); w.Code != http.StatusBadRequest {
		t.Errorf("an unknown place: status %d", w.Code)
	}
}

// A plan is named with its area, also on the page of a borough, and of one area the entry that is
// closest to the row stands: the sector before an occupation.
func TestPrioritiesNameTheirArea(t *testing.T) {
	data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
	c.OpenEmbargoed = []string{"priorities"}
	entry := func(region, kind, code, name string) snapshots.PrioritiesRow {
		return snapshots.PrioritiesRow{RegionCode: region, Plan: "plan", Kind: kind, Code: code, Name: name,
			Summary: "A plan lists it.", PublishedOn: c.Embargoed.Priorities[0].PublishedOn,
			SourceKey: c.Embargoed.Priorities[0].SourceKey, Licence: c.Embargoed.Priorities[0].Licence,
			Link: "https://chamber.example/" + region}
	}
	c.Embargoed.Priorities = []snapshots.PrioritiesRow{entry("E69000039", "occupation", "2", "Professionals"),
		entry("E69000039", "sector", "digital", "Digital"), entry("E69000040", "sector", "digital", "Digital")}
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	s := siteOf(t, data)
	listed := ""
	for _, row := range elements(s.page(t, "/plan?place=camden"), "tr") {
		if strings.HasPrefix(text(row), "Digital") {
			listed = text(elements(row, "td")[len(elements(row, "td"))-1])
		}
	}
	if strings.Count(listed, ": Digital") != 2 || strings.Contains(listed, "Professionals") {
		t.Errorf("Camden's digital sector is listed by %q", listed)
	}
	if csv := s.get(t, "/plan.csv?place=camden").Body.String(); !strings.Contains(csv,
		"https://chamber.example/E69000040") {
		t.Errorf("the CSV lists %s", csv)
	}
}
