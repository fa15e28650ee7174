package snapshots

import "slices"

// SourceColumns are the columns that name sources by their keys; those in the
// plural name several, separated by commas.
func SourceColumns() []string {
	return []string{"source_key", "source", "source_keys", "pointing_sources"}
}

// SourceKinds are the kinds of source (`kind` of the table sources) that the rows
// of a table come from; none for the lists that the service itself keeps. A row
// with a column of SourceColumns says more exactly which source it is from.
func SourceKinds(table string) []string {
	switch table {
	case "adverts", "adverts_total", "demand", "trends", "reach", "rollup_codes", "rollup_months", "rollup_skills", "rollup_totals":
		return []string{"platform", "employer_boards", "apprenticeships"}
	case "jobs":
		return []string{"platform", "apprenticeships"}
	case "people", "residents", "candidates", "s106", "events", "place_members", "pathways", "pathway_steps", "pathway_standards":
		return []string{"platform"}
	case "places":
		return []string{"platform", "geography"}
	case "course_demand":
		return []string{"statistics"}
	case "evidence":
		return []string{"statistics", "projections"}
	case "skills_gaps", "outlook":
		return []string{"projections"}
	case "regions", "outlines":
		return []string{"geography"}
	case "signals":
		return []string{"news"}
	case "priorities":
		return []string{"plans"}
	}
	return nil
}

// SourcesOf is the rows of the table sources that the rows of a table come from, by
// SourceKinds.
func SourcesOf(table string, sources []SourcesRow) []SourcesRow {
	kinds := SourceKinds(table)
	var from []SourcesRow
	for _, s := range sources {
		if slices.Contains(kinds, s.Kind) {
			from = append(from, s)
		}
	}
	return from
}

// CountsOwnPeople reports whether a table holds counts of the platform's own people, which
// are rounded; those of published statistics are their publisher's.
func CountsOwnPeople(table string) bool { return IsPeopleTable(table) || table == "s106" }

// IsPeopleTable says whether a table holds counts and shares of the platform's
// residents, which are built once a month.
func IsPeopleTable(table string) bool {
	return table == "people" || table == "residents" || table == "candidates"
}
