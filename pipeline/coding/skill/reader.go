package skill

import (
	"bytes"
	"unicode/utf8"
)

// token is one word of an advert's text, with its position in the text.
type token struct {
	word       uint32 // number of the word in the vocabulary; 0 for a word that is in no phrase
	start, end uint32 // byte positions in the text of the word's start and of its end
	gap        gap    // separators between the previous word and this one
}

// gap is a set of flags for the separators between two words, such as commas and line breaks.
type gap uint8

const (
	gapLine  gap = 1 << iota // separator: line break, or start of the text
	gapStop                  // separator: end of a sentence, such as a full stop or a line break
	gapOpen                  // separator: opening bracket
	gapPause                 // separator: semicolon, or dash with spaces
	gapColon                 // separator: colon
	gapComma
	gapBullet // separator: bullet of a list item
)

// asciiGap maps each ASCII character to its flags as a separator. ".", "!" and "?" have none here,
// because they do not always end a sentence.
var asciiGap = [utf8.RuneSelf]gap{
	'\n': gapLine | gapStop, '\r': gapLine | gapStop, '\v': gapLine | gapStop, '\f': gapLine | gapStop,
	'(': gapOpen, '[': gapOpen, ';': gapPause, ':': gapColon, ',': gapComma, '|': gapPause,
}

// reader splits the text of an advert into words.
type reader struct {
	reg  *Register
	text []byte
	pos  int
	last uint32 // vocabulary number of the last word read
	hash uint64 // hash of the word being read
}

// next returns the next word of the text. At the end of the text, ok is false, and t has only the
// separators after the last word.
func (rd *reader) next() (t token, ok bool) {
	text := rd.text
	for i := rd.pos; i < len(text); i++ {
		c := text[i]
		switch {
		case c == ' ':
		case asciiFold[c] != 0, c >= utf8.RuneSelf && rd.wordAt(i):
			rd.word(i, &t)
			return t, true
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(text[i:])
			t.gap |= wideGap(r)
			i += size - 1
		case c == '&' && rd.ampersand(i, &t), c == '.' && rd.readDotted(i, &t):
			return t, true
		case c == '.' || c == '!' || c == '?':
			if rd.endsSentence(i) {
				t.gap |= gapStop
			}
		case isBullet(c) && (i == 0 || t.gap&gapLine != 0):
			t.gap |= gapBullet
		case c == '-' && text[i-1] == ' ':
			t.gap |= gapPause
		default:
			t.gap |= asciiGap[c]
		}
	}
	rd.pos = len(text)
	t.gap |= gapLine | gapStop
	return t, false
}

// ampersand reads an "&" or "&amp;" at byte i into t, as the word "and". It returns false if a
// letter or digit follows.
func (rd *reader) ampersand(i int, t *token) bool {
	end := i + 1
	if bytes.HasPrefix(rd.text[end:], []byte("amp;")) {
		end += 4
	}
	if rd.wordAt(end) {
		return false
	}
	rd.setWord(t, rd.reg.cues.and, i, end)
	return true
}

// wideGap returns the separator flags of a non-ASCII character, such as a bullet or a dash. It
// returns 0 for any other character.
func wideGap(r rune) gap {
	switch r {
	case '•', '·', '▪', '●', '◦', '‣', '■', '¨', '§', '○', '∙', '►', '➢', '✓', '✔', '❖',
		'\uf0b7', '\uf0a7', '\uf0d8', '\uf0fc':
		return gapLine | gapStop | gapBullet
	case '\u2028', '\u2029', '\u0085':
		return gapLine | gapStop
	case '–', '—':
		return gapPause
	}
	return 0
}

// endsSentence reports whether the punctuation mark at byte i ends a sentence. It returns false for
// the full stop of an abbreviation.
func (rd *reader) endsSentence(i int) bool {
	if rd.text[i] == '.' && rd.reg.cues.is(rd.last, isAbbrev) {
		return false
	}
	if i+1 >= len(rd.text) {
		return true
	}
	switch rd.text[i+1] {
	case ' ', '\n', '\r', '\t', '"', ')', '\'':
		return true
	}
	return rd.text[i+1] >= utf8.RuneSelf
}

// readDotted reads a word that starts with a full stop, such as ".NET", into t. It returns false if
// the vocabulary does not have the word.
func (rd *reader) readDotted(i int, t *token) bool {
	if i > 0 && asciiFold[rd.text[i-1]] != 0 {
		return false
	}
	rd.hash = hashWord(".")
	end := rd.letters(i + 1)
	id := rd.wordNumber()
	if id == 0 || end == i+1 {
		return false
	}
	rd.setWord(t, id, i, end)
	return true
}

// word reads the word that begins at byte i of the text into t.
func (rd *reader) word(i int, t *token) {
	rd.hash = hashStart
	text, end := rd.text, rd.letters(i)
	for end < len(text) && (text[end] == '\'' || text[end] >= utf8.RuneSelf) {
		r, size := utf8.DecodeRune(text[end:])
		if !isApostrophe(r) || end+size >= len(text) || asciiFold[text[end+size]] == 0 {
			break
		}
		end = rd.letters(end + size)
	}
	id := rd.wordNumber()
	switch {
	case end == len(text) || text[end] == ' ': // true for most words
	case isJoiner(rune(text[end])):
		id, end = rd.extendWord(id, end)
	case bytes.HasPrefix(text[end:], []byte("://")): // a web address is not evidence of skills: "....html"
		for id = 0; end < len(text) && text[end] > ' '; end++ {
		}
	}
	rd.setWord(t, id, i, end)
}

// extendWord extends a word over joining characters, as in "c++" and "node.js". id is the number of
// the word so far, and j is its end. It returns the longest word in the vocabulary and its end.
func (rd *reader) extendWord(id uint32, j int) (longestID uint32, end int) {
	end = j
	const joiners = 3 // "c++11" has two, "a.b.c.d" three
	for range joiners {
		if j >= len(rd.text) || !isJoiner(rune(rd.text[j])) {
			break
		}
		rd.hash, j = (rd.hash^uint64(rd.text[j]))*hashPrime, j+1
		if plain := rd.wordNumber(); plain != 0 && !rd.wordAt(j) {
			id, end = plain, j
		}
		run := j
		if j = rd.letters(j); j > run {
			if longer := rd.wordNumber(); longer != 0 {
				id, end = longer, j
			}
		}
	}
	return id, end
}

// wordNumber returns the vocabulary number of the word just read, or 0 if the vocabulary does not
// have it.
func (rd *reader) wordNumber() uint32 { return rd.reg.words.byHash.get(rd.hash) }

// letters reads letters and digits from byte i on. It returns the position of the first byte after
// them.
func (rd *reader) letters(i int) (end int) {
	h, text := rd.hash, rd.text
	for i < len(text) {
		if c := asciiFold[text[i]]; c != 0 {
			h = (h ^ uint64(c)) * hashPrime
			i++
			continue
		}
		if text[i] < utf8.RuneSelf || !rd.wordAt(i) {
			break
		}
		r, size := utf8.DecodeRune(text[i:])
		var buf [16]byte
		for _, c := range appendFolded(buf[:0], r) {
			h = (h ^ uint64(c)) * hashPrime
		}
		i += size
	}
	rd.hash = h
	return i
}

// wordAt reports whether byte j starts a letter, digit or combining mark. It returns false for an
// apostrophe.
func (rd *reader) wordAt(j int) bool {
	if j >= len(rd.text) || rd.text[j] < utf8.RuneSelf {
		return j < len(rd.text) && asciiFold[rd.text[j]] != 0
	}
	r, _ := utf8.DecodeRune(rd.text[j:])
	return isWordRune(r)
}

// setWord sets t to the word text[start:end]. id is the word's number in the vocabulary. Reading
// continues after the word.
func (rd *reader) setWord(t *token, id uint32, start, end int) {
	t.word = id
	t.start = uint32(start)
	t.end = uint32(end)
	rd.last, rd.pos = id, end
}
