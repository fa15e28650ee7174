package parquetio

import (
	"fmt"
	"reflect"
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// field is one tagged field of a row struct.
type field struct {
	column  string
	index   []int
	base    reflect.Type // without the pointer
	pointer bool
}

var (
	timeType   = reflect.TypeFor[time.Time]()
	tenthsType = reflect.TypeFor[figure.Tenths]()
)

// fieldsOf lists the tagged fields of a row struct, those of embedded structs
// included, in their order.
func fieldsOf(row reflect.Type) ([]field, error) {
	if row.Kind() != reflect.Struct {
		return nil, fmt.Errorf("a row must be a struct, not %s", row)
	}
	var fields []field
	for _, f := range reflect.VisibleFields(row) {
		name, ok := f.Tag.Lookup("col")
		if !ok {
			continue
		}
		if !f.IsExported() || !reachable(row, f.Index) {
			return nil, fmt.Errorf("field %s of %s is not exported, or is in an embedded pointer", f.Name, row)
		}
		out := field{column: name, index: f.Index, base: f.Type}
		if f.Type.Kind() == reflect.Pointer {
			out.base, out.pointer = f.Type.Elem(), true
		}
		fields = append(fields, out)
	}
	if len(fields) == 0 {
		return nil, fmt.Errorf("%s has no field with a col tag", row)
	}
	return fields, nil
}

// reachable says whether no pointer has to be followed on the way to the field.
func reachable(row reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		if row = row.Field(i).Type; row.Kind() != reflect.Struct {
			return false
		}
	}
	return true
}

// holds says whether the field can hold a column type. A nullable column needs a
// pointer and another must not have one, so that nil and zero are never mixed up.
func (f field) holds(c snapshots.Column) error {
	ok := false
	switch c.Type {
	case snapshots.Text:
		ok = f.base.Kind() == reflect.String
	case snapshots.Day, snapshots.Timestamp:
		ok = f.base == timeType
	case snapshots.Decimal1:
		ok = f.base == tenthsType
	case snapshots.Bool:
		ok = f.base.Kind() == reflect.Bool
	case snapshots.Int8:
		ok = f.base.Kind() == reflect.Int8
	case snapshots.Int16:
		ok = f.base.Kind() == reflect.Int16
	case snapshots.Int32:
		ok = f.base.Kind() == reflect.Int32
	case snapshots.Int64:
		ok = f.base.Kind() == reflect.Int64 && f.base != tenthsType
	case snapshots.Float64:
		ok = f.base.Kind() == reflect.Float64
	}
	plain := f.base.PkgPath() == "" || f.base == timeType || f.base == tenthsType
	if !ok || f.pointer && !plain {
		return fmt.Errorf("column %s is %s, which a field of type %s cannot hold: %w", c.Name, c.Type, f.base, ErrSchema)
	}
	if c.Nullable != f.pointer {
		return fmt.Errorf("column %s: nullable is %t, but the field's being a pointer is %t: %w", c.Name, c.Nullable, f.pointer, ErrSchema)
	}
	return nil
}

// match gives each column its field. Every column must have one and every field
// a column.
func match(row reflect.Type, columns []snapshots.Column) ([]field, error) {
	fields, err := fieldsOf(row)
	if err != nil {
		return nil, err
	}
	byName := map[string]field{}
	for _, f := range fields {
		if _, twice := byName[f.column]; twice {
			return nil, fmt.Errorf("%s has two fields for column %s: %w", row, f.column, ErrSchema)
		}
		byName[f.column] = f
	}
	out := make([]field, 0, len(columns))
	for _, c := range columns {
		f, ok := byName[c.Name]
		if !ok {
			return nil, fmt.Errorf("%s has no field for column %s: %w", row, c.Name, ErrSchema)
		}
		if err := f.holds(c); err != nil {
			return nil, err
		}
		delete(byName, c.Name)
		out = append(out, f)
	}
	for _, f := range fields {
		if _, left := byName[f.column]; left {
			return nil, fmt.Errorf("there is no column %s for a field of %s: %w", f.column, row, ErrSchema)
		}
	}
	return out, nil
}

// pointerTo is a pointer to a field of the one row that slot is, as a pointer to
// the plain type V (a field of a named string type gives a *string).
func pointerTo[V any](slot reflect.Value, f field) *V {
	return slot.FieldByIndex(f.index).Addr().Convert(reflect.TypeFor[*V]()).Interface().(*V)
}
