package skill

import "unicode/utf8"

// token is one word of the text.
type token struct {
	word       uint32 // number in the vocabulary, 0 for a word no phrase uses
	start, end uint32 // bytes of the text
	gap        gap    // what stood between the previous word and this one
}

// gap is a set of separators.
type gap uint8

const (
	gapLine  gap = 1 << iota // line break or start of text
	gapStop                  // end of a sentence, line break included
	gapOpen                  // opening bracket
	gapPause                 // semicolon, dash with spaces
	gapColon                 // colon
	gapComma
	gapBullet // mark of a list item
)

// asciiGap is what a separator byte adds to a gap. Full stops, exclamation and
// question marks depend on what follows and are judged by endsSentence.
var asciiGap = [utf8.RuneSelf]gap{
	'\n': gapLine | gapStop, '\r': gapLine | gapStop, '\v': gapLine | gapStop, '\f': gapLine | gapStop,
	'(': gapOpen, '[': gapOpen, ';': gapPause, ':': gapColon, ',': gapComma, '|': gapPause,
}

// reader cuts a text into tokens. Behind the text are padding bytes more.
type reader struct {
	reg  *Register
	text []byte
	pos  int
	last uint32 // number of the last word read
}

// padding is how many bytes may be read behind the end of a text.
const padding = 9

// next reads the following word. ok is false at the end of the text, where the
// token carries only its gap.
func (rd *reader) next() (t token, ok bool) {
	text, i := rd.text, rd.pos
	if i+1 < len(text) && text[i] == ' ' && asciiFold[text[i+1]] != 0 {
		rd.word(i+1, &t) // as between most words
		return t, true
	}
	for i < len(text) {
		c := text[i]
		if asciiFold[c] != 0 {
			break
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			if isWordRune(r) {
				break
			}
			t.gap |= wideGap(r)
			i += size
			continue
		}
		if c == '&' && rd.ampersand(i, &t) {
			return t, true
		}
		if c == '.' || c == '!' || c == '?' {
			if c == '.' && rd.dotted(i, &t) {
				return t, true
			}
			if rd.endsSentence(i) {
				t.gap |= gapStop
			}
		} else if (c == '-' || c == '*') && (i == 0 || t.gap&gapLine != 0) {
			t.gap |= gapBullet
		} else if c == '-' && text[i-1] == ' ' {
			t.gap |= gapPause
		}
		t.gap |= asciiGap[c]
		i++
	}
	if i >= len(text) {
		rd.pos = i
		t.gap |= gapLine | gapStop
		return t, false
	}
	rd.word(i, &t)
	return t, true
}

// ampersand reads a sign for "and" that stands alone at i, also as HTML writes it.
func (rd *reader) ampersand(i int, t *token) bool {
	end := i + 1
	if rest := rd.text[end:]; len(rest) >= 4 && string(rest[:4]) == "amp;" {
		end += 4
	}
	if rd.wordAt(end) {
		return false
	}
	rd.take(t, rd.reg.cues.and, i, end)
	return true
}

// wideGap is what a separator outside ASCII adds to a gap: list bullets and
// line separators part sentences, dashes part clauses.
func wideGap(r rune) gap {
	switch r {
	case '•', '·', '▪', '●', '◦', '‣', '■', '¨', '§', '○', '∙', '►', '➢', '✓', '✔', '❖', '\uf0b7', '\uf0a7', '\uf0d8', '\uf0fc':
		return gapLine | gapStop | gapBullet
	case '\u2028', '\u2029', '\u0085':
		return gapLine | gapStop
	case '–', '—':
		return gapPause
	}
	return 0
}

// endsSentence judges a full stop, exclamation or question mark at i: it ends
// a sentence before a space or the end, unless it closes an abbreviation.
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

// endsWord has the characters of ASCII that end a word, whatever follows them.
var endsWord = func() (t [256]bool) {
	for c := range utf8.RuneSelf {
		t[c] = asciiFold[c] == 0 && !isJoiner(rune(c)) && c != '\'' && c != ':'
	}
	return t
}()

// dotted reads a word that starts with a full stop, such as ".NET", if the register knows it.
func (rd *reader) dotted(i int, t *token) bool {
	if i > 0 && asciiFold[rd.text[i-1]] != 0 {
		return false
	}
	h, j := rd.letters(i+1, hashWord("."))
	id := rd.reg.words.byHash.get(h)
	if id == 0 || j == i+1 {
		return false
	}
	rd.take(t, id, i, j)
	return true
}

// foldRun hashes the ASCII letters and digits from i on.
func foldRun(text []byte, i int, h uint64) (hash uint64, end int) {
	for i < len(text) {
		c := asciiFold[text[i]]
		if c == 0 {
			break
		}
		h = (h ^ uint64(c)) * hashPrime
		i++
	}
	return h, i
}

func (rd *reader) word(i int, t *token) {
	text := rd.text
	ahead := text[i : i+padding]
	if packed, n := shortWord(ahead); endsWord[ahead[n]] { // as most words are
		rd.take(t, rd.reg.words.short.get(packed), i, i+n)
		return
	}
	h, j := foldRun(text, i, hashStart)
	for j < len(text) {
		c := text[j]
		if c == ' ' {
			break
		}
		if c < utf8.RuneSelf && c != '\'' {
			if isJoiner(rune(c)) {
				rd.joined(i, j, h, t)
				return
			}
			break
		}
		r, size := utf8.DecodeRune(text[j:])
		if isApostrophe(r) {
			if j+size >= len(text) || asciiFold[text[j+size]] == 0 {
				break
			}
		} else {
			if !isWordRune(r) {
				break
			}
			h = hashRune(h, r)
		}
		h, j = foldRun(text, j+size, h)
	}
	if j+2 < len(text) && text[j] == ':' && text[j+1] == '/' && text[j+2] == '/' {
		for j < len(text) && text[j] > ' ' {
			j++
		}
		rd.take(t, 0, i, j) // a web address says nothing about skills: "....html"
		return
	}
	rd.take(t, rd.reg.words.byHash.get(h), i, j)
}

// hashRune adds the folded form of r to a hash.
func hashRune(h uint64, r rune) uint64 {
	var buf [16]byte
	for _, c := range appendFolded(buf[:0], r) {
		h = (h ^ uint64(c)) * hashPrime
	}
	return h
}

// joined extends the word text[i:j] over joiners ("c++", "node.js", "ci/cd")
// as far as the result is a word of the register, and reads it.
func (rd *reader) joined(i, j int, h uint64, t *token) {
	id, end := rd.reg.words.byHash.get(h), j
	const joiners = 3 // "c++11" has two, "a.b.c.d" three
	for range joiners {
		if j >= len(rd.text) || rd.text[j] >= utf8.RuneSelf || !isJoiner(rune(rd.text[j])) {
			break
		}
		h, j = (h^uint64(rd.text[j]))*hashPrime, j+1
		if plain := rd.reg.words.byHash.get(h); plain != 0 && !rd.wordAt(j) {
			id, end = plain, j
		}
		run := j
		if h, j = rd.letters(j, h); j > run {
			if longer := rd.reg.words.byHash.get(h); longer != 0 {
				id, end = longer, j
			}
		}
	}
	rd.take(t, id, i, end)
}

// letters hashes the letters, digits and marks from i on, in ASCII or not.
func (rd *reader) letters(i int, h uint64) (hash uint64, end int) {
	for h, i = foldRun(rd.text, i, h); rd.wideAt(i); h, i = foldRun(rd.text, i, h) {
		r, size := utf8.DecodeRune(rd.text[i:])
		if i += size; !isApostrophe(r) {
			h = hashRune(h, r)
		}
	}
	return h, i
}

// wordAt says whether a letter or digit stands at j.
func (rd *reader) wordAt(j int) bool {
	return j < len(rd.text) && asciiFold[rd.text[j]] != 0 || rd.wideAt(j)
}

// wideAt says whether a letter outside ASCII stands at j.
func (rd *reader) wideAt(j int) bool {
	if j >= len(rd.text) || rd.text[j] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRune(rd.text[j:])
	return isWordRune(r)
}

// take fills the token and moves on behind it.
func (rd *reader) take(t *token, id uint32, start, end int) {
	t.word, t.start, t.end = id, uint32(start), uint32(end)
	rd.last, rd.pos = id, end
}
