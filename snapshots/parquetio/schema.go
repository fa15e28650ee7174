package parquetio

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"labour/snapshots"
)

// asOfName is the name of the column with the date that a snapshot's data describe. Every table has
// this column, with the same date in each row.
const asOfName = "as_of"

// ErrSchema is the error if the columns, types or nulls in a Parquet file do not match the expected
// schema.
var ErrSchema = errors.New("does not match the schema")

// columnTypes maps each column type to its Apache Arrow type.
var columnTypes = map[snapshots.Type]arrow.DataType{
	snapshots.TypeText: arrow.BinaryTypes.String, snapshots.TypeDay: arrow.FixedWidthTypes.Date32,
	snapshots.TypeBool:      arrow.FixedWidthTypes.Boolean,
	snapshots.TypeTimestamp: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
	snapshots.TypeInt8:      arrow.PrimitiveTypes.Int8, snapshots.TypeInt16: arrow.PrimitiveTypes.Int16,
	snapshots.TypeInt32: arrow.PrimitiveTypes.Int32,
	snapshots.TypeInt64: arrow.PrimitiveTypes.Int64, snapshots.TypeFloat64: arrow.PrimitiveTypes.Float64,
	snapshots.TypeDecimal1: &arrow.Decimal128Type{Precision: 6, Scale: 1},
}

// columnType returns the column type for an Apache Arrow type. The error is ErrSchema if there is
// none.
func columnType(t arrow.DataType) (snapshots.Type, error) {
	for column, a := range columnTypes {
		if arrow.TypeEqual(a, t) {
			return column, nil
		}
	}
	return "", fmt.Errorf("type %s: %w", t, ErrSchema)
}

// arrowSchema returns the Apache Arrow schema for columns. meta is the key-value metadata of the
// file, which the schema has sorted by key. The error is ErrSchema for an unknown type, or for two
// columns with the same name.
func arrowSchema(columns []snapshots.Column, meta map[string]string) (*arrow.Schema, error) {
	fields := make([]arrow.Field, 0, len(columns))
	seen := map[string]bool{}
	for _, c := range columns {
		t, known := columnTypes[c.Type]
		if !known {
			return nil, fmt.Errorf("column %s: column type %q: %w", c.Name, c.Type, ErrSchema)
		}
		if seen[c.Name] {
			return nil, fmt.Errorf("column %s is there twice: %w", c.Name, ErrSchema)
		}
		seen[c.Name] = true
		fields = append(fields, arrow.Field{Name: c.Name, Type: t, Nullable: c.Nullable})
	}
	keys := slices.Sorted(maps.Keys(meta))
	values := make([]string, 0, len(keys))
	for _, k := range keys {
		values = append(values, meta[k])
	}
	md := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(fields, &md), nil
}
