package parquetio

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"labour/snapshots"
)

const (
	// RowGroupRows is the largest number of rows of a row group.
	RowGroupRows = 128 << 10
	// rowGroupText ends a row group early when its text passes this many bytes, so
	// that long texts cannot make memory grow with them.
	rowGroupText = 32 << 20
	// createdBy stands in every file, in the form that other readers parse. It names the format and
	// not the version of this program: a new program with the same rows writes the same bytes.
	createdBy = "labour version 1.0.0 (build format-1)"
)

// sink is the open Parquet file under every writer.
type sink struct {
	path   string
	file   *output
	out    *pqarrow.FileWriter
	schema *arrow.Schema
	rows   int64
}

func createSink(path string, columns []snapshots.Column, meta map[string]string, how packing) (*sink, error) {
	schema, err := arrowSchema(columns, meta)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	created, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("create: %w", err)
	}
	s := &sink{path: path, file: &output{file: created}, schema: schema}
	if s.out, err = newFileWriter(s.schema, s.file, how); err != nil {
		return nil, errors.Join(fmt.Errorf("create %s: %w", path, err), s.file.close(), os.Remove(path))
	}
	return s, nil
}

// newFileWriter writes the first bytes of the file.
func newFileWriter(schema *arrow.Schema, f *output, how packing) (out *pqarrow.FileWriter, err error) {
	defer recovered(&err, "begin file")
	return pqarrow.NewFileWriter(schema, f, how.properties(), pqarrow.DefaultWriterProps())
}

// output is the file under the Parquet writer. It keeps the first error of writing, so that a full
// disk is noticed even where the library does not look, and has no Close for the library to call.
type output struct {
	file io.WriteCloser
	err  error
	end  *bytes.Buffer // keeps what is written while the library ends the file; else nil
}

func (o *output) Write(b []byte) (int, error) {
	if o.end != nil {
		return o.end.Write(b)
	}
	n, err := o.file.Write(b)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// close closes the file and gives the first error of all.
func (o *output) close() error {
	return cmp.Or(o.err, o.file.Close())
}

// write makes one row group of a record.
func (s *sink) write(rec arrow.Record) error {
	if rec.NumRows() == 0 {
		return nil
	}
	s.rows += rec.NumRows()
	return s.put(rec)
}

// put is write without counting the rows.
func (s *sink) put(rec arrow.Record) error {
	err := s.rowGroup(rec)
	if err := cmp.Or(s.file.err, err); err != nil { // the file's error is the cause
		return fmt.Errorf("write %s: %w", s.path, err)
	}
	return nil
}

func (s *sink) rowGroup(rec arrow.Record) (err error) {
	defer recovered(&err, "row group")
	return s.out.Write(rec)
}

// close writes the footer. If that fails, the file is removed.
func (s *sink) close() error {
	err := s.footer()
	if err := errors.Join(err, s.file.close()); err != nil {
		return errors.Join(fmt.Errorf("close %s: %w", s.path, err), os.Remove(s.path))
	}
	return nil
}

func (s *sink) footer() (err error) {
	defer recovered(&err, "write footer")
	var end bytes.Buffer
	s.file.end = &end
	err = s.out.Close()
	s.file.end = nil
	if err != nil {
		return err
	}
	text, err := inOrder(end.Bytes())
	if err != nil {
		return fmt.Errorf("write footer: %w", err)
	}
	_, err = s.file.Write(text)
	return err
}

// discard closes the file without a footer and removes it.
func (s *sink) discard() error {
	return errors.Join(s.file.file.Close(), os.Remove(s.path))
}

// recovered turns a panic of the Parquet library, which it raises on damaged files, into an error.
func recovered(err *error, format string, args ...any) {
	if r := recover(); r != nil {
		*err = errors.Join(*err, fmt.Errorf(format+": %v", append(args, r)...))
	}
}

// beside is the writing of a row group beside the gathering of the next one. The zero
// beside has nothing to wait for.
type beside struct{ done chan error }

// start begins fn. What was begun before must have been waited for.
func (b *beside) start(fn func() error) {
	done := make(chan error, 1)
	b.done = done
	go func() { done <- fn() }()
}

// wait gives the error of what was begun, once.
func (b *beside) wait() error {
	if b.done == nil {
		return nil
	}
	err := <-b.done
	b.done = nil
	return err
}

// trailer is what ends a Parquet file behind the footer: the footer's length, and PAR1.
const trailer = 8

// inOrder gives the end of a file, from before its footer on, with the footer's counts
// of pages in order: of each column those of dictionaries first, then by their encoding.
// The library keeps them in a map, so that where a column's dictionary grew too large,
// and its later pages have none, the same rows would not be the same bytes.
func inOrder(end []byte) ([]byte, error) {
	if len(end) < trailer {
		return end, nil // nothing was written, and the library said why
	}
	behind := len(end) - trailer
	length := int(binary.LittleEndian.Uint32(end[behind:]))
	if length > behind {
		return nil, fmt.Errorf("the footer is said to be %d bytes long, of %d", length, behind)
	}
	footer, err := metadata.NewFileMetaData(end[behind-length:behind], nil)
	if err != nil {
		return nil, err
	}
	if !sortPageCounts(footer) {
		return end, nil
	}
	text, err := footer.Serialize(context.Background())
	if err != nil {
		return nil, err
	}
	if len(text) != length {
		return nil, fmt.Errorf("the footer was %d bytes long and is %d in order", length, len(text))
	}
	copy(end[behind-length:], text)
	return end, nil
}

// sortPageCounts says whether something was not in order.
func sortPageCounts(footer *metadata.FileMetaData) (changed bool) {
	for _, group := range footer.RowGroups {
		for _, column := range group.Columns {
			counts := column.MetaData.EncodingStats
			order := func(i, j int) int { // a dictionary's page is of type 2, one of data of type 0
				a, b := counts[i], counts[j]
				return cmp.Or(cmp.Compare(b.PageType, a.PageType), cmp.Compare(a.Encoding, b.Encoding))
			}
			for i := range counts { // three at most
				for j := i; j > 0 && order(j, j-1) < 0; j-- {
					counts[j], counts[j-1], changed = counts[j-1], counts[j], true
				}
			}
		}
	}
	return changed
}
