package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tidy collapses white space: runs of spaces, tabs and non-breaking spaces
// become one space, runs that hold a line break become one line break, and none
// is left at either end. Control, zero-width and soft-hyphen characters, which
// would split a word for a program but not for a reader, are dropped, and so is
// what is not UTF-8. Tidy(Tidy(s)) is Tidy(s).
func Tidy(s string) string {
	if isTidy(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := byte(0) // the white space that is due before the next character
	for _, r := range s {
		switch {
		case r > ' ' && r < 0x7f && gap == 0:
			b.WriteByte(byte(r))
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f' || r == '\u0085':
			gap = '\n'
		case unicode.IsSpace(r):
			if gap == 0 {
				gap = ' '
			}
		case invisible(r):
		default:
			if gap != 0 && b.Len() > 0 {
				b.WriteByte(gap)
			}
			gap = 0
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isTidy recognises the common cases, short ASCII fields and ASCII text that was
// tidied before, without copying them.
func isTidy(s string) bool {
	space := true // white space before the first character would be untidy
	for i := range len(s) {
		c := s[i]
		switch {
		case c == ' ' || c == '\n':
			if space {
				return false
			}
			space = true
		case c < ' ' || c >= 0x7f:
			return false
		default:
			space = false
		}
	}
	return s == "" || !space
}

// invisible says that a reader does not see r. The replacement character stands
// for bytes that were no UTF-8.
func invisible(r rune) bool {
	return r == utf8.RuneError || r == '\u00ad' || unicode.Is(unicode.Cc, r) ||
		r >= '\u200b' && r <= '\u200f' || r == '\u2060' || r == '\ufeff'
}

// Line is Tidy on one line, for titles, names and places.
func Line(s string) string {
	s = Tidy(s)
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\n", " ")
}

// Join puts the parts that hold text under each other.
func Join(parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n")
}
