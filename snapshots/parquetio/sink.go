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
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"labour/snapshots"
)

const (
	// RowGroupRows is the largest number of rows in one row group of a Parquet file.
	RowGroupRows = 128 << 10
	// rowGroupText is the number of bytes of text after which a row group ends early. It limits the
	// memory that long texts need.
	rowGroupText = 32 << 20
	// createdBy is the value of created_by in the footer of every Parquet file, in the syntax that
	// other readers expect. It names the version of the format, not of the program. Therefore a new
	// version of the program writes the same bytes for the same rows.
	createdBy = "labour version 1.0.0 (build format-1)"
)

// sink is a Parquet file that is open for writing. It writes whole row groups.
type sink struct {
	path   string
	file   *output
	out    *pqarrow.FileWriter
	schema *arrow.Schema
	// receives the error of the row group that is being written; nil if none is being written
	writing chan error
}

// createSink creates or replaces the Parquet file at path. meta is the key-value metadata of the
// file, and codec is its compression. If createSink returns an error, there is no file.
func createSink(path string, columns []snapshots.Column, meta map[string]string,
	codec compress.Compression) (*sink, error) {
	schema, err := arrowSchema(columns, meta)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	created, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("create: %w", err)
	}
	s, err := newSink(path, created, schema, codec)
	if err != nil {
		return nil, errors.Join(err, created.Close(), os.Remove(path))
	}
	return s, nil
}

// newSink returns a sink that writes to file, and writes the first bytes of the Parquet format.
// path is used only in error messages.
func newSink(path string, file io.WriteCloser, schema *arrow.Schema, codec compress.Compression) (s *sink, err error) {
	s = &sink{path: path, file: &output{file: file}, schema: schema}
	defer func() {
		if err = cmp.Or(s.file.err, err); err != nil { // the file's error is the cause
			err = fmt.Errorf("create %s: %w", path, err)
		}
	}()
	defer recoverError(&err, "begin file")
	s.out, err = pqarrow.NewFileWriter(schema, s.file, properties(codec), pqarrow.DefaultWriterProps())
	return s, err
}

// output is the io.Writer that the Parquet library writes to. It keeps the first write error,
// because the library ignores some errors, for example of a full disk. It has no Close method, so
// the library cannot close the file.
type output struct {
	file io.WriteCloser
	err  error
	// collects the bytes of the footer while the library writes them; nil at all other times
	end *bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	if o.end != nil {
		return o.end.Write(b)
	}
	n, err := o.file.Write(b)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// put starts to write a record as one row group in the background, and releases the record when it
// is written. Before that, it waits until the previous row group is written, and returns the error
// of that write. Thus at most two row groups are in memory.
func (s *sink) put(rec arrow.Record) error {
	if err := s.wait(); err != nil || rec.NumRows() == 0 {
		rec.Release()
		return err
	}
	done := make(chan error, 1)
	s.writing = done
	go func() {
		defer rec.Release()
		done <- s.rowGroup(rec)
	}()
	return nil
}

// wait waits until the background write of a row group has ended, and returns its error.
func (s *sink) wait() error {
	if s.writing == nil {
		return nil
	}
	err := <-s.writing
	s.writing = nil
	if err := cmp.Or(s.file.err, err); err != nil {
		return fmt.Errorf("write %s: %w", s.path, err)
	}
	return nil
}

func (s *sink) rowGroup(rec arrow.Record) (err error) {
	defer recoverError(&err, "row group")
	return s.out.Write(rec)
}

// close writes the footer and closes the Parquet file. If that fails, it removes the file.
func (s *sink) close() error {
	err := s.end()
	if err := errors.Join(err, s.file.file.Close()); err != nil {
		return errors.Join(fmt.Errorf("close %s: %w", s.path, err), os.Remove(s.path))
	}
	return nil
}

// end writes the footer of the Parquet file. It sorts the page counts in the footer, so that equal
// rows give equal bytes.
func (s *sink) end() (err error) {
	if err := s.wait(); err != nil {
		return err
	}
	defer recoverError(&err, "write footer")
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

// discard closes the Parquet file without a footer, and removes it.
func (s *sink) discard() error {
	_ = s.wait()
	return errors.Join(s.file.file.Close(), os.Remove(s.path))
}

// recoverError turns a panic into an error in *err, because the Parquet library panics on some
// damaged files. Functions that call the library defer recoverError.
func recoverError(err *error, format string, args ...any) {
	if r := recover(); r != nil {
		*err = errors.Join(*err, fmt.Errorf(format+": %v", append(args, r)...))
	}
}

// trailer is the number of bytes after the footer of a Parquet file: 4 bytes with the length of the
// footer, and the text PAR1.
const trailer = 8

// inOrder sorts the page counts in the footer of a Parquet file: dictionary pages first, then by
// encoding. tail is the end of the file and includes the whole footer. inOrder returns tail with
// the sorted footer.
//
// The library keeps the counts in a map and writes them in random order. Without sorting, equal
// rows could give different bytes.
func inOrder(tail []byte) ([]byte, error) {
	if len(tail) < trailer {
		return tail, nil // nothing was written, and the library has reported why
	}
	behind := len(tail) - trailer
	length := int(binary.LittleEndian.Uint32(tail[behind:]))
	if length > behind {
		return nil, fmt.Errorf("the footer is said to be %d bytes long, of %d", length, behind)
	}
	footer, err := metadata.NewFileMetaData(tail[behind-length:behind], nil)
	if err != nil {
		return nil, err
	}
	if !sortPageCounts(footer) {
		return tail, nil
	}
	text, err := footer.Serialize(context.Background())
	if err != nil {
		return nil, err
	}
	if len(text) != length {
		return nil, fmt.Errorf("the footer was %d bytes long and is %d in order", length, len(text))
	}
	copy(tail[behind-length:], text)
	return tail, nil
}

// sortPageCounts sorts the page counts of each column in a footer. It reports whether their order
// has changed.
func sortPageCounts(footer *metadata.FileMetaData) (changed bool) {
	for _, group := range footer.RowGroups {
		for _, column := range group.Columns {
			counts := column.MetaData.EncodingStats
			order := func(i, j int) int { // type 2 is a dictionary page, type 0 a data page
				a, b := counts[i], counts[j]
				return cmp.Or(cmp.Compare(b.PageType, a.PageType), cmp.Compare(a.Encoding, b.Encoding))
			}
			for i := range counts { // at most three items
				for j := i; j > 0 && order(j, j-1) < 0; j-- {
					counts[j], counts[j-1], changed = counts[j-1], counts[j], true
				}
			}
		}
	}
	return changed
}
