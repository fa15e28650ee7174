package parquetio

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"

	"labour/snapshots"
)

// scratchColumn holds a column of the rows that will be a row group. Its memory is used
// again for the next one.
type scratchColumn struct {
	add     func() (text int)                     // takes the field of the slot; gives the bytes of text
	write   func(to file.ColumnChunkWriter) error // gives the values to the library, and forgets them
	present []int16                               // by row, 1 = there is a value; nil = not nullable
}

// scratchProperties says how a column is packed. It is chosen for speed: numbers need
// hardly any room as differences, and texts that come again and again as numbers of a
// dictionary's words. The least and greatest number of a page stay, since they tell an
// engine how to join; for those of texts every text would be compared.
func scratchProperties(c snapshots.Column, distinct bool) []parquet.WriterProperty {
	plain := []parquet.WriterProperty{parquet.WithDictionaryFor(c.Name, false), parquet.WithStatsFor(c.Name, false)}
	switch c.Type {
	case snapshots.Text:
		if distinct {
			return append(plain, parquet.WithCompressionFor(c.Name, compress.Codecs.Snappy))
		}
		return []parquet.WriterProperty{parquet.WithDictionaryFor(c.Name, true), parquet.WithStatsFor(c.Name, false)}
	case snapshots.Float64:
		return append(plain, parquet.WithCompressionFor(c.Name, compress.Codecs.Snappy))
	case snapshots.Bool:
		return plain
	}
	return []parquet.WriterProperty{parquet.WithDictionaryFor(c.Name, false), parquet.WithEncodingFor(c.Name, parquet.Encodings.DeltaBinaryPacked)}
}

func newScratchColumn(c snapshots.Column, slot reflect.Value, f field) (*scratchColumn, error) {
	col := &scratchColumn{}
	switch c.Type {
	case snapshots.Text:
		textColumn(col, slot, f)
	case snapshots.Int8:
		column(col, slot, f, func(v int8) int32 { return int32(v) }, (*file.Int32ColumnChunkWriter).WriteBatch)
	case snapshots.Int16:
		column(col, slot, f, func(v int16) int32 { return int32(v) }, (*file.Int32ColumnChunkWriter).WriteBatch)
	case snapshots.Int32:
		column(col, slot, f, func(v int32) int32 { return v }, (*file.Int32ColumnChunkWriter).WriteBatch)
	case snapshots.Int64:
		column(col, slot, f, func(v int64) int64 { return v }, (*file.Int64ColumnChunkWriter).WriteBatch)
	case snapshots.Day:
		column(col, slot, f, func(t time.Time) int32 { return int32(dayOf(t)) }, (*file.Int32ColumnChunkWriter).WriteBatch)
	case snapshots.Timestamp:
		column(col, slot, f, func(t time.Time) int64 { return t.Unix() * 1e6 }, (*file.Int64ColumnChunkWriter).WriteBatch)
	case snapshots.Bool:
		column(col, slot, f, func(v bool) bool { return v }, (*file.BooleanColumnChunkWriter).WriteBatch)
	case snapshots.Float64:
		column(col, slot, f, func(v float64) float64 { return v }, (*file.Float64ColumnChunkWriter).WriteBatch)
	default:
		return nil, fmt.Errorf("column %s: no scratch file holds %s: %w", c.Name, c.Type, ErrSchema)
	}
	return col, nil
}

// batch is a writer's method that takes values, and for each row whether it has one.
type batch[C file.ColumnChunkWriter, W any] func(to C, values []W, present, repeated []int16) (int64, error)

// column holds values of a type of the format.
func column[V, W any, C file.ColumnChunkWriter](c *scratchColumn, slot reflect.Value, f field, of func(V) W, write batch[C, W]) {
	var values []W
	c.add = taking(c, slot, f, func(v V) int { values = append(values, of(v)); return 0 })
	c.write = func(to file.ColumnChunkWriter) error {
		_, err := write(to.(C), values, c.present, nil)
		values, c.present = values[:0], c.present[:0]
		return err
	}
}

// textColumn holds texts one behind the other.
func textColumn(c *scratchColumn, slot reflect.Value, f field) {
	var written []byte
	var ends []int
	var values []parquet.ByteArray
	c.add = taking(c, slot, f, func(v string) int {
		written = append(written, v...)
		ends = append(ends, len(written))
		return len(v)
	})
	c.write = func(to file.ColumnChunkWriter) error {
		from := 0
		values = slices.Grow(values, len(ends))
		for _, end := range ends {
			values = append(values, written[from:end])
			from = end
		}
		_, err := to.(*file.ByteArrayColumnChunkWriter).WriteBatch(values, c.present, nil)
		written, ends, values, c.present = written[:0], ends[:0], values[:0], c.present[:0]
		return err
	}
}

// taking is the add of a column: put takes a value of the field that is there.
func taking[V any](c *scratchColumn, slot reflect.Value, f field, put func(V) int) func() int {
	if !f.pointer {
		p := pointerTo[V](slot, f)
		return func() int { return put(*p) }
	}
	p := pointerTo[*V](slot, f)
	return func() int {
		if *p == nil {
			c.present = append(c.present, 0)
			return 0
		}
		c.present = append(c.present, 1)
		return put(**p)
	}
}
