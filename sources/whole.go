package sources

import (
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
