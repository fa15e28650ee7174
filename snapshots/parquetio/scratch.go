package parquetio

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"labour/snapshots"
)

// ScratchWriter writes rows of the struct T to a file that is read once and then
// removed: it is made for speed, and stock tools read it like any other. It is not for
// use by several goroutines.
type ScratchWriter[T any] struct {
	sink   *sink
	groups *file.Writer
	slot   *T // the row that the columns take their fields of
	// Two row groups: one takes rows while the other is written.
	filling, other []*scratchColumn
	pending        int64
	text           int    // bytes of text in the pending rows
	writing        beside // the last row group
	err            error
	closed         bool
}

// CreateScratch is Create for such a file. The columns named in distinct hold texts
// that hardly come twice, for which a dictionary would be looked up in vain. A column
// of decimals is ErrSchema.
func CreateScratch[T any](path string, schema []snapshots.Column, distinct []string) (*ScratchWriter[T], error) {
	fields, err := match(reflect.TypeFor[T](), schema)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	w := &ScratchWriter[T]{slot: new(T)}
	slot := reflect.ValueOf(w.slot).Elem()
	var how []parquet.WriterProperty
	for i, c := range schema {
		how = append(how, scratchProperties(c, slices.Contains(distinct, c.Name))...)
		for _, group := range []*[]*scratchColumn{&w.filling, &w.other} {
			column, err := newScratchColumn(c, slot, fields[i])
			if err != nil {
				return nil, fmt.Errorf("create %s: %w", path, err)
			}
			*group = append(*group, column)
		}
	}
	how = append(how, parquet.WithVersion(parquet.V2_LATEST), parquet.WithCreatedBy(createdBy),
		parquet.WithBatchSize(RowGroupRows), parquet.WithDataPageSize(rowGroupText))
	w.sink, err = beginSink(path, schema, nil, func(s *sink) (err error) {
		w.groups, err = s.newGroupWriter(parquet.NewWriterProperties(how...))
		return err
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Append adds a row. After an error every further call gives the same error.
func (w *ScratchWriter[T]) Append(row T) error {
	if w.err != nil {
		return w.err
	}
	*w.slot = row
	for _, c := range w.filling {
		w.text += c.add()
	}
	w.pending++
	if w.pending == RowGroupRows || w.text >= rowGroupText {
		w.err = w.flush()
	}
	return w.err
}

// Rows is the number of rows appended.
func (w *ScratchWriter[T]) Rows() int64 { return w.sink.rows + w.pending }

// flush writes the pending rows as one row group, beside what is appended next. An
// error is given by the flush after it.
func (w *ScratchWriter[T]) flush() error {
	if err := w.writing.wait(); err != nil || w.pending == 0 {
		return err
	}
	full := w.filling
	w.filling, w.other = w.other, w.filling
	w.sink.rows += w.pending
	w.pending, w.text = 0, 0
	w.writing.start(func() error { return w.rowGroup(full) })
	return nil
}

// rowGroup writes the rows of the columns.
func (w *ScratchWriter[T]) rowGroup(columns []*scratchColumn) error {
	err := w.columns(columns)
	if err := cmp.Or(w.sink.file.err, err); err != nil { // the file's error is the cause
		return fmt.Errorf("write %s: %w", w.sink.path, err)
	}
	return nil
}

func (w *ScratchWriter[T]) columns(columns []*scratchColumn) (err error) {
	defer recovered(&err, "row group")
	group := w.groups.AppendRowGroup()
	for _, c := range columns {
		to, err := group.NextColumn()
		if err == nil {
			err = errors.Join(c.write(to), to.Close())
		}
		if err != nil {
			return err
		}
	}
	return group.Close()
}

// Close writes the footer. Without it the file cannot be read. Closing a writer that
// failed removes the file and gives the error.
func (w *ScratchWriter[T]) Close() error {
	if w.closed {
		return w.err
	}
	if w.err == nil {
		w.err = errors.Join(w.flush(), w.writing.wait())
	}
	w.closed = true
	if w.err != nil {
		_ = w.writing.wait() // the file is removed, whatever became of its last rows
		return errors.Join(w.err, w.sink.discard())
	}
	err := w.sink.close()
	if w.err = err; err == nil {
		w.err = fmt.Errorf("%s is closed", w.sink.path)
	}
	w.filling, w.other = nil, nil
	return err
}
