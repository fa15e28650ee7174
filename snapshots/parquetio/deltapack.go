package parquetio

import (
	"encoding/binary"
	"math/bits"
)

// The blocks of DELTA_BINARY_PACKED: the format asks for multiples of 128 values in
// parts of multiples of 32.
const (
	deltaBlock = 128
	deltaPart  = 32
)

// deltaPacked appends whole numbers as DELTA_BINARY_PACKED of the Parquet format: the
// first one, and then by how much each is more than the one before it, in as few bits
// as its neighbours need. Differences wrap around, as the format says.
func deltaPacked[W int32 | int64](page []byte, values []W) []byte {
	page = binary.AppendUvarint(page, deltaBlock)
	page = binary.AppendUvarint(page, deltaBlock/deltaPart)
	page = binary.AppendUvarint(page, uint64(len(values)))
	if len(values) == 0 {
		return binary.AppendVarint(page, 0)
	}
	page = binary.AppendVarint(page, int64(values[0]))
	var differences [deltaBlock]uint64
	for from := 1; from < len(values); from += deltaBlock {
		block := values[from:min(from+deltaBlock, len(values))]
		least := spread(&differences, values[from-1], block)
		page = packBlock(binary.AppendVarint(page, int64(least)), differences[:len(block)])
	}
	return page
}

// spread gives the least difference between a value and the one before it, and by how
// much each is more than the least.
func spread[W int32 | int64](differences *[deltaBlock]uint64, before W, block []W) W {
	least, prev := block[0]-before, before
	for _, v := range block {
		least = min(least, v-prev)
		prev = v
	}
	all := ^uint64(0) >> (64 - 8*binary.Size(before))
	prev = before
	for i, v := range block {
		differences[i] = uint64(v-prev-least) & all
		prev = v
	}
	return least
}

// packBlock appends the widths of the parts and then the parts, the last one filled up.
func packBlock(page []byte, differences []uint64) []byte {
	var part [deltaPart]uint64
	widths := len(page)
	page = append(page, make([]byte, deltaBlock/deltaPart)...)
	for i := 0; i < len(differences); i += deltaPart {
		clear(part[copy(part[:], differences[i:]):])
		used := uint64(0)
		for _, d := range part {
			used |= d
		}
		width := bits.Len64(used)
		page[widths+i/deltaPart] = byte(width)
		page = packBits(page, part[:], width)
	}
	return page
}

// packBits appends numbers of that many bits, the first in the lowest, up to a whole
// byte.
func packBits[N uint32 | uint64](page []byte, values []N, width int) []byte {
	room, used := uint64(0), 0
	for _, v := range values {
		room |= uint64(v) << used
		if used += width; used >= 64 {
			page = binary.LittleEndian.AppendUint64(page, room)
			used -= 64
			room = uint64(v) >> (width - used)
		}
	}
	for ; used > 0; used -= 8 {
		page = append(page, byte(room))
		room >>= 8
	}
	return page
}

// packedRun appends numbers as one bit-packed run of the hybrid of runs and packed
// bits, up to a multiple of 8.
func packedRun(page []byte, values []uint32, width int) []byte {
	groups := (len(values) + 7) / 8
	page = binary.AppendUvarint(page, uint64(groups)<<1|1)
	end := len(page) + groups*width
	page = packBits(page, values, width)
	return append(page, make([]byte, end-len(page))...)
}
