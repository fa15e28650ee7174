package parquetio

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// Cursor gives the rows of a file one at a time, for reading two files side by side; Scan is for
// one. It is not for use by several goroutines. The caller must end with Close.
type Cursor struct {
	source *source
	next   func() (arrow.Record, error, bool)
	stop   func()
	rec    arrow.Record
	row    int // next row of rec
	values []Value
}

// OpenCursor opens the named columns of a file.
func OpenCursor(path string, columns []string) (*Cursor, error) {
	s, err := openSource(path, readRows)
	if err != nil {
		return nil, err
	}
	at := make([]int, len(columns))
	for i, name := range columns {
		if at[i], err = s.column(name); err == nil {
			_, err = s.describe(at[i])
		}
		if err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	c := &Cursor{source: s, values: make([]Value, len(columns))}
	c.next, c.stop = iter.Pull2(s.records(at))
	return c, nil
}

// Next is the next row, in the order of the columns; nil after the last. The slice
// and its texts are used again for the row after: clone what is kept.
func (c *Cursor) Next() (values []Value, err error) {
	for c.rec == nil || c.row == int(c.rec.NumRows()) {
		more := false
		if c.rec, err, more = c.next(); err != nil || !more {
			return nil, err
		}
		c.row = 0
	}
	for i := range c.values {
		if err := valueAt(c.rec.Column(i), c.row, &c.values[i]); err != nil {
			return nil, fmt.Errorf("read %s: %w", c.source.path, err)
		}
	}
	c.row++
	return c.values, nil
}

func (c *Cursor) Close() error {
	c.stop()
	return c.source.close()
}

// CompareValues orders rows as the tables of a snapshot are ordered: texts by their
// bytes, everything else by its value, a null after every value.
func CompareValues(a, b []Value) int {
	for i := range a {
		if a[i].Null != b[i].Null {
			if a[i].Null {
				return 1
			}
			return -1
		}
		if c := cmp.Or(strings.Compare(a[i].Text, b[i].Text), cmp.Compare(a[i].Int, b[i].Int)); c != 0 {
			return c
		}
	}
	return 0
}

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
