package parquetio

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"labour/snapshots"
)

// scratchFile is the open file under a scratch writer.
type scratchFile struct {
	path string
	file *output
	out  *file.Writer
}

func createScratchFile(path string, schema []snapshots.Column, how []parquet.WriterProperty) (_ *scratchFile, err error) {
	fields, err := arrowSchema(schema, nil)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	props := parquet.NewWriterProperties(append(how, parquet.WithVersion(parquet.V2_LATEST), parquet.WithCreatedBy(createdBy),
		parquet.WithBatchSize(RowGroupRows), parquet.WithDataPageSize(rowGroupText))...)
	types, err := pqarrow.ToParquet(fields, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	created, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("create: %w", err)
	}
	s := &scratchFile{path: path, file: &output{file: created}}
	defer recovered(&err, "create %s", path)
	s.out = file.NewParquetWriter(s.file, types.Root(), file.WithWriterProps(props))
	return s, nil
}

// rowGroup writes the rows of the columns.
func (s *scratchFile) rowGroup(columns []*scratchColumn) error {
	err := s.columns(columns)
	if err := cmp.Or(s.file.err, err); err != nil { // the file's error is the cause
		return fmt.Errorf("write %s: %w", s.path, err)
	}
	return nil
}

func (s *scratchFile) columns(columns []*scratchColumn) (err error) {
	defer recovered(&err, "row group")
	group := s.out.AppendRowGroup()
	for _, c := range columns {
		to, err := group.NextColumn()
		if err == nil {
			err = errors.Join(c.write(to), to.Close())
		}
		if err != nil {
			return err
		}
	}
	return group.Close()
}

// close writes the footer. If that fails, the file is removed.
func (s *scratchFile) close() error {
	err := s.footer()
	if err = errors.Join(err, s.file.close()); err != nil {
		return errors.Join(fmt.Errorf("close %s: %w", s.path, err), os.Remove(s.path))
	}
	return nil
}

func (s *scratchFile) footer() (err error) {
	defer recovered(&err, "write footer")
	return s.out.Close()
}

// discard closes the file without a footer and removes it.
func (s *scratchFile) discard() error {
	return errors.Join(s.file.file.Close(), os.Remove(s.path))
}
