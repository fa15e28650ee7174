package snapshots_test

import (
	"testing"
	"time"

	"labour/snapshots"
)

// TestRowsInTheOrderOfATable: by days, numbers and texts, a null after every value; of rows with one
// key the first stands.
func TestRowsInTheOrderOfATable(t *testing.T) {
	type row struct {
		Text   string     `col:"text"`
		Number int8       `col:"number"`
		Day    *time.Time `col:"day"`
		Note   string     `col:"note"`
	}
	early, late := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC)
	table := snapshots.Table{SortColumns: []string{"day", "number", "text"}}
	rows := []row{{"a", 1, nil, "1"}, {"é", 2, &late, "2"}, {"z", 2, &late, "3"}, {"Z", 2, &late, "4"},
		{"b", -1, &late, "5"}, {"b", 10, &early, "6"}, {"a", 1, nil, "7"}}
	notes := func(rows []row) (all string) {
		for _, r := range rows {
			all += r.Note
		}
		return all
	}
	if got := notes(snapshots.SortedRows(table, rows)); got != "6543217" {
		t.Errorf("sorted: %s", got)
	}
	if got := notes(snapshots.DistinctRows(table, rows)); got != "654321" {
		t.Errorf("distinct: %s", got)
	}
	if notes(rows) != "1234567" {
		t.Errorf("the rows that were given are in another order: %s", notes(rows))
	}
}
