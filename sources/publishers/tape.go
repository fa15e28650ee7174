package publishers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// tapeIndex is the file of a tape that lists its answers.
const tapeIndex = "index.json"

// taped is one answer of a tape; the body is in a file of its own,
// compressed.
type taped struct {
	URL         string `json:"url"` // path and query, as asked
	Status      int    `json:"status"`
	ContentType string `json:"content_type,omitempty"`
	File        string `json:"file"`
}

// Tape keeps what a publisher answers as files, byte for byte, so that the same
// answers can be given again without whoever made them.
type Tape struct {
	dir     string
	zip     *zstd.Encoder
	mu      sync.Mutex
	asked   map[string]bool
	answers []taped
	err     error
}

// NewTape starts an empty tape in dir, which is made when it is not there.
func NewTape(dir string) (*Tape, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("start a tape: %w", err)
	}
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("start a tape: %w", err)
	}
	return &Tape{dir: dir, zip: zip, asked: map[string]bool{}}, nil
}

// Record gives the answers of h and keeps each. Of one address asked twice the
// first answer is kept.
func (t *Tape) Record(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		answer := rec.Result()
		t.keep(r.URL.RequestURI(), answer.StatusCode, answer.Header.Get("Content-Type"), rec.Body.Bytes())
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.StatusCode)
		_, _ = w.Write(rec.Body.Bytes()) // a client that went away is no fault of the tape
	})
}

// fileOf names the file of an answer by its address, so that it does not depend on
// who asked first.
func fileOf(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:8])
}

func (t *Tape) keep(url string, status int, contentType string, body []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked[url] {
		return
	}
	t.asked[url] = true
	a := taped{URL: url, Status: status, ContentType: contentType, File: fileOf(url)}
	if strings.Contains(contentType, "json") {
		a.File += ".json"
	}
	a.File += ".zst"
	if err := os.WriteFile(filepath.Join(t.dir, a.File), t.zip.EncodeAll(body, nil), 0o644); err != nil && t.err == nil {
		t.err = err
	}
	t.answers = append(t.answers, a)
}

// Close writes the list of the answers, sorted by address. Without it the tape
// cannot be played.
func (t *Tape) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	slices.SortFunc(t.answers, func(a, b taped) int { return strings.Compare(a.URL, b.URL) })
	list, err := json.MarshalIndent(t.answers, "", "  ")
	if err == nil {
		err = t.err
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(t.dir, tapeIndex), append(list, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("write the tape %s: %w", t.dir, err)
	}
	return nil
}

// TapeFiles lists the files of the tape in dir that hold good answers of the addresses
// that begin so, with dir before each.
func TapeFiles(dir, beginning string) ([]string, error) {
	list, err := readTape(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, a := range list {
		if a.Status == http.StatusOK && strings.HasPrefix(a.URL, beginning) {
			files = append(files, filepath.Join(dir, filepath.Base(a.File)))
		}
	}
	return files, nil
}

func readTape(dir string) (list []taped, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, tapeIndex))
	if err != nil {
		return nil, fmt.Errorf("play a tape: %w", err)
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("play the tape %s: %w", dir, err)
	}
	return list, nil
}

// PlayTape gives the answers of the tape in dir again; an address that is not on
// it is 404. The bodies stay on the disk.
func PlayTape(dir string) (http.Handler, error) {
	list, err := readTape(dir)
	if err != nil {
		return nil, err
	}
	answers := make(map[string]taped, len(list))
	for _, a := range list {
		answers[a.URL] = a
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := answers[r.URL.RequestURI()]
		if !ok {
			http.NotFound(w, r)
			return
		}
		play(w, filepath.Join(dir, filepath.Base(a.File)), a)
	}), nil
}

func play(w http.ResponseWriter, path string, a taped) {
	f, err := os.Open(path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer f.Close()
	body := io.Reader(f)
	if filepath.Ext(path) == ".zst" { // else it was put there as it is
		z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer z.Close()
		body = z
	}
	if a.ContentType != "" {
		w.Header().Set("Content-Type", a.ContentType)
	}
	w.WriteHeader(a.Status)
	_, _ = io.Copy(w, body) // a client that went away is no fault of the tape
}
