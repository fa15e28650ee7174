package snapshots

import (
	"reflect"
	"time"

	"labour/snapshots/figure"
)

// Field describes a field of a Go row struct, and the table column that has its values.
type Field struct {
	Column
	Index []int // position of the field in the struct, for reflect.Value.FieldByIndex
}

// FieldsOf returns the fields of a row struct that have the tag `col`, in the order of the struct.
// It returns nil if row is not a struct.
//
// The tag `col` is the column's name. The tags `doc` and `unit` document the column. A pointer is a
// nullable column. A time.Time has the Type TypeDay or, with the tag `is:"moment"`, TypeTimestamp.
// A figure.Tenths has the Type TypeDecimal1 and the unit "per cent". Type is empty for an
// unexported field and for every type that cannot be a column.
func FieldsOf(row reflect.Type) []Field {
	if row.Kind() != reflect.Struct {
		return nil
	}
	var fields []Field
	for _, f := range reflect.VisibleFields(row) {
		if name, ok := f.Tag.Lookup("col"); ok {
			column := Column{Name: name, Type: typeOf(f), Nullable: f.Type.Kind() == reflect.Pointer,
				Doc: f.Tag.Get("doc"), Unit: f.Tag.Get("unit")}
			if column.Type == TypeDecimal1 {
				column.Unit = "per cent"
			}
			fields = append(fields, Field{Column: column, Index: f.Index})
		}
	}
	return fields
}

// ColumnsOf returns the table columns that the fields of a Go row struct describe.
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
		return TypeDecimal1
	case base == reflect.TypeFor[time.Time]() && f.Tag.Get("is") == "moment":
		return TypeTimestamp
	case base == reflect.TypeFor[time.Time]():
		return TypeDay
	case base != f.Type && base.PkgPath() != "":
		return "" // a nullable column of a named type
	}
	kinds := map[reflect.Kind]Type{reflect.String: TypeText, reflect.Bool: TypeBool, reflect.Int8: TypeInt8,
		reflect.Int16: TypeInt16,
		reflect.Int32: TypeInt32, reflect.Int64: TypeInt64, reflect.Float64: TypeFloat64}
	return kinds[base.Kind()]
}

// NullIfEmpty returns nil if the text is empty, and otherwise a pointer to it. It is for nullable
// columns.
func NullIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
