package publishers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Boards simulates one vendor of applicant-tracking boards: the public lists of
// any number of employers. NewGreenhouse, NewLever and NewAshby make it; it is an
// http.Handler. Faults takes the token of a board.
type Boards struct {
	Faults Faults
	rows   map[string]List // by token in lower case: vendors do not tell apart Acme and acme
	token  func(path string) (string, bool)
	list   func(r *http.Request, rows List, keep func(int) int) ([]byte, error)
	lost   string // body of a 404
}

func newBoards(boards map[string]List) *Boards {
	b := &Boards{rows: make(map[string]List, len(boards))}
	for token, rows := range boards {
		b.rows[strings.ToLower(token)] = rows
	}
	return b
}

// NewGreenhouse simulates https://boards-api.greenhouse.io: /v1/boards/{token}/jobs,
// one list without pages. The rows are jobs as with content=true; without it their
// content, departments and offices are left out, as the publisher does.
func NewGreenhouse(boards map[string]List) *Boards {
	b := newBoards(boards)
	b.token = between("/v1/boards/", "/jobs")
	b.lost = `{"status":404,"error":"Job board not found"}`
	b.list = func(r *http.Request, list List, keep func(int) int) ([]byte, error) {
		total := list.Len
		rows, err := list.without(r.URL.Query().Get("content") != "true", "content", "departments", "offices").between(0, keep(total))
		if err != nil {
			return nil, err
		}
		return joined(`{"jobs":[`, rows, fmt.Sprintf(`],"meta":{"total":%d}}`, total)), nil
	}
	return b
}

// leverDefault is how many postings Lever gives when the request does not say.
const leverDefault = 100

// NewLever simulates https://api.lever.co: /v0/postings/{site}?mode=json, a bare
// list paged with skip and limit.
func NewLever(boards map[string]List) *Boards {
	b := newBoards(boards)
	b.token = between("/v0/postings/", "")
	b.lost = `{"ok":false,"error":"Document not found"}`
	b.list = func(r *http.Request, list List, keep func(int) int) ([]byte, error) {
		q := r.URL.Query()
		if q.Get("mode") != "json" {
			return []byte("<!DOCTYPE html><html><body>postings</body></html>"), nil
		}
		limit := number(q.Get("limit"))
		if limit <= 0 || limit > leverDefault {
			limit = leverDefault
		}
		kept := keep(list.Len)
		from := min(max(number(q.Get("skip")), 0), kept)
		rows, err := list.between(from, min(from+limit, kept))
		return joined("[", rows, "]"), err
	}
	return b
}

// NewAshby simulates https://api.ashbyhq.com: /posting-api/job-board/{name}, one
// list without pages. The pay is left out unless includeCompensation=true.
func NewAshby(boards map[string]List) *Boards {
	b := newBoards(boards)
	b.token = between("/posting-api/job-board/", "")
	b.lost = `Not Found`
	b.list = func(r *http.Request, list List, keep func(int) int) ([]byte, error) {
		rows, err := list.without(r.URL.Query().Get("includeCompensation") != "true", "compensation").between(0, keep(list.Len))
		if err != nil {
			return nil, err
		}
		return joined(`{"apiVersion":"1","jobs":[`, rows, `]}`), nil
	}
	return b
}

// between takes the board's token out of a path; anything may stand before it.
func between(before, after string) func(string) (string, bool) {
	return func(path string) (string, bool) {
		_, rest, ok := strings.Cut(path, before)
		if !ok {
			return "", false
		}
		token, ok := strings.CutSuffix(rest, after)
		return strings.ToLower(token), ok && token != "" && !strings.Contains(token, "/")
	}
}

// ServeHTTP answers one request. An unknown board is 404 in the vendor's form.
func (b *Boards) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, ok := b.token(r.URL.Path)
	rows, known := b.rows[token]
	if !ok || !known || r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		w.Write([]byte(b.lost)) // the client may be gone
		return
	}
	fault := b.Faults.next(token)
	body, err := b.list(r, rows, fault.rows)
	if err != nil {
		http.Error(w, "cannot encode: "+err.Error(), http.StatusInternalServerError)
		return
	}
	kind := "application/json; charset=utf-8"
	if bytes.HasPrefix(body, []byte("<")) {
		kind = "text/html; charset=utf-8"
	}
	fault.answer(w, kind, body)
}

// joined writes rows with commas between them.
func joined(before string, rows []json.RawMessage, after string) []byte {
	var b bytes.Buffer
	b.WriteString(before)
	for i, r := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(r)
	}
	b.WriteString(after)
	return b.Bytes()
}
