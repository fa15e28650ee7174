// Package journal implements an append-only file of JSON lines that survives crashes. A last line
// without a newline was cut short by a crash: readers ignore it, and the next Append removes it. If
// it is a complete JSON object, it counts as a line, because some editors leave out the last
// newline. A record survives a power cut once Sync has returned.
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

// Journal is an append-only file of JSON lines. Several processes may read it while one writes. A
// Journal is not safe for concurrent use.
type Journal struct {
	path string
	mode fs.FileMode
	file *os.File // the file, open for writing; nil while it is not open
	end  int64    // offset in bytes of the end of the last complete line
}

// New returns the journal in the file at path. If the file does not exist, the first Append creates
// it with the given mode.
func New(path string, mode fs.FileMode) *Journal { return &Journal{path: path, mode: mode} }

// Append writes one record as a line of JSON. Call Sync to make sure that the record survives a
// power cut.
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

// open opens the journal's file for writing. It removes an incomplete last line, and adds a missing
// newline to a complete one. It does nothing if the file is already open.
func (j *Journal) open() error {
	if j.file != nil {
		return nil
	}
	f, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR, j.mode)
	if err != nil {
		return err
	}
	if err = SyncDir(filepath.Dir(j.path)); err == nil {
		j.end, err = endLine(f)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	j.file = f
	return nil
}

// endLine removes an incomplete last line from the file, and adds a missing newline to a complete
// one. It returns the size of the file, in bytes.
func endLine(f *os.File) (int64, error) {
	end, lacksNewline, err := wholeLines(f)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil && lacksNewline {
		_, err = f.WriteAt([]byte("\n"), end)
		end++
	}
	return end, err
}

// Sync flushes the appended records to the disk. Call it before Close.
func (j *Journal) Sync() error {
	if j.file == nil {
		return nil
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("sync journal %s: %w", j.path, err)
	}
	return nil
}

// Close closes the journal's file. A later Append opens the file again.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	return err
}

// Lines yields every complete line of the journal, first to last, without its newline. A missing
// file has no lines. The bytes of a line are valid only until the next iteration.
func (j *Journal) Lines() iter.Seq2[[]byte, error] {
	return j.lines(func(f *os.File, yield func([]byte) bool) error {
		for r := bufio.NewReaderSize(f, chunk); ; {
			line, err := r.ReadBytes('\n')
			if err == io.EOF {
				if isObject(line) {
					yield(line)
				}
				return nil
			}
			if err != nil || !yield(bytes.TrimSuffix(line, []byte("\n"))) {
				return err
			}
		}
	})
}

// EachRecord decodes each line of the journal and calls handle with the record. It skips empty
// lines. It is for journals that people edit: anything that is not one record on a line is an error
// that states the line number, even an incomplete last line. So are unknown fields.
func EachRecord[Record any](j *Journal, handle func(Record) error) error {
	n := 0
	for line, err := range j.Lines() {
		if err != nil {
			return err
		}
		if n++; len(line) == 0 {
			continue
		}
		record, err := decode[Record](line)
		if err == nil {
			err = handle(record)
		}
		if err != nil {
			return fmt.Errorf("%s line %d: %w; correct the line", filepath.Base(j.path), n, err)
		}
	}
	return j.checkEnd(n)
}

// decode decodes a line with exactly one record.
func decode[Record any](line []byte) (record Record, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err = d.Decode(&record); err != nil {
		return record, err
	}
	if _, err = d.Token(); err != io.EOF {
		return record, errors.New("it has more than one record; give each a line of its own")
	}
	return record, nil
}

// checkEnd returns an error if the file ends in an incomplete line. complete is the number of lines
// before it.
func (j *Journal) checkEnd(complete int) error {
	f, err := os.Open(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() // opened for reading only
	end, _, err := wholeLines(f)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > end {
		err = fmt.Errorf("%s line %d: the line is incomplete; complete it, or remove it", filepath.Base(j.path), complete+1)
	}
	return err
}

// LinesBackward yields every complete line of the journal, last to first, without its newline. It
// reads only as much of the file as the caller needs.
func (j *Journal) LinesBackward() iter.Seq2[[]byte, error] {
	return j.lines(func(f *os.File, yield func([]byte) bool) error {
		end, lacksNewline, err := wholeLines(f)
		if lacksNewline {
			end++ // as if the newline were there
		}
		for err == nil && end > 0 {
			var line []byte
			if line, err = unfinishedLine(f, end-1); err != nil || !yield(line) {
				return err
			}
			end -= int64(len(line)) + 1
		}
		return err
	})
}

// lines opens the journal's file and calls read, which passes on the file's lines. It yields these
// lines and then the error of read, if any. A missing file has no lines.
func (j *Journal) lines(read func(f *os.File, yield func([]byte) bool) error) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f, err := os.Open(j.path)
		if _, linkErr := os.Lstat(j.path); errors.Is(linkErr, fs.ErrNotExist) {
			return // a link to a missing file, such as one of a share that is not mounted, is an error
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

// SyncDir syncs a directory. New and renamed files in it then survive a power cut.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// chunk is the number of bytes to read at once.
const chunk = 1 << 16

// wholeLines returns the size of the file without an incomplete last line, in bytes. lacksNewline is
// true if the last line is complete but has no newline.
func wholeLines(f *os.File) (size int64, lacksNewline bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, false, err
	}
	last, err := unfinishedLine(f, info.Size())
	if isObject(last) {
		return info.Size(), true, err
	}
	return info.Size() - int64(len(last)), false, err
}

// isObject reports whether line is a complete JSON object. A line that a crash cut short is not.
func isObject(line []byte) bool { return bytes.HasPrefix(line, []byte("{")) && json.Valid(line) }

// unfinishedLine returns the bytes before the offset end that follow the last newline.
func unfinishedLine(f *os.File, end int64) ([]byte, error) {
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
