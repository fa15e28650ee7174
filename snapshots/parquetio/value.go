package parquetio

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// Value is one value of a table column. The type of the column determines which field has the
// value.
type Value struct {
	IsNull bool
	// text of a value of type Text; clone it to keep it, since reading the next row may overwrite
	// it
	Text string
	// Int holds an integer, a Bool (0 or 1), a Day (days since 1970), a Timestamp (microseconds since
	// 1970) or a Decimal1 (in tenths).
	Int   int64
	Float float64 // number of a value of type Float64
}

// CompareValues compares two rows in the sort order of a snapshot's tables. The result is negative
// if a comes first, positive if b comes first, and 0 if they are equal. Texts are compared by their
// bytes. A null comes after every value. Values of type Float64 are ignored.
func CompareValues(a, b []Value) int {
	for i := range a {
		if a[i].IsNull != b[i].IsNull {
			if a[i].IsNull {
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

// valueAt sets v to the value in row i of an Arrow column.
func valueAt(column arrow.Array, i int, v *Value) {
	if *v = (Value{IsNull: column.IsNull(i)}); v.IsNull {
		return
	}
	switch a := column.(type) {
	case *array.String:
		v.Text = a.Value(i)
	case *array.Boolean:
		v.Int = number(a.Value(i))
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
	}
}

// number converts a boolean to a number: 1 for true and 0 for false.
func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// appendValue appends v to the column that builder builds. c is the schema of the column. The error
// is ErrSchema if v is out of range for the column's type. It is also ErrSchema if v is a null and
// the column is not nullable.
func appendValue(builder array.Builder, c *snapshots.Column, v *Value) error {
	if v.IsNull {
		if !c.Nullable {
			return fmt.Errorf("column %s: has a null: %w", c.Name, ErrSchema)
		}
		builder.AppendNull()
		return nil
	}
	fits := true
	switch b := builder.(type) {
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
	}
	if !fits {
		return fmt.Errorf("column %s: %d does not fit: %w", c.Name, v.Int, ErrSchema)
	}
	return nil
}

// maxTenths is the largest value of a DECIMAL(6,1) column in tenths: 999,999, which is 99,999.9.
const maxTenths = int64(figure.MaxTenths)

// appendWhole calls add with v, converted to the integer type V. It returns false, without calling
// add, if v is out of range for V.
func appendWhole[V ~int8 | ~int16 | ~int32 | ~int64](add func(V), v int64) (fits bool) {
	if int64(V(v)) != v {
		return false
	}
	add(V(v))
	return true
}

// load sets v to the value of a field of a Go row struct. t is the type of the field's column.
func load(field reflect.Value, t snapshots.Type, v *Value) {
	*v = Value{}
	if field.Kind() == reflect.Pointer {
		if v.IsNull = field.IsNil(); v.IsNull {
			return
		}
		field = field.Elem()
	}
	switch field.Kind() {
	case reflect.String:
		v.Text = field.String()
	case reflect.Bool:
		v.Int = number(field.Bool())
	case reflect.Float64:
		v.Float = field.Float()
	case reflect.Struct:
		moment := *field.Addr().Interface().(*time.Time)
		if v.Int = moment.Unix() * 1e6; t == snapshots.TypeDay {
			v.Int = EncodeDay(moment)
		}
	default:
		v.Int = field.Int()
	}
}

const secondsPerDay = 24 * 60 * 60

// DecodeDay returns the start of a calendar day in UTC. days is the number of days since 1 January
// 1970, which is how a Parquet file stores a day.
func DecodeDay(days int64) time.Time { return time.Unix(days*secondsPerDay, 0).UTC() }

// EncodeDay returns the calendar day of t in UTC, as the number of days since 1 January 1970.
func EncodeDay(t time.Time) int64 {
	s := t.Unix()
	d := s / secondsPerDay
	if s%secondsPerDay < 0 {
		d--
	}
	return d
}

// store sets a field of a Go row struct to the value v. It is the reverse of load. It copies a
// text, unless the field already has an equal one.
func store(field reflect.Value, t snapshots.Type, v *Value) {
	if field.Kind() == reflect.Pointer {
		if field.SetZero(); v.IsNull {
			return
		}
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	switch field.Kind() {
	case reflect.String:
		if field.String() != v.Text {
			field.SetString(strings.Clone(v.Text))
		}
	case reflect.Bool:
		field.SetBool(v.Int != 0)
	case reflect.Float64:
		field.SetFloat(v.Float)
	case reflect.Struct:
		moment := time.UnixMicro(v.Int).UTC()
		if t == snapshots.TypeDay {
			moment = DecodeDay(v.Int)
		}
		*field.Addr().Interface().(*time.Time) = moment
	default:
		field.SetInt(v.Int)
	}
}
