package plaintext

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"labour/sources"
)

// NewUTF8Reader returns a reader that converts text to UTF-8 and removes a byte order mark. It
// reads UTF-8, UTF-16 and Windows-1252. An unsupported encoding is an error with
// sources.FaultWrongFormat.
func NewUTF8Reader(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(256)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch form := formOf(head); form {
	case utf32:
		return nil, sources.CodedErrorf(sources.FaultWrongFormat,
			"the text is in the encoding UTF-32, which is not read; save it as UTF-8")
	case utf16LE:
		return transform.NewReader(b, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()), nil
	case utf16BE:
		return transform.NewReader(b, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()), nil
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		b.Discard(len("\ufeff")) // the bytes were peeked at, so they exist
	}
	return transform.NewReader(b, repairer{}), nil
}

// ToUTF8 converts a text to UTF-8 and removes a byte order mark. It supports the same encodings as
// NewUTF8Reader.
func ToUTF8(text []byte) ([]byte, error) {
	if utf8.Valid(text) && !bytes.Contains(text, []byte{0}) {
		return bytes.TrimPrefix(text, []byte("\ufeff")), nil
	}
	r, err := NewUTF8Reader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Encodings that formOf distinguishes.
const (
	// utf8Form stands for UTF-8 and Windows-1252, also mixed with each other.
	utf8Form = iota
	// utf16LE stands for UTF-16 with the low byte first.
	utf16LE
	// utf16BE stands for UTF-16 with the high byte first.
	utf16BE
	// utf32 stands for UTF-32, which is not supported.
	utf32
)

// formOf returns the encoding, such as utf8Form, of a text that begins with head. It looks for a
// byte order mark and for zero bytes.
func formOf(head []byte) int {
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(head, []byte{0, 0, 0xfe, 0xff}):
		return utf32
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return utf16LE
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return utf16BE
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	pairs := len(head) / 2
	switch {
	case pairs < 2:
	case zeros[0] == 0 && 10*zeros[1] > 7*pairs:
		return utf16LE
	case zeros[1] == 0 && 10*zeros[0] > 7*pairs:
		return utf16BE
	}
	return utf8Form
}

// repairer is a transform.Transformer that repairs invalid UTF-8. It reads each invalid byte as a
// Windows-1252 character. A truncated 4-byte character becomes U+FFFD.
type repairer struct{ transform.NopResetter }

// Transform copies text and repairs invalid UTF-8. It implements transform.Transformer.
func (repairer) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if c := src[nSrc]; c < utf8.RuneSelf {
			if nDst == len(dst) {
				return nDst, nSrc, transform.ErrShortDst
			}
			dst[nDst] = c
			nDst, nSrc = nDst+1, nSrc+1
			continue
		}
		rest := src[nSrc:]
		if !atEOF && !utf8.FullRune(rest) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			r, size = decodeStray(rest)
		}
		if nDst+utf8.RuneLen(r) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// decodeStray returns a character for the invalid UTF-8 at the start of text, and the number of
// bytes that it replaces. It normally reads the first byte as Windows-1252. If text starts with
// three bytes of a 4-byte character, it returns U+FFFD for all of them.
func decodeStray(text []byte) (rune, int) {
	cut := 1
	for cut < min(len(text), 4) && text[cut]&0xc0 == 0x80 {
		cut++
	}
	if text[0] >= 0xf0 && text[0] <= 0xf4 && cut > 2 {
		return utf8.RuneError, cut
	}
	return charmap.Windows1252.DecodeByte(text[0]), 1
}

var (
	declaration = regexp.MustCompile(`^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']`)
	// illegalReference matches a reference to a character that XML forbids, such as &#0;.
	illegalReference = regexp.MustCompile(
		`&#(?:0*(?:[0-8]|1[124-9]|2[0-9]|3[01])|[xX]0*(?:[0-8bBcCeEfF]|1[0-9a-fA-F]|[dD][89a-fA-F][0-9a-fA-F]{2}|` +
			`[fF]{3}[eEfF]));`)
)

// reference matches an "&" and the character or entity reference that it begins, such as &#65; or
// &amp;. It also matches an "&" alone.
var reference = regexp.MustCompile(`&(?:#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{0,31};)?`)

// xmlEntities are the names of the entities that XML defines, such as "amp".
var xmlEntities = []string{"amp", "lt", "gt", "quot", "apos"}

// RepairXML converts an XML document to UTF-8 and repairs common errors, so that it can be parsed.
// It replaces forbidden characters by spaces and escapes each "&" that begins no reference. An
// unknown encoding is an error with sources.FaultWrongFormat.
func RepairXML(text []byte) ([]byte, error) {
	var other encoding.Encoding
	if m := declaration.FindSubmatchIndex(text[:min(len(text), 512)]); m != nil {
		name := string(text[m[2]:m[3]])
		known, err := htmlindex.Get(name)
		if err != nil && formOf(text) == utf8Form {
			return nil, sources.CodedErrorf(sources.FaultWrongFormat,
				"the XML declares the encoding %q, which is not read; it is to be UTF-8", name)
		}
		if !utf8.Valid(text) { // valid UTF-8 is never converted, even if the declaration names another encoding
			other = known
		}
	}
	var err error
	if other != nil && other != unicode.UTF8 && formOf(text) == utf8Form {
		text, err = other.NewDecoder().Bytes(text)
	} else {
		text, err = ToUTF8(text)
	}
	if err != nil {
		return nil, err
	}
	if m := declaration.FindSubmatchIndex(text[:min(len(text), 512)]); m != nil {
		text = append(append(bytes.Clone(text[:m[2]]), "utf-8"...), text[m[3]:]...)
	}
	if illegalReference.Match(text) {
		text = illegalReference.ReplaceAll(text, []byte(" "))
	}
	return bytes.Map(xmlCharacter, reference.ReplaceAllFunc(text, escapeBare)), nil
}

// escapeBare escapes the "&" at the start of found, a match of the pattern reference. It returns
// found unchanged if it is a valid reference, such as "&amp;".
func escapeBare(found []byte) []byte {
	name := string(bytes.Trim(found, "&;"))
	_, known := xml.HTMLEntity[name]
	if known || strings.HasPrefix(name, "#") || slices.Contains(xmlEntities, name) {
		return found
	}
	return append([]byte("&amp;"), found[1:]...)
}

// xmlCharacter returns r, or a space if XML forbids r.
func xmlCharacter(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r', r >= ' ' && r <= '\ud7ff', r >= '\ue000' && r <= '\ufffd', r >= 0x10000:
		return r
	}
	return ' '
}
