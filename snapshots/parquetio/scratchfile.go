package parquetio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
	"github.com/klauspost/compress/s2"

	"labour/snapshots"
)

// magic begins and ends a Parquet file.
const magic = "PAR1"

// scratchFile is the open file under a scratch writer. The library writes the headers
// of the pages and the footer; the values come from the columns.
type scratchFile struct {
	path   string
	file   *os.File
	at     int64 // bytes written
	props  *parquet.WriterProperties
	footer *metadata.FileMetaDataBuilder
	groups int16
	page   []byte // of values, and
	packed []byte // as compressed: both are used again
}

// Write counts, for Tell.
func (s *scratchFile) Write(b []byte) (int, error) {
	n, err := s.file.Write(b)
	s.at += int64(n)
	return n, err
}

// Tell is where the next byte will be.
func (s *scratchFile) Tell() int64 { return s.at }

func createScratchFile(path string, schema []snapshots.Column, columns []*scratchColumn) (*scratchFile, error) {
	fields, err := arrowSchema(schema, nil)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	options := []parquet.WriterProperty{parquet.WithVersion(parquet.V2_LATEST), parquet.WithCreatedBy(createdBy)}
	for i, c := range columns {
		name := schema[i].Name
		options = append(options, parquet.WithCompressionFor(name, c.way.codec), parquet.WithDictionaryFor(name, c.words != nil))
		if c.words == nil {
			options = append(options, parquet.WithEncodingFor(name, c.way.encoding))
		}
	}
	s := &scratchFile{path: path, props: parquet.NewWriterProperties(options...)}
	types, err := pqarrow.ToParquet(fields, s.props, pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	s.footer = metadata.NewFileMetadataBuilder(types, s.props, nil)
	if s.file, err = os.Create(path); err != nil {
		return nil, fmt.Errorf("create: %w", err)
	}
	if _, err := s.Write([]byte(magic)); err != nil {
		return nil, errors.Join(fmt.Errorf("create %s: %w", path, err), s.discard())
	}
	return s, nil
}

// rowGroup writes the rows of the columns, and empties them.
func (s *scratchFile) rowGroup(columns []*scratchColumn, rows int64) (err error) {
	defer recovered(&err, "row group")
	group, begin := s.footer.AppendRowGroup(), s.at
	group.SetNumRows(int(rows))
	for i, c := range columns {
		if err := s.chunk(c, rows, group.NextColumnChunk(), int16(i)); err != nil {
			return fmt.Errorf("write %s: %w", s.path, err)
		}
		c.empty()
	}
	err = group.Finish(s.at-begin, s.groups)
	s.groups++
	return err
}

// chunk writes the rows of one column as one page, behind one of the dictionary.
func (s *scratchFile) chunk(c *scratchColumn, rows int64, about *metadata.ColumnChunkMetaDataBuilder, column int16) error {
	pages, err := file.NewPageWriter(s, compress.Codecs.Uncompressed, 0, about, s.groups, column, memory.DefaultAllocator, false, nil, nil)
	if err != nil {
		return err
	}
	encoding := c.way.encoding
	if c.words != nil {
		n, words := c.words()
		if _, err := pages.WriteDictionaryPage(file.NewDictionaryPage(memory.NewBufferBytes(words), int32(n), parquet.Encodings.Plain)); err != nil {
			return err
		}
	}
	s.page = s.page[:0]
	if c.present != nil {
		s.page = levels(s.page, *c.present)
	}
	s.page = c.encode(s.page)
	page := s.page
	if c.way.codec == compress.Codecs.Snappy {
		s.packed = s2.EncodeSnappy(s.packed[:cap(s.packed)], page)
		page = s.packed
	}
	data := file.NewDataPageV1(memory.NewBufferBytes(page), int32(rows), encoding, parquet.Encodings.RLE, parquet.Encodings.RLE, int32(len(s.page)))
	defer data.Release()
	if _, err := pages.WriteDataPage(data); err != nil {
		return err
	}
	if c.bounds != nil {
		about.SetStats(statistics(c))
	}
	return pages.Close(c.words != nil, false)
}

// levels says which rows have a value: with the length before it, as the first version
// of pages has it.
func levels(page []byte, present []uint32) []byte {
	from := len(page)
	page = packedRun(append(page, 0, 0, 0, 0), present, 1)
	binary.LittleEndian.PutUint32(page[from:], uint32(len(page)-from-4))
	return page
}

// statistics are the least and the greatest number of a column, from which an engine
// sees how to join.
func statistics(c *scratchColumn) metadata.EncodedStatistics {
	least, greatest := c.bounds()
	all := metadata.EncodedStatistics{Signed: true, HasMin: least != nil, Min: least, HasMax: greatest != nil, Max: greatest, HasNullCount: true}
	if c.present != nil {
		for _, there := range *c.present {
			all.NullCount += int64(1 - there)
		}
	}
	return all
}

// close writes the footer. If that fails, the file is removed.
func (s *scratchFile) close() error {
	err := s.end()
	if err = errors.Join(err, s.file.Close()); err != nil {
		return errors.Join(fmt.Errorf("close %s: %w", s.path, err), os.Remove(s.path))
	}
	return nil
}

func (s *scratchFile) end() (err error) {
	defer recovered(&err, "write footer")
	footer, err := s.footer.Finish()
	if err != nil {
		return err
	}
	begin := s.at
	if _, err := footer.WriteTo(s, nil); err != nil {
		return err
	}
	_, err = s.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(s.at-begin)), magic...))
	return err
}

// discard closes the file without a footer and removes it.
func (s *scratchFile) discard() error {
	return errors.Join(s.file.Close(), os.Remove(s.path))
}
