package parquetio

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"labour/snapshots"
)

// castColumn gives a column the exact type of the schema, or says at which row
// something would be lost. A column that has the type already is not copied.
// Every type but text, bool and float goes by way of int64: an integer as it is,
// a decimal in tenths, a day in days, a timestamp in microseconds.
func castColumn(a arrow.Array, to snapshots.Type) (out arrow.Array, row int, err error) {
	want, err := arrowType(to)
	if err != nil {
		return nil, 0, err
	}
	if arrow.TypeEqual(a.DataType(), want) {
		a.Retain()
		return a, 0, nil
	}
	get, err := wholeValues(a, to)
	if err != nil {
		return nil, 0, err
	}
	b := array.NewBuilder(memory.DefaultAllocator, want)
	defer b.Release()
	b.Reserve(a.Len())
	add, err := wholeAppender(b)
	if err != nil {
		return nil, 0, err
	}
	for i := range a.Len() {
		if a.IsNull(i) {
			b.AppendNull()
			continue
		}
		v, ok := get(i)
		if !ok || !add(v) {
			return nil, i, fmt.Errorf("%s does not fit %s: %w", a.ValueStr(i), to, ErrSchema)
		}
	}
	return b.NewArray(), 0, nil
}

// wholeValues reads a column as the int64 that stands for a value of the type
// to; ok is false where a value would change.
func wholeValues(a arrow.Array, to snapshots.Type) (get func(i int) (v int64, ok bool), err error) {
	refused := fmt.Errorf("type %s cannot become %s: %w", a.DataType(), to, ErrSchema)
	switch to {
	case snapshots.Int8, snapshots.Int16, snapshots.Int32, snapshots.Int64:
		if get = numbers(a, 0); get == nil {
			get = wholeFloats(a)
		}
	case snapshots.Decimal1:
		get = numbers(a, 1)
	case snapshots.Day:
		get = instants(a, 24*60*60*1e6)
		return divided(get, 24*60*60*1e6, refused)
	case snapshots.Timestamp:
		get = instants(a, 1e6)
	}
	if get == nil {
		return nil, refused
	}
	return get, nil
}

func divided(get func(int) (int64, bool), by int64, refused error) (func(int) (int64, bool), error) {
	if get == nil {
		return nil, refused
	}
	return func(i int) (int64, bool) { v, ok := get(i); return v / by, ok }, nil
}

// numbers reads integers and decimals with the given number of decimal places.
func numbers(a arrow.Array, places int32) func(int) (int64, bool) {
	switch a := a.(type) {
	case *array.Int8:
		return scaled(a.Int8Values(), places)
	case *array.Int16:
		return scaled(a.Int16Values(), places)
	case *array.Int32:
		return scaled(a.Int32Values(), places)
	case *array.Int64:
		return scaled(a.Int64Values(), places)
	case *array.Uint8:
		return scaled(a.Uint8Values(), places)
	case *array.Uint16:
		return scaled(a.Uint16Values(), places)
	case *array.Uint32:
		return scaled(a.Uint32Values(), places)
	case *array.Uint64:
		return scaled(a.Uint64Values(), places)
	case *array.Decimal128:
		return decimals(a, places)
	}
	return nil
}

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func scaled[V integer](values []V, places int32) func(int) (int64, bool) {
	factor := pow10(places)
	return func(i int) (int64, bool) {
		v := int64(values[i])
		fits := (v < 0) == (values[i] < 0) && v <= math.MaxInt64/factor && v >= math.MinInt64/factor
		return v * factor, fits
	}
}

func decimals(a *array.Decimal128, places int32) func(int) (int64, bool) {
	scale := a.DataType().(*arrow.Decimal128Type).Scale
	if scale > 18 || scale < 0 {
		return nil
	}
	if scale > places {
		divisor := pow10(scale - places)
		return func(i int) (int64, bool) {
			v, ok := asInt64(a.Value(i))
			return v / divisor, ok && v%divisor == 0
		}
	}
	factor := pow10(places - scale)
	return func(i int) (int64, bool) {
		v, ok := asInt64(a.Value(i))
		return v * factor, ok && v <= math.MaxInt64/factor && v >= math.MinInt64/factor
	}
}

func asInt64(n decimal128.Num) (v int64, ok bool) {
	v = int64(n.LowBits())
	return v, decimal128.FromI64(v) == n
}

func pow10(places int32) int64 {
	v := int64(1)
	for range places {
		v *= 10
	}
	return v
}

// wholeFloats reads floating numbers that are whole and exact: sums of large
// integers come out of some engines as such.
func wholeFloats(a arrow.Array) func(int) (int64, bool) {
	const exact = 1 << 53
	doubles, ok := a.(*array.Float64)
	if !ok {
		return nil
	}
	return func(i int) (int64, bool) {
		v := doubles.Value(i)
		return int64(v), v == math.Trunc(v) && math.Abs(v) <= exact
	}
}

// instants reads days and timestamps in microseconds, which must be multiples of step.
func instants(a arrow.Array, step int64) func(int) (int64, bool) {
	var get func(int) (int64, bool)
	switch a := a.(type) {
	case *array.Date32:
		get = func(i int) (int64, bool) { return int64(a.Value(i)) * secondsPerDay * 1e6, true }
	case *array.Timestamp:
		per := int64(a.DataType().(*arrow.TimestampType).Unit.Multiplier()) // nanoseconds
		get = func(i int) (int64, bool) {
			v := int64(a.Value(i))
			if per < 1000 {
				return v / 1000, v%1000 == 0
			}
			factor := per / 1000
			return v * factor, v <= math.MaxInt64/factor && v >= math.MinInt64/factor
		}
	default:
		return nil
	}
	return func(i int) (int64, bool) { v, ok := get(i); return v, ok && v%step == 0 }
}

// wholeAppender appends what wholeValues gave; false where it is out of range.
func wholeAppender(b array.Builder) (func(int64) bool, error) {
	switch b := b.(type) {
	case *array.Int8Builder:
		return ranged(func(v int8) { b.Append(v) }), nil
	case *array.Int16Builder:
		return ranged(func(v int16) { b.Append(v) }), nil
	case *array.Int32Builder:
		return ranged(func(v int32) { b.Append(v) }), nil
	case *array.Int64Builder:
		return ranged(func(v int64) { b.Append(v) }), nil
	case *array.Date32Builder:
		return ranged(func(v arrow.Date32) { b.Append(v) }), nil
	case *array.TimestampBuilder:
		return ranged(func(v arrow.Timestamp) { b.Append(v) }), nil
	case *array.Decimal128Builder:
		return func(v int64) bool {
			if v > maxTenths || v < -maxTenths {
				return false
			}
			b.Append(decimal128.FromI64(v))
			return true
		}, nil
	}
	return nil, fmt.Errorf("no cast to %T: %w", b, ErrSchema)
}

func ranged[V integer](add func(V)) func(int64) bool {
	return func(v int64) bool {
		if int64(V(v)) != v {
			return false
		}
		add(V(v))
		return true
	}
}
