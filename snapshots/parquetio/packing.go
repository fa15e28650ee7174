package parquetio

import (
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/klauspost/compress/zstd"
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
	// At the fastest level files grow little, since dictionaries do most of the work.
	return packing{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1)}
}

// quick is for files that are not kept.
func quick() packing { return packing{parquet.WithCompression(compress.Codecs.Snappy)} }

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

// oneEncoder packs all pages with one encoder. The codec of arrow makes a new one for each
// page, whose window costs more than most pages. The bytes are the same.
type oneEncoder struct {
	compress.Codec
	encoder *zstd.Encoder
}

func (c oneEncoder) EncodeLevel(dst, src []byte, _ int) []byte {
	return c.encoder.EncodeAll(src, dst[:0])
}
