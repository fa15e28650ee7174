package journal

import (
	"bytes"
	"io"
	"iter"
	"os"
	"slices"
)

// chunk is how many bytes are read at a time.
const chunk = 1 << 16

// Backward returns every whole line from the last to the first, without its newline. It
// reads no more of the file than the lines that are taken.
func (j *Journal) Backward() iter.Seq2[[]byte, error] {
	return j.lines(func(f *os.File, yield func([]byte) bool) error {
		end, err := wholeLines(f)
		for err == nil && end > 0 {
			var line []byte
			if line, err = lineBefore(f, end); err != nil {
				break
			}
			end -= int64(len(line))
			if !yield(bytes.TrimSuffix(line, []byte("\n"))) {
				return nil
			}
		}
		return err
	})
}

// wholeLines returns the length of the file without a torn last line.
func wholeLines(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	torn, err := after(f, info.Size())
	return info.Size() - int64(len(torn)), err
}

// lineBefore returns the line that ends at end with its newline.
func lineBefore(f io.ReaderAt, end int64) ([]byte, error) {
	line, err := after(f, end-1)
	return append(line, '\n'), err
}

// after returns the bytes between the last newline before end and end.
func after(f io.ReaderAt, end int64) ([]byte, error) {
	var parts [][]byte
	for at := end; at > 0; {
		b := make([]byte, min(chunk, at))
		at -= int64(len(b))
		if _, err := f.ReadAt(b, at); err != nil {
			return nil, err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			parts = append(parts, b[i+1:])
			break
		}
		parts = append(parts, b)
	}
	slices.Reverse(parts)
	return bytes.Join(parts, nil), nil
}
