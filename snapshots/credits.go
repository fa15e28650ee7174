package snapshots

import (
	"reflect"
	"slices"
	"strings"
)

// SourceColumns returns the names of all table columns that contain source keys. A column with a
// plural name contains several keys, separated by commas.
func SourceColumns() []string {
	return []string{"source_key", "source", "source_keys", "pointing_sources"}
}

// SourceColumns returns the names of the table's columns that contain source keys. The result is
// empty if there are none.
func (t Table) SourceColumns() []string {
	if t.Name == "sources" {
		return []string{"key"}
	}
	return slices.DeleteFunc(SourceColumns(), func(name string) bool {
		_, there := t.Column(name)
		return !there
	})
}

// SourcesOfTable returns the sources of the kinds that a table is made from, such as "statistics".
// It selects them from the given sources. It returns nil for an unknown table.
func SourcesOfTable(table string, sources []SourcesRow) []SourcesRow {
	t, _, err := FindFile(table)
	if err != nil {
		return nil
	}
	var from []SourcesRow
	for _, s := range sources {
		if slices.Contains(t.From, s.Kind) {
			from = append(from, s)
		}
	}
	return from
}

// CreditColumns returns the names of the columns that identify the sources of each row. If the
// result is empty, the rows do not name their sources, and the table credits all sources of its
// kinds.
func (t Table) CreditColumns() []string {
	if len(t.From) == 0 {
		return nil
	}
	return slices.DeleteFunc(t.SourceColumns(), func(name string) bool { return name == "source" })
}

// CreditedSourceKeys is the set of keys of the sources that a table must credit.
type CreditedSourceKeys map[string]bool

// Add adds source keys to the set. keys contains one or more of them, separated by commas.
func (c CreditedSourceKeys) Add(keys string) {
	for key := range strings.SplitSeq(keys, ",") {
		c[key] = true
	}
}

// CreditsOfRows returns the keys of all sources that the given rows of table t name.
func CreditsOfRows[Row any](t Table, rows []Row) CreditedSourceKeys {
	named := CreditedSourceKeys{}
	for _, f := range FieldsOf(reflect.TypeFor[Row]()) {
		if !slices.Contains(t.CreditColumns(), f.Name) {
			continue
		}
		for i := range rows {
			named.Add(reflect.ValueOf(&rows[i]).Elem().FieldByIndex(f.Index).String())
		}
	}
	return named
}

// CreditedSources returns the sources that the table must credit, selected from the given sources.
// If the rows of the table name their sources, the result is the sources whose keys are in named.
// Otherwise it is all sources of the kinds from which the table is made.
func (t Table) CreditedSources(named CreditedSourceKeys, sources []SourcesRow) []SourcesRow {
	if len(t.CreditColumns()) == 0 {
		return SourcesOfTable(t.Name, sources)
	}
	var from []SourcesRow
	for _, s := range sources {
		if named[s.Key] {
			from = append(from, s)
		}
	}
	return from
}
