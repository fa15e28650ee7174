package fetching

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"labour/sources/archive"
)

// Listing is what a directory gives when it is fetched: the names of the files in
// it, ordered, without hidden ones. An https base serves the same as index.json.
type Listing struct {
	Files []string `json:"files"`
}

// fromDisk files a file, or the listing of a directory.
func (t *try) fromDisk(path string) (archive.Fetch, error) {
	f, err := os.Open(path)
	if err != nil {
		return t.rec, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return t.rec, err
	}
	switch {
	case info.IsDir():
		list, err := listing(path)
		if err != nil {
			return t.rec, err
		}
		t.rec.ContentType = "application/json"
		return t.rec, t.file(bytes.NewReader(list))
	case !info.Mode().IsRegular():
		return t.rec, fmt.Errorf("%s is neither a file nor a directory", path)
	}
	return t.rec, t.file(f)
}

func listing(dir string) ([]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	list := Listing{Files: []string{}}
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			list.Files = append(list.Files, e.Name())
		}
	}
	return json.Marshal(list)
}
