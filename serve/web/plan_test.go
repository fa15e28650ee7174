package web_test

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"
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
	if w := s.get(t, "/plan.csv?place=nowhere"); w.Code != http.StatusBadRequest {
		t.Errorf("an unknown place: status %d", w.Code)
	}
}
