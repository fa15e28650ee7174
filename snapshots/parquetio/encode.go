package parquetio

import (
	"cmp"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"labour/snapshots"
)

// Encode writes a whole file of rows whose columns are known only at run time, as one row group.
// value gives the value of a cell, with the field set that the column's type asks for. It is for
// answers and other small files: all rows are in memory. A null in a column that is not nullable,
// or a decimal with too many digits, is ErrSchema.
func Encode(w io.Writer, columns []snapshots.Column, meta map[string]string, rows int, value func(row, column int) Value) error {
	schema, err := arrowSchema(columns, meta)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	out := &output{file: unclosed{w}}
	// Not Zstandard, whose encoders cost more than a small file saves.
	file, err := newFileWriter(schema, out, quick())
	if err := cmp.Or(out.err, err); err != nil { // the writer's error is the cause
		return fmt.Errorf("encode: %w", err)
	}
	rec, err := recordOf(schema, columns, rows, value)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	defer rec.Release()
	s := &sink{path: "an answer", file: out, out: file, schema: schema}
	if err := s.write(rec); err != nil {
		return err
	}
	return cmp.Or(out.err, s.footer())
}

// unclosed is a writer that is closed by its owner.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

func recordOf(schema *arrow.Schema, columns []snapshots.Column, rows int, value func(row, column int) Value) (arrow.Record, error) {
	arrays := make([]arrow.Array, 0, len(columns))
	defer func() {
		for _, a := range arrays {
			a.Release() // the record keeps its own
		}
	}()
	for i, c := range columns {
		a, err := columnOf(schema.Field(i).Type, c, rows, func(row int) Value { return value(row, i) })
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		arrays = append(arrays, a)
	}
	return array.NewRecord(schema, arrays, int64(rows)), nil
}

func columnOf(t arrow.DataType, c snapshots.Column, rows int, value func(row int) Value) (arrow.Array, error) {
	b := array.NewBuilder(memory.DefaultAllocator, t)
	defer b.Release()
	b.Reserve(rows)
	for row := range rows {
		v := value(row)
		switch {
		case v.Null && !c.Nullable:
			return nil, fmt.Errorf("row %d has no value: %w", row, ErrSchema)
		case v.Null:
			b.AppendNull()
		default:
			if err := appendValue(b, v); err != nil {
				return nil, fmt.Errorf("row %d: %w", row, err)
			}
		}
	}
	return b.NewArray(), nil
}

// appendValue is the opposite of valueAt.
func appendValue(b array.Builder, v Value) error {
	fits := true
	switch b := b.(type) {
	case *array.StringBuilder:
		b.Append(v.Text)
	case *array.BooleanBuilder:
		b.Append(v.Int != 0)
	case *array.Float64Builder:
		b.Append(v.Float)
	case *array.Decimal128Builder:
		if fits = v.Int <= maxTenths && v.Int >= -maxTenths; fits {
			b.Append(decimal128.FromI64(v.Int))
		}
	case *array.Int8Builder:
		fits = appendWhole(b.Append, v.Int)
	case *array.Int16Builder:
		fits = appendWhole(b.Append, v.Int)
	case *array.Int32Builder:
		fits = appendWhole(b.Append, v.Int)
	case *array.Int64Builder:
		fits = appendWhole(b.Append, v.Int)
	case *array.Date32Builder:
		fits = appendWhole(b.Append, v.Int)
	case *array.TimestampBuilder:
		fits = appendWhole(b.Append, v.Int)
	default:
		return fmt.Errorf("no writer for %T: %w", b, ErrSchema)
	}
	if !fits {
		return fmt.Errorf("%d does not fit: %w", v.Int, ErrSchema)
	}
	return nil
}

// appendWhole appends a number, unless it is out of range.
func appendWhole[V ~int8 | ~int16 | ~int32 | ~int64](add func(V), v int64) (fits bool) {
	if int64(V(v)) != v {
		return false
	}
	add(V(v))
	return true
}
