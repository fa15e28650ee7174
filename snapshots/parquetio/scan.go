package parquetio

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// Value is one value of a file whose columns are known only at run time. Which
// field holds it follows from the column's type.
type Value struct {
	Null bool
	Text string // Text; points into the batch: clone it to keep it
	// Int is an integer, a Bool as 0 or 1, a Day as days since 1970, a Timestamp
	// as microseconds since 1970, or a Decimal1 in tenths.
	Int   int64
	Float float64 // Float64
}

// Scan gives the named columns of a file to fn, row by row from row 0. The slice
// is used again for the next row.
func Scan(path string, columns []string, fn func(row int64, values []Value) error) (err error) {
	c, err := OpenCursor(path, columns)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	for row := int64(0); ; row++ {
		values, err := c.Next()
		if err != nil || values == nil {
			return err
		}
		if err := fn(row, values); err != nil {
			return err
		}
	}
}

func valueAt(column arrow.Array, i int, v *Value) error {
	*v = Value{Null: column.IsNull(i)}
	if v.Null {
		return nil
	}
	switch a := column.(type) {
	case *array.String:
		v.Text = a.Value(i)
	case *array.Boolean:
		if a.Value(i) {
			v.Int = 1
		}
	case *array.Int8:
		v.Int = int64(a.Value(i))
	case *array.Int16:
		v.Int = int64(a.Value(i))
	case *array.Int32:
		v.Int = int64(a.Value(i))
	case *array.Int64:
		v.Int = a.Value(i)
	case *array.Date32:
		v.Int = int64(a.Value(i))
	case *array.Timestamp:
		v.Int = int64(a.Value(i))
	case *array.Decimal128:
		v.Int = int64(a.Value(i).LowBits())
	case *array.Float64:
		v.Float = a.Value(i)
	default:
		return fmt.Errorf("is %s: %w", column.DataType(), ErrSchema)
	}
	return nil
}
