// Package plaintext turns the markup that publishers put into adverts into
// plain text, and takes e-mail addresses and telephone numbers out of it.
//
// Skills are recognised in the plain text of an advert, so the words must come
// out as a reader sees them: one line per block, list items apart, no scripts,
// no style sheets. Contact details must not come out at all, because the
// records of this program hold no person's data.
package plaintext

import (
	"html"
	"io"
	"strings"

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
	r.any(r.simple(markup))
	return string(r.out)
}

// EscapedHTML is the text of HTML that was escaped a second time, as one vendor
// of applicant-tracking boards sends it ("&lt;p&gt;R&amp;amp;D&lt;/p&gt;" is
// the text "R&D"). Markup that was not escaped twice gives the same text as HTML,
// save for entities in its text.
func EscapedHTML(markup string) string { return HTML(html.UnescapeString(markup)) }

// reader reads markup and writes its text.
type reader struct {
	*tidier
	hidden int // how many open elements hide what they hold
}

// simple reads markup as far as it is text and simple tags, as nearly all of it is,
// and gives the rest, which begins with a tag of another form.
func (r *reader) simple(markup string) (rest string) {
	for markup != "" {
		n := textEnd(markup)
		r.words(markup[:n])
		if markup = markup[n:]; markup == "" {
			break
		}
		name, kind, n := simpleTag(markup)
		if n == 0 {
			break
		}
		r.tag(kind, atom.Lookup([]byte(name)))
		markup = markup[n:]
	}
	return markup
}

// any reads any markup.
func (r *reader) any(markup string) {
	if markup == "" {
		return
	}
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

// words reads a text between two tags.
func (r *reader) words(s string) {
	switch {
	case s == "" || r.hidden > 0:
	case strings.IndexByte(s, '&') >= 0:
		r.text(nethtml.UnescapeString(s))
	default:
		r.text(s)
	}
}

// tag writes the break that a tag is, and keeps count of the elements that hide
// what they hold.
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

// textEnd is the length of the text that s begins with: it ends at a < that
// begins a tag, a comment or the like.
func textEnd(s string) int {
	for i := 0; i < len(s); i++ {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 {
			return len(s)
		}
		if i += n; i+1 < len(s) && (letter(s[i+1]|0x20) || s[i+1] == '/' || s[i+1] == '!' || s[i+1] == '?') {
			return i
		}
	}
	return len(s)
}

// simpleTag is the tag that s begins with: <name>, </name>, <name/> or a name with
// attributes in double quotes, in lower case. n is its length, 0 when it is written
// in another way or when what follows is not read as markup.
func simpleTag(s string) (name string, kind nethtml.TokenType, n int) {
	kind = nethtml.StartTagToken
	from := 1
	if s[1] == '/' {
		kind, from = nethtml.EndTagToken, 2
	}
	i := from
	for i < len(s) && (letter(s[i]) || i > from && s[i] >= '0' && s[i] <= '9') {
		i++
	}
	name = s[from:i]
	if i = attributes(s, i); i < len(s) && s[i] == '/' && kind == nethtml.StartTagToken {
		kind = nethtml.SelfClosingTagToken
		i++
	}
	if name == "" || i >= len(s) || s[i] != '>' || kind != nethtml.EndTagToken && raw(name) {
		return "", 0, 0
	}
	return name, kind, i + 1
}

// attributes is where the attributes that begin at i of s end, as far as they are
// written as ` name="value"`; white space behind them included.
func attributes(s string, i int) int {
	for {
		from := i
		for i < len(s) && s[i] == ' ' {
			i++
		}
		begin := i
		for i < len(s) && (letter(s[i]) || s[i] == '-') {
			i++
		}
		if begin == from || i == begin {
			return begin
		}
		if !strings.HasPrefix(s[i:], `="`) {
			return begin
		}
		n := strings.IndexByte(s[i+2:], '"')
		if n < 0 {
			return begin
		}
		i += n + 3
	}
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' }

// raw says that what follows the element's tag is read otherwise than markup.
func raw(name string) bool {
	switch name {
	case "iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "textarea", "title", "xmp":
		return true
	}
	return false
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
