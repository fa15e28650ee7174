package plaintext

import (
	"strings"
	"testing"
)

// TestMaskAtItsEdges: as many digits as a telephone number has, and one more or less.
func TestMaskAtItsEdges(t *testing.T) {
	for in, masked := range map[string]string{
		"+1234567": "", "+12345678": "[removed]", "+123456789012345": "[removed]", "+1234567890123456": "",
		"01234567": "", "012345678": "[removed]", "012345678901234": "[removed]", "0123456789012345": "",
		"123456789": "", "415 555 0100": "[removed]", "1 415 555 0100": "[removed]", "2 415 555 01000": "",
		"4155 555 0100": "", "call 12345": "", "call 123456": "call [removed]", "call 123456789012345": "call [removed]",
		"call 1234567890123456": "", "called 123456": "", "we ring 123456": "we ring [removed]",
		"01 02 2026 03 04 2026":                    "",
		"Tel" + strings.Repeat(":", 21) + "123456": "Tel" + strings.Repeat(":", 21) + "[removed]",
		"Tel" + strings.Repeat(":", 22) + "123456": "",
		"Tel" + strings.Repeat(" ", 22) + "123456": "Tel [removed]",
		"x(020 7946 0018)":                         "x([removed])",
		"-020 7946 0018":                           "-[removed]", "£020 7946 0018": "", "a020 7946 0018": "",
		"%020 7946 0018": "%[removed]", "-415 555 0100": "", ".0012345678": "", "x.y/020 7946 0018": "x.y/[removed]",
		"020 7946 0018;020 7946 0019": "[removed];[removed]", "020 7946 0018+442079460019": "[removed][removed]",
		strings.Repeat("0 ", 7) + "0": "", strings.Repeat("0 ", 8) + "0": "[removed]",
	} {
		want := masked
		if want == "" {
			want = in
		}
		if got := MaskContacts(in); got != want {
			t.Errorf("MaskContacts(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestHiddenElementsMayNest, and their ends without a beginning hide nothing.
func TestHiddenElementsMayNest(t *testing.T) {
	for in, want := range map[string]string{
		"a<template>b<template>c</template>d</template>e": "ae", "</template>a<template>b</template>c": "ac",
		"<template/>a": "a", "<object>a</object>b": "b", "x<img>y": "x y", "<option>a<option>b": "a b",
		"<th>a</th><th>b</th>": "a b", "a<b>b</b>&amp;": "ab&", "<p>a &lt;b&gt;": "a <b>",
	} {
		if got := FromHTML(in); got != want {
			t.Errorf("FromHTML(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestEveryWhiteSpaceIsTidied: a run with a line break is a line break, wherever in the run that is.
func TestEveryWhiteSpaceIsTidied(t *testing.T) {
	for _, line := range []string{"\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029", " \n", "\n ", " \n\t",
		"\u200b\n"} {
		if got := CollapseSpace("a" + line + "b"); got != "a\nb" {
			t.Errorf("Tidy with %q: %q, want a line break", line, got)
		}
	}
	for _, blank := range []string{" ", "  ", "\t", "\u00a0", "\u2003 ", " \u200b "} {
		if got := CollapseSpace(blank + "a" + blank + "b" + blank); got != "a b" {
			t.Errorf("Tidy with %q: %q, want one blank", blank, got)
		}
	}
	for _, hidden := range []string{"\x00", "\x1b", "\x7f", "\u0080", "\u200b", "\u202e", "\ufeff", "\ufffd", "\ufdd0",
		"\ufffe", "\xff"} {
		if got := CollapseSpace("a" + hidden + "b"); got != "ab" {
			t.Errorf("Tidy with %q: %q, want ab", hidden, got)
		}
	}
	if got := CollapseSpace("~a !"); got != "~a !" {
		t.Errorf("Tidy of signs: %q", got)
	}
}

// TestShortTextsAreOnOneLine, decoded as often as they were escaped, four times at most.
func TestShortTextsAreOnOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a b": "a b", " a": "a", "a ": "a", "a  b": "a b", "a\nb": "a b", "a\x7fb": "ab", "~": "~",
		"caf\u00e9": "café",
		"R&D":       "R&D", "?a=1&copy=2": "?a=1&copy=2", "&unknown;": "&unknown;", "&#163;5 &#xA3;6": "£5 £6",
		"&lt;": "<", "&amp;lt;": "<", "&amp;amp;amp;lt;": "<", "&amp;amp;amp;amp;lt;": "&lt;",
	} {
		if got := CleanLine(in); got != want {
			t.Errorf("CleanLine(%q) = %q, want %q", in, got, want)
		}
	}
	if got := CleanLines(" a\x00 \n\t&amp; b\r\u200b "); got != " a \n\t& b\r " {
		t.Errorf("Lines: %q", got)
	}
	if got := RemoveInvisible("&amp; \xffa\x00\n"); got != "&amp; a\n" {
		t.Errorf("Visible: %q", got)
	}
}

// TestProblemsOfPlainTexts are named, the worst first.
func TestProblemsOfPlainTexts(t *testing.T) {
	const control, turn, half, entity = "control characters, such as NUL", "marks that turn the direction of writing",
		"halves of characters", "entities of HTML, such as &amp;"
	for in, want := range map[string]string{
		"": "", "a b": "", "a\nb\rc\td": "", " é ": "", "R&D": "", "a  b": "",
		"a\x00": control, "a\x1f": control, "a\u0085": control, "\u202e\x00": control,
		"\u2029": "", "\u202a": turn, "\u202e": turn, "\u202f": "", "\u2065": "", "\u2066": turn, "\u2069": turn,
		"\u206a": "", "a\ufffd": half, "a\xff": half, "&amp;": entity, "&#8364;": entity, "&zzz;": "",
	} {
		if got := FindProblem(in); got != want {
			t.Errorf("FindProblem(%q) = %q, want %q", in, got, want)
		}
	}
}
