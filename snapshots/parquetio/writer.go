package parquetio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"labour/snapshots"
)

// Writer writes rows of the struct T. It is not for use by several goroutines.
type Writer[T any] struct {
	sink    *sink
	columns []snapshots.Column
	slot    *T             // the row that load reads
	load    []func(*Value) // by column
	value   Value
	group   *array.RecordBuilder
	rows    int64
	pending int // rows in group
	text    int // bytes of text in group
	err     error
	closed  bool
}

// Create starts a file of the given columns. T has one field for each column, tagged `col:"name"`:
// string, int8, int16, int32, int64, bool, float64, figure.Tenths (Decimal1) or time.Time (Day,
// Timestamp), or a named type of these; a pointer for a nullable column and only for one. A Day is
// the calendar day in UTC, a Timestamp is cut to whole seconds. An existing file is replaced.
func Create[T any](path string, schema []snapshots.Column, meta map[string]string) (*Writer[T], error) {
	return create[T](path, schema, meta, nil, packed())
}

// CreateScratch is Create for a file that is read once and then removed: it is packed for speed.
func CreateScratch[T any](path string, schema []snapshots.Column) (*Writer[T], error) {
	return create[T](path, schema, nil, nil, quick())
}

// CreateTable starts the file of a table of a snapshot. T has no field for as_of;
// the writer puts the date into every row.
func CreateTable[T any](path string, table snapshots.Table, meta map[string]string, asOf time.Time) (*Writer[T], error) {
	return create[T](path, table.Columns, meta, &asOf, packed())
}

// WriteTable writes a whole table of a snapshot.
func WriteTable[T any](path string, table snapshots.Table, meta map[string]string, asOf time.Time, rows []T) error {
	w, err := CreateTable[T](path, table, meta, asOf)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if err := w.Append(row); err != nil {
			return errors.Join(err, w.Discard())
		}
	}
	return w.Close()
}

func create[T any](path string, columns []snapshots.Column, meta map[string]string, asOf *time.Time, how packing) (*Writer[T], error) {
	w := &Writer[T]{columns: columns, slot: new(T)}
	err := w.bind(asOf)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	if w.sink, err = createSink(path, columns, meta, how); err != nil {
		return nil, err
	}
	w.group = array.NewRecordBuilder(memory.DefaultAllocator, w.sink.schema)
	return w, nil
}

// bind says where the value of each column comes from: asOf where it is given, else a field of the
// slot, and every field has a column. A nullable column needs a pointer and another must not have
// one, so that nil and zero are never mixed up.
func (w *Writer[T]) bind(asOf *time.Time) error {
	columns, fields := columnsOf(w.slot)
	used := 0
	for _, c := range w.columns {
		if asOf != nil && c.Name == asOfName {
			of := Value{Int: day(*asOf)}
			w.load = append(w.load, func(v *Value) { *v = of })
			continue
		}
		i := slices.IndexFunc(columns, func(f snapshots.Column) bool { return f.Name == c.Name })
		if i < 0 {
			return fmt.Errorf("%T has no field for column %s: %w", *w.slot, c.Name, ErrSchema)
		}
		if f := columns[i]; f.Type != c.Type || f.Nullable != c.Nullable {
			return fmt.Errorf("column %s is %s, nullable %t; its field holds %q, nullable %t: %w", c.Name, c.Type, c.Nullable, f.Type, f.Nullable, ErrSchema)
		}
		w.load = append(w.load, func(v *Value) { load(fields[i], c.Type, v) })
		used++
	}
	if used == 0 || used != len(fields) {
		return fmt.Errorf("%T has %d fields for %d columns: %w", *w.slot, len(fields), used, ErrSchema)
	}
	return nil
}

// Append adds a row. After an error every further call gives the same error.
func (w *Writer[T]) Append(row T) error {
	if w.err != nil {
		return w.err
	}
	*w.slot = row
	for i, b := range w.group.Fields() {
		w.load[i](&w.value)
		if err := appendValue(b, &w.columns[i], &w.value); err != nil {
			w.err = fmt.Errorf("append row %d to %s: %w", w.rows+1, w.sink.path, err)
			return w.err
		}
		w.text += len(w.value.Text)
	}
	w.rows++
	w.pending++
	if w.pending == RowGroupRows || w.text >= rowGroupText {
		w.err = w.flush()
	}
	return w.err
}

// Rows is the number of rows appended.
func (w *Writer[T]) Rows() int64 { return w.rows }

// flush writes the pending rows as one row group.
func (w *Writer[T]) flush() error {
	full := w.pending == RowGroupRows
	w.pending, w.text = 0, 0
	rec := w.group.NewRecord()
	if full { // another full one is likely to follow
		for i, b := range w.group.Fields() {
			reserve(b, rec.Column(i))
		}
	}
	return w.sink.put(rec)
}

// reserve makes room for as much as the last row group held, which else would be
// copied again and again while it grows.
func reserve(b array.Builder, last arrow.Array) {
	b.Reserve(last.Len())
	if text, ok := b.(*array.StringBuilder); ok {
		text.ReserveData(len(last.(*array.String).ValueBytes()))
	}
}

// Close writes the footer. Without it the file cannot be read. Closing a writer
// that failed removes the file and gives the error.
func (w *Writer[T]) Close() error {
	if w.closed {
		return w.err
	}
	if w.err == nil {
		w.err = w.flush()
	}
	if w.err != nil {
		return errors.Join(w.err, w.Discard())
	}
	w.closed = true
	err := w.sink.close()
	w.err = cmp.Or(err, fmt.Errorf("%s is closed", w.sink.path))
	return err
}

// Discard removes the file that was being written. It does nothing after Close.
func (w *Writer[T]) Discard() error {
	if w.closed {
		return nil
	}
	w.closed = true
	w.err = cmp.Or(w.err, fmt.Errorf("%s is discarded", w.sink.path))
	return w.sink.discard()
}

// Encode writes a whole file of rows whose columns are known only at run time, as one row group.
// value gives the value of a cell, with the field set that the column's type asks for. It is for
// answers and other small files: all rows are in memory. A null in a column that is not nullable,
// or a decimal with too many digits, is ErrSchema.
func Encode(w io.Writer, columns []snapshots.Column, meta map[string]string, rows int, value func(row, column int) Value) error {
	schema, err := arrowSchema(columns, meta)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	s, err := newSink("an answer", unclosed{w}, schema, quick()) // the encoders of Zstandard cost more than a small file saves
	if err != nil {
		return err
	}
	group := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer group.Release()
	for row := range rows {
		for i := range columns {
			v := value(row, i)
			if err := appendValue(group.Field(i), &columns[i], &v); err != nil {
				return fmt.Errorf("encode row %d: %w", row, err)
			}
		}
	}
	return errors.Join(s.put(group.NewRecord()), s.end())
}

// unclosed is a writer that is closed by its owner.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
