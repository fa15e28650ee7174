package skill

import "strings"

// table is a hash map from a non-zero key to a non-zero value. For keys that it does not have, it
// is about three times as fast as a built-in map.
type table struct {
	entries []tableEntry
	mask    uint64
	used    int
}

// tableEntry holds a key and its value. They are next to each other for fast look-up.
type tableEntry struct {
	key uint64
	val uint32
}

func newTable() *table {
	const start = 1 << 10
	return &table{entries: make([]tableEntry, start), mask: start - 1}
}

// slot returns the entry of key, or the empty entry where it would be.
func (t *table) slot(key uint64) *tableEntry {
	for i := key * 0x9E3779B97F4A7C15 >> 20; ; i++ {
		if e := &t.entries[i&t.mask]; e.key == key || e.key == 0 {
			return e
		}
	}
}

func (t *table) get(key uint64) uint32 { return t.slot(key).val }

// put adds or replaces the value of key. It grows the table if more than half of it is used.
func (t *table) put(key uint64, val uint32) {
	if 2*(t.used+1) > len(t.entries) {
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
		t.used++
	}
	e.key, e.val = key, val
}

// vocabulary numbers the words of the register and of the cue lists. Number 0 is any other word.
type vocabulary struct {
	byHash *table
	words  []string // by number minus 1
}

// add returns the number of a normalised word. A new word gets the next number. ok is false if
// another word has the same hash.
func (v *vocabulary) add(word string) (id uint32, ok bool) {
	h := hashWord(word)
	if id = v.byHash.get(h); id != 0 {
		return id, v.words[id-1] == word
	}
	v.words = append(v.words, word)
	v.byHash.put(h, uint32(len(v.words)))
	return uint32(len(v.words)), true
}

// numbers returns the numbers of the words of a normalised text. Unknown words have 0.
func (v *vocabulary) numbers(text string) (ids []uint32) {
	for word := range strings.SplitSeq(text, " ") {
		ids = append(ids, v.byHash.get(hashWord(word)))
	}
	return ids
}

// trie holds phrases as sequences of word numbers. Node 0 is the root.
type trie struct {
	first []uint32 // node after the phrase's first word, by word number
	edges *table   // node<<32 | word number -> node
	// going has, by node, a bit for every word number with an edge, by its last six bits. Most
	// words that follow have no edge, and need no look-up.
	going []uint64
	ends  [][]int32 // payloads of the phrases that end at a node, in the order of adding
}

func newTrie() *trie {
	return &trie{edges: newTable(), going: make([]uint64, 1), ends: make([][]int32, 1)}
}

// add adds a phrase with its payload, which must not be negative.
func (t *trie) add(words []uint32, payload int32) {
	node := uint32(0)
	for _, w := range words {
		next := t.step(node, w)
		if next == 0 {
			next = uint32(len(t.ends))
			t.ends, t.going = append(t.ends, nil), append(t.going, 0)
			t.link(node, w, next)
		}
		node = next
	}
	t.ends[node] = append(t.ends[node], payload)
}

// find returns the node for this sequence of words, or 0 if no phrase starts with it.
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
		t.going[node] |= 1 << (word & 63)
		return
	}
	for uint32(len(t.first)) <= word {
		t.first = append(t.first, 0)
	}
	t.first[word] = next
}

// step returns the node for word after node, or 0 if no phrase continues so.
func (t *trie) step(node, word uint32) uint32 {
	if node == 0 {
		if word >= uint32(len(t.first)) {
			return 0
		}
		return t.first[word]
	}
	if t.going[node]&(1<<(word&63)) == 0 {
		return 0
	}
	return t.edges.get(uint64(node)<<32 | uint64(word))
}

// longest returns the payload and the number of words of the longest phrase at the start of tokens.
// length is 0 if there is none.
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
