package parquetio

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"

	"labour/snapshots"
)

// scratchColumn holds a column of the rows that will be a row group.
type scratchColumn struct {
	add     func() (text int)         // takes the field of the slot; gives the bytes of text
	encode  func(page []byte) []byte  // appends the values to a page
	clear   func()                    // forgets the values
	present *[]uint32                 // by row, 1 = there is a value; nil = not nullable
	words   func() (n int, as []byte) // of the dictionary; nil = none
	bounds  func() (least, greatest []byte)
	way     way
}

// way is how the values of a column are encoded and compressed.
type way struct {
	encoding parquet.Encoding
	codec    compress.Compression
}

// wayOf is chosen for speed. Numbers need hardly any room as differences, and texts
// that come again and again as numbers of a dictionary's words.
func wayOf(t snapshots.Type, distinct bool) way {
	switch t {
	case snapshots.Text:
		if distinct {
			return way{parquet.Encodings.Plain, compress.Codecs.Snappy}
		}
		return way{parquet.Encodings.RLEDict, compress.Codecs.Uncompressed}
	case snapshots.Float64:
		return way{parquet.Encodings.Plain, compress.Codecs.Snappy}
	case snapshots.Bool:
		return way{parquet.Encodings.Plain, compress.Codecs.Uncompressed}
	}
	return way{parquet.Encodings.DeltaBinaryPacked, compress.Codecs.Uncompressed}
}

func newScratchColumn(c snapshots.Column, distinct bool, slot reflect.Value, f field) (*scratchColumn, error) {
	col := &scratchColumn{way: wayOf(c.Type, distinct)}
	if f.pointer {
		col.present = new([]uint32)
	}
	switch c.Type {
	case snapshots.Text:
		textColumn(col, slot, f, distinct)
	case snapshots.Int8:
		wholeColumn(col, slot, f, func(v int8) int32 { return int32(v) })
	case snapshots.Int16:
		wholeColumn(col, slot, f, func(v int16) int32 { return int32(v) })
	case snapshots.Int32:
		wholeColumn(col, slot, f, func(v int32) int32 { return v })
	case snapshots.Int64:
		wholeColumn(col, slot, f, func(v int64) int64 { return v })
	case snapshots.Day:
		wholeColumn(col, slot, f, func(t time.Time) int32 { return int32(dayOf(t)) })
	case snapshots.Timestamp:
		wholeColumn(col, slot, f, func(t time.Time) int64 { return t.Unix() * 1e6 })
	case snapshots.Bool:
		flagColumn(col, slot, f)
	case snapshots.Float64:
		floatColumn(col, slot, f)
	default:
		return nil, fmt.Errorf("column %s: no scratch file holds %s: %w", c.Name, c.Type, ErrSchema)
	}
	return col, nil
}

// empty forgets the rows, and keeps their memory for the next ones.
func (c *scratchColumn) empty() {
	c.clear()
	if c.present != nil {
		*c.present = (*c.present)[:0]
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
			*c.present = append(*c.present, 0)
			return 0
		}
		*c.present = append(*c.present, 1)
		return put(**p)
	}
}

func wholeColumn[V any, W int32 | int64](c *scratchColumn, slot reflect.Value, f field, number func(V) W) {
	var values []W
	c.add = taking(c, slot, f, func(v V) int { values = append(values, number(v)); return 0 })
	c.encode = func(page []byte) []byte { return deltaPacked(page, values) }
	c.clear = func() { values = values[:0] }
	c.bounds = func() (least, greatest []byte) {
		if len(values) == 0 {
			return nil, nil
		}
		low, high := values[0], values[0]
		for _, v := range values {
			low, high = min(low, v), max(high, v)
		}
		least, _ = binary.Append(nil, binary.LittleEndian, low)
		greatest, _ = binary.Append(nil, binary.LittleEndian, high)
		return least, greatest
	}
}

func flagColumn(c *scratchColumn, slot reflect.Value, f field) {
	var values []uint32
	c.add = taking(c, slot, f, func(v bool) int {
		bit := uint32(0)
		if v {
			bit = 1
		}
		values = append(values, bit)
		return 0
	})
	c.encode = func(page []byte) []byte { return packBits(page, values, 1) }
	c.clear = func() { values = values[:0] }
}

func floatColumn(c *scratchColumn, slot reflect.Value, f field) {
	var values []byte
	c.add = taking(c, slot, f, func(v float64) int {
		values = binary.LittleEndian.AppendUint64(values, math.Float64bits(v))
		return 0
	})
	c.encode = func(page []byte) []byte { return append(page, values...) }
	c.clear = func() { values = values[:0] }
}

// textColumn holds texts as the format has them, each behind its length: of all values, or
// once of each as a word of the dictionary.
func textColumn(c *scratchColumn, slot reflect.Value, f field, distinct bool) {
	var written []byte
	write := func(v string) int {
		written = append(binary.LittleEndian.AppendUint32(written, uint32(len(v))), v...)
		return len(v)
	}
	if distinct {
		c.add = taking(c, slot, f, write)
		c.encode = func(page []byte) []byte { return append(page, written...) }
		c.clear = func() { written = written[:0] }
		return
	}
	numbers, values := map[string]uint32{}, []uint32(nil)
	last, number := "", uint32(0) // the word that came last, which often comes again
	c.add = taking(c, slot, f, func(v string) int {
		if v == last && len(values) > 0 {
			values = append(values, number)
			return 0
		}
		known, text := false, 0
		if number, known = numbers[v]; !known {
			number, v = uint32(len(numbers)), strings.Clone(v) // the caller's memory is not kept
			numbers[v] = number
			text = write(v)
		}
		last, values = v, append(values, number)
		return text
	})
	c.encode = func(page []byte) []byte {
		width := max(1, bits.Len(uint(max(1, len(numbers))-1)))
		return packedRun(append(page, byte(width)), values, width)
	}
	c.words = func() (int, []byte) { return len(numbers), written }
	c.clear = func() {
		clear(numbers)
		last, values, written = "", values[:0], written[:0]
	}
}
