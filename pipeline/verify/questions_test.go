package verify

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/snapshots"
)

// table is a table that a question reads: its columns and its rows, in SQL.
type table struct{ name, columns, rows string }

// numbered is a table whose rows are numbered from 0, as those of the files are.
func numbered(name, columns string, rows ...string) table {
	for i, r := range rows {
		rows[i] = fmt.Sprintf("(%d, %s)", i, r)
	}
	return table{name, "file_row_number, " + columns, strings.Join(rows, ", ")}
}

// question is a file of the folder sql with tables in which it finds faults.
type question struct {
	file          string
	table, column string // of the question, if it is of several
	tables        []table
	want          string // the numbers of the rows with faults
	says          string // what is wrong with them, in order and joined by "; "; empty = not compared
}

// judge opens what asks questions about a snapshot of 20 November 2026.
func judge(t *testing.T) *rowChecker {
	t.Helper()
	db, err := duckdb.Open(t.Context(), engine.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	day := func(text string) snapshots.Date {
		d, err := snapshots.ParseDate(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	people := day("2026-09-30")
	m := snapshots.Manifest{AsOf: day("2026-11-20"), PeopleAsOf: &people, PlatformName: "London Works",
		PeopleWithdrawn: []snapshots.PeopleWithdrawal{{Skill: "sql"}, {Skill: "excel"}}}
	j := &rowChecker{subject: &subject{manifest: m, report: &Report{}, counts: map[[2]string]int{}}, duckdb: db}
	if err := j.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	return j
}

// askAll asks each question of its tables, and compares the rows in which it finds faults.
func askAll(t *testing.T, j *rowChecker, all []question) {
	t.Helper()
	for _, q := range all {
		for _, of := range q.tables {
			text := "SELECT * FROM (VALUES " + of.rows + ") AS t(" + of.columns + ")"
			if of.rows == "" {
				text = "SELECT * FROM (VALUES (" + strings.Repeat("NULL, ", strings.Count(of.columns, ",")) +
					"NULL)) AS t(" + of.columns + ") WHERE false"
			}
			if err := j.duckdb.Materialise(t.Context(), of.name, text); err != nil {
				t.Fatalf("%s: %v", of.name, err)
			}
		}
		text, err := files.ReadFile("sql/" + q.file)
		if err != nil {
			t.Fatal(err)
		}
		j.report.Faults, j.counts = nil, map[[2]string]int{}
		filled := strings.NewReplacer("{table}", q.table, "{column}", q.column, "{sort}", q.column, "{words}",
			statedWords[q.table+"."+q.column]).Replace(string(text))
		if err := j.runQuery(t.Context(), filepath.Dir(q.file), "file", filled); err != nil {
			t.Fatalf("%s: %v", q.file, err)
		}
		var rows []string
		for _, f := range j.report.Faults {
			rows = append(rows, fmt.Sprint(f.Row))
		}
		var words []string
		for _, text := range j.texts() {
			words = append(words, strings.TrimPrefix(text, filepath.Dir(q.file)+" file: "))
		}
		if got := strings.Join(words, "; "); q.says != "" && got != q.says {
			t.Errorf("%s says %q, want %q", q.file, got, q.says)
		}
		if got := strings.Join(rows, " "); got != q.want {
			t.Errorf("%s of %s %s: faults in the rows %q, want %q: %v", q.file, q.table, q.column, got, q.want,
				j.report.Faults)
		}
	}
}

// TestQuestionsOfSources asks about licences, statements and the names of sources.
func TestQuestionsOfSources(t *testing.T) {
	const ogl = "'Contains public sector information licensed under the Open Government Licence v3.0.'"
	const ons = "'Source: Office for National Statistics licensed under the Open Government Licence v3.0. " +
		"Contains OS data © Crown copyright and database right 202%d.', 'geography', ''"
	keys := table{"sources", "key, adverts_counted, kind", `('a', true, 'platform'), ('b', false, 'platform'),
		('c', false, 'employer_boards'), ('d', false, 'apprenticeships'), ('e', false, 'statistics')`}
	askAll(t, judge(t), []question{
		{file: "attribution/sources.filled.sql", want: "1 2 3", tables: []table{numbered("sources",
			"attribution_statement, licence, publisher", "'a', 'b', 'c'", "' ', 'b', 'c'", "'a', '', 'c'",
			"'a', 'b', chr(160)", "'. ', 'b', 'c'")}},
		{file: "attribution/sources.statement.sql", want: "2 4 6 9 11", tables: []table{numbered("sources",
			"attribution_statement, kind, licence", "'Source: London Works.', 'platform', ''",
			"'Source: London Works.', 'employer_boards', ''", "'Source: Other.', 'platform', ''",
			fmt.Sprintf(ons, 6), fmt.Sprintf(ons, 5), ogl+", 'statistics', 'Open Government Licence v3.0 and more'",
			"'Other.', 'projections', 'Open Government Licence v3.0'",
			ogl+", 'apprenticeships', 'Open Government Licence v3.0'",
			"'Source: U.S. Bureau of Labor Statistics.', 'projections', 'Public domain'",
			"'Other.', 'statistics', 'Public domain'", "'Its own terms.', 'news', ''", "'Source: <name>.', 'news', ''",
			"' ', 'platform', ''", "'Other.', 'statistics', 'Another licence'",
			"'Other.', 'plans', 'Open Government Licence v3.0'")}},
		{file: "freshness/sources.parts.sql", want: "1", tables: []table{numbered("sources", "key", "'a'", "'b'"),
			{"freshness", "source_key", "('a'), ('c')"}}},
		{file: "sources/named.sql", table: "trends", column: "source_keys", want: "2 3 4", tables: []table{keys,
			numbered("trends", "source_keys", "'a'", "'a,b'", "'x'", "'a,x'", "''")}},
		{file: "sources/named.sql", table: "skills_gaps", column: "pointing_sources", want: "1", tables: []table{keys,
			numbered("skills_gaps", "pointing_sources", "''", "'x'")}},
		{file: "sources/named.sql", table: "lists", column: "source", want: "1", tables: []table{keys,
			numbered("lists", "source", "''", "'x'", "'a'")}},
		{file: "sources/named.sql", table: "lists", column: "sources", want: "1 2", tables: []table{keys,
			numbered("lists", "sources", "'a,b'", "'a,x'", "''")}},
		{file: "sources/several.sql", table: "lists", column: "sources", want: "2 3", tables: []table{
			numbered("lists", "sources", "'a'", "'a,b'", "'b,a'", "'a,a'", "''")}},
		{file: "sources/counted.sql", table: "reach", column: "source_keys", want: "1 2 3 5", tables: []table{keys,
			numbered("reach", "source_keys", "'a'", "'b'", "'c'", "'d'", "'e'", "'a,b'")}},
	})
}

// TestQuestionsOfPeople asks about small numbers, shares and whose events they are.
func TestQuestionsOfPeople(t *testing.T) {
	j := judge(t)
	if err := j.duckdb.SetVariable(t.Context(), "partner", "north"); err != nil {
		t.Fatal(err)
	}
	changes := func(values ...string) table {
		for i, v := range values {
			values[i] = fmt.Sprintf(`'people', '{"people_turned_down":%s}', NULL`, v)
		}
		return numbered("changes", `"table", old, new`, append(values, `'people', NULL, 'no'`,
			`'people', NULL, '{"people_turned_down":3}'`, `'levels', '{"people_turned_down":3}', NULL`, `'levels', 'no', NULL`)...)
	}
	askAll(t, j, []question{
		{file: "small_numbers/counts.sql", table: "people", column: "n", want: "2 3 4 7 8 9",
			tables: []table{numbered("people", "n_status, n", "'number', 0", "'number', 5", "'number', 4",
				"'number', 1", "'number', NULL", "'under_5', NULL", "'', NULL", "'', 5", "'under_5', 3", "'other', NULL")}},
		{file: "small_numbers/rounded.sql", table: "people", column: "n", want: "3 4",
			tables: []table{numbered("people", "n_status, n", "'number', 0", "'number', 5", "'number', 10",
				"'number', 7", "'number', 6", "'number', 3", "'under_5', NULL", "'', 7")}},
		{file: "small_numbers/changes.sql", want: "6 7 8 9 10 11", tables: []table{changes("0", "5", "9", "10", "\"<5\"",
			"null", "4", "1", "-5", "7.5")}},
		{file: "small_numbers/people_skills.sql", table: "people", column: "skill", want: "1 2",
			tables: []table{numbered("people", "skill", "'care'", "'sql'", "'excel'", "''")}},
		{file: "small_numbers/people_skills.sql", table: "residents", column: "skill", want: "1",
			tables: []table{numbered("residents", "skill", "'care'", "'sql'")}},
		{file: "percent/shares.sql", table: "people", column: "s", want: "2 3", tables: []table{numbered("people", "s",
			"0.0", "100.0", "-0.1", "100.1", "NULL")}},
		{file: "events/events.sql", want: "1 2 3 4", tables: []table{numbered("events", "partner, type, outcome",
			"'', 'click.recorded', NULL", "'north', 'click.recorded', NULL", "'', 'application.created', NULL",
			"'', 'outcome.recorded', NULL", "'', 'click.recorded', 'hired'")}},
		{file: "partners/partners.sql", want: "1 2", tables: []table{numbered("partners", "partner", "'north'", "'south'",
			"''")}},
		{file: "as_of/each.sql", table: "people", want: "1 2", tables: []table{numbered("people", "as_of",
			"DATE '2026-09-30'", "DATE '2026-11-20'", "NULL")}},
		{file: "as_of/each.sql", table: "regions", want: "1 2", tables: []table{numbered("regions", "as_of",
			"DATE '2026-11-20'", "DATE '2026-09-30'", "NULL")}},
	})
}

// TestSkillsOfPeople: the withdrawals are looked for in each table of people by skill, and in no other.
func TestSkillsOfPeople(t *testing.T) {
	j := judge(t)
	var of []string
	for _, table := range snapshots.Tables() {
		for _, column := range j.columns(faultQuery{of: "people_skills"}, rowFile{Table: table}) {
			of = append(of, table.Name+"."+column)
		}
	}
	if got := strings.Join(of, " "); got != "people.skill residents.skill" {
		t.Errorf("looked for in %q", got)
	}
}

// TestWithdrawnAltogether: where all figures of people are withdrawn, no row may be there.
func TestWithdrawnAltogether(t *testing.T) {
	j := judge(t)
	j.manifest.PeopleWithdrawn = []snapshots.PeopleWithdrawal{{Skill: "sql"}, {}}
	if err := j.prepareVariables(t.Context()); err != nil {
		t.Fatal(err)
	}
	askAll(t, j, []question{{file: "small_numbers/people_skills.sql", table: "people", column: "skill", want: "0 1",
		tables: []table{numbered("people", "skill", "'care'", "'sql'")}}})
}

// TestQuestionsOfDerivedValues asks about values that follow from others in the same files.
func TestQuestionsOfDerivedValues(t *testing.T) {
	changes := []string{"230, 200, 15.0", "230, 200, 15.1", "170, 200, -15.0", "5, 0, NULL", "5, 0, 0.0",
		"230, 200, NULL", "2001, 2000, 0.1", "1999, 2000, -0.1", "1000999, 1000, 99999.9", "1001000, 1000, NULL",
		"2001, 2000, 0.0"}
	demand := func(key, end string, value, previous string) string {
		return key + ", DATE '" + end + "', " + value + ", " + previous
	}
	const same, other = "'s', 'GB', 'E1', 'm', 'care'", "'s', 'GB', 'E2', 'm', 'care'"
	askAll(t, judge(t), []question{
		{file: "recomputed/course_demand.change.sql", want: "1 4 5 10 12", tables: []table{numbered("course_demand",
			"value, previous_value, change_pct", append(changes, "NULL, 200, NULL", "NULL, 200, 1.0", "5, NULL, NULL")...)}},
		{file: "recomputed/trends.change.sql", want: "1 3 7", tables: []table{numbered("trends",
			"vacancies, previous_vacancies, change_pct", "230, 200, 15.0", "230, 200, 15.1", "170, 200, -15.0",
			"5, 0, 0.0", "2001, 2000, 0.1", "1999, 2000, -0.1", "1000999, 1000, 99999.9", "2001, 2000, 0.0")}},
		{file: "recomputed/course_demand.earlier.sql", want: "3", tables: []table{numbered("course_demand",
			"source_key, country, region_code, metric, subject_area, period_end, value, previous_value",
			demand(same, "2025-07-31", "10", "NULL"), demand(same, "2026-07-31", "20", "10"),
			demand(other, "2024-07-31", "10", "NULL"), demand(other, "2025-07-31", "20", "11"),
			demand(same, "2027-07-31", "NULL", "NULL"), demand(same, "2028-07-31", "7", "8"),
			demand("'t', 'GB', 'E1', 'm', 'care'", "2026-07-31", "1", "11"),
			demand("'s', 'US', 'E1', 'm', 'care'", "2026-07-31", "1", "11"),
			demand("'s', 'GB', 'E3', 'm', 'care'", "2026-07-31", "1", "11"),
			demand("'s', 'GB', 'E1', 'l', 'care'", "2026-07-31", "1", "11"),
			demand("'s', 'GB', 'E1', 'm', 'arts'", "2026-07-31", "1", "11"))}},
		{file: "recomputed/outlook.signal.sql", want: "3 4 5 6", tables: []table{numbered("outlook",
			"sources_gap, sources_no_gap, signal", "1, 0, 'gap'", "1, 1, 'none'", "0, 1, 'no_gap'", "1, 1, 'gap'",
			"1, 0, 'none'", "0, 1, 'none'", "1, 0, 'no_gap'")}},
		{file: "recomputed/outlook.between.sql", want: "2 3", tables: []table{numbered("outlook",
			"projected_change_pct, low_change_pct, high_change_pct", "1.0, 1.0, 2.0", "2.0, 1.0, 2.0", "0.9, 1.0, 2.0",
			"2.1, 1.0, 2.0")}},
		{file: "recomputed/skills_gaps.sources.sql", want: "2 3", tables: []table{numbered("skills_gaps",
			"sources_agreeing, pointing_sources", "2, 'a,b'", "0, ''", "1, ''", "1, 'a,b'")}},
		{file: "recomputed/reach.distance.sql", want: "2", tables: []table{numbered("reach",
			"ward_code, within_km, vacancies", "'A', 5, 10", "'A', 10, 10", "'A', 20, 9", "'B', 5, 3")}},
		{file: "recomputed/reach.council.sql", want: "2 3", tables: []table{numbered("reach",
			"vacancies_placed_by_council, vacancies", "0, 5", "5, 5", "6, 5", "-1, 5")}},
		{file: "floor/vacancies.sql", table: "demand", column: "vacancies", want: "1", tables: []table{numbered("demand",
			"vacancies", "5", "4")}},
		{file: "outlines/outlines.places.sql", want: "1 2 3", tables: []table{numbered("outlines", "place, code",
			"'camden', 'E1'", "'camden', 'E2'", "'north', 'N1'", "'hackney', 'E1'"),
			{"places", "area_kind, place, code", "('borough', 'camden', 'E1'), ('area', 'north', 'N1')"}}},
		{file: "order/each.sql", table: "levels", column: "a, b", want: "2 3 6 9", tables: []table{{"levels",
			"file_row_number, a, b", `(0, 1, 'a'), (1, 1, 'b'), (2, 1, 'b'), (3, 1, 'a'), (4, 2, 'a'), (5, 2, NULL),
			(6, 2, 'z'), (7, 3, 'a'), (9, 4, 'a')`}}},
	})
}

// TestQuestionsOfPreviousPeriods asks whether the period of a previous value has a row.
func TestQuestionsOfPreviousPeriods(t *testing.T) {
	const of = "'GB', 'E1', 'm', "
	askAll(t, judge(t), []question{{file: "recomputed/course_demand.previous.sql", want: "2 3 5 6",
		says: "has a previous value, and the period to 2026-07-31 has no row; " +
			"has a previous value, and the period to 2025-07-31 has no row; " +
			"has a previous value, and the period to 2024-07-31 has no row; " +
			"has a previous value, and the period to 2024-07-31 has no row",
		tables: []table{numbered("course_demand",
			"country, region_code, metric, subject_area, period_end, previous_value_status",
			of+"'care', DATE '2024-07-31', ''", of+"'care', DATE '2025-07-31', 'number'",
			of+"'care', DATE '2027-07-31', 'number'", of+"'arts', DATE '2026-07-31', 'under_5'",
			of+"'arts', DATE '2028-07-31', ''", "'GB', 'E2', 'm', 'care', DATE '2025-07-31', 'number'",
			"'GB', 'E1', 'l', 'care', DATE '2025-07-31', 'number'")}}})
}

// TestQuestionsOfSkillsGaps asks whether the sources that point to a gap are those of the evidence.
func TestQuestionsOfSkillsGaps(t *testing.T) {
	evidence := func() table {
		return numbered("evidence", "country, soc, region_code, source_key, signal, kind",
			"'GB', '6135', NULL, 'b', 'gap', 'report'", "'GB', '6135', NULL, 'a', 'gap', 'projection'",
			"'GB', '6135', NULL, 'a', 'gap', 'report'", "'GB', '6135', NULL, 'c', 'gap', 'news'",
			"'GB', '6135', NULL, 'c', 'no_gap', 'report'", "'GB', '6135', 'E1', 'c', 'gap', 'report'",
			"'US', '6135', NULL, 'd', 'gap', 'report'", "'GB', NULL, NULL, 'e', 'gap', 'report'",
			"'GB', '2134', NULL, 'f', 'gap', 'news'")
	}
	gaps := numbered("skills_gaps", "country, soc, region_code, pointing_sources", "'GB', '6135', '', 'a,b'",
		"'GB', '6135', '', 'a'", "'GB', '6135', '', 'a,b,c'", "'GB', '6135', 'E1', 'c'", "'GB', '2134', '', ''",
		"'GB', '2134', '', 'f'", "'GB', '6135', 'E2', 'c'")
	outlook := func() table {
		return numbered("outlook", "country, soc, region_code, source_keys, sources_gap, sources_no_gap",
			"'GB', '6135', '', 'a,b,c', 2, 1", "'GB', '6135', '', 'a,b,c', 1, 1", "'GB', '6135', '', 'a,b,c', 2, 0",
			"'GB', '6135', '', 'a,b,c', 3, 1", "'GB', '6135', '', 'a,b,c', 4, 1", "'GB', '6135', '', 'a', 1, 0",
			"'GB', '2134', '', 'f', 0, 0", "'GB', '2134', '', 'f', 0, 1", "'GB', '2134', '', 'f', 0, 2")
	}
	j := judge(t)
	askAll(t, j, []question{
		{file: "recomputed/skills_gaps.evidence.sql", want: "1 2 5 6", tables: []table{evidence(), gaps}},
		{file: "recomputed/evidence.gaps.sql", want: "6", tables: []table{evidence()}, says: "points to a gap for 6135, " +
			"which has no row in skills_gaps"},
		{file: "recomputed/outlook.sources.sql", want: "1 2 4 8", tables: []table{evidence(), outlook()}},
	})
	if err := j.duckdb.SetVariable(t.Context(), "open", "demand,outlook"); err != nil {
		t.Fatal(err)
	}
	askAll(t, j, []question{
		{file: "recomputed/outlook.sources.sql", want: "1 2 3 4 7 8", tables: []table{evidence(), outlook()}},
		{file: "recomputed/outlook.sources.sql", want: "0 1", tables: []table{evidence(), numbered("outlook",
			"country, soc, region_code, source_keys, sources_gap, sources_no_gap", "'GB', '6135', '', 'a,b,c', 3, 1",
			"'US', '6135', '', 'd', 0, 0")}, says: "3 sources point to a gap, 1 to none; evidence of its sources gives 2 " +
			"and 1; 0 sources point to a gap, 0 to none; evidence of its sources gives 1 and 0"},
	})
}

// TestQuestionsOfChanges asks about every kind of row of changes.parquet.
func TestQuestionsOfChanges(t *testing.T) {
	askAll(t, judge(t), []question{{file: "changes/changes.sql", want: "5 6 7 8 9 10 11 12 13 14 16 18",
		tables: []table{numbered("changes", `"table", change, reason, key, old, new, keys`,
			"'levels', 'changed', 'suppression', 'k', 'o', 'n', 1", "'levels', 'added', 'new_period', 'k', NULL, 'n', 1",
			"'levels', 'removed', 'withdrawal', 'k', 'o', NULL, 1",
			"'levels', 'changed', 'correction', NULL, NULL, NULL, 7", "'levels', 'changed', 'method', NULL, NULL, NULL, 0",
			"'levels', 'changed', 'method', NULL, NULL, NULL, -1", "'levels', 'changed', 'method', 'k', 'o', 'n', 2",
			"'levels', 'changed', 'method', 'k', NULL, 'n', 1", "'levels', 'changed', 'method', 'k', 'o', NULL, 1",
			"'levels', 'added', 'method', 'k', 'o', 'n', 1", "'levels', 'removed', 'method', 'k', 'o', 'n', 1",
			"'levels', 'changed', 'method', NULL, 'o', NULL, 1", "'levels', 'changed', 'method', NULL, NULL, 'n', 1",
			"'levels', 'moved', 'method', NULL, NULL, NULL, 1", "'levels', 'changed', 'whim', NULL, NULL, NULL, 1",
			"'levels', 'changed', 'source_revision', NULL, NULL, NULL, 1", "'nothing', 'changed', 'method', NULL, NULL, NULL, 1",
			"'people', 'changed', 'method', NULL, NULL, NULL, 1", "'levels', 'changed', 'method', NULL, NULL, NULL, 1",
			"'people', 'changed', 'method', NULL, NULL, NULL, 1")}}})
}
