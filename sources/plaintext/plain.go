package plaintext

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain returns a publisher's name, title or other short text as it is displayed: HTML entities
// decoded, without control characters and marks that change the direction of writing, on one line.
// Plain(Plain(s)) is Plain(s).
func Plain(s string) string {
	if isPlain(s) {
		return s
	}
	return Line(Entities(s))
}

// Lines does what Plain does for a text of several lines. White space is not changed.
func Lines(s string) string { return Visible(Entities(s)) }

// Visible returns s without characters that should not be stored or displayed: bytes that are not
// UTF-8, control characters other than tabs and line breaks, invisible marks. Other white space is
// not changed.
func Visible(s string) string {
	if !strings.ContainsFunc(s, isDropped) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isDropped(r) {
			return -1
		}
		return r
	}, s)
}

func isDropped(r rune) bool {
	return r != '\n' && r != '\r' && r != '\t' && invisible(r)
}

// isPlain reports whether s is printable ASCII with single spaces inside it, as nearly every text is.
func isPlain(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == '&' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return s == "" || before != ' '
}

// entity matches an entity that ends in a semicolon. "R&D" and "?a=1&copy=2" contain none.
var entity = regexp.MustCompile(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// deepest is the largest number of times that a text may have been escaped.
const deepest = 4

// Entities returns s with HTML entities decoded, also those that were escaped several times. An
// unknown entity is not changed.
func Entities(s string) string {
	for range deepest {
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

// Problem names the first kind of content that a plain text must not have; "" if there is none.
func Problem(s string) string {
	switch {
	case isPlain(s):
		return ""
	case strings.ContainsFunc(s, isControl):
		return "control characters, such as NUL"
	case strings.ContainsFunc(s, turns):
		return "marks that turn the direction of writing"
	case strings.ContainsRune(s, utf8.RuneError):
		return "halves of characters"
	case Entities(s) != s:
		return "entities of HTML, such as &amp;"
	}
	return ""
}

func isControl(r rune) bool { return r != '\n' && r != '\r' && r != '\t' && unicode.IsControl(r) }

// turns reports whether r overrides, embeds or isolates a direction of writing.
func turns(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
