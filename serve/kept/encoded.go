package kept

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Encoding is a content coding; the empty one is none.
type Encoding string

// The codings that answers are kept in.
const (
	Plain Encoding = ""
	Gzip  Encoding = "gzip"
	Zstd  Encoding = "zstd"
)

// encoded is what stands before the moment, compressed once, when it is first asked
// for. What follows is short, and is added as it is at every call: both formats have
// blocks that are not compressed.
type encoded struct {
	once   sync.Once
	before []byte
	sum    uint32 // CRC-32 of what was compressed, which gzip ends with
}

// maxStored is the longest text that one block takes as it is, in both formats.
const maxStored = 1<<16 - 1

// Encoded appends the answer with a moment in a content coding. It is one member of
// gzip, or one frame of Zstandard, that any reader of them takes.
func (a *Answer) Encoded(to, generated []byte, as Encoding) []byte {
	rest := len(generated) + len(a.after)
	switch {
	case !a.Encodes(as):
		return a.plain(to, generated)
	case as == Gzip:
		a.gzip.once.Do(a.compressGzip)
		to = append(to, a.gzip.before...)
		to = append(to, 1, byte(rest), byte(rest>>8), ^byte(rest), ^byte(rest>>8)) // the last block, stored: RFC 1951, 3.2.4
		to = append(append(to, generated...), a.after...)
		sum := crc32.Update(crc32.Update(a.gzip.sum, crc32.IEEETable, generated), crc32.IEEETable, a.after)
		to = binary.LittleEndian.AppendUint32(to, sum)
		return binary.LittleEndian.AppendUint32(to, uint32(len(a.before)+rest))
	default:
		a.zstd.once.Do(a.compressZstd)
		to = append(to, a.zstd.before...)
		header := uint32(rest)<<3 | 1 // the last block, raw: RFC 8878, 3.1.1.2
		to = append(to, byte(header), byte(header>>8), byte(header>>16))
		return append(append(to, generated...), a.after...)
	}
}

// Encodes says whether Encoded gives that coding, and not the plain text.
func (a *Answer) Encodes(as Encoding) bool {
	const moment = 64 // more than any is long
	return (as == Gzip || as == Zstd) && len(a.before) > 0 && len(a.after)+moment <= maxStored
}

// compressGzip writes the header of a member and its first blocks, to a byte's end.
func (a *Answer) compressGzip() {
	var b bytes.Buffer
	b.Write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}) // deflate, no name, no time, unknown system: RFC 1952, 2.3
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(a.before)
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		panic(err) // a level that exists, and memory to write to
	}
	a.gzip.before, a.gzip.sum = bytes.Clone(b.Bytes()), crc32.ChecksumIEEE(a.before)
}

// compressZstd writes the header of a frame, without sizes and sum, and its first blocks.
func (a *Answer) compressZstd() {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(maxBody))
	if err == nil {
		_, err = w.Write(a.before)
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		panic(err) // options that exist, and memory to write to
	}
	a.zstd.before = bytes.Clone(b.Bytes())
}
