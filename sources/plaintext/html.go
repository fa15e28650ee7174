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
