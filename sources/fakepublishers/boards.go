package fakepublishers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Boards simulates https://boards-api.greenhouse.io, the public lists of any number of
// employers: /v1/boards/{token}/jobs, one list without pages. It is an http.Handler.
type Boards struct {
	rows map[string][]json.RawMessage // by token in lower case: the vendor does not tell apart Acme and acme
}

// NewGreenhouse makes the simulator. The rows are jobs as with content=true; without it
// their content, departments and offices are left out, as the publisher does.
func NewGreenhouse(boards map[string][]json.RawMessage) *Boards {
	b := &Boards{rows: make(map[string][]json.RawMessage, len(boards))}
	for token, rows := range boards {
		b.rows[strings.ToLower(token)] = rows
	}
	return b
}

// token takes the board's token out of a path; anything may stand before it.
func token(path string) (string, bool) {
	_, rest, ok := strings.Cut(path, "/v1/boards/")
	if !ok {
		return "", false
	}
	t, ok := strings.CutSuffix(rest, "/jobs")
	return strings.ToLower(t), ok && t != "" && !strings.Contains(t, "/")
}

// ServeHTTP answers one request. An unknown board is 404 in the vendor's form.
func (b *Boards) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	board, ok := token(r.URL.Path)
	rows, known := b.rows[board]
	if !ok || !known || r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		w.Write([]byte(`{"status":404,"error":"Job board not found"}`)) // the client may be gone
		return
	}
	kept, err := without(r.URL.Query().Get("content") != "true", rows, "content", "departments", "offices")
	if err != nil {
		http.Error(w, "cannot encode: "+err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, "application/json; charset=utf-8", joined(`{"jobs":[`, kept, fmt.Sprintf(`],"meta":{"total":%d}}`, len(rows))))
}

// without leaves fields out of the rows, when that is asked.
func without(strip bool, rows []json.RawMessage, fields ...string) ([]json.RawMessage, error) {
	if !strip {
		return rows, nil
	}
	out := make([]json.RawMessage, len(rows))
	for i, raw := range rows {
		var row map[string]json.RawMessage
		err := json.Unmarshal(raw, &row)
		for _, f := range fields {
			delete(row, f)
		}
		if err == nil {
			out[i], err = json.Marshal(row)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
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
