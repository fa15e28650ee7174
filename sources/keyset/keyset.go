// Package keyset remembers which of very many fingerprints were seen, in some twelve
// bytes each: ids of the records of a feed, or of adverts in newer extracts.
package keyset

import "github.com/zeebo/xxh3"

// shardBits is how many bits of a fingerprint name the shard that holds it.
const shardBits = 14

// Set is a set of 128-bit fingerprints. Of each it compares 78 bits, 64 that it keeps
// and 14 that say where: among 50 million different ones the chance that any is taken
// for another is below 10⁻⁸. A shard is an open table of its own, so that growing
// copies a sixteen-thousandth of the set at a time. The zero Set cannot be used, see
// New. It is not for use by several goroutines.
type Set struct {
	shards [1 << shardBits]shard
	len    int
}

// shard is an open table with linear probing; 0 is an empty slot.
type shard struct {
	slots []uint64
	used  int
	zero  bool // the fingerprint whose kept bits are 0 is in it
}

// New is an empty set.
func New() *Set { return &Set{} }

// Len is how many fingerprints are in the set.
func (s *Set) Len() int { return s.len }

// Has says whether the fingerprint is in the set.
func (s *Set) Has(key xxh3.Uint128) bool {
	shard := &s.shards[key.Lo>>(64-shardBits)]
	if key.Hi == 0 {
		return shard.zero
	}
	return len(shard.slots) > 0 && shard.slots[shard.find(key.Hi)] == key.Hi
}

// Add puts a fingerprint into the set, and says whether it was not there yet.
func (s *Set) Add(key xxh3.Uint128) bool {
	shard := &s.shards[key.Lo>>(64-shardBits)]
	if !shard.add(key.Hi) {
		return false
	}
	s.len++
	return true
}

// AddAll adds fingerprints one after the other, and says of each whether it was not
// there yet. Each lies somewhere else in memory: a first look at all of them, of which
// none depends on another, lets the waits for memory overlap.
func (s *Set) AddAll(keys []xxh3.Uint128) []bool {
	added := make([]bool, len(keys))
	for i, key := range keys {
		if t := &s.shards[key.Lo>>(64-shardBits)]; len(t.slots) > 0 {
			added[i] = t.slots[t.place(key.Hi)] != key.Hi // no more than a guess
		}
	}
	for i, key := range keys {
		added[i] = s.Add(key)
	}
	return added
}

func (t *shard) add(bits uint64) bool {
	if bits == 0 {
		added := !t.zero
		t.zero = true
		return added
	}
	if len(t.slots) > 0 {
		at := t.find(bits)
		if t.slots[at] == bits {
			return false
		}
		if t.used < len(t.slots)-len(t.slots)/8 {
			t.slots[at] = bits
			t.used++
			return true
		}
	}
	t.grow()
	t.slots[t.find(bits)] = bits
	t.used++
	return true
}

// find is the slot of the bits, or the empty one where they belong. There always is
// an empty one.
func (t *shard) find(bits uint64) int {
	at := t.place(bits)
	for t.slots[at] != 0 && t.slots[at] != bits {
		if at++; at == len(t.slots) {
			at = 0
		}
	}
	return at
}

// place is the slot where the bits are looked for first.
func (t *shard) place(bits uint64) int { return int((bits >> 32) * uint64(len(t.slots)) >> 32) }

// grow makes the table half as large again.
func (t *shard) grow() {
	old := t.slots
	t.slots = make([]uint64, max(8, len(old)+len(old)/2))
	for _, bits := range old {
		if bits != 0 {
			t.slots[t.find(bits)] = bits
		}
	}
}
