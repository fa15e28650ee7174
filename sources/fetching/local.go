package fetching

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"labour/sources"
	"labour/sources/archive"
)

// LocalBody is the content of a local file. For a directory, it is a JSON list of the files.
type LocalBody struct {
	io.ReadCloser
	size        int64  // in bytes
	contentType string // empty = not known
}

// OpenLocal opens a local file. For a directory, it returns a JSON list of the names from
// FileNames.
func OpenLocal(path string) (*LocalBody, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		return &LocalBody{ReadCloser: f, size: info.Size()}, nil
	}
	f.Close() // opened for reading only
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is neither a file nor a directory", path)
	}
	names, err := FileNames(path)
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal(map[string][]string{"files": names})
	return &LocalBody{io.NopCloser(bytes.NewReader(list)), int64(len(list)), "application/json"}, err
}

// FileNames returns the sorted names of the files in a directory. It leaves out subdirectories and
// names that begin with a dot.
func FileNames(directory string) ([]string, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// CheckLocal returns an error if a fetch would refuse a local file or directory. r.URL is its path.
// A fetch refuses it if it cannot be read, is too large, or Request.Accept refuses its beginning.
func CheckLocal(r sources.Request) error {
	body, err := OpenLocal(r.URL)
	if err != nil {
		return err
	}
	defer body.Close() // opened for reading only
	if err := body.checkSize(r); err != nil {
		return err
	}
	_, err = checkBeginning(r, body.contentType, bufio.NewReaderSize(body, headBytes))
	return err
}

// checkSize returns archive.ErrTooLarge if the body is larger than the request permits.
func (b *LocalBody) checkSize(r sources.Request) error {
	if max := maxBytes(r); b.size > max {
		return fmt.Errorf("%w: %d bytes, more than the bound of %d bytes", archive.ErrTooLarge, b.size, max)
	}
	return nil
}

// fromDisk archives a local file. For a directory, it archives the list of its files.
func (t *objectDownload) fromDisk(path string) error {
	body, err := OpenLocal(path)
	if err != nil {
		return err
	}
	defer body.Close()
	if err := body.checkSize(t.r); err != nil {
		return err
	}
	t.rec.ContentType = body.contentType
	_, err = t.archiveBody(body)
	return err
}
