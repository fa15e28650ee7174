package snapshots

import "slices"

// tablesOfVersion1 lists the tables of format version 1: those of now, but for the ones
// that have changed since, which stand here as they were, and the roll-ups.
func tablesOfVersion1() []Table {
	changed := map[string]Table{"adverts_total": without("adverts_total", "in_council", "in_area"),
		"jobs": without("jobs", "first_seen"), "residents": residentsTableV1(), "s106": s106TableV1(), "skills": without("skills", "kind", "wordings")}
	tables := slices.DeleteFunc(Tables(), func(t Table) bool { return IsRollup(t.Name) })
	for i, t := range tables {
		if was, ok := changed[t.Name]; ok {
			tables[i] = was
		}
	}
	return tables
}

// without returns the table as it was before it had the columns.
func without(table string, columns ...string) Table {
	t, _ := TableNamed(table)
	t.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool { return slices.Contains(columns, c.Name) })
	return t
}

func residentsTableV1() Table {
	t := without("residents", "level")
	t.Sort = []string{"place", "skill"}
	return t
}

func s106TableV1() Table {
	t := without("s106", "apprenticeships_started_status")
	for i, c := range t.Columns {
		if c.Name == "apprenticeships_started" {
			t.Columns[i].Nullable = false
		}
	}
	return t
}
