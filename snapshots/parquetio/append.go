package parquetio

import (
	"fmt"
	"reflect"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"labour/snapshots"
	"labour/snapshots/figure"
)

const secondsPerDay = 24 * 60 * 60

// maxTenths is the largest value of DECIMAL(6,1), in tenths.
const maxTenths = 999_999

// newAppender builds, once per field, the closure that moves it to its column.
func newAppender(b array.Builder, c snapshots.Column, slot reflect.Value, f snapshots.Field) appender {
	switch b := b.(type) {
	case *array.StringBuilder:
		return converted(b, func(s string) (int, error) { b.Append(s); return len(s), nil }, slot, f)
	case *array.Int8Builder:
		return plain(b, b.Append, slot, f)
	case *array.Int16Builder:
		return plain(b, b.Append, slot, f)
	case *array.Int32Builder:
		return plain(b, b.Append, slot, f)
	case *array.Int64Builder:
		return plain(b, b.Append, slot, f)
	case *array.Float64Builder:
		return plain(b, b.Append, slot, f)
	case *array.BooleanBuilder:
		return plain(b, b.Append, slot, f)
	case *array.Date32Builder:
		return converted(b, func(t time.Time) (int, error) { b.Append(dayOf(t)); return 0, nil }, slot, f)
	case *array.TimestampBuilder:
		return converted(b, func(t time.Time) (int, error) { b.Append(arrow.Timestamp(t.Unix() * 1e6)); return 0, nil }, slot, f)
	case *array.Decimal128Builder:
		return converted(b, func(v figure.Tenths) (int, error) {
			if v > maxTenths || v < -maxTenths {
				return 0, fmt.Errorf("column %s: %d tenths do not fit", c.Name, v)
			}
			b.Append(decimal128.FromI64(int64(v)))
			return 0, nil
		}, slot, f)
	}
	return func() (int, error) { return 0, fmt.Errorf("column %s: no writer for %T", c.Name, b) }
}

// dayOf is the number of days since 1970 of the calendar day of t in UTC.
func dayOf(t time.Time) arrow.Date32 {
	s := t.Unix()
	d := s / secondsPerDay
	if s%secondsPerDay < 0 {
		d--
	}
	return arrow.Date32(d)
}

func plain[V any](b array.Builder, add func(V), slot reflect.Value, f snapshots.Field) appender {
	return converted(b, func(v V) (int, error) { add(v); return 0, nil }, slot, f)
}

// converted is for an add that may fail, and that gives the bytes of text that it added.
func converted[V any](b array.Builder, add func(V) (int, error), slot reflect.Value, f snapshots.Field) appender {
	if f.Nullable {
		p := pointerTo[*V](slot, f)
		return func() (int, error) {
			if *p == nil {
				b.AppendNull()
				return 0, nil
			}
			return add(**p)
		}
	}
	p := pointerTo[V](slot, f)
	return func() (int, error) { return add(*p) }
}

func constantDay(b array.Builder, day time.Time) appender {
	v, dates := dayOf(day), b.(*array.Date32Builder)
	return func() (int, error) { dates.Append(v); return 0, nil }
}

// holds reports by an error that a field cannot hold a column. A nullable column needs a
// pointer and another must not have one, so that nil and zero are never mixed up.
func holds(f snapshots.Field, c snapshots.Column) error {
	if f.Type != c.Type || f.Nullable != c.Nullable {
		return fmt.Errorf("column %s is %s, nullable %t; its field holds %q, nullable %t: %w", c.Name, c.Type, c.Nullable, f.Type, f.Nullable, ErrSchema)
	}
	return nil
}

// match gives each column its field. Every column must have one and every field a column.
func match(row reflect.Type, columns []snapshots.Column) ([]snapshots.Field, error) {
	fields := snapshots.FieldsOf(row)
	if len(fields) == 0 || len(fields) != len(columns) {
		return nil, fmt.Errorf("%s has %d fields for %d columns: %w", row, len(fields), len(columns), ErrSchema)
	}
	byName := map[string]snapshots.Field{}
	for _, f := range fields {
		byName[f.Name] = f
	}
	var out []snapshots.Field
	for _, c := range columns {
		f, ok := byName[c.Name]
		if !ok {
			return nil, fmt.Errorf("%s has no field for column %s: %w", row, c.Name, ErrSchema)
		}
		if err := holds(f, c); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// pointerTo is a pointer to a field of the one row that slot is, as a pointer to
// the plain type V (a field of a named string type gives a *string).
func pointerTo[V any](slot reflect.Value, f snapshots.Field) *V {
	return slot.FieldByIndex(f.Index).Addr().Convert(reflect.TypeFor[*V]()).Interface().(*V)
}
