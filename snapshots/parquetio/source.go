package parquetio

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"labour/snapshots"
)

// readRows is the largest number of rows of a Parquet file that a reader keeps in memory.
const readRows = 16 << 10

// source is a Parquet file that is open for reading.
type source struct {
	path   string
	file   *os.File
	in     *file.Reader
	arrow  *pqarrow.FileReader
	schema *arrow.Schema
	// batchRows is the number of rows in every batch that is read, except the last.
	batchRows int64
}

// openSource opens a Parquet file for reading. batch is the largest number of rows that are read at
// once. The error is ErrSchema if the file has nested columns.
func openSource(path string, batch int64) (s *source, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	defer recoverError(&err, "open %s", path)
	in, err := file.NewParquetReader(f)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	batch = max(1, min(batch, in.NumRows())) // memory for a whole batch is allocated and cleared for each column
	reader, err := pqarrow.NewFileReader(in, pqarrow.ArrowReadProperties{BatchSize: batch}, memory.DefaultAllocator)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	schema, err := reader.Schema()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	if in.MetaData().Schema.NumColumns() != schema.NumFields() {
		return nil, fmt.Errorf("open %s: has nested columns: %w", path, ErrSchema)
	}
	return &source{path: path, file: f, in: in, arrow: reader, schema: schema, batchRows: batch}, nil
}

func (s *source) close() error { return s.file.Close() }

// find returns the positions of the given columns in the Parquet file. The error is ErrSchema if a
// column is missing, occurs twice or has another type. find does not compare whether a column is
// nullable, because DuckDB writes all columns as nullable.
func (s *source) find(columns []snapshots.Column) ([]int, error) {
	at := make([]int, len(columns))
	var faults []error
	for i, c := range columns {
		found := s.schema.FieldIndices(c.Name)
		if len(found) != 1 {
			faults = append(faults, fmt.Errorf("%s has %d columns %s: %w", s.path, len(found), c.Name, ErrSchema))
			continue
		}
		at[i] = found[0]
		is, err := s.describe(at[i])
		if err == nil && is.Type != c.Type && c.Type != anyType {
			err = fmt.Errorf("%s: column %s is %s, not %q: %w", s.path, c.Name, is.Type, c.Type, ErrSchema)
		}
		faults = append(faults, err)
	}
	return at, errors.Join(faults...)
}

// describe returns the name and type of the column at position i. The error is ErrSchema if its
// type is not supported.
func (s *source) describe(i int) (snapshots.Column, error) {
	f := s.schema.Field(i)
	t, err := columnType(f.Type)
	if err != nil {
		return snapshots.Column{}, fmt.Errorf("%s, column %s: %w", s.path, f.Name, err)
	}
	return snapshots.Column{Name: f.Name, Type: t, Nullable: f.Nullable}, nil
}

// records yields the rows of the Parquet file in batches, with the columns at the given positions.
// A batch is valid until the next one is requested. If there is an error, it is the last item.
//
// records reads the columns one after the other in this goroutine. The library's own record reader
// starts goroutines, and a panic in these could not be recovered.
func (s *source) records(columns []int) iter.Seq2[arrow.Record, error] {
	return func(yield func(arrow.Record, error) bool) {
		readers, err := s.readers(columns)
		for rows := int64(0); err == nil && rows < s.in.NumRows(); {
			var rec arrow.Record
			if rec, err = s.batch(columns, readers); err == nil {
				more := yield(rec, nil)
				rows += rec.NumRows()
				if rec.Release(); !more {
					return
				}
			}
		}
		if err != nil {
			yield(nil, fmt.Errorf("read %s: %w", s.path, err))
		}
	}
}

// readers returns a column reader for each of the columns at the given positions.
func (s *source) readers(columns []int) (readers []*pqarrow.ColumnReader, err error) {
	defer recoverError(&err, "find the columns")
	groups := make([]int, s.in.NumRowGroups())
	for i := range groups {
		groups[i] = i
	}
	for _, at := range columns {
		r, err := s.arrow.GetFieldReader(context.Background(), at, map[int]bool{at: true}, groups)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", s.schema.Field(at).Name, err)
		}
		readers = append(readers, r)
	}
	return readers, nil
}

// batch reads the next rows of the given columns. readers has one reader for each column.
func (s *source) batch(columns []int, readers []*pqarrow.ColumnReader) (_ arrow.Record, err error) {
	defer recoverError(&err, "read rows")
	fields, arrays := make([]arrow.Field, 0, len(columns)), make([]arrow.Array, 0, len(columns))
	defer func() {
		for _, a := range arrays {
			a.Release() // the record holds its own reference
		}
	}()
	for i, r := range readers {
		fields = append(fields, s.schema.Field(columns[i]))
		chunks, err := r.NextBatch(s.batchRows)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", fields[i].Name, err)
		}
		if chunks.Len() == 0 {
			return nil, fmt.Errorf("the footer says %d rows, fewer were found", s.in.NumRows())
		}
		a, err := single(chunks)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", fields[i].Name, err)
		}
		arrays = append(arrays, a)
		if a.Len() != arrays[0].Len() {
			return nil, fmt.Errorf("columns %s and %s differ in length", fields[0].Name, fields[i].Name)
		}
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), arrays, int64(arrays[0].Len())), nil
}

// single joins the chunks of one column into one array, and releases chunks.
func single(chunks *arrow.Chunked) (arrow.Array, error) {
	defer chunks.Release()
	if len(chunks.Chunks()) == 1 {
		a := chunks.Chunk(0)
		a.Retain()
		return a, nil
	}
	return array.Concatenate(chunks.Chunks(), memory.DefaultAllocator)
}

// Footer describes a Parquet file: its columns, row count and metadata.
type Footer struct {
	Columns  []snapshots.Column // columns of the file, without descriptions
	Rows     int64
	Metadata map[string]string // key-value metadata of the file
}

// ReadFooter reads the footer of a Parquet file. The error is ErrSchema if the file has a column
// of an unsupported type.
func ReadFooter(path string) (a Footer, err error) {
	s, err := openSource(path, readRows)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	kv := s.in.MetaData().KeyValueMetadata()
	a.Rows, a.Metadata = s.in.NumRows(), make(map[string]string, kv.Len())
	for i, k := range kv.Keys() {
		a.Metadata[k] = kv.Values()[i]
	}
	for i := range s.schema.NumFields() {
		c, err := s.describe(i)
		if err != nil {
			return a, err
		}
		a.Columns = append(a.Columns, c)
	}
	return a, nil
}
