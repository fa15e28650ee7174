package measure

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// answersIndex is the file of a directory of answers that lists them by address.
const answersIndex = "index.json"

// answer is one good answer of a publisher; the body is in a file of its own.
type answer struct {
	ContentType string `json:"content_type,omitempty"`
	File        string `json:"file"`
}

// recorder gives the answers of a publisher and keeps the good ones in dir, byte for
// byte, so that they can be given again without the publisher. Of one address asked twice
// the first answer is kept.
type recorder struct {
	publisher http.Handler
	dir       string
	mu        sync.Mutex
	answers   map[string]answer // by path and query
	err       error
}

func newRecorder(publisher http.Handler, dir string) (*recorder, error) {
	return &recorder{publisher: publisher, dir: dir, answers: map[string]answer{}}, os.MkdirAll(dir, 0o755)
}

// ServeHTTP implements http.Handler.
func (r *recorder) ServeHTTP(w http.ResponseWriter, asked *http.Request) {
	given := httptest.NewRecorder()
	r.publisher.ServeHTTP(given, asked)
	if given.Code == http.StatusOK {
		r.keep(asked.URL.RequestURI(), given.Header().Get("Content-Type"), given.Body.Bytes())
	}
	maps.Copy(w.Header(), given.Header())
	w.WriteHeader(given.Code)
	_, _ = w.Write(given.Body.Bytes()) // a client that went away is no fault of the recorder
}

// keep names the file of an answer by its address, so that it does not depend on who
// asked first.
func (r *recorder) keep(url, contentType string, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, twice := r.answers[url]; twice || r.err != nil {
		return
	}
	sum := sha256.Sum256([]byte(url))
	a := answer{ContentType: contentType, File: hex.EncodeToString(sum[:8])}
	if strings.Contains(contentType, "json") {
		a.File += ".json"
	}
	r.answers[url] = a
	r.err = os.WriteFile(filepath.Join(r.dir, a.File), body, 0o644)
}

// close writes the list of the answers, without which they cannot be given again.
func (r *recorder) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return fmt.Errorf("record answers: %w", r.err)
	}
	return writeJSON(filepath.Join(r.dir, answersIndex), r.answers)
}

// replay gives the answers in dir again; an address without one is 404.
func replay(dir string) (http.Handler, error) {
	raw, err := os.ReadFile(filepath.Join(dir, answersIndex))
	var answers map[string]answer
	if err == nil {
		err = json.Unmarshal(raw, &answers)
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of answers: %w", err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := answers[r.URL.RequestURI()]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", a.ContentType)
		http.ServeFile(w, r, filepath.Join(dir, filepath.Base(a.File)))
	}), nil
}
