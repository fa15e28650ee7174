// Package journal is an append-only file of JSON lines. A last line without its newline was cut
// short by a crash or a full disk: it is ignored, and the next append removes it. A record survives
// a power cut once Append and Sync have returned, and so does the name of the file.
package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// Journal is one file. Any number of processes may read it while one writes. Its methods are not
// safe for concurrent use.
type Journal struct {
	path string
	mode fs.FileMode
	file *os.File // opened for writing
	end  int64    // offset of the end of the last whole line
}

// New returns the journal at path, which need not exist. The first append makes the file
// with the given mode.
func New(path string, mode fs.FileMode) *Journal { return &Journal{path: path, mode: mode} }

// Append adds one record. It is durable after Sync.
func (j *Journal) Append(record any) error {
	if err := j.open(); err != nil {
		return fmt.Errorf("open journal %s: %w", j.path, err)
	}
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(record); err != nil {
		return fmt.Errorf("write journal %s: %w", j.path, err)
	}
	if _, err := j.file.WriteAt(line.Bytes(), j.end); err != nil {
		return errors.Join(fmt.Errorf("write journal %s: %w", j.path, err), j.file.Truncate(j.end))
	}
	j.end += int64(line.Len())
	return nil
}

// open opens the file for writing and removes an incomplete last line.
func (j *Journal) open() error {
	if j.file != nil {
		return nil
	}
	f, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR, j.mode)
	if err != nil {
		return err
	}
	if err = SyncDir(filepath.Dir(j.path)); err == nil {
		j.end, err = wholeLines(f)
	}
	if err == nil {
		err = f.Truncate(j.end)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	j.file = f
	return nil
}

// Sync syncs appended records to the disk.
func (j *Journal) Sync() error {
	if j.file == nil {
		return nil
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("sync journal %s: %w", j.path, err)
	}
	return nil
}

// Close closes the file. The next append opens it again.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	return err
}

// Lines yields every complete line from the first to the last, without its newline. A line's bytes
// are valid until the next one is read. A missing file has no lines.
func (j *Journal) Lines() iter.Seq2[[]byte, error] {
	return j.lines(func(f *os.File, yield func([]byte) bool) error {
		for r := bufio.NewReaderSize(f, chunk); ; {
			line, err := r.ReadBytes('\n')
			if err == io.EOF {
				return nil
			}
			if err != nil || !yield(bytes.TrimSuffix(line, []byte("\n"))) {
				return err
			}
		}
	})
}

// Each parses every complete line that is not empty as one JSON object without unknown fields, and
// passes it to the function each. The error of a line names its number.
func Each[Record any](j *Journal, each func(Record) error) error {
	n := 0
	for line, err := range j.Lines() {
		if err != nil {
			return err
		}
		if n++; len(line) == 0 {
			continue
		}
		var record Record
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err = dec.Decode(&record); err == nil {
			err = each(record)
		}
		if err != nil {
			return fmt.Errorf("%s line %d: %w; put the line right", filepath.Base(j.path), n, err)
		}
	}
	return nil
}

// Backward yields every complete line from the last to the first, without its newline. It reads no
// more of the file than needed.
func (j *Journal) Backward() iter.Seq2[[]byte, error] {
	return j.lines(func(f *os.File, yield func([]byte) bool) error {
		end, err := wholeLines(f)
		for err == nil && end > 0 {
			var line []byte
			if line, err = after(f, end-1); err != nil || !yield(line) {
				return err
			}
			end -= int64(len(line)) + 1
		}
		return err
	})
}

// lines opens the file, yields the lines that read finds in it, and finally yields its error.
func (j *Journal) lines(read func(f *os.File, yield func([]byte) bool) error) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f, err := os.Open(j.path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err == nil {
			defer f.Close() // opened for reading only
			err = read(f, func(line []byte) bool { return yield(line, nil) })
		}
		if err != nil {
			yield(nil, fmt.Errorf("read journal %s: %w", j.path, err))
		}
	}
}

// SyncDir syncs a directory, so that the names in it are durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// chunk is how many bytes are read at a time.
const chunk = 1 << 16

// wholeLines returns the length of the file without an incomplete last line.
func wholeLines(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	torn, err := after(f, info.Size())
	return info.Size() - int64(len(torn)), err
}

// after returns the bytes between the last newline before end and end.
func after(f *os.File, end int64) ([]byte, error) {
	var parts [][]byte
	for at, line := end, -1; at > 0 && line < 0; {
		b := make([]byte, min(chunk, at))
		at -= int64(len(b))
		if _, err := f.ReadAt(b, at); err != nil {
			return nil, err
		}
		line = bytes.LastIndexByte(b, '\n')
		parts = append(parts, b[line+1:])
	}
	slices.Reverse(parts)
	return bytes.Join(parts, nil), nil
}
