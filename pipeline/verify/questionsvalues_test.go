package verify

import (
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
)

// TestQuestionsOfValues asks about values that the format does not state for their column.
func TestQuestionsOfValues(t *testing.T) {
	askAll(t, judge(t), []question{
		{file: "values/skill_levels.sql", table: "residents", column: "level", want: "0 3",
			says:   "level is 0, which is no level from 1 to 5; level is 6, which is no level from 1 to 5",
			tables: []table{numbered("residents", "level", "0", "1", "5", "6")}},
		{file: "values/words.sql", table: "places", column: "area_kind", want: "2 3",
			says: `area_kind is "all"; it can only be one of: borough,area; ` +
				`area_kind is ""; it can only be one of: borough,area`,
			tables: []table{numbered("places", "area_kind", "'borough'", "'area'", "'all'", "''")}},
		{file: "values/words.sql", table: "reach", column: "within_km", want: "3", tables: []table{numbered("reach",
			"within_km", "5", "10", "20", "7")}},
		{file: "values/jobs.closed.sql", want: "1", says: "closes_on is 2026-11-19, before as_of",
			tables: []table{numbered("jobs", "closes_on", "DATE '2026-11-20'", "DATE '2026-11-19'", "NULL")}},
		{file: "values/demand.day.sql", want: "2 3",
			says: "day is 2025-11-20, not one of the 365 up to as_of; day is 2026-11-21, not one of the 365 up to as_of",
			tables: []table{numbered("demand", "day", "DATE '2025-11-21'", "DATE '2026-11-20'", "DATE '2025-11-20'",
				"DATE '2026-11-21'")}},
	})
}

// TestColumnsWithStatedValues holds that each of them is a column, and which columns are levels of
// skills.
func TestColumnsWithStatedValues(t *testing.T) {
	j := judge(t)
	for name := range statedWords {
		table, column, _ := strings.Cut(name, ".")
		of, _ := j.schema(table)
		got := j.columns(faultQuery{check: "values", of: "words"}, rowFile{Table: of})
		if !slices.Contains(got, column) {
			t.Errorf("%s is no column", name)
		}
	}
	for name, want := range map[string]int{"skills": 2, "levels": 1, "residents": 1, "adverts": 0, "pathway_steps": 0} {
		table, _ := snapshots.FindTable(name)
		if got := j.columns(faultQuery{check: "values", of: "skill_levels"}, rowFile{Table: table}); len(got) != want {
			t.Errorf("%s has the levels %q, want %d", name, got, want)
		}
	}
}
