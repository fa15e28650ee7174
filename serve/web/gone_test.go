package web_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestTablesHaveOneFigureACell: no table has a rank, a square, or the columns that a dumbbell draws; the
// tables of a page are one workbook, and their list is folded. The folded facts of one skill have its
// numbers in words.
func TestTablesHaveOneFigureACell(t *testing.T) {
	dumbbells, lists := 0, 0
	for _, p := range newSite(t).crawl(t, most) {
		for _, table := range elements(p.tree, "table") {
			dumbbells += repeatsItsDrawing(t, p, table)
		}
		for _, e := range elements(p.tree, "a") {
			if to := attribute(e, "href"); strings.HasPrefix(to, "/regions") || to == "/news" {
				t.Errorf("%s leads to %s", p.path, to)
			}
		}
		for _, e := range elements(p.tree, "details") {
			if slices.Contains(strings.Fields(attribute(e, "class")), "calls") {
				if lists++; slices.ContainsFunc(e.Attr, func(a html.Attribute) bool { return a.Key == "open" }) {
					t.Errorf("%s lists its tables unasked", p.path)
				}
			}
		}
	}
	if dumbbells == 0 || lists == 0 {
		t.Errorf("%d tables with dumbbells and %d lists of tables were looked at", dumbbells, lists)
	}
}

// repeatsItsDrawing fails for a table with a rank, a square or the numbers of its dumbbells, and
// returns 1 if it has dumbbells.
func repeatsItsDrawing(t *testing.T, p visited, table *html.Node) (drawn int) {
	t.Helper()
	facts := slices.Contains(strings.Fields(attribute(table, "class")), "facts")
	for _, head := range elements(table, "th") {
		if words := strings.Fields(strings.ToLower(text(head))); slices.Contains(words, "rank") {
			t.Errorf("%s: a table has %q", p.path, text(head))
		}
	}
	for _, e := range elements(table, "") {
		class, field := strings.Fields(attribute(e, "class")), attribute(e, "data-f")
		switch {
		case slices.Contains(class, "pairing"), field == "rank":
			t.Errorf("%s: a table has <%s> %s %v", p.path, e.Data, field, class)
		case slices.Contains(class, "dumbbell"):
			drawn = 1
		case e.Data != "td" || facts:
		case field == "hired_with_skill_pct", field == "turned_down_with_skill_pct", field == "difference_pct_points":
			t.Errorf("%s: a table has a column %s", p.path, field)
		}
	}
	return drawn
}

// The running month is marked in the table of months, as on the line.
func TestRunningMonthIsMarked(t *testing.T) {
	page := newSite(t).page(t, "/skills/sql")
	var marked []string
	for _, head := range elements(page, "th") {
		if words := strings.Join(strings.Fields(text(head)), " "); strings.Contains(words, "so far") {
			marked = append(marked, words)
		}
	}
	if want := []string{"November 2026 so far, to 20 Nov"}; !slices.Equal(marked, want) {
		t.Errorf("marked are %q, want %q", marked, want)
	}
}
