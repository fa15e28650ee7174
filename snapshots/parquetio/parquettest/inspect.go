// Package parquettest looks at the raw pages of Parquet files, for tests.
package parquettest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
)

// Chunk is every place of a file in which a whole number of one column in one row
// group may stand: what a reader is told, and what it could find beside that.
type Chunk struct {
	Column   string
	RowGroup int
	Rows     int64
	Nulls    int64 // rows without a value
	// Bounds are the minima and maxima of the footer and of the headers of pages.
	Bounds []int64
	// NullCounts and DistinctCounts are those that the statistics tell.
	NullCounts, DistinctCounts []int64
	// Dictionary is every entry of the dictionary page, used or not.
	Dictionary []int64
	// Stored are the values of the rows, in order, without the nulls.
	Stored []int64
	// Indexes says that the chunk has a page index or a Bloom filter.
	Indexes bool
}

// Inspection is the inside of a file.
type Inspection struct {
	Chunks []Chunk // of the columns that were asked for, by row group
	// Unaccounted is how many bytes of the file belong neither to a page that the
	// footer names nor to the footer.
	Unaccounted int64
}

// Inspect looks at the raw pages and the metadata of columns of whole numbers, for
// those who must be sure that a value which no row shows is nowhere in the file. An
// unknown column, or one of another type, is an error.
func Inspect(path string, columns ...string) (found Inspection, err error) {
	defer func() { // the library is not made for damaged files
		if r := recover(); r != nil {
			err = errors.Join(err, fmt.Errorf("inspect %s: %v", path, r))
		}
	}()
	in, err := file.OpenParquetFile(path, false)
	if err != nil {
		return found, fmt.Errorf("inspect %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	info, err := os.Stat(path)
	if err != nil {
		return found, fmt.Errorf("inspect: %w", err)
	}
	const magic, length = 4, 4 // at both ends, and before the one at the end
	found.Unaccounted = info.Size() - magic - int64(in.MetaData().Size()) - length - magic
	for g := range in.NumRowGroups() {
		group := in.RowGroup(g)
		for i := range group.NumColumns() {
			chunk, err := group.MetaData().ColumnChunk(i)
			if err != nil {
				return found, fmt.Errorf("inspect %s: %w", path, err)
			}
			found.Unaccounted -= chunk.TotalCompressedSize()
		}
		for _, column := range columns {
			c, err := inspectColumn(in, g, column)
			if err != nil {
				return found, fmt.Errorf("inspect %s: column %s: %w", path, column, err)
			}
			found.Chunks = append(found.Chunks, c)
		}
	}
	return found, nil
}

// inspectColumn looks at one column of one row group.
func inspectColumn(in *file.Reader, g int, column string) (Chunk, error) {
	at := in.MetaData().Schema.ColumnIndexByName(column)
	if at < 0 {
		return Chunk{}, errors.New("no such column")
	}
	group := in.RowGroup(g)
	meta, err := group.MetaData().ColumnChunk(at)
	if err != nil {
		return Chunk{}, err
	}
	if t := meta.Type(); t != parquet.Types.Int32 && t != parquet.Types.Int64 {
		return Chunk{}, fmt.Errorf("its type is %s, no whole number", t)
	}
	c := Chunk{Column: column, RowGroup: g, Rows: group.NumRows(), Indexes: meta.HasIndexPage() || meta.BloomFilterOffset() != 0}
	if stats, err := meta.Statistics(); err != nil {
		return Chunk{}, err
	} else if stats != nil {
		c.footer(stats)
	}
	if err := c.pages(group, at, meta.Type()); err != nil {
		return Chunk{}, err
	}
	if err := c.values(group, at); err != nil {
		return Chunk{}, err
	}
	c.Nulls = c.Rows - int64(len(c.Stored))
	return c, nil
}

func (c *Chunk) footer(stats metadata.TypedStatistics) {
	if stats.HasMinMax() {
		switch s := stats.(type) {
		case *metadata.Int32Statistics:
			c.Bounds = append(c.Bounds, int64(s.Min()), int64(s.Max()))
		case *metadata.Int64Statistics:
			c.Bounds = append(c.Bounds, s.Min(), s.Max())
		}
	}
	if stats.HasNullCount() {
		c.NullCounts = append(c.NullCounts, stats.NullCount())
	}
	if stats.HasDistinctCount() {
		c.DistinctCounts = append(c.DistinctCounts, stats.DistinctCount())
	}
}

// pages reads the dictionary and the headers of the pages.
func (c *Chunk) pages(group *file.RowGroupReader, at int, t parquet.Type) error {
	pages, err := group.GetColumnPageReader(at)
	if err != nil {
		return err
	}
	width := 4
	if t == parquet.Types.Int64 {
		width = 8
	}
	for pages.Next() {
		switch p := pages.Page().(type) {
		case *file.DictionaryPage:
			c.Dictionary = append(c.Dictionary, wholeNumbers(p.Data(), width)...)
		case file.DataPage:
			stats := p.Statistics()
			for _, bound := range []struct {
				there bool
				bytes []byte
			}{{stats.HasMin, stats.Min}, {stats.HasMax, stats.Max}} {
				if bound.there {
					c.Bounds = append(c.Bounds, wholeNumbers(bound.bytes, width)...)
				}
			}
			if stats.HasNullCount {
				c.NullCounts = append(c.NullCounts, stats.NullCount)
			}
			if stats.HasDistinctCount {
				c.DistinctCounts = append(c.DistinctCounts, stats.DistinctCount)
			}
		}
	}
	return pages.Err()
}

// wholeNumbers reads whole numbers of the width, little-endian, as Parquet stores them.
func wholeNumbers(b []byte, width int) (out []int64) {
	for ; len(b) >= width; b = b[width:] {
		if width == 4 {
			out = append(out, int64(int32(binary.LittleEndian.Uint32(b))))
		} else {
			out = append(out, int64(binary.LittleEndian.Uint64(b)))
		}
	}
	return out
}

// inspectRows is how many rows are decoded at once.
const inspectRows = 64 << 10

func (c *Chunk) values(group *file.RowGroupReader, at int) error {
	reader, err := group.Column(at)
	if err != nil {
		return err
	}
	levels := make([]int16, inspectRows)
	short, long := make([]int32, inspectRows), make([]int64, inspectRows)
	for {
		var rows int64
		var read int
		switch r := reader.(type) {
		case *file.Int32ColumnChunkReader:
			rows, read, err = r.ReadBatch(inspectRows, short, levels, nil)
			for _, v := range short[:read] {
				c.Stored = append(c.Stored, int64(v))
			}
		case *file.Int64ColumnChunkReader:
			rows, read, err = r.ReadBatch(inspectRows, long, levels, nil)
			c.Stored = append(c.Stored, long[:read]...)
		}
		if err != nil || rows == 0 {
			return err
		}
	}
}

// Strangers are the values that stand in the metadata or the dictionary and in no
// row: what a row hides and the file tells.
func (c Chunk) Strangers() (out []int64) {
	stored := make(map[int64]bool, len(c.Stored))
	for _, v := range c.Stored {
		stored[v] = true
	}
	for _, told := range [][]int64{c.Bounds, c.Dictionary} {
		for _, v := range told {
			if !stored[v] {
				out = append(out, v)
			}
		}
	}
	return out
}
