// Package formats writes the rows of a response as CSV, as Parquet and as an Excel workbook. CSV
// and Parquet hold the fields of the JSON, cell by cell, in the same order:
//
//   - A field inside an object becomes a column with both names:
//     year_on_year_change_pct.
//   - A count of people becomes two columns: the number, and next to it NAME_status,
//     which is number, under_5 or not_published (null in JSON). For under_5 CSV has <5,
//     as JSON does, and Parquet null; for not_published both are empty. So a program
//     that adds up the numbers never counts a small or missing count as zero.
//   - A list of keys becomes one text, separated by commas.
//   - A field that JSON omits or writes as null is an empty cell in CSV and null
//     in Parquet.
//   - Percentages and scores have the digits of JSON in CSV, and are DOUBLE in Parquet,
//     which every reader reads as numbers. Days are DATE.
//   - A last column attribution_statement has every statement to show with the row,
//     word for word, separated by spaces, so that they stay with the row.
//
// CSV is UTF-8 without a byte order mark. It has commas, quotes only where RFC 4180 needs them, one
// line of column names, and lines that end in LF, so that a line break inside a text is not
// changed. It is safe to open in a spreadsheet: a text that begins with a character which would
// make it a formula ('=', '+', '-', '@', their full-width forms, tab, carriage return, line feed)
// has an apostrophe before it. To avoid ambiguity, a text that begins with an apostrophe has one
// more, and an empty text, in a column where a text may also be missing, is one apostrophe: remove
// one apostrophe from the front of a text to get the value. Numbers, dates and true or false are
// never changed.
//
// Parquet has the statements, the licences, the sources, the metadata of the response and the
// description of each column in its key-value metadata.
package formats

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"labour/serve/api"
	"labour/snapshots"
)

// attribution is a column of every file.
const attribution = "attribution_statement"

// statusEnding ends the name of the column with the status of a count of people.
const statusEnding = "_status"

// Layout is the columns for rows of type R. It is safe for concurrent use.
type Layout[R any] struct {
	Columns []snapshots.Column // columns of a file, in order
	own     bool               // whether the rows have their own statement
}

// statements is the column with the statements of the sources of a row, for rows without their own
// statement.
var statements = snapshots.Column{Name: attribution, Type: snapshots.Text,
	Doc: "Every statement to show with the row, word for word; several with a space between."}

// New returns the layout of a row type of package api. It is an error if the type of a field has no
// column type.
func New[R any]() (*Layout[R], error) {
	columns, err := Columns(reflect.TypeFor[R]())
	return &Layout[R]{columns, !slices.Contains(columns, statements)}, err
}

// Columns lists the columns of a file of a row type, in order.
func Columns(row reflect.Type) ([]snapshots.Column, error) {
	columns, err := columnsOf(row, "")
	if err != nil {
		return nil, fmt.Errorf("columns of %s: %w", row, err)
	}
	if !slices.ContainsFunc(columns, func(c snapshots.Column) bool { return c.Name == attribution }) {
		columns = append(columns, statements)
	}
	return columns, nil
}

// columnsOf lists the columns of a struct, whose names begin with prefix.
func columnsOf(t reflect.Type, prefix string) (out []snapshots.Column, err error) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" || !f.IsExported() {
			return nil, fmt.Errorf("field %s has no name in JSON", f.Name)
		}
		columns, err := columnsOfField(f, prefix+name)
		if err != nil {
			return nil, err
		}
		out = append(out, columns...)
	}
	return out, nil
}

func columnsOfField(f reflect.StructField, name string) ([]snapshots.Column, error) {
	c := snapshots.Column{Name: name, Doc: f.Tag.Get("doc")}
	if f.Type == reflect.TypeFor[api.Count]() {
		c.Type, c.Nullable = snapshots.Int64, true
		c.Doc += " In CSV <5 for a count of people from 1 to 4; in Parquet only a number, 0 or at least 5."
		return []snapshots.Column{c, {Name: name + statusEnding, Type: snapshots.Text,
			Doc: "number: " + name +
				" is the count. under_5: it is a count of people from 1 to 4. not_published: there is no figure, which is never zero."}}, nil
	}
	base := f.Type
	if base.Kind() == reflect.Pointer {
		base, c.Nullable = base.Elem(), true
	}
	null := false
	if c.Type, null = typeOf(base); c.Type != "" {
		c.Nullable = c.Nullable || null
		return []snapshots.Column{c}, nil
	}
	if base.Kind() == reflect.Struct && !c.Nullable {
		return columnsOf(base, name+"_")
	}
	return nil, fmt.Errorf("field %s of type %s has no column type", f.Name, f.Type)
}

// typeOf returns the column type for a field's type, empty if there is none; nullable reports
// whether the type has its own null.
func typeOf(t reflect.Type) (column snapshots.Type, nullable bool) {
	switch t {
	case reflect.TypeFor[api.Date](), reflect.TypeFor[api.MaybeDate]():
		return snapshots.Day, t == reflect.TypeFor[api.MaybeDate]()
	case reflect.TypeFor[api.Timestamp](), reflect.TypeFor[api.MaybeTimestamp]():
		return snapshots.Timestamp, t == reflect.TypeFor[api.MaybeTimestamp]()
	case reflect.TypeFor[api.Share](), reflect.TypeFor[api.Percent](), reflect.TypeFor[api.Score]():
		return snapshots.Float64, t != reflect.TypeFor[api.Share]()
	case reflect.TypeFor[api.Keys]():
		return snapshots.Text, false
	}
	return map[reflect.Kind]snapshots.Type{reflect.String: snapshots.Text, reflect.Bool: snapshots.Bool,
		reflect.Int: snapshots.Int64, reflect.Int64: snapshots.Int64}[t.Kind()], false
}
