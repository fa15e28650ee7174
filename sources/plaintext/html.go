// Package plaintext converts the HTML of job adverts to plain text, and masks email addresses and
// telephone numbers in it. Skills are recognised in this text, so its words must be those that a
// reader sees, without scripts and style sheets. Contact details are masked because no personal
// data may be stored.
package plaintext

import (
	"cmp"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
)

// FromHTML returns the text that a reader sees in HTML. Blocks and <br> become line breaks.
// Scripts, styles and comments are removed. White space is collapsed as in CollapseSpace.
func FromHTML(markup string) string {
	if !strings.ContainsAny(markup, "<&") { // nothing to remove or decode
		return CollapseSpace(markup)
	}
	var text strings.Builder
	hidden := 0 // number of open elements whose content is hidden
	for z := nethtml.NewTokenizer(strings.NewReader(markup)); ; {
		kind := z.Next()
		switch {
		case kind == nethtml.ErrorToken: // the end, since a string has no other error
			return CollapseSpace(text.String())
		case kind == nethtml.TextToken && hidden == 0:
			text.Write(z.Text())
		case kind == nethtml.StartTagToken, kind == nethtml.EndTagToken, kind == nethtml.SelfClosingTagToken:
			name, _ := z.TagName()
			text.WriteString(breaks[string(name)])
			switch {
			case !slices.Contains(hiddenElements, string(name)):
			case kind == nethtml.StartTagToken:
				hidden++
			case kind == nethtml.EndTagToken:
				hidden = max(0, hidden-1)
			}
		}
	}
}

// FromEscapedHTML returns the text of HTML that was escaped a second time, as Greenhouse sends it.
// For example, "&lt;p&gt;R&amp;amp;D&lt;/p&gt;" gives "R&D".
func FromEscapedHTML(markup string) string { return FromHTML(html.UnescapeString(markup)) }

// hiddenElements lists HTML elements whose content is not displayed, such as script.
var hiddenElements = strings.Fields("script style template noscript head iframe object")

// breaks maps an HTML tag to the white space that replaces it: a line break for blocks, a space for
// table cells. Tags that are not in the map, such as <b>, are removed.
var breaks = func() map[string]string {
	breaks := map[string]string{"td": " ", "th": " ", "img": " ", "option": " "}
	for block := range strings.FieldsSeq(
		"address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption " +
			"figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol p pre section summary " +
			"table tbody tfoot " +
			"thead title tr ul script style iframe object") {
		breaks[block] = "\n"
	}
	return breaks
}()

// CollapseSpace replaces each run of white space by one space, or by one line break if the run
// contains one. It trims both ends. It also removes invisible characters and invalid UTF-8.
func CollapseSpace(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := "" // white space to write before the next character
	for _, r := range s {
		switch {
		case r == '\n', r == '\r', r == '\v', r == '\f', r == '\u0085', r == '\u2028', r == '\u2029':
			gap = "\n"
		case unicode.IsSpace(r):
			gap = cmp.Or(gap, " ")
		case invisible(r):
		default:
			if b.Len() > 0 {
				b.WriteString(gap)
			}
			gap = ""
			b.WriteRune(r)
		}
	}
	return b.String()
}

// invisible reports whether r is a control or format character, a code point without a character,
// or U+FFFD. These are removed from texts.
func invisible(r rune) bool {
	switch {
	case r >= ' ' && r < 0x7f:
		return false
	case r == utf8.RuneError, unicode.IsControl(r):
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Noncharacter_Code_Point)
}

// CollapseToOneLine cleans a title, name or place as CollapseSpace does. It also replaces line
// breaks by spaces.
func CollapseToOneLine(s string) string {
	return strings.ReplaceAll(CollapseSpace(s), "\n", " ")
}

// JoinLines joins parts with line breaks and leaves out empty ones.
func JoinLines(parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return p == "" }), "\n")
}
