package platform

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"labour/sources"
)

// chunkBytes is about how much of a file is handed to a worker at once.
const chunkBytes = 256 << 10

// maxUnpacked bounds one file when it is unpacked.
const maxUnpacked = 8 * maxFileBytes

// chunk is some whole lines of one object, and what became of them.
type chunk struct {
	object sources.Object
	kind   Kind
	begins bool   // it has the first line of the object
	text   string // until it is parsed
	behind *fault // of the line behind the text, which the text does not hold
	found  []finding
	ids    []xxh3.Uint128 // fingerprints of the records' ids
}

// finding is what a line holds: one record, one fault, or neither, when it is blank.
type finding struct {
	record sources.Record
	fault  *fault
}

// fault says why a line cannot be used.
type fault struct {
	code   sources.FaultCode
	detail string
}

// cutter cuts one object into chunks. It takes the plain file as a writer, so that
// every byte is copied once: from the decompressor to the text that is parsed.
type cutter struct {
	object   sources.Object
	kind     Kind
	yield    func(*chunk) bool
	begun    bool // a chunk was given
	text     strings.Builder
	room     int  // how long text may become
	skipping bool // the rest of a line that is too long
}

// errStopped says that nobody wants more chunks.
var errStopped = errors.New("reading was stopped")

// cut reads one object to its end. The error says that reading has to stop: the
// archive is damaged, or the receiver gave up.
func (c *cutter) cut(open sources.Opener) error {
	b, err := open.Open(c.object)
	if err != nil {
		return err
	}
	defer b.Close()
	source := &archived{r: b}
	c.begin("")
	plain, err := decompress(source)
	if err == nil {
		_, err = io.Copy(c, sources.Bounded(plain, maxUnpacked))
	}
	var behind *fault
	switch {
	case source.err != nil:
		return source.err // the archive's own error goes before what it led to
	case errors.Is(err, errStopped):
		return err
	case err != nil:
		behind = &fault{sources.FaultIncomplete,
			fmt.Sprintf("the file breaks off or is badly compressed (%v); export it again", err)}
	}
	if err := c.pass(c.text.String(), behind); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, source) // the rest, for the SHA-256
	return err
}

// archived remembers an error of the archive, to tell it from one of the feed.
type archived struct {
	r   io.Reader
	err error
}

func (a *archived) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if err != nil && err != io.EOF {
		a.err = err
	}
	return n, err
}

// decompress looks at the first bytes, not at the name: a server may have taken
// the compression off already.
func decompress(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		return z, nil
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}
	return b, nil
}

// Write takes the next bytes of the plain file.
func (c *cutter) Write(p []byte) (int, error) {
	taken := len(p)
	for len(p) > 0 {
		if c.skipping {
			i := bytes.IndexByte(p, '\n')
			if i < 0 {
				break
			}
			p, c.skipping = p[i+1:], false
			continue
		}
		n := min(len(p), c.room-c.text.Len())
		c.text.Write(p[:n])
		p = p[n:]
		if c.text.Len() == c.room {
			if err := c.full(); err != nil {
				return 0, err
			}
		}
	}
	return taken, nil
}

// full passes the whole lines of the text on. It names a line over the bound, and
// has the rest of it skipped.
func (c *cutter) full() error {
	text := c.text.String()
	switch end := strings.LastIndexByte(text, '\n') + 1; {
	case end > 0:
		c.begin(text[end:])
		return c.pass(text[:end], nil)
	case c.room <= maxLine:
		c.begin(text)
		return nil
	default:
		c.begin("")
		c.skipping = true
		return c.pass("", &fault{sources.FaultSchema, fmt.Sprintf("the line is longer than %d bytes", maxLine)})
	}
}

// begin begins a text with the first part of a line. There is room for a whole line
// at least, where the part is a large one.
func (c *cutter) begin(part string) {
	c.room = chunkBytes
	if len(part) >= c.room {
		c.room = maxLine + 1
	}
	c.text.Reset()
	c.text.Grow(c.room)
	c.text.WriteString(part)
}

// pass gives a chunk to the receiver.
func (c *cutter) pass(text string, behind *fault) error {
	x := &chunk{object: c.object, kind: c.kind, begins: !c.begun, text: text, behind: behind}
	if x.begins {
		x.text = strings.TrimPrefix(text, "\ufeff")
	}
	c.begun = true
	if !c.yield(x) {
		return errStopped
	}
	return nil
}

func (x *chunk) parse(p *parser) {
	decode := p.decoders[x.kind]
	lines := 1 + strings.Count(x.text, "\n")
	x.found, x.ids = make([]finding, 0, lines+1), make([]xxh3.Uint128, 0, lines)
	for rest := x.text; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		x.read(p, decode, line)
	}
	if x.behind != nil {
		x.found = append(x.found, finding{fault: x.behind})
	}
	x.text = ""
}

func (x *chunk) read(p *parser, decode decoder, line string) {
	var f finding
	if strings.TrimSpace(line) != "" {
		record, id, err := decode(p, line)
		switch {
		case errors.Is(err, errSyntax):
			f.fault = &fault{sources.FaultNotJSON, err.Error()}
		case err != nil:
			f.fault = &fault{sources.FaultSchema, err.Error()}
		default:
			f.record = record
			x.ids = append(x.ids, xxh3.HashString128(id))
		}
	}
	x.found = append(x.found, f)
}
