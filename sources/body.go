package sources

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"strings"
)

// ReadWhole returns all bytes of an archived object and verifies their SHA-256. The error wraps
// ErrNotFound if the object is missing, and ErrDamaged if its bytes have changed.
func ReadWhole(from Opener, o ArchivedObject) ([]byte, error) {
	b, err := from.Open(o)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", o.Name, err)
	}
	defer b.Close()
	text, err := io.ReadAll(b)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", o.Name, err)
	}
	return text, nil
}

// BoundedReader returns a reader of at most max bytes of r. If r has more, it returns a FaultSchema
// error. Unlike io.LimitReader, it never makes truncated data look complete.
func BoundedReader(r io.Reader, max int64) io.Reader { return &limitedReader{r, max} }

type limitedReader struct {
	r         io.Reader
	remaining int64
}

func (b *limitedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p[:min(int64(len(p)), b.remaining+1)])
	if b.remaining -= int64(n); b.remaining < 0 {
		return n - 1, CodedErrorf(FaultSchema,
			"the unpacked file is larger than any that was ever published; it is not read")
	}
	return n, err
}

// Limits for XML files that are read into memory.
const (
	// maxXMLDepth is the maximum nesting depth of XML elements.
	maxXMLDepth = 64
	// maxXMLTag is the size limit of one XML tag with its attributes, in bytes.
	maxXMLTag = 16 << 10
	// maxXMLText is the size limit of a text between two XML tags or of a CDATA section, in bytes. A
	// typical job description has 20 KB.
	maxXMLText = 1 << 20
)

// CheckXMLSize returns a FaultWrongFormat error for XML that would be too expensive to parse. It
// limits the nesting depth, the length of a tag and the length of a text.
func CheckXMLSize(text []byte) error {
	depth := 0
	for len(text) > 0 {
		i := bytes.IndexByte(text, '<')
		if i < 0 {
			i = len(text)
		}
		if i > maxXMLText {
			return unlikely("a text of %d bytes", i)
		}
		if text = text[i:]; len(text) == 0 {
			break
		}
		n, step := xmlMark(text)
		if depth += step; depth > maxXMLDepth {
			return unlikely("more than %d elements in each other", maxXMLDepth)
		}
		if n > maxXMLTag && (!bytes.HasPrefix(text, []byte("<!")) || n > maxXMLText) {
			return unlikely("a tag or section of %d bytes", n)
		}
		text = text[n:]
	}
	return nil
}

// xmlMark returns the length of the tag, comment or CDATA section at the start of text. step is its
// effect on the nesting depth: 1, 0 or -1.
func xmlMark(text []byte) (length, step int) {
	end, step := ">", 1
	switch {
	case bytes.HasPrefix(text, []byte("<![CDATA[")):
		end, step = "]]>", 0
	case bytes.HasPrefix(text, []byte("<!--")):
		end, step = "-->", 0
	case bytes.HasPrefix(text, []byte("<!")), bytes.HasPrefix(text, []byte("<?")):
		step = 0
	case bytes.HasPrefix(text, []byte("</")):
		step = -1
	}
	i := bytes.Index(text, []byte(end))
	if i < 0 {
		return len(text), step
	}
	if step == 1 && i > 0 && text[i-1] == '/' {
		step = 0
	}
	return i + len(end), step
}

func unlikely(format string, args ...any) error {
	return CodedErrorf(FaultWrongFormat, "the XML has "+format+", which no feed that is read has", args...)
}

// AcceptJSON returns an error unless head, the start of a response body, begins like a JSON object
// or array. Use it as Request.Accept.
func AcceptJSON(contentType string, head []byte) error {
	return expect("JSON", "{[", contentType, head)
}

// AcceptXML returns an error unless head, the start of a response body, begins like XML. HTML is an
// error too. Use it as Request.Accept.
func AcceptXML(contentType string, head []byte) error { return expect("XML", "<", contentType, head) }

// AcceptNotHTML returns an error if a response body is empty or HTML. head is the start of the
// body. Use it as Request.Accept for CSV and compressed files.
func AcceptNotHTML(contentType string, head []byte) error {
	return expect("data", "", contentType, head)
}

// IsUTF16 reports whether a text begins with a byte order mark of UTF-16. head is the start of the text.
func IsUTF16(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// expect returns an error if a body is empty, is HTML or does not begin with one of firstChars.
// head is the start of the body. An empty firstChars permits any first character. format is the
// expected format, for the error message.
func expect(format, firstChars, contentType string, head []byte) error {
	media, _, _ := mime.ParseMediaType(contentType)
	b := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	start := strings.ToLower(string(b[:min(len(b), 256)]))
	what := "something else"
	switch {
	case len(b) == 0:
		what = "an empty body"
	case firstChars != "" && IsUTF16(b):
		if format == "XML" {
			return nil // the document declares its encoding
		}
		what = "a text in UTF-16, where UTF-8 is needed"
	case firstChars == "" && media == "text/html", strings.HasPrefix(start, "<!doctype html"),
		strings.HasPrefix(start, "<") && strings.Contains(start, "<html"):
		what = "a page of HTML"
	case firstChars == "" || strings.IndexByte(firstChars, b[0]) >= 0:
		return nil
	}
	return CodedErrorf(FaultWrongFormat,
		"expected %s and got %s (content type %q); open the address in a browser to see what it has become",
		format, what, contentType)
}
