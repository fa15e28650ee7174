package plaintext

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFromHTML(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"no markup", "Plain words", "Plain words"},
		{"blocks are lines", "<h2>About</h2><p>One.</p><p>Two.</p>", "About\nOne.\nTwo."},
		{"inline elements do not split words", "Java<b>Script</b> and <i>Go</i>", "JavaScript and Go"},
		{"list items without their list", "\n<li>SQL</li>\n<li>Excel</li>", "SQL\nExcel"},
		{"line break", "a<br>b<br/>c", "a\nb\nc"},
		{"cells are words", "<table><tr><td>SQL</td><td>daily</td></tr></table>", "SQL daily"},
		{"entities", "<p>R&amp;D &nbsp; C&#43;&#43; &lt;5 years</p>", "R&D C++ <5 years"},
		{"scripts and styles are not text", "<style>p{color:red}</style>x<script>var a = '<p>y</p>'</script>z", "x\nz"},
		{"comments are not text", "a<!-- secret -->b", "ab"},
		{"attributes are not text", `<a href="mailto:someone@example.org" title="x">Apply</a>`, "Apply"},
		{"a comparison is no tag", "fewer than <5 and >3", "fewer than <5 and >3"},
		{"unclosed", "<p>one<ul><li>two", "one\ntwo"},
		{"end without a beginning", "</div></script>text", "text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := FromHTML(c.in); got != c.want {
				t.Errorf("FromHTML(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestFromEscapedHTML(t *testing.T) {
	in := "&lt;div class=&quot;intro&quot;&gt;&lt;p&gt;R&amp;amp;D in " +
		"C++,&amp;nbsp;daily&lt;/p&gt;&lt;/div&gt;&lt;p&gt;Go&lt;/p&gt;"
	if got, want := FromEscapedHTML(in), "R&D in C++, daily\nGo"; got != want {
		t.Errorf("EscapedHTML = %q, want %q", got, want)
	}
	if got, want := FromEscapedHTML("<p>once</p>"), "once"; got != want {
		t.Errorf("EscapedHTML of plain HTML = %q, want %q", got, want)
	}
}

func TestCollapseSpace(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		" a ":                     "a",
		"a\u00a0\u00a0b\tc":       "a b c",
		"a \r\n\r\n b":            "a\nb",
		"Java\u00adScript\u200b!": "JavaScript!",
		"bad \xff byte":           "bad byte",
		"a\x00b":                  "ab",
		"already tidy":            "already tidy",
	} {
		if got := CollapseSpace(in); got != want {
			t.Errorf("CollapseSpace(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := CollapseToOneLine(" Care\n worker "), "Care worker"; got != want {
		t.Errorf("Line = %q, want %q", got, want)
	}
	if got, want := JoinLines("", "a", "", "b"), "a\nb"; got != want {
		t.Errorf("Join = %q, want %q", got, want)
	}
}

func TestMaskContacts(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Write to jobs@example.org.", "Write to [removed]."},
		{"a.b+c@mail.example.co.uk, or call", "[removed], or call"},
		{"someone (at) example.org", "[removed]"},
		{"someone[AT]example.org", "[removed]"},
		{"someone [at] example [dot] org", "[removed]"},
		{"someone (at) mail.example (dot) co.uk now", "[removed] now"},
		{"someone@ example.org", "[removed]"},
		{"SOMEONE%40example.org", "[removed]"},
		{"07700—900123", "[removed]"},
		{"07700\n900123", "[removed]"},
		{"07700   900\t123 and\u2009more", "[removed] and more"},
		{"Band 3\n07700 900123", "Band 3\n[removed]"},
		{"07700·900·123 or 07700•900123", "[removed] or [removed]"},
		{"tel07700900123, hotel07700900123", "tel[removed], hotel07700900123"},
		{"up to 1 000 000 000", "up to 1 000 000 000"},
		{"a rise of 50%40 in. Then", "a rise of 50%40 in. Then"},
		{"one@example.org;two@example.org", "[removed];[removed]"},
		{"follow @example or @example.org", "follow @example or @example.org"},
		{"npm i react@18.2", "npm i react@18.2"},
		{"Engineer @ Example.com", "Engineer @ Example.com"},
		{"Call 020 7946 0018 now", "Call [removed] now"},
		{"(020) 7946 0018", "[removed]"},
		{"+44 (0)20 7946 0018", "[removed]"},
		{"+1-415-555-0100", "[removed]"},
		{"(415) 555-0100", "[removed]"},
		{"Ask Jane(020 7946 0018)", "Ask Jane([removed])"},
		{"Jane(+44 20 7946 0018)", "Jane([removed])"},
		{"Fax(- 020 7946 0018", "Fax(- [removed]"},
		{"415.555.0100", "[removed]"},
		{"07700 900123", "[removed]"},
		{"07700900123.", "[removed]."},
		{"0033 1 99 00 12 34", "[removed]"},
		{"Tel: 7946 0018", "Tel: [removed]"},
		{"phone 44 20 7946 0018", "phone [removed]"},
		{"Care worker 1 07700 900123", "Care worker 1 [removed]"},
		{"Chef x2 020 7946 0018", "Chef x2 [removed]"},
		{"Carer, Band 3 (+44) 7700 900123", "Carer, Band 3 [removed]"},
		{"jane＠acme.example or ０７７００ 900123", "[removed] or [removed]"},
		{"Ａｃｍｅ Ltd", "Ａｃｍｅ Ltd"},
		{"ask at https://wa.me/447700900123 or WA.me/+447700900123?text=x", "ask at [removed] or [removed]?text=x"},
		{"Band 3 01 02 2026", "Band 3 01 02 2026"},
		{"£30,000 - £35,000 in 2026", "£30,000 - £35,000 in 2026"},
		{"$150000-180000", "$150000-180000"},
		{"30000 - 45000 a year", "30000 - 45000 a year"},
		{"from 01/09/2026 to 05.09.2026-12.12.2026", "from 01/09/2026 to 05.09.2026-12.12.2026"},
		{"2026-08-05T09:41:37", "2026-08-05T09:41:37"},
		{"ISO 27001, ISO 9001 and S/4HANA", "ISO 27001, ISO 9001 and S/4HANA"},
		{"24/7, 365 days, 37.5 hours", "24/7, 365 days, 37.5 hours"},
		{"https://example.org/jobs/0123456789", "https://example.org/jobs/0123456789"},
		{"https://example.org/?a=0123456789&b=0123456789", "https://example.org/?a=0123456789&b=0123456789"},
		{"www.example.org/jobs/0123456789", "www.example.org/jobs/0123456789"},
		{"VAC1000123456", "VAC1000123456"},
		{"ring Jane,07700900124", "ring Jane,[removed]"},
		{"tel.07700900124, tel-07700 900124", "tel.[removed], tel-[removed]"},
		{"£20,000,07700 900124", "£20,000,[removed]"},
		{"07700 900123/07700 900124", "[removed]/[removed]"},
		{"07700900123/07700900124", "[removed]/[removed]"},
		{"07700 900123 07700 900124", "[removed] [removed]"},
		{"07700 900123,07700 900124", "[removed],[removed]"},
		{"+447700900123,+447700900124", "[removed],[removed]"},
		{"Office 1/020 7946 0018", "Office 1/[removed]"},
		{"24/7 07700 900124", "24/7 [removed]"},
		{"version 10.0.123.456789", "version 10.0.123.456789"},
		{"1\n2\n3\n0\n5\n6\n7\n8\n9\n1", "1\n2\n3\n0\n5\n6\n7\n8\n9\n1"},
	} {
		if got := MaskContacts(c.in); got != c.want {
			t.Errorf("MaskContacts(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestURLHasContacts(t *testing.T) {
	for in, want := range map[string]bool{
		"https://example.org/?q=x%40y.org":           true,
		"https://example.org/u/x@y.org/apply":        true,
		"https://example.org/#x@y.org":               true,
		"https://example.org/?tel=07700900123":       true,
		"https://example.org/?phone=%2B44+7700+9001": true,
		"https://wa.me/447700900123":                 true,
		"https://example.org/%zz":                    true,
		"https://example.org/jobs/07700900123":       false,
		"https://example.org/hotel/123456":           false,
		"mailto:jobs@example.org":                    true,
		"https://example.org/a?c=x@y.org":            true,
		"https://example.org/jobs/020794600":         false,
		"https://example.org/@handle":                false,
		"https://example.org/+447700900123":          true,
		"https://example.org/jobs/+44-7700-900123":   true,
		"https://example.org/contact/020-7946-0958":  true,
		"https://example.org/?c=020%207946%200958":   true,
		"https://example.org/?c=07700+900123":        true,
		"https://example.org/?c=%2B447700900123":     true,
		"https://example.org/?m=jane%EF%BC%A0a.com":  true,
		"https://example.org/?m=j%40%E2%80%8Ba.com":  true,
		"https://example.org/jobs/2026-01-02-345678": false,
		"https://example.org/jobs?page=1+12345678":   false,
		"https://example.org/a0123-456-7890":         false,
	} {
		if got := URLHasContacts(in); got != want {
			t.Errorf("URLHasContacts(%q) = %v, want %v", in, got, want)
		}
	}
}

// Whatever stands around a well-formed address or number, it is not in the result.
func TestMaskFindsEveryContact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,9}`)
		before := rapid.SampledFrom([]string{"", " ", "\n", "mail ", "Jobs: ", "é "}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", " ", "\n", ")", ".", ", or", "; x"}).Draw(t, "after")
		var contact string
		if rapid.Bool().Draw(t, "email") {
			contact = fmt.Sprintf("%s.%s@%s.%s", word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c"),
				rapid.SampledFrom([]string{"org", "co.uk", "com"}).Draw(t, "tld"))
		} else {
			sep := rapid.SampledFrom([]string{"", " ", "-", ".", "\u00a0", "  ", "\t", "\u2009"}).Draw(t, "sep")
			contact = strings.Join([]string{
				rapid.SampledFrom([]string{"0", "+44", "0044"}).Draw(t, "prefix") + rapid.StringMatching(
					`[1-9][0-9]{1,3}`).Draw(t, "area"),
				rapid.StringMatching(`[0-9]{3}`).Draw(t, "x"), rapid.StringMatching(`[0-9]{4}`).Draw(t, "y")}, sep)
		}
		got := MaskContacts(before + contact + after)
		if want := CollapseSpace(before + RemovedMark + after); got != want {
			t.Fatalf("MaskContacts(%q) = %q, want %q", before+contact+after, got, want)
		}
	})
}

var simpleEmail = regexp.MustCompile(`[a-z0-9]@[a-z0-9]+\.[a-z]{2,}`)

func FuzzMask(f *testing.F) {
	for _, s := range []string{"a@b.co@c.de", "+44 (0)20 7946 0018", "tel 123456(at)x.org", "1@a.bc 02079460018",
		"(((0((", "0\u00a01 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := MaskContacts(s)
		if twice := MaskContacts(once); twice != once {
			t.Errorf("Mask is not idempotent: %q -> %q -> %q", s, once, twice)
		}
		if m := simpleEmail.FindString(once); m != "" {
			t.Errorf("MaskContacts(%q) = %q still holds %q", s, once, m)
		}
	})
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{"<p>a</p>", "<script>", "&lt;p&gt;", "<a <b>", "<!--", "<textarea><p>", "\xff<p>\xff",
		"<plaintext><p>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{FromHTML(s), FromEscapedHTML(s)} {
			if tidy := CollapseSpace(got); tidy != got {
				t.Errorf("the text of %q is not tidy: %q -> %q", s, got, tidy)
			}
		}
	})
}

func benchmarkText() string {
	return strings.Repeat(
		"<p>We look for a <strong>data analyst</strong> with SQL &amp; Excel, 3+ years, £30,000 - £35,000.</p>\n"+
			"<ul><li>Call 020 7946 0018</li><li>jobs@example.org</li></ul>", 40)
}

func BenchmarkHTML(b *testing.B) {
	text := benchmarkText()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		FromHTML(text)
	}
}

func BenchmarkMask(b *testing.B) {
	text := FromHTML(benchmarkText())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		MaskContacts(text)
	}
}

// TestHTMLOfPlainText: text without markup is read as text with an empty comment is.
func TestHTMLOfPlainText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.SampledFrom([]rune("ab \n\r\t>;\u00a0\u200b\x00é#")), 0, 30, -1).Draw(t, "text")
		if got, want := FromHTML(s), FromHTML(s+"<!---->"); got != want {
			t.Fatalf("FromHTML(%q) = %q, want %q", s, got, want)
		}
	})
}

// TestTidyOnce: a tidy text stays as it is, whatever it was made of.
func TestTidyOnce(t *testing.T) {
	pieces := []string{"a", "two words", " ", "  ", "\n", "\r\n", "\u00a0", "\u200b", "\u00ad", "\u2028", "\u2003",
		"\ufeff", "\x00", "\x85", "\xff", "\xc3", "世"}
	rapid.Check(t, func(t *rapid.T) {
		got := CollapseSpace(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 25).Draw(t, "text"), ""))
		if again := CollapseSpace(got); again != got || strings.TrimSpace(got) != got || !utf8.ValidString(got) {
			t.Fatalf("CollapseSpace(%q) = %q", got, again)
		}
	})
}

// TestManyBrackets: a text that begins numbers without end is read in its length.
func TestManyBrackets(t *testing.T) {
	for _, piece := range []string{"(", "+", "1(", "0 ", "@", "a@"} {
		if s := strings.Repeat(piece, 1<<18); len(MaskContacts(s)) > len(s) {
			t.Errorf("%q is longer when it is masked", piece)
		}
	}
}
