package verify

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
)

// TestQuestionsOfCells asks about cells of adverts.
func TestQuestionsOfCells(t *testing.T) {
	const key = "area_kind, place, sector, soc, source, month, adverts"
	const total = "('all', '', 'care', '21', 's', 1, 5), ('borough', 'camden', 'care', '21', 's', 1, 3)"
	askAll(t, judge(t), []question{
		{file: "cells/cells.sql", table: "adverts", want: "1 2", tables: []table{numbered("adverts", "adverts, month",
			"1, DATE '2026-11-01'", "0, DATE '2026-11-01'", "1, DATE '2026-11-02'")}},
		{file: "cells/adverts_total.kind.sql", want: "3 4", tables: []table{numbered("adverts_total", "area_kind, place",
			"'all', ''", "'borough', 'camden'", "'area', 'north'", "'moon', ''", "'all', 'camden'")}},
		{file: "cells/adverts.total.sql", want: "1 3 4 5 6 7 8", tables: []table{{"adverts_total", key, total},
			numbered("adverts", key, "'all', '', 'care', '21', 's', 1, 5", "'all', '', 'care', '21', 's', 1, 6",
				"'borough', 'camden', 'care', '21', 's', 1, 3", "'borough', 'camden', 'care', '21', 's', 1, 4",
				"'area', 'camden', 'care', '21', 's', 1, 1", "'all', '', 'arts', '21', 's', 1, 1",
				"'all', '', 'care', '22', 's', 1, 1", "'all', '', 'care', '21', 't', 1, 1",
				"'all', '', 'care', '21', 's', 2, 1")}},
		{file: "cells/cells.named.sql", table: "adverts", want: "2 4", tables: []table{{"places", "place", "('camden')"},
			{"sectors", "sector", "('care')"}, numbered("adverts", "place, sector", "'', ''", "'camden', 'care'",
				"'nowhere', 'care'", "'', 'care'", "'camden', 'zoos'")}},
		{file: "cells/adverts.skills.sql", want: "0 3 4", tables: []table{{"skills", "skill", "('sql')"},
			numbered("adverts", "skill, level", "'sql', 0", "'sql', 1", "'sql', 5", "'sql', 6", "'unheard-of', 2")}},
		{file: "cells/adverts_total.country.sql", want: "2 4 5", tables: []table{numbered("adverts_total", key,
			"'all', '', 'care', '21', 's', 1, 5", "'borough', 'camden', 'care', '21', 's', 1, 5",
			"'borough', 'hackney', 'care', '21', 's', 1, 6", "'area', 'north', 'care', '21', 's', 1, 5",
			"'area', 'south', 'care', '21', 's', 1, 6", "'borough', 'camden', 'care', '21', 't', 1, 1",
			"'all', 'camden', 'care', '21', 't', 1, 1")}},
	})
}

// TestQuestionsOfPeriodsOfLists asks which windows, months and quarters a list may be of.
func TestQuestionsOfPeriodsOfLists(t *testing.T) {
	askAll(t, judge(t), []question{{file: "lists/lists.periods.sql", want: "4 6 8 9 11 12",
		tables: []table{numbered("lists", "month, window_months", "NULL, 3", "NULL, 6", "NULL, 12", "NULL, 24", "NULL, 1",
			"DATE '2026-11-01', 1", "DATE '2026-11-02', 1", "DATE '2026-10-01', 3", "DATE '2026-11-01', 3",
			"DATE '2026-10-01', 6", "DATE '2024-12-01', 1", "DATE '2024-11-01', 1", "DATE '2026-12-01', 1")}}})
}

// TestQuestionsOfLists asks whether lists are the cells that match their filters, and reach the floor.
func TestQuestionsOfLists(t *testing.T) {
	cells := table{"adverts_total",
		"source, soc, sector, place, month, employer_1, employer_2, employer_3, adverts, in_council, in_area",
		`('p', '2134', 'care', '', DATE '2026-11-01', 1, 2, 3, 5, 3, 1),
		('q', '6135', '', '', DATE '2026-08-01', 4, NULL, NULL, 4, 0, 2),
		('p', '2134', 'care', 'camden', DATE '2026-11-01', 1, 2, NULL, 5, 5, 0),
		('p', '2134', 'care', '', DATE '2024-11-01', 5, 6, 7, 8, 8, 0)`}
	const columns = "source, soc, sector, place, month, window_months, adverts, in_council, in_area, list, sources"
	lists := []string{
		"'', '', '', '', NULL, 3, 5, 3, 1", "'', '', '', '', NULL, 6, 9, 3, 3", "'p', '2', '', '', NULL, 24, 5, 3, 1",
		"'', '2134', 'care', '', NULL, 3, 5, 3, 1", "'', '', '', '', DATE '2026-10-01', 3, 5, 3, 1",
		"'', '', '', '', DATE '2026-11-01', 1, 5, 3, 1",
		"'', '', '', '', DATE '2026-08-01', 1, 4, 0, 2", // too few adverts
		"'', '', '', '', NULL, 6, 9, 3, 2", "'', '', '', '', NULL, 6, 9, 2, 3", "'', '', '', '', NULL, 6, 8, 3, 3",
		"'', '', '', 'hackney', NULL, 3, 5, 3, 1", "'q', '', '', '', NULL, 3, 5, 3, 1",
		"'', '', 'arts', '', NULL, 3, 5, 3, 1", "'', '22', '', '', NULL, 3, 5, 3, 1",
		"'', '', '', 'camden', NULL, 3, 5, 5, 0", // too few employers
		"'', '', '', '', DATE '2026-07-01', 3, 5, 3, 1", "'', '', '', '', DATE '2026-09-01', 1, 5, 3, 1",
		"'', '', '', '', DATE '2026-10-01', 1, 5, 3, 1",
		"'', '', '', '', NULL, 3, 5, 3, 1", "'', '', '', '', NULL, 6, 9, 3, 3", // of other sources
	}
	of := map[int]string{1: "p,q", 6: "q", 7: "p,q", 8: "p,q", 9: "p,q", 18: "q"}
	for i := range lists {
		lists[i] += fmt.Sprintf(", %s, '%s'", strings.Repeat("1", i+1), cmp.Or(of[i], "p"))
	}
	askAll(t, judge(t), []question{{file: "lists/lists.sql", want: "6 7 8 9 10 11 12 13 14 15 16 17 18 19",
		tables: []table{cells, numbered("lists", columns, lists...)}}})
}

// TestQuestionsOfRankings asks whether rankings are the cells that match the filters of their lists.
func TestQuestionsOfRankings(t *testing.T) {
	cells := table{"adverts", "skill, source, soc, sector, place, month, adverts",
		`('sql', 'p', '2134', 'care', '', DATE '2026-11-01', 3), ('sql', 'q', '6135', '', '', DATE '2026-08-01', 4),
		('care', 'p', '2134', '', '', DATE '2024-12-01', 2), ('care', 'p', '2134', '', '', DATE '2024-11-01', 9),
		('care', 'p', '2134', '', 'camden', DATE '2026-11-01', 1)`}
	lists := table{"lists", "list, source, soc, sector, place, month, window_months",
		`(1, '', '', '', '', NULL, 3), (2, '', '', '', '', NULL, 6), (3, 'p', '21', '', '', NULL, 24),
		(4, '', '', 'care', '', NULL, 3), (5, '', '', '', 'camden', NULL, 3), (6, '', '', '', '', DATE '2026-11-01', 1)`}
	sound := "(1, 'sql', 3), (2, 'sql', 7), (3, 'sql', 3), (3, 'care', 2), (4, 'sql', 3), (5, 'care', 1)"
	var all []question
	for rows, want := range map[string]string{
		sound: "",
		strings.Replace(sound, "(2, 'sql', 7), ", "", 1):     "-1", // a row less
		sound + ", (1, 'care', 1)":                           "-1", // a row more
		strings.Replace(sound, "7", "8", 1):                  "-1", // another number
		sound + ", (6, 'sql', 3)":                            "",   // a single month is compared with nothing
		strings.Replace(sound, "'care', 2", "'care', 11", 1): "-1", // the month before the 24 counted too
	} {
		all = append(all, question{file: "lists/rankings.sql", want: want,
			tables: []table{cells, lists, {"rankings", "list, skill, adverts", rows}}})
	}
	for rows, want := range map[string]string{
		sound: "", sound + ", (1, 'care', 1)": "-1", strings.Replace(sound, "(2, 'sql', 7), ", "", 1): "-1",
		strings.Replace(sound, "7", "8", 1): "-1 -1",
	} {
		all = append(all, question{file: "lists/rankings_by_skill.sql", want: want, tables: []table{lists,
			{"rankings", "list, skill, adverts", sound}, {"rankings_by_skill", "list, skill, adverts", rows}}})
	}
	month := sound + ", (6, 'sql', 3)" // of a list of a single month
	all = append(all, question{file: "lists/rankings_by_skill.sql", want: "-1", tables: []table{lists,
		{"rankings", "list, skill, adverts", month}, {"rankings_by_skill", "list, skill, adverts", month}}})
	askAll(t, judge(t), all)
}

// TestQuestionsOfLevels asks whether a skill has the level that adverts of 24 months ask of it most
// often.
func TestQuestionsOfLevels(t *testing.T) {
	cells := table{"adverts", "skill, level, adverts, area_kind, month",
		`('a', 2, 3, 'all', DATE '2026-11-01'), ('a', 2, 2, 'all', DATE '2024-12-01'), ('a', 3, 5, 'all', DATE '2026-11-01'),
		('a', 4, 9, 'borough', DATE '2026-11-01'), ('a', 5, 9, 'all', DATE '2024-11-01'),
		('b', 5, 2, 'all', DATE '2026-11-01'), ('b', 1, 1, 'all', DATE '2026-11-01'),
		('c', 4, 3, 'all', DATE '2026-12-01')`}
	askAll(t, judge(t), []question{{file: "lists/skills.level.sql", want: "1 3 5", tables: []table{cells,
		numbered("skills", "skill, level, reference_level", "'a', 2, 1", "'a', 3, 1", "'b', 5, 3", "'b', 1, 3",
			"'c', 3, 3", "'c', 4, 3", "'d', 5, 5")}}})
}

// TestQuestionsOfTheWholeCountry asks which lists of the country as a whole are missing, by the
// month of its adverts.
func TestQuestionsOfTheWholeCountry(t *testing.T) {
	const columns = "place, month, adverts, employer_1, employer_2, employer_3"
	none := table{"lists", "list, place, source, soc, sector, window_months, month", ""}
	faults := func(n int) string { return strings.TrimSpace(strings.Repeat("-1 ", n)) }
	var all []question
	for rows, missing := range map[string]int{
		"('', DATE '2026-11-01', 5, 1, 2, 3)":                                            5, // four windows and a quarter
		"('', DATE '2026-11-01', 4, 1, 2, 3)":                                            0,
		"('', DATE '2026-11-01', 5, 1, 2, NULL)":                                         0,
		"('', DATE '2026-11-01', 3, 1, 2, NULL), ('', DATE '2026-10-01', 2, 1, 3, NULL)": 5,
		"('', DATE '2026-11-01', 3, 1, 2, NULL), ('', DATE '2026-09-01', 2, 1, 3, NULL)": 4, // of two quarters
		"('camden', DATE '2026-11-01', 5, 1, 2, 3)":                                      0,
		"('', DATE '2026-09-01', 5, 1, 2, 3)":                                            5,
		"('', DATE '2026-08-01', 5, 1, 2, 3)":                                            4,
		"('', DATE '2026-06-01', 5, 1, 2, 3)":                                            4,
		"('', DATE '2026-05-01', 5, 1, 2, 3)":                                            3,
		"('', DATE '2025-12-01', 5, 1, 2, 3)":                                            3,
		"('', DATE '2025-11-01', 5, 1, 2, 3)":                                            2,
		"('', DATE '2025-01-01', 5, 1, 2, 3)":                                            2,
		// of a quarter begun before the 24
		"('', DATE '2024-12-01', 5, 1, 2, 3)": 1,
		"('', DATE '2024-11-01', 5, 1, 2, 3)": 0,
		"('', DATE '2026-12-01', 5, 1, 2, 3)": 0,
	} {
		all = append(all, question{file: "lists/lists.whole.sql", want: faults(missing),
			tables: []table{none, {"adverts_total", columns, rows}}})
	}
	found := table{"lists", none.columns, `(1, '', '', '', '', 3, NULL), (2, '', '', '', '', 6, NULL),
		(3, '', '', '', '', 12, NULL), (4, '', '', '', '', 24, NULL), (5, '', '', '', '', 3, DATE '2026-10-01')`}
	cells := table{"adverts_total", columns, "('', DATE '2026-11-01', 5, 1, 2, 3)"}
	all = append(all, question{file: "lists/lists.whole.sql", want: "", tables: []table{found, cells}})
	for from, to := range map[string]string{"(2, ''": "(2, 'camden'", "(2, '', ''": "(2, '', 'p'",
		"(2, '', '', ''": "(2, '', '', '21'", "(2, '', '', '', ''": "(2, '', '', '', 'care'",
		"6, NULL": "6, DATE '2026-10-01'", "3, DATE '2026-10-01'": "3, DATE '2026-07-01'"} {
		other := found
		other.rows = strings.Replace(found.rows, from, to, 1)
		all = append(all, question{file: "lists/lists.whole.sql", want: "-1", tables: []table{other, cells}})
	}
	askAll(t, judge(t), all)
}
