package parquetio

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"labour/snapshots"
)

// Writer writes rows of the struct T. It is not for use by several goroutines.
type Writer[T any] struct {
	sink     *sink
	slot     *T // the row that the appenders read
	builders []array.Builder
	append   []appender
	pending  int
	text     int // bytes of text in the pending rows
	err      error
	closed   bool
	writing  beside // the last row group
}

// appender takes one field of the slot to its column and gives the bytes of text.
type appender func() (int, error)

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
	fields, err := match(reflect.TypeFor[T](), own(columns, asOf))
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	s, err := createSink(path, columns, meta, how)
	if err != nil {
		return nil, err
	}
	w := &Writer[T]{sink: s, slot: new(T)}
	slot, next := reflect.ValueOf(w.slot).Elem(), 0
	for i, c := range columns {
		b := array.NewBuilder(memory.DefaultAllocator, s.schema.Field(i).Type)
		w.builders = append(w.builders, b)
		if asOf != nil && c.Name == asOfName {
			w.append = append(w.append, constantDay(b, *asOf))
			continue
		}
		w.append = append(w.append, newAppender(b, c, slot, fields[next]))
		next++
	}
	return w, nil
}

// own is the columns that the row struct has: without as_of when that is constant.
func own(columns []snapshots.Column, asOf *time.Time) []snapshots.Column {
	var out []snapshots.Column
	for _, c := range columns {
		if asOf == nil || c.Name != asOfName {
			out = append(out, c)
		}
	}
	return out
}

// Append adds a row. After an error every further call gives the same error.
func (w *Writer[T]) Append(row T) error {
	if w.err != nil {
		return w.err
	}
	*w.slot = row
	for _, add := range w.append {
		n, err := add()
		if err != nil {
			w.err = fmt.Errorf("append row %d to %s: %w", w.Rows()+1, w.sink.path, err)
			return w.err
		}
		w.text += n
	}
	w.pending++
	if w.pending == RowGroupRows || w.text >= rowGroupText {
		w.err = w.flush()
	}
	return w.err
}

// Rows is the number of rows appended.
func (w *Writer[T]) Rows() int64 { return w.sink.rows + int64(w.pending) }

// flush writes the pending rows as one row group, beside what is appended next: at
// most two row groups are in memory. An error is given by the flush after it.
func (w *Writer[T]) flush() error {
	if err := w.writing.wait(); err != nil || w.pending == 0 {
		return err
	}
	columns := make([]arrow.Array, len(w.builders))
	for i, b := range w.builders {
		columns[i] = b.NewArray()
		if w.pending == RowGroupRows { // another full one is likely to follow
			reserve(b, columns[i])
		}
	}
	rec := array.NewRecord(w.sink.schema, columns, int64(w.pending))
	w.sink.rows += int64(w.pending)
	w.pending, w.text = 0, 0
	w.writing.start(func() error {
		err := w.sink.put(rec)
		rec.Release()
		for _, c := range columns {
			c.Release()
		}
		return err
	})
	return nil
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
		w.err = errors.Join(w.flush(), w.writing.wait())
	}
	if w.err != nil {
		return errors.Join(w.err, w.Discard())
	}
	w.closed = true
	w.err = w.sink.close()
	err := w.err
	if err == nil {
		w.err = fmt.Errorf("%s is closed", w.sink.path)
	}
	return err
}

// Discard removes the file that was being written. It does nothing after Close.
func (w *Writer[T]) Discard() error {
	if w.closed {
		return nil
	}
	w.closed = true
	if w.err == nil {
		w.err = fmt.Errorf("%s is discarded", w.sink.path)
	}
	_ = w.writing.wait() // the file is removed, whatever became of its last rows
	return w.sink.discard()
}
