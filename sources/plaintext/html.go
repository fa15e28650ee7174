// Package plaintext turns the markup that publishers put into adverts into
// plain text, and takes e-mail addresses and telephone numbers out of it.
//
// Skills are recognised in the plain text of an advert, so the words must come out as a reader sees
// them: one line per block, list items apart, no scripts, no style sheets. Contact details must not
// come out at all, because the records of this program hold no person's data.
package plaintext

import (
	"html"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HTML is the text of a piece of HTML: entities resolved, block elements and
// <br> turned into line breaks, scripts, styles and comments left out, white
// space collapsed as in Tidy. It never fails: what is no markup is text.
func HTML(markup string) string {
	if !strings.ContainsAny(markup, "<&") { // nothing to take out or resolve
		return Tidy(markup)
	}
	r := reader{tidier: newTidier()}
	defer r.free()
	r.read(markup)
	return string(r.out)
}

// EscapedHTML is the text of HTML that was escaped a second time, as one vendor of
// applicant-tracking boards sends it ("&lt;p&gt;R&amp;amp;D&lt;/p&gt;" is the text "R&D"). Markup
// that was not escaped twice gives the same text as HTML, save for entities in its text.
func EscapedHTML(markup string) string { return HTML(html.UnescapeString(markup)) }

// reader reads markup and writes its text.
type reader struct {
	*tidier
	hidden int // how many open elements hide what they hold
}

func (r *reader) read(markup string) {
	z := nethtml.NewTokenizer(strings.NewReader(markup))
	for {
		switch kind := z.Next(); kind {
		case nethtml.ErrorToken:
			if z.Err() != io.EOF {
				r.text(string(z.Raw()))
			}
			return
		case nethtml.TextToken:
			if r.hidden == 0 {
				r.text(string(z.Text()))
			}
		case nethtml.StartTagToken, nethtml.EndTagToken, nethtml.SelfClosingTagToken:
			name, _ := z.TagName()
			r.tag(kind, atom.Lookup(name))
		}
	}
}

// tag writes the break that a tag is, and keeps count of the elements that hide what they hold.
func (r *reader) tag(kind nethtml.TokenType, tag atom.Atom) {
	if c := breakAt(tag); c != 0 {
		r.space(c)
	}
	switch kind {
	case nethtml.StartTagToken:
		r.hidden += hides(tag)
	case nethtml.EndTagToken:
		r.hidden = max(0, r.hidden-hides(tag))
	}
}

// hides is 1 for elements whose content no reader sees.
func hides(tag atom.Atom) int {
	switch tag {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Head, atom.Iframe, atom.Object:
		return 1
	}
	return 0
}

// breakAt is what separates the words on both sides of a tag: a line break for
// blocks, a space for table cells, nothing (0) for <b> within a word.
func breakAt(tag atom.Atom) byte {
	switch tag {
	case atom.Td, atom.Th, atom.Img, atom.Option:
		return ' '
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Br, atom.Caption,
		atom.Dd, atom.Details, atom.Dialog, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption,
		atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Head, atom.Header, atom.Hr, atom.Html, atom.Legend, atom.Li, atom.Main, atom.Menu, atom.Nav,
		atom.Ol, atom.P, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Tfoot,
		atom.Thead, atom.Title, atom.Tr, atom.Ul, atom.Script, atom.Style, atom.Iframe, atom.Object:
		return '\n'
	}
	return 0
}

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
