package parquetio

import (
	"errors"
	"fmt"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"labour/snapshots"
)

const (
	// RowGroupRows is the largest number of rows of a row group.
	RowGroupRows = 128 << 10
	// rowGroupText ends a row group early when its text passes this many bytes, so
	// that long texts cannot make memory grow with them.
	rowGroupText = 32 << 20
	// createdBy stands in every file, in the form that other readers parse. It names
	// the format and not the version of this program: a new program with the same
	// rows writes the same bytes.
	createdBy = "labour version 1.0.0 (build format-1)"
)

// sink is the open Parquet file under every writer.
type sink struct {
	path   string
	file   *os.File
	out    *pqarrow.FileWriter
	schema *arrow.Schema
	rows   int64
}

func createSink(path string, columns []snapshots.Column, meta map[string]string) (*sink, error) {
	schema, err := arrowSchema(columns, meta)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("create: %w", err)
	}
	props := parquet.NewWriterProperties(
		parquet.WithCompression(compress.Codecs.Zstd),
		// Each page gets a new encoder, whose cost is its window: the fastest level
		// has the smallest. Files grow little, since dictionaries do most of the work.
		parquet.WithCompressionLevel(1),
		parquet.WithDictionaryDefault(true),
		parquet.WithStoreDecimalAsInteger(true),
		parquet.WithMaxRowGroupLength(RowGroupRows),
		parquet.WithCreatedBy(createdBy),
		parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithAllocator(memory.DefaultAllocator))
	out, err := pqarrow.NewFileWriter(schema, keepOpen{f}, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create %s: %w", path, err), f.Close())
	}
	return &sink{path: path, file: f, out: out, schema: schema}, nil
}

// keepOpen hides Close from the Parquet writer, so that the error of closing the
// file is seen here.
type keepOpen struct{ f *os.File }

func (k keepOpen) Write(b []byte) (int, error) { return k.f.Write(b) }

// write makes one row group of a record.
func (s *sink) write(rec arrow.Record) (err error) {
	defer recovered(&err, "write %s", s.path)
	if rec.NumRows() == 0 {
		return nil
	}
	s.rows += rec.NumRows()
	if err := s.out.Write(rec); err != nil {
		return fmt.Errorf("write %s: %w", s.path, err)
	}
	return nil
}

func (s *sink) close() (err error) {
	defer recovered(&err, "close %s", s.path)
	if err := errors.Join(s.out.Close(), s.file.Close()); err != nil {
		return fmt.Errorf("close %s: %w", s.path, err)
	}
	return nil
}

// discard closes the file without a footer and removes it.
func (s *sink) discard() error {
	return errors.Join(s.file.Close(), os.Remove(s.path))
}

// recovered turns a panic of the Parquet library, which it raises on damaged
// files, into an error.
func recovered(err *error, format string, args ...any) {
	if r := recover(); r != nil {
		*err = errors.Join(*err, fmt.Errorf(format+": %v", append(args, r)...))
	}
}
