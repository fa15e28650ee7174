package snapshots

import (
	"reflect"
	"time"

	"labour/snapshots/figure"
)

// Field is a field of a row struct with the column that it holds.
type Field struct {
	Column
	Index []int // for reflect.Value.FieldByIndex
}

// FieldsOf lists the fields of a row struct that have the tag `col`, which names the
// column, in their order. The tags `doc` and `unit` are the column's documentation. A pointer is a
// nullable column; a time is a Day, and a Timestamp where the tag `is` says "moment". A
// field that no column can hold has no Type.
func FieldsOf(row reflect.Type) []Field {
	if row.Kind() != reflect.Struct {
		return nil
	}
	var fields []Field
	for _, f := range reflect.VisibleFields(row) {
		if name, ok := f.Tag.Lookup("col"); ok {
			column := Column{Name: name, Type: typeOf(f), Nullable: f.Type.Kind() == reflect.Pointer, Doc: f.Tag.Get("doc"), Unit: f.Tag.Get("unit")}
			if column.Type == Decimal1 {
				column.Unit = "per cent"
			}
			fields = append(fields, Field{Column: column, Index: f.Index})
		}
	}
	return fields
}

// ColumnsOf lists the columns of the rows of a struct.
func ColumnsOf[Row any]() []Column {
	var columns []Column
	for _, f := range FieldsOf(reflect.TypeFor[Row]()) {
		columns = append(columns, f.Column)
	}
	return columns
}

func typeOf(f reflect.StructField) Type {
	base := f.Type
	if base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	switch {
	case !f.IsExported():
		return ""
	case base == reflect.TypeFor[figure.Tenths]():
		return Decimal1
	case base == reflect.TypeFor[time.Time]() && f.Tag.Get("is") == "moment":
		return Timestamp
	case base == reflect.TypeFor[time.Time]():
		return Day
	case base != f.Type && base.PkgPath() != "":
		return "" // a nullable column of a named type
	}
	kinds := map[reflect.Kind]Type{reflect.String: Text, reflect.Bool: Bool, reflect.Int8: Int8, reflect.Int16: Int16,
		reflect.Int32: Int32, reflect.Int64: Int64, reflect.Float64: Float64}
	return kinds[base.Kind()]
}
