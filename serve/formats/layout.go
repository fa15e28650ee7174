// Package formats writes the rows of an API response as CSV, as Parquet and as an Excel workbook.
// CSV and Parquet have the fields of the JSON response as columns, in the same order:
//
//   - A field inside an object becomes a column with both names, such as
//     year_on_year_change_pct.
//   - A count of people becomes two columns: the number, and NAME_status. The status is
//     number, under_5 or not_published. For under_5, CSV has <5 and Parquet has null.
//     For not_published, the number is empty in CSV and null in Parquet.
//   - A list of keys becomes one text, separated by commas.
//   - A field that JSON omits or writes as null is an empty cell in CSV and null
//     in Parquet.
//   - Scores have the same digits in CSV as in JSON, and so have percentages, but always
//     with a decimal: 12.0 where JSON may have 12. In Parquet both are DOUBLE. Days are DATE.
//   - The last column, attribution_statement, has the statements that must be shown with
//     the row, separated by spaces.
//
// CSV is UTF-8 without a byte order mark. The first line has the column names. Lines end in LF, and
// cells are quoted only where RFC 4180 needs it.
//
// CSV is safe to open in a spreadsheet. A text that a spreadsheet could read as a formula has an
// apostrophe in front. A text that begins with an apostrophe also gets one more in front. An empty
// text is written as one apostrophe if the column can also be null. To get the value of a text,
// remove one apostrophe from its front. Numbers, dates and booleans are never changed.
//
// The key-value metadata of Parquet has the statements, licences and sources, the metadata of the
// response, and the description of each column.
package formats

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"labour/serve/api"
	"labour/snapshots"
)

// attribution is the name of the column with the attribution statements for a row. Users must show
// these statements with the row.
const attribution = "attribution_statement"

// Layout defines the columns of a file. R is the type of a row. Layout is safe for concurrent use.
type Layout[R any] struct {
	Columns []snapshots.Column // columns of the file, from left to right
	own     bool               // whether the row type has its own column of attribution statements
}

// statements is the column with the attribution statements of a row's sources. It is added if the
// row type has no such column.
var statements = snapshots.Column{Name: attribution, Type: snapshots.TypeText,
	Doc: "Every statement to show with the row, word for word; several with a space between."}

// NewLayout returns the layout of files with rows of type R, a row type of package api. It returns
// an error if no column type fits one of the fields.
func NewLayout[R any]() (*Layout[R], error) {
	columns, err := ColumnsOfRow(reflect.TypeFor[R]())
	return &Layout[R]{columns, !slices.Contains(columns, statements)}, err
}

// ColumnsOfRow returns the columns of files with rows of a given type, from left to right. The type
// must be a row type of package api.
func ColumnsOfRow(row reflect.Type) ([]snapshots.Column, error) {
	columns, err := columnsOf(row, "")
	if err != nil {
		return nil, fmt.Errorf("columns of %s: %w", row, err)
	}
	if !slices.ContainsFunc(columns, func(c snapshots.Column) bool { return c.Name == attribution }) {
		columns = append(columns, statements)
	}
	return columns, nil
}

// columnsOf returns one or more columns for each field of a struct type. It puts prefix before
// their names.
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
		c.Type, c.Nullable = snapshots.TypeInt64, true
		c.Doc += " In CSV <5 for a count of people from 1 to 4; in Parquet only a number, 0 or at least 5."
		return []snapshots.Column{c, {Name: name + snapshots.StatusSuffix, Type: snapshots.TypeText,
			Doc: "number: " + name +
				" is the count. under_5: it is a count of people from 1 to 4. not_published: there is no figure, which is " +
				"never zero."}}, nil
	}
	base := f.Type
	if base.Kind() == reflect.Pointer {
		base, c.Nullable = base.Elem(), true
	}
	column, null := typeOf(base)
	if column != "" {
		c.Type, c.Nullable = column, c.Nullable || null
		return []snapshots.Column{c}, nil
	}
	if base.Kind() == reflect.Struct && !c.Nullable {
		return columnsOf(base, name+"_")
	}
	return nil, fmt.Errorf("field %s of type %s has no column type", f.Name, f.Type)
}

// typeOf returns the column type for the type of a field, or "" if no column type fits. nullable
// reports whether the field can be null.
func typeOf(t reflect.Type) (column snapshots.Type, nullable bool) {
	switch t {
	case reflect.TypeFor[api.Date](), reflect.TypeFor[api.NullableDate]():
		return snapshots.TypeDay, t == reflect.TypeFor[api.NullableDate]()
	case reflect.TypeFor[api.Timestamp](), reflect.TypeFor[api.NullableTimestamp]():
		return snapshots.TypeTimestamp, t == reflect.TypeFor[api.NullableTimestamp]()
	case reflect.TypeFor[api.Share](), reflect.TypeFor[api.Percent](), reflect.TypeFor[api.Score]():
		return snapshots.TypeFloat64, t != reflect.TypeFor[api.Share]()
	case reflect.TypeFor[api.Keys]():
		return snapshots.TypeText, false
	}
	return map[reflect.Kind]snapshots.Type{reflect.String: snapshots.TypeText, reflect.Bool: snapshots.TypeBool,
		reflect.Int: snapshots.TypeInt64, reflect.Int64: snapshots.TypeInt64}[t.Kind()], false
}
