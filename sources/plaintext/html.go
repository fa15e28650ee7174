// Package plaintext converts the markup of adverts to plain text, and removes email addresses and
// telephone numbers from it.
//
// Skills are recognised in the plain text of an advert, so the words must be as a reader sees them:
// one line per block, separate list items, no scripts, no style sheets. Contact details must be
// removed, because the records of this program hold no personal data.
package plaintext

import (
	"cmp"
	"html"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
)

// HTML returns the text of a piece of HTML: entities are decoded, block elements and <br> become
// line breaks, scripts, styles and comments are left out, and white space is collapsed as in Tidy.
// It never fails: anything that is not markup is text.
func HTML(markup string) string {
	if !strings.ContainsAny(markup, "<&") { // nothing to remove or decode
		return Tidy(markup)
	}
	var text strings.Builder
	hidden := 0 // number of open elements whose content is hidden
	for z := nethtml.NewTokenizer(strings.NewReader(markup)); ; {
		kind := z.Next()
		switch {
		case kind == nethtml.ErrorToken:
			if z.Err() != io.EOF {
				text.Write(z.Raw())
			}
			return Tidy(text.String())
		case kind == nethtml.TextToken && hidden == 0:
			text.Write(z.Text())
		case kind == nethtml.StartTagToken, kind == nethtml.EndTagToken, kind == nethtml.SelfClosingTagToken:
			name, _ := z.TagName()
			text.WriteString(breaks[string(name)])
			switch {
			case !slices.Contains(hiding, string(name)):
			case kind == nethtml.StartTagToken:
				hidden++
			case kind == nethtml.EndTagToken:
				hidden = max(0, hidden-1)
			}
		}
	}
}

// EscapedHTML returns the text of HTML that was escaped twice, as one vendor of applicant-tracking
// boards sends it ("&lt;p&gt;R&amp;amp;D&lt;/p&gt;" is the text "R&D"). For markup that was escaped
// once the result is the same as that of HTML, except for entities in its text.
func EscapedHTML(markup string) string { return HTML(html.UnescapeString(markup)) }

// hiding are the elements whose content is not displayed.
var hiding = strings.Fields("script style template noscript head iframe object")

// breaks holds the text that replaces a tag: a line break for blocks, a space for table cells, and
// nothing for inline tags such as <b> within a word.
var breaks = func() map[string]string {
	breaks := map[string]string{"td": " ", "th": " ", "img": " ", "option": " "}
	for block := range strings.FieldsSeq(
		"address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption " +
			"figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol p pre section summary table tbody tfoot " +
			"thead title tr ul script style iframe object") {
		breaks[block] = "\n"
	}
	return breaks
}()

// Tidy collapses white space: runs of spaces, tabs and non-breaking spaces become one space, runs
// with a line break become one line break, and none is left at either end. Control, zero-width and
// soft-hyphen characters, which would split a word for a program but not for a reader, and marks
// that change the direction of writing are dropped, and so are bytes that are not UTF-8.
// Tidy(Tidy(s)) is Tidy(s).
func Tidy(s string) string {
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

// invisible reports whether r is not displayed: control characters, format characters such as those
// that change the direction of writing, and code points that are not characters. The replacement
// character counts too, since it marks bytes that were not UTF-8.
func invisible(r rune) bool {
	if r >= ' ' && r < 0x7f {
		return false
	}
	return r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) ||
		unicode.Is(unicode.Noncharacter_Code_Point, r)
}

// Line returns Tidy of s on one line, for titles, names and places.
func Line(s string) string {
	return strings.ReplaceAll(Tidy(s), "\n", " ")
}

// Join joins the non-empty parts with line breaks.
func Join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return p == "" }), "\n")
}
