package skill

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The constants of the hash function for words.
const (
	// hashStart is the start value of the 64-bit FNV-1a hash function, which hashes words.
	hashStart uint64 = 14695981039346656037
	// hashPrime is the prime of the 64-bit FNV-1a hash function, which hashes words.
	hashPrime uint64 = 1099511628211
)

// hashWord returns the hash of a normalised word. The type reader computes the same hash while it
// reads a text.
func hashWord(word string) uint64 {
	h := hashStart
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * hashPrime
	}
	return h
}

// asciiFold maps an ASCII letter or digit to lower case, and any other byte to 0.
var asciiFold = func() (t [256]byte) {
	for c := '0'; c <= '9'; c++ {
		t[c] = byte(c)
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = byte(c), byte(c)
	}
	return t
}()

// isApostrophe reports whether r is an apostrophe. Words are compared without apostrophes: "don't"
// is the same as "dont".
func isApostrophe(r rune) bool {
	switch r {
	case '\'', '’', 'ʼ', '‘':
		return true
	}
	return false
}

// isBullet reports whether c is a bullet that may start a list item.
func isBullet(c byte) bool { return c == '-' || c == '*' }

// isWordRune reports whether r is a letter, a digit or a combining mark.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiFold[byte(r)] != 0
	}
	if isApostrophe(r) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// appendFolded appends r to dst in lower case and without accents. It skips combining marks.
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

// isJoiner reports whether c is a punctuation character that may be part of a word. Examples are in
// "node.js", "ci/cd" and "c++".
func isJoiner(c rune) bool {
	switch c {
	case '.', '&', '/', '+', '#':
		return true
	}
	return false
}

// splitWords splits a phrase into words. A hyphen separates words, so "full-time" and "full time"
// are the same.
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

// foldWord returns a word in lower case, without accents and apostrophes. It keeps other characters
// inside a word, such as "+" and "&". The packages place and occupation normalise texts in other
// ways. This one must be fast, because it normalises the whole text of every advert.
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
