package archive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"labour/sources"
)

// journal is an append-only file of JSON lines. A last line without its newline
// was torn by a crash: it is never read, and the next append cuts it off.
type journal struct {
	path string
	end  int64 // length of the whole lines
	file *os.File
}

// scan calls line for every whole line that it has not seen yet, with the place
// where it starts.
func (j *journal) scan(line func(at int64, b []byte) error) error {
	f, err := os.Open(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	defer f.Close()
	if _, err := f.Seek(j.end, io.SeekStart); err != nil {
		return fmt.Errorf("read journal %s: %w", j.path, err)
	}
	r := bufio.NewReaderSize(f, 1<<16)
	for {
		b, err := r.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read journal %s: %w", j.path, err)
		}
		if err := line(j.end, b); err != nil {
			return fmt.Errorf("read journal %s from byte %d: %w", j.path, j.end, err)
		}
		j.end += int64(len(b))
	}
}

// append adds one record, and returns after it is on disk if sync is set.
func (j *journal) append(record any, sync bool) (at int64, n int, err error) {
	if err := j.open(); err != nil {
		return 0, 0, err
	}
	b, err := json.Marshal(record)
	if err != nil {
		return 0, 0, fmt.Errorf("write journal %s: %w", j.path, err)
	}
	b = append(b, '\n')
	if _, err := j.file.WriteAt(b, j.end); err != nil {
		return 0, 0, fmt.Errorf("write journal %s: %w", j.path, err)
	}
	if sync {
		if err := j.file.Sync(); err != nil {
			return 0, 0, fmt.Errorf("sync journal %s: %w", j.path, err)
		}
	}
	at = j.end
	j.end += int64(len(b))
	return at, len(b), nil
}

// open opens the file for writing and cuts a torn line off.
func (j *journal) open() error {
	if j.file != nil {
		return nil
	}
	f, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	if err := f.Truncate(j.end); err != nil {
		f.Close()
		return fmt.Errorf("heal journal %s: %w", j.path, err)
	}
	j.file = f
	return nil
}

// read decodes the line of n bytes that starts at.
func (j *journal) read(at int64, n int, record any) error {
	f, err := os.Open(j.path)
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	defer f.Close()
	b := make([]byte, n)
	if _, err := f.ReadAt(b, at); err != nil {
		return fmt.Errorf("read journal %s: %w", j.path, err)
	}
	if err := json.Unmarshal(b, record); err != nil {
		return fmt.Errorf("read journal %s: %w: %w", j.path, sources.ErrDamaged, err)
	}
	return nil
}

func (j *journal) sync() error {
	if j.file == nil {
		return nil
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("sync journal %s: %w", j.path, err)
	}
	return nil
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	return err
}
