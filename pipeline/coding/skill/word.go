package skill

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalised words are hashed with 64-bit FNV-1a, because it accepts one folded byte at a time
// while the text is read.
const (
	hashStart uint64 = 14695981039346656037
	hashPrime uint64 = 1099511628211
)

// hashWord hashes a normalised word as the text reader does.
func hashWord(word string) uint64 {
	h := hashStart
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * hashPrime
	}
	return h
}

// asciiFold maps a letter or digit to its lower case and everything else to 0.
var asciiFold = func() (t [256]byte) {
	for c := '0'; c <= '9'; c++ {
		t[c] = byte(c)
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = byte(c), byte(c)
	}
	return t
}()

// isApostrophe reports whether r is left out inside a word ("don't", "driver's").
func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' || r == '‘' }

// isWordRune reports whether r is part of a word: letters, digits and the marks
// that follow a letter in decomposed text.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiFold[byte(r)] != 0
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)) && !isApostrophe(r)
}

// appendFolded appends r in lower case and without accents. A combining mark
// adds nothing, so composed and decomposed text give the same word. Skills have a folding of their
// own, character by character, since the whole text of every advert passes through it.
func appendFolded(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(dst, asciiFold[byte(r)])
	}
	if unicode.Is(unicode.Mn, r) {
		return dst
	}
	var raw [utf8.UTFMax]byte
	n := utf8.EncodeRune(raw[:], unicode.ToLower(r))
	parts := norm.NFD.Properties(raw[:n]).Decomposition()
	if parts == nil {
		return append(dst, raw[:n]...)
	}
	for len(parts) > 0 {
		base, size := utf8.DecodeRune(parts)
		if !unicode.Is(unicode.Mn, base) {
			dst = append(dst, parts[:size]...)
		}
		parts = parts[size:]
	}
	return dst
}

// isJoiner reports whether c can be part of a register word such as "node.js", "a&e", "ci/cd",
// "c++" and "c#". In text it joins only if the register has the joined word.
func isJoiner(c rune) bool {
	return c == '.' || c == '&' || c == '/' || c == '+' || c == '#'
}

// splitWords splits a register phrase into its raw words: at everything that is neither letter,
// digit, joiner nor apostrophe. A hyphen separates words, as it does in text, so "full-time" and
// "full time" are the same phrase.
func splitWords(phrase string) []string {
	fields := strings.FieldsFunc(phrase, func(r rune) bool {
		return !isWordRune(r) && !isJoiner(r) && !isApostrophe(r)
	})
	words := fields[:0]
	for _, field := range fields {
		if field == "&" {
			field = "and"
		}
		if foldWord(field) != "" {
			words = append(words, field)
		}
	}
	return words
}

// foldWord normalises one raw word: lower case, no accents, no apostrophes. Joiners are kept,
// except full stops at the end.
func foldWord(raw string) string {
	raw = strings.TrimRight(raw, "./&")
	out := make([]byte, 0, len(raw))
	for _, r := range raw {
		switch {
		case isJoiner(r):
			out = append(out, byte(r))
		case !isApostrophe(r):
			out = appendFolded(out, r)
		}
	}
	return string(out)
}
