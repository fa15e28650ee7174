// Package parquettest reads the raw pages of Parquet files, for tests.
package parquettest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"

	"labour/snapshots/parquetio"
)

// Inspection holds all values of one integer column that a Parquet file contains. They may be in
// rows, in dictionaries or in metadata.
type Inspection struct {
	RowValues []int64 // values of the column in the rows, in order, without nulls
	// MinMaxValues are the smallest and largest values that the footer and page headers state.
	MinMaxValues []int64
	// numbers of distinct values that the statistics of row groups and pages state
	DistinctCounts []int64
	Dictionary     []int64 // all values in the dictionary pages, whether rows use them or not
	HasIndexes     bool    // true if the column has a page index or a Bloom filter
	// UnaccountedBytes is the number of bytes of the file that belong neither to the footer nor to
	// a page that the footer lists.
	UnaccountedBytes int64
}

// Inspect reads the raw pages and the metadata of an integer column of a Parquet file. With the
// result, a test can check that metadata and dictionaries contain only values that are also in a
// row. An unknown column, or a column of another type, is an error.
func Inspect(path, column string) (found Inspection, err error) {
	defer func() { // the library panics on some damaged files
		if r := recover(); r != nil {
			err = errors.Join(err, fmt.Errorf("inspect %s: %v", path, r))
		}
	}()
	in, err := file.OpenParquetFile(path, false)
	if err != nil {
		return found, fmt.Errorf("inspect %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if found.UnaccountedBytes, err = unaccountedBytes(path, in); err != nil {
		return found, fmt.Errorf("inspect %s: %w", path, err)
	}
	at := in.MetaData().Schema.ColumnIndexByName(column)
	if at < 0 {
		return found, fmt.Errorf("inspect %s: there is no column %s", path, column)
	}
	for g := range in.NumRowGroups() {
		if err := found.chunk(in.RowGroup(g), at); err != nil {
			return found, fmt.Errorf("inspect %s: column %s: %w", path, column, err)
		}
	}
	for v, err := range parquetio.ScanColumns(path, []string{column}) {
		if err != nil {
			return found, err
		}
		if !v[0].IsNull {
			found.RowValues = append(found.RowValues, v[0].Int)
		}
	}
	return found, nil
}

func unaccountedBytes(path string, in *file.Reader) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	const magic, length = 4, 4 // the magic bytes are at both ends; the length is before the last ones
	rest := info.Size() - magic - int64(in.MetaData().Size()) - length - magic
	for g := range in.NumRowGroups() {
		for i := range in.RowGroup(g).NumColumns() {
			chunk, err := in.RowGroup(g).MetaData().ColumnChunk(i)
			if err != nil {
				return 0, err
			}
			rest -= chunk.TotalCompressedSize()
		}
	}
	return rest, nil
}

// chunk inspects the column in one row group. It reads the footer's entry for the column, the
// dictionary, and the headers of the pages. at is the index of the column.
func (f *Inspection) chunk(group *file.RowGroupReader, at int) error {
	meta, err := group.MetaData().ColumnChunk(at)
	if err != nil {
		return err
	}
	width := map[parquet.Type]int{parquet.Types.Int32: 4, parquet.Types.Int64: 8}[meta.Type()]
	if width == 0 {
		return fmt.Errorf("its type is %s, no whole number", meta.Type())
	}
	f.HasIndexes = f.HasIndexes || meta.HasIndexPage() || meta.BloomFilterOffset() != 0
	if stats, err := meta.Statistics(); err != nil {
		return err
	} else if stats != nil {
		told, err := stats.Encode()
		if err != nil {
			return err
		}
		f.statistics(told)
	}
	pages, err := group.GetColumnPageReader(at)
	if err != nil {
		return err
	}
	for pages.Next() {
		switch p := pages.Page().(type) {
		case *file.DictionaryPage:
			for values := p.Data(); len(values) >= width; values = values[width:] {
				f.Dictionary = append(f.Dictionary, wholeNumber(values[:width]))
			}
		case file.DataPage:
			f.statistics(p.Statistics())
		}
	}
	return pages.Err()
}

func (f *Inspection) statistics(told metadata.EncodedStatistics) {
	if told.HasMin {
		f.MinMaxValues = append(f.MinMaxValues, wholeNumber(told.Min))
	}
	if told.HasMax {
		f.MinMaxValues = append(f.MinMaxValues, wholeNumber(told.Max))
	}
	if told.HasDistinctCount {
		f.DistinctCounts = append(f.DistinctCounts, told.DistinctCount)
	}
}

// wholeNumber reads an integer of 4 or 8 bytes, little-endian, as Parquet stores it.
func wholeNumber(b []byte) int64 {
	if len(b) == 4 {
		return int64(int32(binary.LittleEndian.Uint32(b)))
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// ValuesNotInRows returns the values that the metadata or a dictionary contains, but no row. The
// file discloses these values although its rows do not have them.
func (f Inspection) ValuesNotInRows() []int64 {
	return slices.DeleteFunc(slices.Concat(f.MinMaxValues, f.Dictionary),
		func(v int64) bool { return slices.Contains(f.RowValues, v) })
}
