package parquetio

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"labour/snapshots"
)

// asOfName is the column that the writers of tables add to every row.
const asOfName = "as_of"

// ErrSchema is returned when columns, types or nulls are not as the schema says.
var ErrSchema = errors.New("does not match the schema")

// arrowType is the Arrow type of a column type. FORMAT.md has the Parquet types
// that follow from it.
func arrowType(t snapshots.Type) (arrow.DataType, error) {
	switch t {
	case snapshots.Text:
		return arrow.BinaryTypes.String, nil
	case snapshots.Day:
		return arrow.FixedWidthTypes.Date32, nil
	case snapshots.Timestamp:
		return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, nil
	case snapshots.Bool:
		return arrow.FixedWidthTypes.Boolean, nil
	case snapshots.Int8:
		return arrow.PrimitiveTypes.Int8, nil
	case snapshots.Int16:
		return arrow.PrimitiveTypes.Int16, nil
	case snapshots.Int32:
		return arrow.PrimitiveTypes.Int32, nil
	case snapshots.Int64:
		return arrow.PrimitiveTypes.Int64, nil
	case snapshots.Float64:
		return arrow.PrimitiveTypes.Float64, nil
	case snapshots.Decimal1:
		return &arrow.Decimal128Type{Precision: 6, Scale: 1}, nil
	}
	return nil, fmt.Errorf("column type %q: %w", t, ErrSchema)
}

// columnType is the opposite of arrowType.
func columnType(t arrow.DataType) (snapshots.Type, error) {
	all := []snapshots.Type{snapshots.Text, snapshots.Day, snapshots.Timestamp, snapshots.Bool, snapshots.Int8,
		snapshots.Int16, snapshots.Int32, snapshots.Int64, snapshots.Float64, snapshots.Decimal1}
	for _, candidate := range all {
		if a, err := arrowType(candidate); err == nil && arrow.TypeEqual(a, t) {
			return candidate, nil
		}
	}
	return "", fmt.Errorf("type %s: %w", t, ErrSchema)
}

// arrowSchema has the metadata sorted by key.
func arrowSchema(columns []snapshots.Column, meta map[string]string) (*arrow.Schema, error) {
	fields := make([]arrow.Field, 0, len(columns))
	seen := map[string]bool{}
	for _, c := range columns {
		t, err := arrowType(c.Type)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
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
