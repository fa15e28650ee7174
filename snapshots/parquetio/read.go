package parquetio

import (
	"fmt"
	"iter"
	"reflect"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// Each yields the rows of a file, in their order, as structs with the tags that Create describes; an
// error is the last of them. The file may have more columns than T has fields; a field without a
// column or with one of another type, or a null for a field that is no pointer, is ErrSchema. Texts
// may be kept.
func Each[T any](path string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		s, err := openSource(path, readRows)
		if err != nil {
			yield(*new(T), err)
			return
		}
		defer s.close() // only read
		fields := snapshots.FieldsOf(reflect.TypeFor[T]())
		slot := new(T)
		loaders, columns, err := loadersOf(s, fields, reflect.ValueOf(slot).Elem())
		if err != nil {
			yield(*slot, err)
			return
		}
		for rec, err := range s.records(columns) {
			for i := 0; i < len(loaders) && err == nil; i++ {
				if err = loaders[i].open(rec.Column(i)); err != nil {
					err = fmt.Errorf("read %s, column %s: %w", path, fields[i].Name, err)
				}
			}
			if err != nil {
				yield(*slot, err)
				return
			}
			for row := range int(rec.NumRows()) {
				for _, l := range loaders {
					l.load(row)
				}
				if !yield(*slot, nil) {
					return
				}
			}
		}
	}
}

// Read gives the rows of a file to fn, as Each yields them. An error of fn stops the reading and is
// returned.
func Read[T any](path string, fn func(row T) error) error {
	for row, err := range Each[T](path) {
		if err == nil {
			err = fn(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadAll gives all rows of a file. It is for files that are known to be small.
func ReadAll[T any](path string) ([]T, error) {
	var rows []T
	err := Read(path, func(row T) error { rows = append(rows, row); return nil })
	return rows, err
}

// loader takes one column to its field of the slot: open at each batch, load at each row.
type loader struct {
	open func(arrow.Array) error
	load func(row int)
}

func loadersOf(s *source, fields []snapshots.Field, slot reflect.Value) ([]loader, []int, error) {
	loaders, columns := make([]loader, 0, len(fields)), make([]int, 0, len(fields))
	for _, f := range fields {
		at, err := s.column(f.Name)
		if err != nil {
			return nil, nil, err
		}
		c, err := s.describe(at)
		if err != nil {
			return nil, nil, err
		}
		// DuckDB writes every column as nullable; a null that is really there is
		// refused when it arrives in a field that cannot hold it.
		c.Nullable = f.Nullable
		if err := holds(f, c); err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", s.path, err)
		}
		loaders, columns = append(loaders, newLoader(s.schema.Field(at).Type, slot, f)), append(columns, at)
	}
	return loaders, columns, nil
}

// newLoader builds, once per field, the closures that fill it.
func newLoader(t arrow.DataType, slot reflect.Value, f snapshots.Field) loader {
	switch t.ID() {
	case arrow.STRING:
		return loaderOf[*array.String](slot, f, keeper())
	case arrow.INT8:
		return loaderOf(slot, f, func(a *array.Int8, i int) int8 { return a.Value(i) })
	case arrow.INT16:
		return loaderOf(slot, f, func(a *array.Int16, i int) int16 { return a.Value(i) })
	case arrow.INT32:
		return loaderOf(slot, f, func(a *array.Int32, i int) int32 { return a.Value(i) })
	case arrow.INT64:
		return loaderOf(slot, f, func(a *array.Int64, i int) int64 { return a.Value(i) })
	case arrow.FLOAT64:
		return loaderOf(slot, f, func(a *array.Float64, i int) float64 { return a.Value(i) })
	case arrow.BOOL:
		return loaderOf(slot, f, func(a *array.Boolean, i int) bool { return a.Value(i) })
	case arrow.DATE32:
		return loaderOf(slot, f, func(a *array.Date32, i int) time.Time {
			return time.Unix(int64(a.Value(i))*secondsPerDay, 0).UTC()
		})
	case arrow.TIMESTAMP:
		return loaderOf(slot, f, func(a *array.Timestamp, i int) time.Time {
			return time.UnixMicro(int64(a.Value(i))).UTC()
		})
	}
	return loaderOf(slot, f, func(a *array.Decimal128, i int) figure.Tenths {
		return figure.Tenths(int64(a.Value(i).LowBits()))
	})
}

// keeper copies texts out of the batch, so that a kept text does not keep the
// whole batch; a text equal to the one before it is not copied again.
func keeper() func(a *array.String, i int) string {
	last := ""
	return func(a *array.String, i int) string {
		if v := a.Value(i); v != last {
			last = strings.Clone(v)
		}
		return last
	}
}

func loaderOf[A arrow.Array, V any](slot reflect.Value, f snapshots.Field, value func(a A, i int) V) loader {
	var a A
	open := func(column arrow.Array) error {
		typed, ok := column.(A)
		if !ok {
			return fmt.Errorf("is %s: %w", column.DataType(), ErrSchema)
		}
		if column.NullN() > 0 && !f.Nullable {
			return fmt.Errorf("has a null: %w", ErrSchema)
		}
		a = typed
		return nil
	}
	if !f.Nullable {
		p := pointerTo[V](slot, f)
		return loader{open, func(row int) { *p = value(a, row) }}
	}
	p := pointerTo[*V](slot, f)
	return loader{open, func(row int) {
		*p = nil
		if !a.IsNull(row) {
			v := value(a, row)
			*p = &v
		}
	}}
}
