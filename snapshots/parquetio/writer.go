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
	"github.com/apache/arrow/go/v17/parquet/compress"

	"labour/snapshots"
)

// groups writes the rows of a Parquet file. It collects values into rows, and rows into row groups.
type groups struct {
	sink    *sink
	columns []snapshots.Column
	group   *array.RecordBuilder
	rows    int64
	pending int // number of rows in the row group that is being built
}

func createGroups(path string, columns []snapshots.Column, meta map[string]string,
	how compress.Compression) (*groups, error) {
	s, err := createSink(path, columns, meta, how)
	if err != nil {
		return nil, err
	}
	return &groups{sink: s, columns: columns, group: array.NewRecordBuilder(memory.DefaultAllocator, s.schema)}, nil
}

// add sets the value of one column in the current row.
func (g *groups) add(column int, v *Value) error {
	if err := appendValue(g.group.Field(column), &g.columns[column], v); err != nil {
		return fmt.Errorf("row %d: %w", g.rows, err)
	}
	return nil
}

// endRow ends the current row, and writes the row group if it is full.
func (g *groups) endRow() error {
	g.rows++
	if g.pending++; g.pending == RowGroupRows {
		return g.flush()
	}
	return nil
}

// flush writes the rows that were added since the last row group, as a row group.
func (g *groups) flush() error {
	rec := g.group.NewRecord()
	if g.pending == RowGroupRows { // another full row group is likely to follow
		for i, b := range g.group.Fields() {
			reserve(b, rec.Column(i))
		}
	}
	g.pending = 0
	return g.sink.put(rec)
}

// reserve allocates as much memory for a column as the last row group needed, so that the memory is
// not copied again and again while the next row group grows. lastColumn is the same column in the
// last row group.
func reserve(b array.Builder, lastColumn arrow.Array) {
	b.Reserve(lastColumn.Len())
	if text, ok := b.(*array.StringBuilder); ok {
		text.ReserveData(len(lastColumn.(*array.String).ValueBytes()))
	}
}

// close writes the remaining rows and the footer of the Parquet file. If that fails, it removes
// the file.
func (g *groups) close() error {
	if err := g.flush(); err != nil {
		return errors.Join(err, g.sink.discard())
	}
	return g.sink.close()
}

// Writer writes rows of the struct type T to a Parquet file. It is not safe for concurrent use.
type Writer[T any] struct {
	*groups
	slot   *T             // the row that is being written; the functions in load read it
	load   []func(*Value) // for each column, a function that reads its value from slot
	value  Value
	text   int // number of bytes of text in the row group that is being built
	err    error
	closed bool
}

// CreateFile creates or replaces a Parquet file with the given columns. meta is the key-value
// metadata of the file. The row type T must have one field for each column, with the tag
// `col:"name"`. If it does not, the error is ErrSchema.
//
// A field has the type string, bool, float64, an integer type, figure.Tenths (Decimal1), time.Time
// (Day, Timestamp), or a named type of these. It must be a pointer if the column is nullable, and
// must not be one otherwise. A time.Time is written as the day in UTC, or truncated to seconds.
func CreateFile[T any](path string, schema []snapshots.Column, meta map[string]string) (*Writer[T], error) {
	return create[T](path, schema, meta, nil, compress.Codecs.Zstd)
}

// CreateTemporaryFile creates a Parquet file for temporary use, with the columns of the row type T.
// It is compressed faster than a table's file, but becomes larger.
func CreateTemporaryFile[T any](path string) (*Writer[T], error) {
	return create[T](path, snapshots.ColumnsOf[T](), nil, nil, compress.Codecs.Snappy)
}

// CreateTable creates the Parquet file of a snapshot's table. meta is the key-value metadata of the
// file. The writer sets the column as_of of every row to the date asOf. The row type T must not
// have a field for this column.
func CreateTable[T any](path string, table snapshots.Table, meta map[string]string,
	asOf time.Time) (*Writer[T], error) {
	return create[T](path, table.Columns, meta, &asOf, compress.Codecs.Zstd)
}

// WriteTable writes the given rows to the Parquet file of a snapshot's table. meta is the key-value
// metadata of the file, and asOf is the value of the column as_of. If WriteTable returns an error,
// there is no file.
func WriteTable[T any](path string, table snapshots.Table, meta map[string]string, asOf time.Time, rows []T) error {
	w, err := CreateTable[T](path, table, meta, asOf)
	if err != nil {
		return err
	}
	return w.WriteAll(rows)
}

// WriteAll appends all rows to the Parquet file and closes it. If there is an error, it removes the
// file.
func (w *Writer[T]) WriteAll(rows []T) error {
	for _, row := range rows {
		if err := w.Append(row); err != nil {
			return errors.Join(err, w.Discard())
		}
	}
	return w.Close()
}

func create[T any](path string, columns []snapshots.Column, meta map[string]string, asOf *time.Time,
	how compress.Compression) (*Writer[T], error) {
	w := &Writer[T]{slot: new(T)}
	err := w.bind(columns, asOf)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	if w.groups, err = createGroups(path, columns, meta, how); err != nil {
		return nil, err
	}
	return w, nil
}

// bind determines where the value of each column comes from. The value of the column as_of is asOf,
// unless asOf is nil. All other values come from the fields of the row struct.
//
// The error is ErrSchema if fields and columns do not match. The field of a nullable column must be
// a pointer, and any other field must not be one.
func (w *Writer[T]) bind(schema []snapshots.Column, asOf *time.Time) error {
	columns, fields := columnsOf(w.slot)
	used := 0
	for _, c := range schema {
		if asOf != nil && c.Name == asOfName {
			of := Value{Int: EncodeDay(*asOf)}
			w.load = append(w.load, func(v *Value) { *v = of })
			continue
		}
		i := slices.IndexFunc(columns, func(f snapshots.Column) bool { return f.Name == c.Name })
		if i < 0 {
			return fmt.Errorf("%T has no field for column %s: %w", *w.slot, c.Name, ErrSchema)
		}
		if f := columns[i]; f.Type != c.Type || f.Nullable != c.Nullable {
			return fmt.Errorf("column %s is %s, nullable %t; its field holds %q, nullable %t: %w", c.Name, c.Type,
				c.Nullable, f.Type, f.Nullable, ErrSchema)
		}
		w.load = append(w.load, func(v *Value) { load(fields[i], c.Type, v) })
		used++
	}
	if used == 0 || used != len(fields) {
		return fmt.Errorf("%T has %d fields for %d columns: %w", *w.slot, len(fields), used, ErrSchema)
	}
	return nil
}

// Append adds a row to the Parquet file. After an error, every later call returns the same error.
func (w *Writer[T]) Append(row T) error {
	if w.err != nil {
		return w.err
	}
	*w.slot = row
	for i, load := range w.load {
		load(&w.value)
		if err := w.add(i, &w.value); err != nil {
			w.err = fmt.Errorf("append to %s: %w", w.sink.path, err)
			return w.err
		}
		w.text += len(w.value.Text)
	}
	if w.err = w.endRow(); w.err == nil && w.text >= rowGroupText {
		w.err = w.flush()
	}
	if w.pending == 0 {
		w.text = 0
	}
	return w.err
}

// Rows returns the number of rows appended to the Parquet file so far.
func (w *Writer[T]) Rows() int64 { return w.rows }

// Close writes the remaining rows and the footer of the Parquet file. A file that is not closed
// cannot be read. If an earlier call failed, Close removes the file and returns that error.
func (w *Writer[T]) Close() error {
	if w.closed {
		return w.err
	}
	if w.err != nil {
		return errors.Join(w.err, w.Discard())
	}
	w.closed = true
	err := w.groups.close()
	w.err = cmp.Or(err, fmt.Errorf("%s is closed", w.sink.path))
	return err
}

// Discard closes and removes the file that was being written. It does nothing after Close.
func (w *Writer[T]) Discard() error {
	if w.closed {
		return nil
	}
	w.closed = true
	w.err = cmp.Or(w.err, fmt.Errorf("%s is discarded", w.sink.path))
	return w.sink.discard()
}

// EncodeRows writes a complete Parquet file to w. meta is its key-value metadata, and rows is the
// number of rows. The rows must fit into memory. Use EncodeRows if the columns are known only at
// run time. It calls value for each row and column. The function returns a Value with the field for
// the column's type. The error is ErrSchema if a value does not fit its column.
func EncodeRows(w io.Writer, columns []snapshots.Column, meta map[string]string, rows int,
	value func(row, column int) Value) error {
	schema, err := arrowSchema(columns, meta)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	// for a small file, Zstandard's encoders take more time than they save
	s, err := newSink("an answer", noClose{w}, schema, compress.Codecs.Snappy)
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

// noClose adds a Close method that does nothing to an io.Writer. The caller of EncodeRows closes
// the writer itself.
type noClose struct{ io.Writer }

func (noClose) Close() error { return nil }
