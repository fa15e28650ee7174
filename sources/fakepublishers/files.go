package fakepublishers

import (
	"bytes"
	"net/http"
	"strings"
)

// File is one document that a publisher offers for downloading.
type File struct {
	ContentType string
	Body        []byte
}

// Files simulates publishers that offer whole documents at addresses that stay: feeds
// of news, tables as CSV, plans. It is an http.Handler; the address of a document is
// its name under any path. Faults takes the name of a document.
type Files struct {
	Faults Faults
	files  map[string]File
}

// NewFiles makes the simulator with its documents by name.
func NewFiles(files map[string]File) *Files { return &Files{files: files} }

// ServeHTTP answers one request.
func (f *Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	file, ok := f.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	fault := f.Faults.next(name)
	body := file.Body
	if fault == HalfTheRows || fault == NoRows {
		lines := bytes.SplitAfter(body, []byte("\n"))
		body = bytes.Join(lines[:fault.rows(len(lines))], nil)
	}
	fault.answer(w, file.ContentType, body)
}
