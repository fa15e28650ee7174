package sources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

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

// The bounds of an XML file that is read into memory. A description of a job has some
// 20 KB.
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
