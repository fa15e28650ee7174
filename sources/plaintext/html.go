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
	var b strings.Builder
	b.Grow(len(markup))
	z := nethtml.NewTokenizer(strings.NewReader(markup))
	hidden := 0
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			if z.Err() != io.EOF {
				b.Write(z.Raw())
			}
			return Tidy(b.String())
		case nethtml.TextToken:
			if hidden == 0 {
				b.Write(z.Text())
			}
		case nethtml.StartTagToken:
			name, _ := z.TagName()
			hidden += open(&b, atom.Lookup(name))
		case nethtml.EndTagToken:
			name, _ := z.TagName()
			hidden = max(0, hidden-closing(&b, atom.Lookup(name)))
		case nethtml.SelfClosingTagToken:
			name, _ := z.TagName()
			breakAt(&b, atom.Lookup(name))
		}
	}
}

// EscapedHTML is the text of HTML that was escaped a second time, as one vendor
// of applicant-tracking boards sends it ("&lt;p&gt;R&amp;amp;D&lt;/p&gt;" is
// the text "R&D"). Markup that was not escaped twice gives the same text as HTML,
// save for entities in its text.
func EscapedHTML(markup string) string { return HTML(html.UnescapeString(markup)) }

// open writes the break before an element and says by how much the text is hidden.
func open(b *strings.Builder, tag atom.Atom) int {
	breakAt(b, tag)
	return hides(tag)
}

// closing writes the break after an element and says by how much less the text is hidden.
func closing(b *strings.Builder, tag atom.Atom) int {
	breakAt(b, tag)
	return hides(tag)
}

// hides is 1 for elements whose content no reader sees.
func hides(tag atom.Atom) int {
	switch tag {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Head, atom.Iframe, atom.Object:
		return 1
	}
	return 0
}

// breakAt writes what separates the words on both sides of a tag: a line break
// for blocks, a space for table cells, nothing for <b> within a word.
func breakAt(b *strings.Builder, tag atom.Atom) {
	switch tag {
	case atom.Td, atom.Th, atom.Img, atom.Option:
		b.WriteByte(' ')
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Br, atom.Caption,
		atom.Dd, atom.Details, atom.Dialog, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption,
		atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Head, atom.Header, atom.Hr, atom.Html, atom.Legend, atom.Li, atom.Main, atom.Menu, atom.Nav,
		atom.Ol, atom.P, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Tfoot,
		atom.Thead, atom.Title, atom.Tr, atom.Ul, atom.Script, atom.Style, atom.Iframe, atom.Object:
		b.WriteByte('\n')
	}
}
