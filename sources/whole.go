package sources

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"
)

// ReadWhole reads an object to its end, where the archive checks it. The error
// carries ErrNotFound or ErrDamaged when the archive no longer holds it.
func ReadWhole(from Opener, o Object) ([]byte, error) {
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

// FetchWhole asks for an object that is read whole. What check refuses of it is the
// error: it is not taken over then.
func FetchWhole(ctx context.Context, f Fetcher, r Request, check func(text []byte) error) error {
	o, err := f.Get(ctx, r)
	if err != nil {
		return err
	}
	text, err := ReadWhole(f, o)
	if err != nil {
		return err
	}
	return check(text)
}

// Bounded reads r, and fails with FaultSchema where r holds more than max bytes: what is
// cut off must not look like the end.
func Bounded(r io.Reader, max int64) io.Reader { return &bounded{r, max} }

type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return n - 1, Coded(FaultSchema, errors.New("the unpacked file is larger than any that was ever published; it is not read"))
	}
	return n, err
}

// The bounds of an XML file that is read into memory. A description of a job has some 20 KB.
const (
	maxXMLDepth = 64
	maxXMLTag   = 16 << 10 // bytes of one tag with its attributes
	maxXMLText  = 1 << 20  // bytes between two tags, or of one CDATA section
)

// BoundXML refuses XML that is small and takes much to read: deep nesting, tags with
// thousands of attributes, texts of megabytes. It does not check that the XML is well
// formed. The error has FaultNotExpected.
func BoundXML(text []byte) error {
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
		if most := maxXMLTag; n > most && (!bytes.HasPrefix(text, []byte("<!")) || n > maxXMLText) {
			return unlikely("a tag or section of %d bytes", n)
		}
		text = text[n:]
	}
	return nil
}

// xmlMark returns the length of the tag, comment or section that text begins with, and by
// how much it deepens the nesting.
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
	return Coded(FaultNotExpected, fmt.Errorf("the XML has "+format+", which no feed that is read has", args...))
}

// AcceptJSON is a Request.Accept for a body that must be a JSON object or array: its first
// character that is not white space is `{` or `[`. A byte order mark is skipped.
func AcceptJSON(contentType string, head []byte) error {
	if b := start(head); len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		return nil
	}
	return notExpected("JSON", contentType, head)
}

// AcceptXML is a Request.Accept for a body that must be XML, and not HTML.
func AcceptXML(contentType string, head []byte) error {
	if b := start(head); len(b) > 0 && b[0] == '<' && !looksLikeHTML(b) {
		return nil
	}
	return notExpected("XML", contentType, head)
}

// AcceptData is a Request.Accept for CSV, compressed and other data without a
// mark of its own: everything but an empty body and HTML.
func AcceptData(contentType string, head []byte) error {
	media, _, _ := mime.ParseMediaType(contentType)
	if b := start(head); len(b) > 0 && media != "text/html" && !looksLikeHTML(b) {
		return nil
	}
	return notExpected("data", contentType, head)
}

func start(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
}

func looksLikeHTML(b []byte) bool {
	s := strings.ToLower(string(b[:min(len(b), 256)]))
	return strings.HasPrefix(s, "<!doctype html") || strings.HasPrefix(s, "<html") ||
		(strings.HasPrefix(s, "<") && strings.Contains(s, "<html"))
}

// notExpected says what came instead; it does not repeat the body.
func notExpected(want, contentType string, head []byte) error {
	what := "something else"
	switch b := start(head); {
	case len(b) == 0:
		what = "an empty body"
	case looksLikeHTML(b):
		what = "a page of HTML"
	}
	return Coded(FaultNotExpected, fmt.Errorf("expected %s and got %s (content type %q); open the address in a browser to see what it has become",
		want, what, contentType))
}
