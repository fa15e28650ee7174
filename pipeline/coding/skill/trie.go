package skill

import "strings"

// table is a hash map from a non-zero key to a non-zero value. Looking up a missing key is about
// three times as fast as in a built-in map.
type table struct {
	entries []tableEntry
	mask    uint64
	count   int
}

// tableEntry is a key of a table with its value. They are next to each other in memory, so that
// look-ups are fast.
type tableEntry struct {
	key uint64
	val uint32
}

func newTable() *table {
	const start = 1 << 10
	return &table{entries: make([]tableEntry, start), mask: start - 1}
}

// slot returns the entry of a key. If the key is not in the table, slot returns the empty entry
// where it belongs.
func (t *table) slot(key uint64) *tableEntry {
	for i := key * 0x9E3779B97F4A7C15 >> 20; ; i++ {
		if e := &t.entries[i&t.mask]; e.key == key || e.key == 0 {
			return e
		}
	}
}

func (t *table) get(key uint64) uint32 { return t.slot(key).val }

// put sets the value of a key. It doubles the table if it would be more than half full.
func (t *table) put(key uint64, val uint32) {
	if 2*(t.count+1) > len(t.entries) {
		old := t.entries
		t.entries = make([]tableEntry, 2*len(old))
		t.mask = uint64(len(t.entries) - 1)
		for _, e := range old {
			if e.key != 0 {
				*t.slot(e.key) = e
			}
		}
	}
	e := t.slot(key)
	if e.key == 0 {
		t.count++
	}
	e.key, e.val = key, val
}

// vocabulary numbers the words of skills and phrases, starting from 1. 0 means any other word.
type vocabulary struct {
	byHash *table
	words  []string // all words of the vocabulary; the word with number n is at index n-1
}

// add returns the vocabulary number of a normalised word. For a new word, this is the next free
// number. ok is false if another word has the same hash.
func (v *vocabulary) add(word string) (id uint32, ok bool) {
	h := hashWord(word)
	if id = v.byHash.get(h); id != 0 {
		return id, v.words[id-1] == word
	}
	v.words = append(v.words, word)
	v.byHash.put(h, uint32(len(v.words)))
	return uint32(len(v.words)), true
}

// numbers returns the vocabulary number of each word in a normalised text. An unknown word has 0.
func (v *vocabulary) numbers(text string) (ids []uint32) {
	for word := range strings.SplitSeq(text, " ") {
		ids = append(ids, v.byHash.get(hashWord(word)))
	}
	return ids
}

// trie is a prefix tree of phrases. Each edge is the number of a word. Node 0 is the root.
type trie struct {
	first []uint32 // the node reached by the first word of a phrase, by that word's number
	// the next node, by the number of the current node (upper 32 bits) and of the next word
	edges *table
	// prefixBits has a bit set for each node: bit n is set if a word whose number ends in the six
	// bits n follows the node. Most words do not follow, and need no look-up in edges.
	prefixBits []uint64
	ends       [][]int32 // values of the phrases that end at a node, by node, in the order of adding
}

func newTrie() *trie {
	return &trie{edges: newTable(), prefixBits: make([]uint64, 1), ends: make([][]int32, 1)}
}

// add adds the phrase that consists of words, with the value payload. The value must not be
// negative.
func (t *trie) add(words []uint32, payload int32) {
	node := uint32(0)
	for _, w := range words {
		next := t.step(node, w)
		if next == 0 {
			next = uint32(len(t.ends))
			t.ends, t.prefixBits = append(t.ends, nil), append(t.prefixBits, 0)
			t.link(node, w, next)
		}
		node = next
	}
	t.ends[node] = append(t.ends[node], payload)
}

// find returns the node at the end of a sequence of words. It returns 0 if no phrase starts with
// the words.
func (t *trie) find(words []uint32) (node uint32) {
	for _, w := range words {
		if node = t.step(node, w); node == 0 {
			return 0
		}
	}
	return node
}

func (t *trie) link(node, word, next uint32) {
	if node != 0 {
		t.edges.put(uint64(node)<<32|uint64(word), next)
		t.prefixBits[node] |= 1 << (word & 63)
		return
	}
	for uint32(len(t.first)) <= word {
		t.first = append(t.first, 0)
	}
	t.first[word] = next
}

// step follows word from node and returns the next node. It returns 0 if no phrase continues with
// word.
func (t *trie) step(node, word uint32) uint32 {
	if node == 0 {
		if word >= uint32(len(t.first)) {
			return 0
		}
		return t.first[word]
	}
	if t.prefixBits[node]&(1<<(word&63)) == 0 {
		return 0
	}
	return t.edges.get(uint64(node)<<32 | uint64(word))
}

// longest returns the value of the longest phrase at the start of tokens, and its length in words.
// The length is 0 if there is no phrase.
func (t *trie) longest(tokens []token) (payload int32, length int) {
	node := uint32(0)
	for i := range tokens {
		if tokens[i].word == 0 {
			break
		}
		if node = t.step(node, tokens[i].word); node == 0 {
			break
		}
		if ends := t.ends[node]; len(ends) > 0 {
			payload, length = ends[len(ends)-1], i+1
		}
	}
	return payload, length
}
