package sources

import (
	"context"
	"fmt"
	"io"
)

// ReadWhole reads an object to its end, where the archive checks it. The error
// carries ErrNotFound or ErrDamaged when the archive no longer holds it.
func ReadWhole(from Opener, o Object) ([]byte, error) {
	b, err := from.Open(o)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", o.Name, err)
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
