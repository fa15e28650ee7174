package occupation

import (
	"strings"
)

// phrase is one known title, folded.
type phrase struct {
	words []string
	soc   string
	whole bool // matches only a whole title, not a part of one
}

// longestPhrase is the number of words of the longest known title.
const longestPhrase = 10

// index finds phrases by their whole wording.
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

// lookup returns the phrase of exactly these words.
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

// find returns the unit group of exactly these words.
func (ix *index) find(words ...[]string) (soc string, ok bool) {
	p, ok := ix.lookup(words...)
	return p.soc, ok
}

// within does what find does for words that are part of a longer title.
func (ix *index) within(words []string) (soc string, ok bool) {
	if !ix.first[words[0]] {
		return "", false
	}
	p, ok := ix.lookup(words)
	return p.soc, ok && !p.whole
}

// longest returns the longest run of words that is a known title and contains the word at head (any
// word, if head is negative). Of two equally long runs the later one wins: in an English title the
// last words are the most important.
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

// startsWith returns the unit group and length of the longest known title at the start of the
// words; n is 0 if there is none.
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

// The weight of a known title in the first sentences of an advert, and the weight of a word of the
// department's or the employer's name.
const (
	inSentence   = 6
	inDepartment = 0.3
	inEmployer   = 0.2
)

// addContext adds features of the advert apart from its title: the titles in its first sentences
// ("We are looking for a care assistant"), and the words of its department and employer.
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

// wordFeatures appends the features of single words.
func wordFeatures(dst []uint64, words []string) []uint64 {
	for i, w := range words {
		if !terms[w] && !places[w] && !repeated(words, i) {
			dst = append(dst, feature(aWord, w))
		}
	}
	return dst
}
