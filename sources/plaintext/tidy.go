package plaintext

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Tidy collapses white space: runs of spaces, tabs and non-breaking spaces become one space, runs
// that hold a line break become one line break, and none is left at either end. Control, zero-width
// and soft-hyphen characters, which would split a word for a program but not for a reader, are
// dropped, and so is what is not UTF-8. Tidy(Tidy(s)) is Tidy(s).
func Tidy(s string) string {
	t := newTidier()
	defer t.free()
	t.text(s)
	return string(t.out)
}

// tidier tidies a text as it is written.
type tidier struct {
	out []byte
	gap byte // the white space that is due before the next character, 0 for none
}

// tidiers are those that are free: a text is tidied in memory that served others,
// and only the result is kept.
var tidiers = sync.Pool{New: func() any { return new(tidier) }}

func newTidier() *tidier {
	t := tidiers.Get().(*tidier)
	t.out, t.gap = t.out[:0], 0
	return t
}

// mostKept is the size of the largest buffer that waits for another text.
const mostKept = 1 << 16

func (t *tidier) free() {
	if cap(t.out) <= mostKept {
		tidiers.Put(t)
	}
}

func (t *tidier) text(s string) {
	for i := 0; i < len(s); {
		if n := plainRun(s[i:]); n > 0 {
			t.due()
			t.out = append(t.out, s[i:i+n]...)
			i += n
			continue
		}
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f' || r == '\u0085':
			t.space('\n')
		case unicode.IsSpace(r):
			t.space(' ')
		case invisible(r):
		default:
			t.due()
			t.out = append(t.out, s[i:i+n]...)
		}
		i += n
	}
}

// space writes white space; that which parts more stays.
func (t *tidier) space(c byte) {
	if t.gap != '\n' {
		t.gap = c
	}
}

// due writes the white space that is due, which is none at the beginning.
func (t *tidier) due() {
	if t.gap != 0 && len(t.out) > 0 {
		t.out = append(t.out, t.gap)
	}
	t.gap = 0
}

// plainRun is the length of the words of ASCII with one space between them that s begins with.
func plainRun(s string) int {
	i := 0
	for i < len(s) {
		if visible(s[i]) {
			i++
		} else if i > 0 && s[i] == ' ' && i+1 < len(s) && visible(s[i+1]) {
			i += 2
		} else {
			break
		}
	}
	return i
}

// visible says that c is a character of ASCII that is seen.
func visible(c byte) bool { return c > ' ' && c < 0x7f }

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
