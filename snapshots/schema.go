package snapshots

import (
	"slices"
	"strings"
)

// Type is the type of a table column. Each type is stored as one Parquet type, which FORMAT.md
// lists.
type Type string

// The types of table columns.
const (
	// TypeText is the column type of texts, in UTF-8.
	TypeText Type = "string"
	// TypeDay is the column type of calendar days.
	TypeDay Type = "date"
	// TypeTimestamp is the column type of moments in UTC, in whole seconds.
	TypeTimestamp Type = "timestamp"
	// TypeBool is the column type of the values true and false.
	TypeBool Type = "bool"
	// TypeInt8 is the column type of integers of 8 bits.
	TypeInt8 Type = "int8"
	// TypeInt16 is the column type of integers of 16 bits.
	TypeInt16 Type = "int16"
	// TypeInt32 is the column type of integers of 32 bits.
	TypeInt32 Type = "int32"
	// TypeInt64 is the column type of integers of 64 bits.
	TypeInt64 Type = "int64"
	// TypeDecimal1 is the column type DECIMAL(6,1): a percentage with one decimal.
	TypeDecimal1 Type = "decimal(6,1)"
	// TypeFloat64 is the column type of floating-point numbers. Published figures are exact
	// decimals. Only files that are never published, and files made from API responses, have
	// columns of this type.
	TypeFloat64 Type = "float64"
)

// Column is the schema of one column of a table: its name, type and meaning.
type Column struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
	// true if values may be null: "no figure" or "not stated", never zero
	Nullable bool   `json:"nullable"`
	Doc      string `json:"doc"` // meaning, unit and range of the column's values
	// what the column counts or measures, such as "adverts"; empty if it does neither
	Unit string `json:"-"`
}

// WithoutDescriptions returns a copy of the columns without the fields Doc and Unit. These may
// change within one format version, so schemas are compared without them.
func WithoutDescriptions(columns []Column) []Column {
	bare := slices.Clone(columns)
	for i := range bare {
		bare[i].Doc, bare[i].Unit = "", ""
	}
	return bare
}

// Table is the schema of a table or embargoed dataset. It describes one file under tables/ or
// embargoed/.
type Table struct {
	Name        string
	Doc         string
	Columns     []Column
	SortColumns []string // columns by which the rows of the file are sorted; they are also the key
	// From lists the kinds of source (the column `kind` of the table sources) from which the rows
	// come. It is empty for lists that the service itself maintains. In a table with one of
	// SourceColumns, each row also names its source.
	From []string
}

// asOf is the first column of every table without counts of people: the date of the snapshot.
var asOf = Column{Name: "as_of", Type: TypeDay, Doc: "the date the data describes"}

// peopleAsOf is the first column of the tables with counts of people: the last day that they
// describe.
var peopleAsOf = Column{Name: "as_of", Type: TypeDay,
	Doc: "the last day that the figures describe: the end of a quarter"}

// Column returns the table's column called name, and reports whether there is one.
func (t Table) Column(name string) (Column, bool) {
	return find(t.Columns, func(c Column) bool { return c.Name == name })
}

// CountsAdverts reports whether the rows of the table come from adverts of all sources that count.
func (t Table) CountsAdverts() bool { return strings.Join(t.From, " ") == fromAdverts }

// PeopleColumn names the two columns that hold a count of people: Value is the column of the
// number, and Status the column of its status. figure.ParseCount combines the values of both.
type PeopleColumn struct{ Value, Status string }

// StatusSuffix is the suffix of the name of a status column. If column X has a count of people,
// column X_status has its status.
const StatusSuffix = "_status"

// PeopleColumns returns the pairs of columns of the table that hold counts of people.
func (t Table) PeopleColumns() []PeopleColumn {
	var people []PeopleColumn
	for _, c := range t.Columns {
		value, ok := strings.CutSuffix(c.Name, StatusSuffix)
		if _, exists := t.Column(value); ok && exists {
			people = append(people, PeopleColumn{Value: value, Status: c.Name})
		}
	}
	return people
}

// table returns the schema of a table, with a column for each field of the Go row struct. from
// lists the kinds of sources that the rows come from, separated by spaces. sort are the columns by
// which the rows are sorted; they are also the key.
func table[Row any](name, from, doc string, sort ...string) Table {
	first := asOf
	if IsPeopleTable(name) {
		first = peopleAsOf
	}
	return Table{Name: name, From: strings.Fields(from), Doc: doc, SortColumns: sort,
		Columns: append([]Column{first}, ColumnsOf[Row]()...)}
}

// PeopleTables returns the names of the tables that count people on the platform. These tables are
// built once a quarter and then copied unchanged into each snapshot. Their column as_of has the
// last day that they describe.
func PeopleTables() []string { return []string{"candidates", "people", "residents", "s106_people"} }

// IsPeopleTable reports whether a table counts people on the platform. PeopleTables lists these
// tables. This program rounds their counts. Publishers round the counts in official statistics.
func IsPeopleTable(table string) bool { return slices.Contains(PeopleTables(), table) }

// find returns the first item of a list for which a function returns true; ok is false if there is
// none.
func find[T any](list []T, is func(T) bool) (found T, ok bool) {
	i := slices.IndexFunc(list, is)
	if i < 0 {
		return found, false
	}
	return list[i], true
}
