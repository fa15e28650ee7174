package parquetio

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"labour/snapshots"
)

// WriteCodes writes a table of a snapshot whose values are numbers, as Codes reads
// them, without making a text of each: to the byte what WriteTable writes of the same
// rows. A batch holds, for each column of the table but as_of, the codes of its rows,
// and becomes a row group: RowGroupRows rows, but of the last. The code of a text is its
// place among the words of its column, which differ; the words are fewer than a
// megabyte. No column is nullable.
func WriteCodes(path string, table snapshots.Table, meta map[string]string, asOf time.Time, words map[string][]string, batches iter.Seq2[[][]uint32, error]) (rows int64, err error) {
	w := &codesWriter{table: table, asOf: asOf, words: words, local: map[string][]int32{}}
	if w.sink, err = beginSink(path, table.Columns, meta, w.begin); err != nil {
		return 0, err
	}
	for batch, err := range batches {
		if err == nil {
			err = w.rowGroup(batch)
		}
		if err != nil {
			return 0, errors.Join(fmt.Errorf("write %s: %w", path, err), w.discard())
		}
	}
	return w.rows, w.close()
}

// codesWriter writes one table.
type codesWriter struct {
	*sink
	groups *file.Writer
	table  snapshots.Table
	asOf   time.Time
	words  map[string][]string
	// The place of each word of a column in the dictionary of the row group; -1 = not
	// in it. Used again.
	local map[string][]int32
}

func (w *codesWriter) begin(s *sink) (err error) {
	w.groups, err = s.newGroupWriter(packed().properties())
	return err
}

func (w *codesWriter) rowGroup(batch [][]uint32) (err error) {
	defer recovered(&err, "row group")
	group := w.groups.AppendRowGroup()
	rows, next := len(batch[0]), 0
	for i, c := range w.table.Columns {
		column, err := group.NextColumn()
		if err != nil {
			return err
		}
		switch {
		case c.Name == asOfName:
			err = writeArray(column, repeatDay(w.asOf, rows))
		case c.Type == snapshots.Text:
			err = w.texts(column, c.Name, batch[next])
		default:
			err = writeNumbers(column, w.schema.Field(i).Type, batch[next])
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", c.Name, err)
		}
		if c.Name != asOfName {
			next++
		}
	}
	w.rows += int64(rows)
	return errors.Join(group.Close(), w.file.err)
}

// dictionary is what the library's encoder of a dictionary takes at once.
type dictionary interface{ PutDictionary(arrow.Array) error }

// texts writes a column of texts: the words in the order in which they come up, and
// then the place of each value among them.
func (w *codesWriter) texts(column file.ColumnChunkWriter, name string, codes []uint32) error {
	encoder, ok := column.CurrentEncoder().(dictionary)
	stats, of := column.PageStatistics().(*metadata.ByteArrayStatistics)
	if !ok || !of {
		return fmt.Errorf("is no text with a dictionary: %w", ErrSchema)
	}
	all := w.words[name]
	local := w.local[name]
	if local == nil {
		local = make([]int32, len(all))
		for i := range local {
			local[i] = -1
		}
		w.local[name] = local
	}
	indices, words := make([]int32, len(codes)), []parquet.ByteArray(nil)
	used := array.NewStringBuilder(memory.DefaultAllocator)
	for i, code := range codes {
		if local[code] < 0 {
			local[code] = int32(len(words))
			words = append(words, parquet.ByteArray(all[code]))
			used.Append(all[code])
		}
		indices[i] = local[code]
	}
	for _, code := range codes {
		local[code] = -1
	}
	if len(words) == 1 && len(words[0]) == 0 {
		words[0] = nil // as it is in an array of nothing but empty texts, which has no bounds
	}
	stats.Update(words, 0)
	if err := encoder.PutDictionary(used.NewStringArray()); err != nil {
		return err
	}
	return column.WriteDictIndices(arrayOf(arrow.PrimitiveTypes.Int32, indices), nil, nil)
}

// arrayOf is an array over numbers that are kept as they are.
func arrayOf(t arrow.DataType, values []int32) arrow.Array {
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(values))}
	return array.MakeFromData(array.NewData(t, len(values), buffers, nil, 0, 0))
}

// writeNumbers writes a column of whole numbers or days.
func writeNumbers(column file.ColumnChunkWriter, t arrow.DataType, codes []uint32) error {
	switch t.ID() {
	case arrow.INT8, arrow.INT16:
		b := array.NewBuilder(memory.DefaultAllocator, t)
		b.Reserve(len(codes))
		add, err := wholeAppender(b)
		if err != nil {
			return err
		}
		for _, code := range codes {
			if !add(int64(code)) {
				return fmt.Errorf("%d does not fit: %w", code, ErrSchema)
			}
		}
		return writeArray(column, b.NewArray())
	case arrow.INT32, arrow.DATE32:
		values := make([]int32, len(codes))
		for i, code := range codes {
			if values[i] = int32(code); values[i] < 0 {
				return fmt.Errorf("%d does not fit: %w", code, ErrSchema)
			}
		}
		return writeArray(column, arrayOf(t, values))
	}
	return fmt.Errorf("is %s, which has no codes: %w", t, ErrSchema)
}

func writeArray(column file.ColumnChunkWriter, a arrow.Array) error {
	defer a.Release()
	ctx := pqarrow.NewArrowWriteContext(context.Background(), nil)
	return pqarrow.WriteArrowToColumn(ctx, column, a, nil, nil, false)
}
