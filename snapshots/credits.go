package snapshots

import (
	"reflect"
	"slices"
	"strings"
)

// CreditColumns returns the columns that name the sources of each row. It returns none if only
// the kinds of the table's sources are known; SourcesOfTable then gives the sources.
func (t Table) CreditColumns() []string {
	if len(t.From) == 0 {
		return nil
	}
	return slices.DeleteFunc(t.SourceColumns(), func(name string) bool { return name == "source" })
}

// Credits is a set of keys of sources: those that a table must credit.
type Credits map[string]bool

// Add adds the keys of sources in a text, where they are separated by commas.
func (c Credits) Add(keys string) {
	for key := range strings.SplitSeq(keys, ",") {
		c[key] = true
	}
}

// CreditsOfRows returns the keys of the sources that the rows of table t name.
func CreditsOfRows[Row any](t Table, rows []Row) Credits {
	named := Credits{}
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

// CreditedSources returns the sources, among those given, to which the table must be credited. If
// the table's rows name their sources, these are the sources in named; otherwise all sources of
// the table's kinds.
func (t Table) CreditedSources(named Credits, sources []SourcesRow) []SourcesRow {
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
