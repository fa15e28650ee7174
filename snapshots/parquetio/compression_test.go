package parquetio

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/parquet/compress"
)

// TestOneEncoderPacksAsANewOne: pages of all sizes, one after the other, have the bytes
// that an encoder of their own gives them.
func TestOneEncoderPacksAsANewOne(t *testing.T) {
	codec, err := compress.GetCodec(compress.Codecs.Zstd)
	k, ok := codec.(oneEncoder)
	if err != nil || !ok {
		t.Fatalf("the codec is a %T, %v", codec, err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 300, 100_000, 700_000, 20, 5000, 140_000, 300, 64} {
		page := make([]byte, size)
		for i := range page {
			page[i] = byte(r.IntN(1 + i%7))
		}
		if got, want := k.EncodeLevel(nil, page, 1), k.Codec.EncodeLevel(nil, page, 1); !bytes.Equal(got, want) {
			t.Errorf("a page of %d bytes is packed to %d other bytes, not %d", size, len(got), len(want))
		}
		if back := k.Decode(make([]byte, size), k.EncodeLevel(nil, page, 1)); !bytes.Equal(back, page) {
			t.Errorf("a page of %d bytes is unpacked to %d", size, len(back))
		}
	}
}
