package verify

import "testing"

// TestWordsOfQuestions: a fault says what the file has and what it must have, also where that is nothing.
func TestWordsOfQuestions(t *testing.T) {
	const key = "area_kind, place, sector, soc, source, month, adverts"
	askAll(t, judge(t), []question{
		{file: "small_numbers/counts.sql", table: "people", column: "n", want: "0 1 2 3",
			says: "n: value 4: a count of people from 1 to 4 must not be held as a number; n: status number without a value; " +
				`n: status "under_5" with a value; n: unknown status "other"`,
			tables: []table{numbered("people", "n_status, n", "'number', 4", "'number', NULL", "'under_5', 3",
				"'other', NULL")}},
		{file: "small_numbers/changes.sql", want: "0 1",
			says: `old, people_turned_down: 3 is neither 0 nor at least 5, "<5" or null; ` +
				`new, people_turned_down: no JSON object is neither 0 nor at least 5, "<5" or null`,
			tables: []table{numbered("changes", `"table", old, new`, `'people', '{"people_turned_down":3}', NULL`,
				"'people', NULL, 'no'")}},
		{file: "cells/adverts_total.country.sql", want: "1 2",
			says: "6 adverts in the place; the whole country has 5; 1 adverts in the place; the whole country has 0",
			tables: []table{numbered("adverts_total", key, "'all', '', 'care', '21', 's', 1, 5",
				"'borough', 'hackney', 'care', '21', 's', 1, 6", "'area', 'south', 'care', '21', 't', 1, 1")}},
		{file: "cells/adverts.total.sql", want: "0 1",
			says: "6 adverts ask for the skill; adverts_total has 5 in the cell; " +
				"1 adverts ask for the skill; adverts_total has 0 in the cell",
			tables: []table{{"adverts_total", key, "('all', '', 'care', '21', 's', 1, 5)"}, numbered("adverts", key,
				"'all', '', 'care', '21', 's', 1, 6", "'all', '', 'care', '21', 't', 1, 1")}},
		{file: "lists/lists.sql", want: "0 1 2",
			says: "6 adverts, 2 in a council and 1 in an area; adverts_total adds up to 5, 3 and 1 of 3 employers; " +
				"5 adverts, 3 in a council and 1 in an area; adverts_total adds up to 0, 0 and 0 of 0 employers; " +
				`sources is "q"; adverts_total has adverts of "p"`,
			tables: []table{{"adverts_total",
				"source, soc, sector, place, month, employer_1, employer_2, employer_3, adverts, in_council, in_area",
				"('p', '2134', 'care', '', DATE '2026-11-01', 1, 2, 3, 5, 3, 1)"},
				numbered("lists", "list, source, soc, sector, place, month, window_months, adverts, in_council, in_area, sources",
					"1, '', '', '', '', NULL::DATE, 3, 6, 2, 1, 'p'", "2, 'q', '', '', '', NULL, 3, 5, 3, 1, 'q'",
					"3, '', '', '', '', NULL, 6, 5, 3, 1, 'q'")}},
		{file: "lists/rankings.sql", want: "-1 -1",
			says: "0 adverts of list 1 ask for sql; adverts adds up to 3; " +
				"4 adverts of list 1 ask for care; adverts adds up to 0",
			tables: []table{{"adverts", "skill, source, soc, sector, place, month, adverts",
				"('sql', 'p', '2134', 'care', '', DATE '2026-11-01', 3)"},
				{"lists", "list, source, soc, sector, place, month, window_months", "(1, '', '', '', '', NULL::DATE, 3)"},
				{"rankings", "list, skill, adverts", "(1, 'care', 4)"}}},
		{file: "lists/skills.level.sql", want: "0 1",
			says: "a is at level 3; adverts ask for level 2; b is at level 5; adverts ask for level 4",
			tables: []table{{"adverts", "skill, level, adverts, area_kind, month", "('a', 2, 3, 'all', DATE '2026-11-01')"},
				numbered("skills", "skill, level, reference_level", "'a', 3, 1", "'b', 5, 4")}},
		{file: "recomputed/course_demand.change.sql", want: "0 1 2",
			says: "change_pct is 12.5; there is nothing to compute it from; change_pct is null; the printed values give 50.0; " +
				"change_pct is 50.1; the printed values give 50.0",
			tables: []table{numbered("course_demand", "change_pct, value, previous_value", "12.5, 9, 0", "NULL, 9, 6",
				"50.1, 9, 6")}},
		{file: "recomputed/trends.change.sql", want: "0 1",
			says: "change_pct is 12.5; the printed values give nothing to compute it from; " +
				"change_pct is 50.1; the printed values give 50.0",
			tables: []table{numbered("trends", "change_pct, vacancies, previous_vacancies", "12.5, 9, 0", "50.1, 9, 6")}},
		{file: "changes/changes.sql", want: "1 2 3 4 5",
			says: `table "levels" comes after "skills"; table "moons" is unknown; change "turned" for the reason "method" is ` +
				"unknown; has 2 in the column keys; has old and new values that are not those of a key that was added",
			tables: []table{numbered("changes", `"table", change, reason, keys, key, old, new`,
				"'skills', 'added', 'method', 1, 'k', NULL, 'n'", "'levels', 'added', 'method', 1, 'k', NULL, 'n'",
				"'moons', 'added', 'method', 1, 'k', NULL, 'n'", "'skills', 'turned', 'method', 1, 'k', 'o', 'n'",
				"'skills', 'added', 'method', 2, 'k', NULL, 'n'", "'skills', 'added', 'method', 1, 'k', 'o', 'n'")}},
	})
}

// TestWordsOfQuestionsThatAskTwoThings: a fault says which of them is wrong in its row.
func TestWordsOfQuestionsThatAskTwoThings(t *testing.T) {
	askAll(t, judge(t), []question{
		{file: "cells/cells.sql", table: "adverts", want: "0 1",
			says:   "adverts is 0; month is 2026-11-02, not the first day of one",
			tables: []table{numbered("adverts", "adverts, month", "0, DATE '2026-11-01'", "1, DATE '2026-11-02'")}},
		{file: "cells/adverts_total.kind.sql", want: "0 1", says: `area_kind "moon" is unknown; area_kind all has a place`,
			tables: []table{numbered("adverts_total", "area_kind, place", "'moon', 'camden'", "'all', 'camden'")}},
		{file: "cells/cells.named.sql", table: "adverts", want: "0 1 2",
			says: `place "nowhere" is not in places; sector "zoos" is not in sectors; sector "zoos" is not in sectors`,
			tables: []table{{"places", "place", "('camden')"}, {"sectors", "sector", "('care')"}, numbered("adverts",
				"place, sector", "'nowhere', 'care'", "'camden', 'zoos'", "'', 'zoos'")}},
		{file: "events/events.sql", want: "0 1 2", says: "it is an event of a partner; " +
			"application.created is about a person; outcome hired is about a person",
			tables: []table{numbered("events", "partner, type, outcome", "'north', 'application.created', NULL",
				"'', 'application.created', NULL", "'', 'outcome.recorded', 'hired'")}},
		{file: "attribution/sources.statement.sql", want: "0 1",
			says: `attribution_statement "Source: <name>." has a placeholder; ` +
				`attribution_statement is "Other.", not word for word "Source: London Works."`,
			tables: []table{numbered("sources", "attribution_statement, kind, licence", "'Source: <name>.', 'platform', ''",
				"'Other.', 'platform', ''")}},
		{file: "as_of/each.sql", table: "regions", want: "0 1",
			says:   "as_of is 2026-09-30, not 2026-11-20; as_of is null, not 2026-11-20",
			tables: []table{numbered("regions", "as_of", "DATE '2026-09-30'", "NULL")}},
		{file: "order/each.sql", table: "levels", column: "level", want: "1 2",
			says:   "has the same key as the row before; comes before the row before in the order level",
			tables: []table{numbered("levels", "level", "2", "2", "1")}},
		{file: "lists/lists.periods.sql", want: "0 1",
			says: "5 months from no month are no window, month or quarter; " +
				"2 months from 2026-11-01 are no window, month or quarter",
			tables: []table{numbered("lists", "month, window_months", "NULL::DATE, 5", "DATE '2026-11-01', 2")}},
		{file: "recomputed/reach.distance.sql", want: "1", says: "vacancies is 5; within a shorter distance there are 6",
			tables: []table{numbered("reach", "ward_code, within_km, vacancies", "'E05000001', 5, 6", "'E05000001', 10, 5")}},
		{file: "recomputed/skills_gaps.sources.sql", want: "0 1", says: "sources_agreeing is 1; pointing_sources names 2; " +
			"sources_agreeing is 1; pointing_sources names 0",
			tables: []table{numbered("skills_gaps", "sources_agreeing, pointing_sources", "1, 'a,b'", "1, ''")}},
	})
}
