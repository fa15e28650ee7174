package place

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalise returns a place name in lower case, without accents, full stops and apostrophes. "&"
// becomes "and", and other punctuation becomes a space. "St. Albans" and "St Albans" become the
// same. The packages occupation and skill normalise texts differently, because punctuation has a
// meaning in job titles and skills, but not in place names.
func normalise(s string) string {
	s = norm.NFKD.String(s)
	b := make([]byte, 0, len(s)+8)
	word := false // the last byte is part of a word
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			b = append(startWord(b, word), byte(r))
		case 'A' <= r && r <= 'Z':
			b = append(startWord(b, word), byte(r)+'a'-'A')
		case r == '&':
			b = append(startWord(b, false), "and"...)
			word = false
			continue
		case r == '\'', r == '.', r == '’', unicode.Is(unicode.Mn, r):
			continue
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b = utf8.AppendRune(startWord(b, word), unicode.ToLower(r))
		default:
			word = false
			continue
		}
		word = true
	}
	return string(b)
}

// startWord returns b with a space at its end if a new word starts. word is true if the previous
// character belongs to the same word. At the start of the text it appends no space.
func startWord(b []byte, word bool) []byte {
	if !word && len(b) > 0 {
		return append(b, ' ')
	}
	return b
}

// wordEnd returns the index after the word that begins at byte i of text, or i if no word begins
// there.
func wordEnd(text string, i int) int {
	for i < len(text) && isWordByte(text[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool   { return '0' <= c && c <= '9' }
func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// isWordByte reports whether a byte is part of a word. Every non-ASCII byte counts as a letter.
func isWordByte(c byte) bool { return wordBytes[c] }

var wordBytes = func() (t [256]bool) {
	for i := range t {
		c := byte(i)
		t[i] = isDigit(c) || isCapital(c) || 'a' <= c && c <= 'z' || c >= utf8.RuneSelf
	}
	return t
}()

// lines returns the rows of a tab-separated table. It skips comments, which begin with "#".
func lines(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return rows
}
