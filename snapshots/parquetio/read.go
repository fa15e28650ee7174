package parquetio

import (
	"fmt"
	"iter"
	"reflect"

	"labour/snapshots"
)

// Rows yields the rows of a Parquet file, in order, as structs of type T. Each field of T has the
// tag `col` with the name of its column; other columns of the file are ignored. If there is an
// error, it is the last item. The caller may keep the rows and their texts.
//
// The error is ErrSchema if a field has no column or its column has another type. It is also
// ErrSchema if a column has a null but the field is not a pointer.
func Rows[T any](path string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		row := new(T)
		columns, fields := columnsOf(row)
		for values, err := range scan(path, columns) {
			for i := 0; i < len(fields) && err == nil; i++ {
				if values[i].IsNull && !columns[i].Nullable {
					err = fmt.Errorf("read %s, column %s: has a null: %w", path, columns[i].Name, ErrSchema)
				} else {
					store(fields[i], columns[i].Type, &values[i])
				}
			}
			if !yield(*row, err) || err != nil {
				return
			}
		}
	}
}

// columnsOf returns the table columns that a Go row struct describes, and the fields of row that
// have their values. Both slices have the same order.
func columnsOf[T any](row *T) (columns []snapshots.Column, fields []reflect.Value) {
	for _, f := range snapshots.FieldsOf(reflect.TypeFor[T]()) {
		columns, fields = append(columns, f.Column), append(fields, reflect.ValueOf(row).Elem().FieldByIndex(f.Index))
	}
	return columns, fields
}

// ForEachRow calls fn with each row of a Parquet file, in order. If reading or fn returns an error,
// it stops and returns that error.
func ForEachRow[T any](path string, fn func(row T) error) error {
	for row, err := range Rows[T](path) {
		if err == nil {
			err = fn(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadAll returns all rows of a Parquet file. The rows must fit into memory.
func ReadAll[T any](path string) ([]T, error) {
	var rows []T
	err := ForEachRow(path, func(row T) error { rows = append(rows, row); return nil })
	return rows, err
}

// anyType is a column type for the argument of source.find. It matches a column of any type. No
// column of a file has this type.
const anyType snapshots.Type = "any"

// ScanColumns yields the values of the named columns for each row of a Parquet file. Use it if the
// columns are known only at run time. If there is an error, it is the last item. The next row
// overwrites the slice and its texts, so clone what you keep.
func ScanColumns(path string, columns []string) iter.Seq2[[]Value, error] {
	of := make([]snapshots.Column, len(columns))
	for i, name := range columns {
		of[i] = snapshots.Column{Name: name, Type: anyType}
	}
	return scan(path, of)
}

func scan(path string, columns []snapshots.Column) iter.Seq2[[]Value, error] {
	return func(yield func([]Value, error) bool) {
		s, err := openSource(path, readRows)
		if err != nil {
			yield(nil, err)
			return
		}
		defer s.close() // opened for reading only
		at, err := s.find(columns)
		if err != nil {
			yield(nil, err)
			return
		}
		values := make([]Value, len(columns))
		for rec, err := range s.records(at) {
			if err != nil {
				yield(nil, err)
				return
			}
			for row := range int(rec.NumRows()) {
				for i := range values {
					valueAt(rec.Column(i), row, &values[i])
				}
				if !yield(values, nil) {
					return
				}
			}
		}
	}
}
