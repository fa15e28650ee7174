package occupation

import (
	"strings"
)

// phrase is one known title with its normalised words and occupation code.
type phrase struct {
	words []string
	soc   string
	whole bool // matches only a whole title, not a part of one
}

// longestPhrase is the number of words in the longest known title.
const longestPhrase = 10

// index finds known titles by all their words.
type index struct {
	phrases  []phrase
	byKey    map[string]int32
	first    map[string]bool // first words of phrases
	spelling *spelling
}

func newIndex(titles []phrase) *index {
	ix := &index{phrases: titles, spelling: newSpelling(titles), byKey: make(map[string]int32, len(titles)),
		first: map[string]bool{}}
	for i, p := range titles {
		ix.byKey[strings.Join(p.words, " ")] = int32(i)
		ix.first[p.words[0]] = true
	}
	return ix
}

// lookup returns the known title with exactly these words. The lists in words are joined first.
func (ix *index) lookup(words ...[]string) (p phrase, ok bool) {
	const keySize = 160
	var buf [keySize]byte
	key := buf[:0]
	for _, part := range words {
		for _, w := range part {
			if len(key) > 0 {
				key = append(key, ' ')
			}
			key = append(key, w...)
		}
	}
	i, ok := ix.byKey[string(key)]
	if ok {
		p = ix.phrases[i]
	}
	return p, ok
}

// find returns the occupation code of the known title with exactly these words.
func (ix *index) find(words ...[]string) (soc string, ok bool) {
	p, ok := ix.lookup(words...)
	return p.soc, ok
}

// within is like find, but only for titles that may be part of a longer title.
func (ix *index) within(words []string) (soc string, ok bool) {
	if !ix.first[words[0]] {
		return "", false
	}
	p, ok := ix.lookup(words)
	return p.soc, ok && !p.whole
}

// longest returns the position and occupation code of the longest known title within words. It must
// contain the word at index head, unless head is negative. Of two equally long titles the later
// wins.
func (ix *index) longest(words []string, head int) (from, to int, soc string) {
	for n := min(len(words), longestPhrase); n > 0; n-- {
		for i := len(words) - n; i >= 0; i-- {
			if head >= 0 && (head < i || head >= i+n) {
				continue
			}
			if soc, ok := ix.within(words[i : i+n]); ok {
				return i, i + n, soc
			}
		}
	}
	return 0, 0, ""
}

// startsWith returns the occupation code and the number of words of the longest known title at the
// start of words. n is 0 if there is none.
func (ix *index) startsWith(words []string) (soc string, n int) {
	if !ix.first[words[0]] { // true for most words of a text
		return "", 0
	}
	for n = min(len(words), longestPhrase); n > 0; n-- {
		if soc, ok := ix.within(words[:n]); ok {
			return soc, n
		}
	}
	return "", 0
}

// The weights of texts outside the title, where a word of the title has the weight 1.
const (
	// inSentence is added for a known title in the first sentences of an advert.
	inSentence = 6
	// inDepartment is the weight of a word of the department's name.
	inDepartment = 0.3
	// inEmployer is the weight of a word of the employer's name.
	inEmployer = 0.2
)

// addContext adds scores for the advert's other texts: known titles in its first sentences, and the
// words of its department and employer.
func (r *Register) addContext(scores []float32, in Context) {
	var room [64]uint64
	m := r.model()
	m.add(scores, wordFeatures(room[:0], foldWords(in.Department)), inDepartment)
	m.add(scores, wordFeatures(room[:0], foldWords(in.Employer)), inEmployer)
	words := foldWords(in.Text)
	for len(words) > 1 {
		soc, n := r.index.startsWith(words)
		if n > 1 {
			scores[m.number[soc]] += inSentence
		}
		words = words[max(n, 1):]
	}
}

// wordFeatures appends to dst the hash of each single word.
func wordFeatures(dst []uint64, words []string) []uint64 {
	for i, w := range words {
		if !terms[w] && !places[w] && !repeated(words, i) {
			dst = append(dst, feature(aWord, w))
		}
	}
	return dst
}
