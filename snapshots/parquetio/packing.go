package parquetio

import (
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
)

// packing is how the values of a file are packed.
type packing []parquet.WriterProperty

// properties are those of a file that is packed so.
func (p packing) properties() *parquet.WriterProperties {
	return parquet.NewWriterProperties(append(p,
		parquet.WithDictionaryDefault(true),
		parquet.WithStoreDecimalAsInteger(true),
		parquet.WithMaxRowGroupLength(RowGroupRows),
		parquet.WithCreatedBy(createdBy),
		parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithAllocator(memory.DefaultAllocator))...)
}

// packed is for files that are kept.
func packed() packing {
	return packing{
		parquet.WithCompression(compress.Codecs.Zstd),
		// Each page gets a new encoder, whose cost is its window: the fastest level
		// has the smallest. Files grow little, since dictionaries do most of the work.
		parquet.WithCompressionLevel(1),
	}
}

// quick is for small files. Not Zstandard, whose encoders cost more than they save.
func quick() packing { return packing{parquet.WithCompression(compress.Codecs.Snappy)} }
