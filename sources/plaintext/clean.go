package plaintext

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CleanLine cleans a short text, such as a title, for display on one line. It decodes HTML entities
// and removes invisible characters.
func CleanLine(s string) string { return CollapseToOneLine(DecodeEntities(s)) }

// CleanLines decodes HTML entities in a text and removes invisible characters. It keeps line breaks
// and other white space.
func CleanLines(s string) string { return RemoveInvisible(DecodeEntities(s)) }

// RemoveInvisible removes invisible characters and invalid UTF-8 from a text. It keeps white space.
func RemoveInvisible(s string) string {
	return strings.Map(func(r rune) rune {
		if isDropped(r) {
			return -1
		}
		return r
	}, s)
}

func isDropped(r rune) bool { return !isLayout(r) && invisible(r) }

// isLayout reports whether r is a line break or a tab.
func isLayout(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }

// isPlain reports whether a text needs no cleaning. It must be printable ASCII without "&", double
// spaces and spaces at its ends.
func isPlain(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		isPrintable := ' ' <= c && c < 0x7f
		isSecondSpace := c == ' ' && before == ' '
		if !isPrintable || c == '&' || isSecondSpace {
			return false
		}
		before = c
	}
	return s == "" || before != ' '
}

// entity matches an HTML entity with a semicolon, such as &amp;. It does not match in "R&D" or
// "?a=1&copy=2".
var entity = regexp.MustCompile(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// maxDecodings is the maximum number of times that DecodeEntities decodes a text, one for each time
// that the text was escaped.
const maxDecodings = 4

// DecodeEntities decodes HTML entities in a text, even if they were escaped up to four times. It
// keeps unknown entities.
func DecodeEntities(s string) string {
	for range maxDecodings {
		if !strings.Contains(s, "&") {
			return s
		}
		decoded := entity.ReplaceAllStringFunc(s, html.UnescapeString)
		if decoded == s {
			return s
		}
		s = decoded
	}
	return s
}

// FindProblem describes the first reason why a text is not plain, for example "control characters,
// such as NUL". It returns "" for a plain text.
func FindProblem(s string) string {
	switch {
	case isPlain(s):
		return ""
	case strings.ContainsFunc(s, isControl):
		return "control characters, such as NUL"
	case strings.ContainsFunc(s, isDirectionMark):
		return "marks that turn the direction of writing"
	case strings.ContainsRune(s, utf8.RuneError):
		return "halves of characters"
	case DecodeEntities(s) != s:
		return "entities of HTML, such as &amp;"
	}
	return ""
}

func isControl(r rune) bool { return !isLayout(r) && unicode.IsControl(r) }

// isDirectionMark reports whether r is a mark that changes the direction of writing.
func isDirectionMark(r rune) bool {
	isEmbedding := '\u202a' <= r && r <= '\u202e'
	isIsolate := '\u2066' <= r && r <= '\u2069'
	return isEmbedding || isIsolate
}
