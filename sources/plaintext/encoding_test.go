package plaintext

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"golang.org/x/text/transform"

	"labour/sources"
)

// utf16Of is a text in UTF-16, without a byte order mark.
func utf16Of(order binary.AppendByteOrder, s string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

// TestFormOfAText: by its byte order mark, else by more than seven in ten zero bytes on one side.
func TestFormOfAText(t *testing.T) {
	little, big := func(s string) string { return utf16Of(binary.LittleEndian, s) },
		func(s string) string { return utf16Of(binary.BigEndian, s) }
	seven, eight := strings.Repeat("a", 7)+"世世世", strings.Repeat("a", 8)+"世世"
	for text, want := range map[string]int{"": utf8Form, "text": utf8Form, "\xff\xfe\x00\x00": utf32,
		"\x00\x00\xfe\xff": utf32, "\xff\xfea\x00": utf16LE, "\xfe\xff\x00a": utf16BE, "\xef\xbb\xbfa": utf8Form,
		little("a"): utf8Form, little("ab"): utf16LE, big("ab"): utf16BE, big("a"): utf8Form,
		little(seven): utf8Form, little(eight): utf16LE, big(seven): utf8Form, big(eight): utf16BE,
		"\x00\x00a\x00b\x00": utf8Form, "a\x00b\x00c\x00\x00\x00": utf8Form, "\x00a\x00b\x00\x00": utf8Form} {
		if got := formOf([]byte(text)); got != want {
			t.Errorf("%q has the form %d, want %d", text, got, want)
		}
	}
}

// TestTextsBecomeUTF8, whatever they are in, by both ways of reading them.
func TestTextsBecomeUTF8(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "café 😀": "café 😀", "\ufeffcafé": "café", "a\ufeffb": "a\ufeffb",
		"\ufeffcaf\xe9":                     "café",
		"\xff\xfe" + "c\x00\xe9\x00":        "cé",
		"\xfe\xff" + "\x00c\x00\xe9":        "cé",
		utf16Of(binary.LittleEndian, "caf"): "caf", utf16Of(binary.BigEndian, "caf"): "caf",
		"caf\xe9 \x80 5":    "café € 5",     // Windows-1252
		"\xe2\x82":          "â‚",           // of it too
		"\xf0\x9f\x98":      "\ufffd",       // three quarters of a character
		"\xf0\x9f\x98a":     "\ufffda",      //
		"\xf4\x90\x80\x80b": "\ufffdb",      // beyond Unicode
		"\xf0\x9fa":         "ðŸa",          // one half is none
		"\xf0a\x80":         "ða€",          // a letter is no part of one
		"\xef\x9f\x98\x98":  "\uf7d8\u02dc", // a whole one, and a byte
		"\xf5\x80\x80\x80":  "õ€€€",         // begins no character
		"a\x00bcdefgh":      "a\x00bcdefgh",
	} {
		if got, err := ToUTF8([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%q becomes %q, %v; want %q", text, got, err, want)
		}
		r, err := NewUTF8Reader(iotest.OneByteReader(strings.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != want {
			t.Errorf("%q is read as %q, %v; want %q", text, got, err, want)
		}
	}
}

// TestTextsThatAreNotRead: UTF-32, and what cannot be read at all.
func TestTextsThatAreNotRead(t *testing.T) {
	for name, text := range map[string]string{"little": "\xff\xfe\x00\x00a\x00\x00\x00",
		"big": "\x00\x00\xfe\xff\x00\x00\x00a"} {
		if got, err := ToUTF8([]byte(text)); got != nil || sources.FaultCodeOf(err) != sources.FaultWrongFormat ||
			!strings.Contains(err.Error(), "save it as UTF-8") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	broken := errors.New("broken line")
	if r, err := NewUTF8Reader(iotest.ErrReader(broken)); r != nil || !errors.Is(err, broken) {
		t.Errorf("%v, %v; want the error of reading", r, err)
	}
}

// TestLongTextsAreWhole: a character may lie across the edge of any buffer.
func TestLongTextsAreWhole(t *testing.T) {
	for before := 4088; before < 4100; before++ {
		want := strings.Repeat("a", before) + strings.Repeat("é€😀b", 1500)
		text := strings.ReplaceAll(want, "b", "\xdf") // ß in Windows-1252
		r, err := NewUTF8Reader(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != strings.ReplaceAll(want, "b", "ß") {
			t.Errorf("after %d letters: %d bytes, %v; want %d", before, len(got), err, len(want)+1500)
		}
	}
}

// TestRepairsToTheEdge: all that fits is written, and a character that may go on is waited for.
func TestRepairsToTheEdge(t *testing.T) {
	for _, c := range []struct {
		src   string
		room  int
		atEOF bool
		want  string
		read  int
		err   error
	}{
		{"ab", 2, true, "ab", 2, nil}, {"ab", 1, true, "a", 1, transform.ErrShortDst},
		{"é", 2, true, "é", 2, nil}, {"é", 1, true, "", 0, transform.ErrShortDst},
		{"aé", 2, true, "a", 1, transform.ErrShortDst}, {"aé", 3, true, "aé", 3, nil},
		{"a\xc3", 9, false, "a", 1, transform.ErrShortSrc}, {"a\xc3", 9, true, "aÃ", 2, nil},
		{"\xf0\x9f\x98", 9, false, "", 0, transform.ErrShortSrc}, {"\xf0\x9f\x98", 3, true, "\ufffd", 3, nil},
		{"\xf0\x9f\x98\x80", 4, false, "😀", 4, nil},
	} {
		dst := make([]byte, c.room)
		wrote, read, err := repairer{}.Transform(dst, []byte(c.src), c.atEOF)
		if got := string(dst[:wrote]); got != c.want || read != c.read || !errors.Is(err, c.err) {
			t.Errorf("%q into %d bytes: %q of %d, %v; want %q of %d, %v", c.src, c.room, got, read, err, c.want, c.read, c.err)
		}
	}
}

// TestXMLIsMendedToBeParsed: another encoding, references that XML forbids, and an & on its own.
func TestXMLIsMendedToBeParsed(t *testing.T) {
	const latin, isUTF8 = `<?xml version="1.0" encoding="ISO-8859-1"?>`, `<?xml version="1.0" encoding="utf-8"?>`
	for text, want := range map[string]string{
		latin + `<a>caf` + "\xe9</a>":                           isUTF8 + `<a>café</a>`,
		`<?xml version='1.0' encoding='iso-8859-15'?>` + "\xa4": `<?xml version='1.0' encoding='utf-8'?>€`,
		latin + `<a>café</a>`:                                   isUTF8 + `<a>café</a>`,
		`<?xml version="1.0" encoding="UTF-8"?>` + "caf\xe9":    isUTF8 + "café",
		utf16Of(binary.LittleEndian,
			`<?xml version="1.0" encoding="UTF-16"?><a/>`): isUTF8 + `<a/>`,
		"\ufeff<a>caf\xe9</a>": "<a>café</a>",
		"R&D &amp; &lt; &gt; &quot; &apos; &nbsp; &Q; ?a=1&copy=2": "" +
			"R&amp;D &amp; &lt; &gt; &quot; &apos; &nbsp; &amp;Q; ?a=1&amp;copy=2",
		"&#0;&#8;&#9;&#10;&#11;&#12;&#13;&#14;&#31;&#32;":               "  &#9;&#10;  &#13;  &#32;",
		"&#x0;&#x8;&#x9;&#xA;&#xb;&#xC;&#xD;&#xE;&#x1F;&#x20;":          "  &#x9;&#xA;  &#xD;  &#x20;",
		"&#xD7FF;&#xD800;&#xDFFF;&#xE000;&#xFFFD;&#xFFFE;&#xffff;":      "&#xD7FF;  &#xE000;&#xFFFD;  ",
		"a\x00b\x01\x1f\t\n\r \ufffe\uffff\ufffd\ud7ff\ue000\U00010000": "a b  \t\n\r   \ufffd\ud7ff\ue000\U00010000",
	} {
		if got, err := RepairXML([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%q becomes %q, %v; want %q", text, got, err, want)
		}
	}
	if got, err := RepairXML([]byte(`<?xml version="1.0" encoding="klingon"?><a/>`)); got != nil ||
		sources.FaultCodeOf(err) != sources.FaultWrongFormat || !strings.Contains(err.Error(), `"klingon"`) {
		t.Errorf("%q, %v; want an error with the encoding", got, err)
	}
	if _, err := RepairXML([]byte("\xff\xfe\x00\x00")); sources.FaultCodeOf(err) != sources.FaultWrongFormat {
		t.Errorf("UTF-32: %v", err)
	}
}
