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

// chunkBytes is the approximate size of a chunk, in bytes. A chunk is the group of lines that one
// worker parses at a time.
const chunkBytes = 256 << 10

// maxLine is the size limit of one line of the feed, in bytes.
const maxLine = 1 << 20

// maxUnpacked is the size limit of one uncompressed file, in bytes.
const maxUnpacked = 8 * maxFileBytes

// chunk is a group of complete lines from one file of the feed. After parsing, it holds their
// records and faults.
type chunk struct {
	object    sources.ArchivedObject
	kind      RecordKind
	text      string // the lines; empty after parsing
	nextFault *fault // fault of the line after text; nil = none
	results   []lineResult
}

// lineResult is the result of parsing one line: a record or a fault. A blank line gives neither.
type lineResult struct {
	record sources.Record
	id     xxh3.Uint128 // fingerprint of the record's id, to detect duplicates
	fault  *fault
	remark string // message about characters removed from the record; "" = none
}

// fault says why a line of the feed is unusable.
type fault struct {
	code   sources.FaultCode
	detail string
}

// cutter splits an archived file into chunks of lines.
type cutter struct {
	object sources.ArchivedObject
	kind   RecordKind
	yield  func(*chunk) bool // returns false if no more chunks are needed
}

// errStopped is the error of cutter.cut if yield returns false.
var errStopped = errors.New("reading was stopped")

// cut splits the archived file into chunks of lines and passes them to c.yield. It returns errStopped
// if c.yield returns false. Every other error is an error of the archive. A fault in the data is not
// an error: a chunk contains it.
func (c *cutter) cut(open sources.Opener) error {
	b, err := open.Open(c.object)
	if err != nil {
		return err
	}
	defer b.Close()
	source := &archiveReader{r: b}
	rest := ""
	plain, err := decompress(source)
	if err == nil {
		lines := bufio.NewReaderSize(sources.BoundedReader(plain, maxUnpacked), maxLine+1)
		if err = skipByteOrderMark(lines); err == nil {
			rest, err = c.lines(lines)
		}
	}
	var nextFault *fault
	switch {
	case source.err != nil:
		return source.err // the archive's own error takes precedence over its consequences
	case errors.Is(err, errStopped):
		return err
	case errors.Is(err, errUTF16):
		nextFault = &fault{sources.FaultTruncated, c.object.Name + " is in UTF-16; export it in UTF-8"}
	case err != nil:
		nextFault = &fault{sources.FaultTruncated,
			c.object.Name + " breaks off or is badly compressed; export it again"}
	}
	if err := c.pass(rest, nextFault); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, source) // reads the rest, which verifies the SHA-256
	return err
}

// errUTF16 is the error for a file that begins with the byte order mark of UTF-16.
var errUTF16 = errors.New("the file is in UTF-16")

// skipByteOrderMark skips the byte order mark of UTF-8, if r begins with it. The error is errUTF16 if
// r begins with a byte order mark of UTF-16.
func skipByteOrderMark(r *bufio.Reader) error {
	mark, _ := r.Peek(3) // the error of a shorter file is that of reading it
	switch {
	case string(mark) == "\ufeff":
		_, err := r.Discard(len(mark))
		return err
	case sources.IsUTF16(mark):
		return errUTF16
	}
	return nil
}

// archiveReader is a reader of an archived file that keeps the last error other than io.EOF. This
// distinguishes errors of the archive from errors in the data.
type archiveReader struct {
	r   io.Reader
	err error
}

func (a *archiveReader) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if err != nil && err != io.EOF {
		a.err = err
	}
	return n, err
}

// decompress returns the decompressed data of r. It detects gzip and zstd by the first bytes, not
// by the file's name, because a server may have decompressed the file.
func decompress(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzip.NewReader(b)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	}
	return b, nil
}

// lines passes on complete lines in chunks. It reports a fault for each line over the size limit.
// rest is an incomplete last line.
func (c *cutter) lines(r *bufio.Reader) (rest string, err error) {
	for {
		text, err := r.Peek(chunkBytes)
		end := bytes.LastIndexByte(text, '\n') + 1
		if err == nil && end == 0 {
			text, err = r.Peek(maxLine + 1)
			end = bytes.LastIndexByte(text, '\n') + 1
		}
		switch {
		case err == io.EOF:
			return string(text), nil
		case err != nil:
			return string(text), err
		case end > 0:
			if err = c.pass(string(text[:end]), nil); err == nil {
				_, err = r.Discard(end)
			}
		default:
			err = c.pass("", &fault{sources.FaultSchema, fmt.Sprintf("the line is longer than %d bytes", maxLine)})
			for more := err == nil; more; more = err == bufio.ErrBufferFull {
				_, err = r.ReadSlice('\n')
			}
		}
		if err != nil && err != io.EOF {
			return "", err
		}
	}
}

// pass passes on one chunk of lines. nextFault is the fault of the line after them, or nil. The
// error is errStopped if the caller needs no more chunks.
func (c *cutter) pass(text string, nextFault *fault) error {
	if !c.yield(&chunk{object: c.object, kind: c.kind, text: text, nextFault: nextFault}) {
		return errStopped
	}
	return nil
}

func (x *chunk) parse(p *parser) {
	x.results = make([]lineResult, 0, 2+strings.Count(x.text, "\n"))
	for rest := x.text; rest != ""; {
		line, after, ended := strings.Cut(rest, "\n")
		x.read(p, line)
		if last := x.results[len(x.results)-1].fault; !ended && last != nil && last.code == sources.FaultNotJSON {
			*last = fault{sources.FaultTruncated, x.object.Name + " breaks off in its last line; export it again"}
		}
		rest = after
	}
	if x.nextFault != nil {
		x.results = append(x.results, lineResult{fault: x.nextFault})
	}
	x.text = ""
}

func (x *chunk) read(p *parser, line string) {
	var f lineResult
	if strings.TrimSpace(line) != "" {
		record, id, err := p.record(x.kind, line)
		switch {
		case errors.Is(err, errSyntax):
			f.fault = &fault{sources.FaultNotJSON, err.Error()}
		case err != nil:
			f.fault = &fault{sources.FaultSchema, err.Error()}
		default:
			f.record = record
			f.id = xxh3.HashString128(id)
			f.remark = p.remark()
		}
	}
	x.results = append(x.results, f)
}
