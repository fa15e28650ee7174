package parquetio

import (
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

// properties returns the settings of the Parquet writer for a compression algorithm.
func properties(how compress.Compression) *parquet.WriterProperties {
	return parquet.NewWriterProperties(
		parquet.WithCompression(how),
		parquet.WithDictionaryDefault(true),
		parquet.WithStoreDecimalAsInteger(true),
		parquet.WithMaxRowGroupLength(RowGroupRows),
		parquet.WithCreatedBy(createdBy),
		parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithAllocator(memory.DefaultAllocator))
}

func init() {
	codec, err := compress.GetCodec(compress.Codecs.Zstd)
	if err != nil {
		panic(err)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err)
	}
	compress.RegisterCodec(compress.Codecs.Zstd, oneEncoder{codec, encoder})
}

// oneEncoder compresses all pages with the same Zstandard encoder. Arrow's codec creates an encoder
// for each page, which takes longer than compressing most pages. The level of compression is the
// lowest, since dictionary encoding already makes the files small.
type oneEncoder struct {
	compress.Codec
	encoder *zstd.Encoder
}

func (c oneEncoder) EncodeLevel(dst, src []byte, _ int) []byte {
	return c.encoder.EncodeAll(src, dst[:0])
}
