package occupation

import (
	"strings"
)

// phrase is a known job title: its normalised words and its occupation code.
type phrase struct {
	words []string
	soc   string
	whole bool // true if the title counts only as a whole job title, not as part of a longer one
}

// longestPhrase is the largest number of words in a known job title.
const longestPhrase = 10

// index finds known job titles by their words.
type index struct {
	phrases []phrase
	// index in phrases of each known job title, by its words, separated by spaces
	byKey    map[string]int32
	first    map[string]bool // first words of all known job titles
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

// lookup returns the known job title that has exactly these words. The slices in words are joined.
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

// find returns the occupation code of the known job title that has exactly these words.
func (ix *index) find(words ...[]string) (soc string, ok bool) {
	p, ok := ix.lookup(words...)
	return p.soc, ok
}

// innerTitleCode returns the occupation code of the known job title that has exactly these words.
// It ignores titles that may not be matched inside a longer title.
func (ix *index) innerTitleCode(words []string) (soc string, ok bool) {
	if !ix.first[words[0]] {
		return "", false
	}
	p, ok := ix.lookup(words)
	return p.soc, ok && !p.whole
}

// longest finds the longest known job title inside words, and returns its bounds and occupation
// code. The title must contain the word at index head, unless head is negative. If two titles are
// equally long, longest returns the later one. If there is no title, soc is "".
func (ix *index) longest(words []string, head int) (from, to int, soc string) {
	for n := min(len(words), longestPhrase); n > 0; n-- {
		for i := len(words) - n; i >= 0; i-- {
			if head >= 0 && (head < i || head >= i+n) {
				continue
			}
			if soc, ok := ix.innerTitleCode(words[i : i+n]); ok {
				return i, i + n, soc
			}
		}
	}
	return 0, 0, ""
}

// startsWith finds the longest known job title of two words or more at the start of words. It
// returns the title's occupation code and number of words. n is 0 if there is no such title.
func (ix *index) startsWith(words []string) (soc string, n int) {
	if !ix.first[words[0]] { // true for most words of a text
		return "", 0
	}
	for n = min(len(words), longestPhrase); n > 1; n-- {
		if soc, ok := ix.innerTitleCode(words[:n]); ok {
			return soc, n
		}
	}
	return "", 0
}

// The weights of texts outside the job title. A word of the title has the weight 1.
const (
	// inSentence is added to an occupation's score for each of its job titles in the advert's first
	// sentences.
	inSentence = 6
	// inDepartment is the weight of a word in the department's name. A word of the title has the
	// weight 1.
	inDepartment = 0.3
	// inEmployer is the weight of a word in the employer's name. A word of the title has the weight
	// 1.
	inEmployer = 0.2
)

// addContext adds an advert's other texts to the scores of occupations. It uses the words of the
// department's and employer's names, and known job titles of at least two words in the first
// sentences of the text.
func (r *Register) addContext(scores []float32, in AdvertContext) {
	var room [64]uint64
	m := r.model()
	m.add(scores, wordFeatures(room[:0], foldWords(in.Department)), inDepartment)
	m.add(scores, wordFeatures(room[:0], foldWords(in.Employer)), inEmployer)
	words := foldWords(in.Text)
	for len(words) > 1 {
		soc, n := r.index.startsWith(words)
		if n > 0 {
			scores[m.number[soc]] += inSentence
		}
		words = words[max(n, 1):]
	}
}

// wordFeatures appends a hash of each different word to dst. It skips words for contract and place.
func wordFeatures(dst []uint64, words []string) []uint64 {
	for i, w := range words {
		if !terms[w] && !places[w] && !isRepeated(words, i) {
			dst = append(dst, feature(wordFeature, w))
		}
	}
	return dst
}
