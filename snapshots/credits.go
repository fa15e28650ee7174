package snapshots

import (
	"reflect"
	"slices"
	"strings"
)

// CreditColumns returns the columns in which each row of the table names the sources that it comes
// from. A table without such columns comes from sources of certain kinds; see SourcesOf.
func (t Table) CreditColumns() []string {
	if len(t.From) == 0 {
		return nil
	}
	return slices.DeleteFunc(t.SourceColumns(), func(name string) bool { return name == "source" })
}

// Credits is a set of keys of sources.
type Credits map[string]bool

// Add adds the keys in a column of a row, which are separated by commas.
func (c Credits) Add(keys string) {
	for key := range strings.SplitSeq(keys, ",") {
		c[key] = true
	}
}

// CreditsOf returns the keys of the sources that the rows of a table name.
func CreditsOf[Row any](t Table, rows []Row) Credits {
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

// Credited returns the rows of the table sources that the table is credited to: those that its rows
// name or, if its rows name none, those of the kinds that it comes from.
func (t Table) Credited(named Credits, sources []SourcesRow) []SourcesRow {
	if len(t.CreditColumns()) == 0 {
		return SourcesOf(t.Name, sources)
	}
	var from []SourcesRow
	for _, s := range sources {
		if named[s.Key] {
			from = append(from, s)
		}
	}
	return from
}
