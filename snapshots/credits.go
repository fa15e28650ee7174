package snapshots

import (
	"reflect"
	"slices"
	"strings"
)

// SourceColumns returns the names of columns that have keys of sources, in any table. A column
// with a plural name has several keys, separated by commas.
func SourceColumns() []string {
	return []string{"source_key", "source", "source_keys", "pointing_sources"}
}

// SourceColumns returns the columns of the table that have keys of sources. The result is empty if
// there are none.
func (t Table) SourceColumns() []string {
	if t.Name == "sources" {
		return []string{"key"}
	}
	return slices.DeleteFunc(SourceColumns(), func(name string) bool {
		_, there := t.Column(name)
		return !there
	})
}

// SourcesOfTable selects, from the given sources, those whose kind is one of the kinds from which a
// table is made. It returns nil for an unknown table.
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

// CreditColumns returns the columns that name the sources of each row. The result is empty if the
// rows do not name their sources. The sources are then known only by their kinds, and
// SourcesOfTable returns them.
func (t Table) CreditColumns() []string {
	if len(t.From) == 0 {
		return nil
	}
	return slices.DeleteFunc(t.SourceColumns(), func(name string) bool { return name == "source" })
}

// CreditedSourceKeys is the set of keys of the sources that a table must credit.
type CreditedSourceKeys map[string]bool

// Add adds the keys of sources in keys. They are separated by commas.
func (c CreditedSourceKeys) Add(keys string) {
	for key := range strings.SplitSeq(keys, ",") {
		c[key] = true
	}
}

// CreditsOfRows returns the keys of the sources that the rows of table t name.
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

// CreditedSources selects, from the given sources, those that the table must credit. If the rows of
// the table name their sources, it returns the sources in named. Otherwise it returns all sources
// of the table's kinds.
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
