package plaintext

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"pgregory.net/rapid"
)

// slowTidy is Tidy rune by rune.
func slowTidy(s string) string {
	var b strings.Builder
	gap := ""
	for _, r := range s {
		switch {
		case strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r):
			gap = "\n"
		case unicode.IsSpace(r):
			if gap == "" {
				gap = " "
			}
		case r == utf8.RuneError, unicode.IsControl(r), strings.ContainsRune("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", r):
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

// slowHTML is HTML by the tokenizer alone, tidied afterwards.
func slowHTML(markup string) string {
	var b strings.Builder
	z := nethtml.NewTokenizer(strings.NewReader(markup))
	hidden := 0
	for {
		kind := z.Next()
		if kind == nethtml.ErrorToken {
			if z.Err() != io.EOF {
				b.Write(z.Raw())
			}
			return slowTidy(b.String())
		}
		if kind == nethtml.TextToken && hidden == 0 {
			b.Write(z.Text())
		}
		if kind != nethtml.StartTagToken && kind != nethtml.EndTagToken && kind != nethtml.SelfClosingTagToken {
			continue
		}
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		if c := breakAt(tag); c != 0 {
			b.WriteByte(c)
		}
		switch kind {
		case nethtml.StartTagToken:
			hidden += hides(tag)
		case nethtml.EndTagToken:
			hidden = max(0, hidden-hides(tag))
		}
	}
}

// pieces are what markup is drawn from, whole and broken.
var pieces = []string{
	"<", ">", "/", "</", "<!", "<!--", "-->", "<?", "&", "&amp;", "&lt;", "&nbsp;", "&#163;", "&#8203;", "&notit", "\"", "'", "=", " ", "  ", "\n", "\r\n", "\t",
	"<p>", "</p>", "<br>", "<br/>", "<br />", "<li>", "</li>", "<b>", "</b>", "<P>", "</Ul>", "<td>", "<p class=\"a b\">", "<a href=\"https://example.org/?a=1&b=2\" rel=\"x\">",
	"</a>", "<p class='x'>", "<p data-x=\"1>2\">", "<p x=\"", "<p a\"b=\">\">", "<img src=x/>", "<script>", "</script>", "<style>", "</style>", "<title>", "</title>",
	"<textarea>", "<template>", "</template>", "<head>", "</head>", "<noscript>", "</noscript>", "<object>", "</object>", "<plaintext>", "<h1>", "<x-y>", "<p/>", "<p/ >", "</p/>", "</p x=\"1\">",
	"a", "word", "two words", "£", "’", "\u00a0", "\u200b", "\u00ad", "\u2028", "\x00", "\x7f", "\x85", "é", "9", "5 < 6", "a<b",
}

// TestHTMLIsWhatTheTokenizerReads draws markup and compares with the slow way.
func TestHTMLIsWhatTheTokenizerReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.ToValidUTF8(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 25).Draw(t, "markup"), ""), "\ufffd")
		if got, want := HTML(s), slowHTML(s); got != want {
			t.Fatalf("HTML(%q) = %q, want %q", s, got, want)
		}
	})
}

// TestTidyIsWhatItSays draws texts, also such as are no UTF-8, and compares with the slow way.
func TestTidyIsWhatItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(append(pieces, "\xff", "\xc3", "\xa9", "\u2003", "\ufeff", "世")), 0, 25).Draw(t, "text"), "")
		got, want := Tidy(s), slowTidy(s)
		if got != want {
			t.Fatalf("Tidy(%q) = %q, want %q", s, got, want)
		}
		if again := Tidy(got); again != got {
			t.Fatalf("Tidy(%q) = %q", got, again)
		}
	})
}

// slowMaskEmails looks at every byte for an @ in any of its spellings.
func slowMaskEmails(s string) string {
	for i := 0; i < len(s); i++ {
		if atSign(s[i:]) > 0 {
			return maskEmails(s + "@") // which looks at every byte
		}
	}
	return s + "@"
}

// TestAtSignsAreFound: no text with an @ in any spelling is passed over.
func TestAtSignsAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := []string{"@", "(at)", "[AT]", " (at) ", "(", "[", "a", "A", "t", ")", "]", ".", "org", " ", "x"}
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "text"), "")
		if got, want := maskEmails(s)+"@", slowMaskEmails(s); got != want {
			t.Fatalf("maskEmails(%q) = %q, want %q", s, got, want)
		}
	})
}

// TestRecordedTexts reads every string of recorded answers both ways.
func TestRecordedTexts(t *testing.T) {
	root, texts := filepath.Join("..", "..", "..", "shared", "data", "B"), 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		body, err := os.ReadFile(path)
		d := json.NewDecoder(bytes.NewReader(body))
		for {
			token, err := d.Token()
			if err != nil {
				break
			}
			s, ok := token.(string)
			if !ok {
				continue
			}
			texts++
			if HTML(s) != slowHTML(s) || Tidy(s) != slowTidy(s) {
				t.Errorf("%s: text number %d is read otherwise than the slow way", path, texts)
			}
			if s = HTML(s); maskEmails(s)+"@" != slowMaskEmails(s) {
				t.Errorf("%s: text number %d has other addresses masked", path, texts)
			}
		}
		return err
	})
	if texts == 0 {
		t.Skipf("no recorded answers in ../shared/data: %v", err)
	}
	t.Logf("%d texts", texts)
}
