package platform

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"labour/sources"
)

// chunkBytes is about how much of a file is handed to a worker at once.
const chunkBytes = 256 << 10

// chunk is some lines of one object, and what became of them.
type chunk struct {
	object sources.Object
	kind   Kind
	first  int // number of the first line, from 1
	lines  []byte
	found  []finding
	done   chan struct{} // closed when found is complete
}

// finding is one record or one fault, in the order of the lines.
type finding struct {
	line   int
	record sources.Record // nil: fault
	id     string
	code   sources.FaultCode
	detail string
}

// cutter cuts one object into chunks of whole lines.
type cutter struct {
	object sources.Object
	kind   Kind
	send   func(*chunk) error
	lines  []byte
	first  int
	number int // of the last line that was read
}

// cut reads one object to its end. The error says that reading has to stop: the
// archive is damaged, or the receiver gave up.
func (c *cutter) cut(open sources.Opener) error {
	b, err := open.Open(c.object)
	if err != nil {
		return err
	}
	defer b.Close()
	source := &archived{r: b}
	plain, err := decompress(source)
	if err == nil {
		err = c.each(plain)
	}
	if source.err != nil {
		return source.err // the archive's own error goes before what it led to
	}
	var stop *stopped
	switch {
	case errors.As(err, &stop):
		return stop.error
	case err != nil:
		c.number++
		err = c.fault(sources.FaultIncomplete,
			fmt.Sprintf("the file breaks off or is badly compressed (%v); export it again", err))
	default:
		err = c.flush()
	}
	if err != nil {
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

// Read reads on.
func (a *archived) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if err != nil && err != io.EOF {
		a.err = err
	}
	return n, err
}

// stopped marks an error of the receiver.
type stopped struct{ error }

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

// each gathers the lines of the plain file.
func (c *cutter) each(plain io.Reader) error {
	r := bufio.NewReaderSize(plain, maxLine+1)
	if head, err := r.Peek(3); err == nil && string(head) == "\ufeff" {
		r.Discard(3)
	}
	for {
		line, err := r.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			err = c.tooLong(r)
		case len(line) > 0:
			c.add(line)
		}
		if err == nil && len(c.lines) >= chunkBytes {
			err = c.flush()
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (c *cutter) add(line []byte) {
	c.number++
	if len(c.lines) == 0 {
		c.first = c.number
	}
	c.lines = append(c.lines, line...)
}

// tooLong names a line over the bound, and skips the rest of it.
func (c *cutter) tooLong(r *bufio.Reader) error {
	c.number++
	if err := c.fault(sources.FaultSchema, fmt.Sprintf("the line is longer than %d bytes", maxLine)); err != nil {
		return err
	}
	for {
		if _, err := r.ReadSlice('\n'); err != bufio.ErrBufferFull {
			return err
		}
	}
}

// fault sends what is gathered, and then a fault on the line at hand.
func (c *cutter) fault(code sources.FaultCode, detail string) error {
	if err := c.flush(); err != nil {
		return err
	}
	ready := &chunk{object: c.object, kind: c.kind, done: make(chan struct{}),
		found: []finding{{line: c.number, code: code, detail: detail}}}
	close(ready.done)
	return c.pass(ready)
}

func (c *cutter) flush() error {
	if len(c.lines) == 0 {
		return nil
	}
	full := &chunk{object: c.object, kind: c.kind, first: c.first, lines: c.lines, done: make(chan struct{})}
	c.lines = make([]byte, 0, chunkBytes+chunkBytes/8)
	return c.pass(full)
}

func (c *cutter) pass(x *chunk) error {
	if err := c.send(x); err != nil {
		return &stopped{err}
	}
	return nil
}

// parse reads the lines of a chunk.
func (x *chunk) parse(p *parser) {
	defer close(x.done)
	decode := decoders[x.kind]
	text := x.lent()
	x.found = make([]finding, 0, 1+bytes.Count(x.lines, []byte{'\n'}))
	rest, number := x.lines, x.first
	for ; len(rest) > 0; number++ {
		line := rest
		p.text = text[max(0, len(text)-len(rest)):]
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
			p.text = p.text[:min(i, len(p.text))]
		} else {
			rest = nil
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		x.found = append(x.found, read(p, decode, line, number))
	}
	p.text, x.lines = "", nil
}

// lent is the text whose parts the strings of the records are, "" where each string
// is one of its own. Residents and applications are staged at once and forgotten;
// what is kept of an advert must not keep its neighbours in memory.
func (x *chunk) lent() string {
	if x.kind == Residents || x.kind == Applications {
		return string(x.lines)
	}
	return ""
}

func read(p *parser, decode func(*parser, []byte) (sources.Record, string, error), line []byte, number int) finding {
	record, id, err := decode(p, line)
	switch {
	case errors.Is(err, errSyntax):
		return finding{line: number, code: sources.FaultNotJSON, detail: err.Error()}
	case err != nil:
		return finding{line: number, code: sources.FaultSchema, detail: err.Error()}
	}
	return finding{line: number, record: record, id: id}
}
