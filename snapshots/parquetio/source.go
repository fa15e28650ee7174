package parquetio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"labour/snapshots"
)

// readRows is the number of rows that a reader holds at a time.
const readRows = 16 << 10

// source is the open Parquet file under every reader.
type source struct {
	path   string
	file   *os.File
	in     *file.Reader
	arrow  *pqarrow.FileReader
	schema *arrow.Schema
}

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
	defer recovered(&err, "open %s", path)
	in, err := file.NewParquetReader(f)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	reader, err := pqarrow.NewFileReader(in, pqarrow.ArrowReadProperties{BatchSize: batch}, memory.DefaultAllocator)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	schema, err := reader.Schema()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return &source{path: path, file: f, in: in, arrow: reader, schema: schema}, nil
}

func (s *source) close() error { return s.file.Close() }

// column is the position of a column; every column of ours is a leaf, so it is
// also the position of the leaf.
func (s *source) column(name string) (int, error) {
	at := s.schema.FieldIndices(name)
	if len(at) != 1 {
		return 0, fmt.Errorf("%s has %d columns %s: %w", s.path, len(at), name, ErrSchema)
	}
	return at[0], nil
}

// describe is the schema column of a field of the file.
func (s *source) describe(i int) (snapshots.Column, error) {
	f := s.schema.Field(i)
	t, err := columnType(f.Type)
	if err != nil {
		return snapshots.Column{}, fmt.Errorf("%s, column %s: %w", s.path, f.Name, err)
	}
	return snapshots.Column{Name: f.Name, Type: t, Nullable: f.Nullable}, nil
}

// each gives the rows of some columns, a batch at a time. The batch must not be
// kept after fn returns.
func (s *source) each(columns []int, fn func(arrow.Record) error) (err error) {
	defer recovered(&err, "read %s", s.path)
	if s.in.NumRows() == 0 {
		return nil
	}
	reader, err := s.arrow.GetRecordReader(context.Background(), columns, nil)
	if err != nil {
		return fmt.Errorf("read %s: %w", s.path, err)
	}
	defer reader.Release()
	rows := int64(0)
	for reader.Next() {
		rows += reader.Record().NumRows()
		if err := fn(reader.Record()); err != nil {
			return err
		}
	}
	if err := reader.Err(); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s: %w", s.path, err)
	}
	if rows != s.in.NumRows() {
		return fmt.Errorf("read %s: the footer says %d rows, %d were found", s.path, s.in.NumRows(), rows)
	}
	return nil
}

// Rows is the number of rows of a file, from its footer.
func Rows(path string) (int64, error) {
	s, err := openSource(path, readRows)
	if err != nil {
		return 0, err
	}
	return s.in.NumRows(), s.close()
}

// Metadata is the key-value metadata of a file.
func Metadata(path string) (map[string]string, error) {
	s, err := openSource(path, readRows)
	if err != nil {
		return nil, err
	}
	kv := s.in.MetaData().KeyValueMetadata()
	meta := make(map[string]string, kv.Len())
	for i, k := range kv.Keys() {
		meta[k] = kv.Values()[i]
	}
	return meta, s.close()
}

// Schema is the columns of a file, with names, types and nullability but no Doc.
// A file with a type that no column of ours has gives ErrSchema.
func Schema(path string) ([]snapshots.Column, error) {
	s, err := openSource(path, readRows)
	if err != nil {
		return nil, err
	}
	var columns []snapshots.Column
	for i := range s.schema.NumFields() {
		c, err := s.describe(i)
		if err != nil {
			return nil, errors.Join(err, s.close())
		}
		columns = append(columns, c)
	}
	return columns, s.close()
}
