package query

import (
	"context"
	"reflect"
	"testing"

	"labour/serve/api"
	"labour/snapshots/snaptest"
)

// walked walks one embargoed dataset in pages of limit rows, and returns how many pages and rows
// there were. Positions must rise, so that every row comes once and the walk ends.
func walked[R any](t *testing.T, ask func(context.Context, api.EmbargoedQuery) (api.Page[R], error),
	q api.EmbargoedQuery, limit int) (pages, rows int) {
	t.Helper()
	q.Limit = limit
	last := int64(0)
	for more := true; more; pages++ {
		page, err := ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Rows {
			at := reflect.ValueOf(row).FieldByName("At").Interface().(api.EmbargoedPosition).Position
			if at <= last {
				t.Fatalf("position %d comes after %d", at, last)
			}
			last = at
		}
		rows, more = rows+len(page.Rows), page.More
		q.After = &api.EmbargoedPosition{Position: last}
	}
	return pages, rows
}

// TestEveryEmbargoedWalkEnds walks each dataset in pages of one row and of all rows.
func TestEveryEmbargoedWalkEnds(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	c.OpenEmbargoed = []string{"demand", "trends", "outlook", "reach", "signals", "priorities"}
	signal, priority := c.Embargoed.Signals[0], c.Embargoed.Priorities[0]
	signal.ID, priority.Name = signal.ID+"-2", priority.Name+" 2"
	c.Embargoed.Signals = append(c.Embargoed.Signals, signal)
	c.Embargoed.Priorities = append(c.Embargoed.Priorities, priority)
	s := mountOnce(t, publishedAsOf, c)
	for name, walk := range map[string]func(limit int) (pages, rows int){
		"demand":  func(n int) (int, int) { return walked(t, s.Demand, api.EmbargoedQuery{}, n) },
		"trends":  func(n int) (int, int) { return walked(t, s.Trends, api.EmbargoedQuery{}, n) },
		"outlook": func(n int) (int, int) { return walked(t, s.Outlook, api.EmbargoedQuery{Country: "GB"}, n) },
		"reach": func(n int) (int, int) {
			return walked(t, s.VacanciesNearWards, api.EmbargoedQuery{Ward: "E05000128"}, n)
		},
		"signals":    func(n int) (int, int) { return walked(t, s.NewsSignals, api.EmbargoedQuery{}, n) },
		"priorities": func(n int) (int, int) { return walked(t, s.PlanPriorities, api.EmbargoedQuery{}, n) },
	} {
		_, all := walk(50)
		if pages, rows := walk(1); all < 2 || rows != all || pages != all {
			t.Errorf("%s: %d pages of one row with %d rows, want %d", name, pages, rows, all)
		}
	}
}
