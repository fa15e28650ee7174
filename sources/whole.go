package sources

import (
	"bytes"
	"context"
	"fmt"
	"sync"
)

// ReadWhole reads an object to its end, where the archive checks it. The error
// carries ErrNotFound or ErrDamaged when the archive no longer holds it.
func ReadWhole(from Opener, o Object) ([]byte, error) {
	var text bytes.Buffer
	if err := fill(&text, from, o); err != nil {
		return nil, fmt.Errorf("read %s: %w", o.Name, err)
	}
	return text.Bytes(), nil
}

// wholes are buffers that are free, of one object each.
var wholes = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// mostKept is the size in bytes of the largest buffer that waits for another object.
const mostKept = 16 << 20

// UseWhole is ReadWhole for one who keeps nothing of the bytes, which are good until
// use returns: they lie in memory that serves others afterwards.
func UseWhole(from Opener, o Object, use func(text []byte) error) error {
	text := wholes.Get().(*bytes.Buffer)
	defer func() {
		if text.Cap() <= mostKept {
			text.Reset()
			wholes.Put(text)
		}
	}()
	if err := fill(text, from, o); err != nil {
		return err
	}
	return use(text.Bytes())
}

func fill(text *bytes.Buffer, from Opener, o Object) error {
	b, err := from.Open(o)
	if err != nil {
		return err // which names the object
	}
	defer b.Close()
	text.Grow(int(min(max(o.Bytes, 0), mostKept)) + bytes.MinRead) // a wrong size costs time alone
	_, err = text.ReadFrom(b)
	return err
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
