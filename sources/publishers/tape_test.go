package publishers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestTape: a tape gives the same status, type and bytes as the handler it was
// recorded from, and knows nothing else.
func TestTape(t *testing.T) {
	dir := t.TempDir()
	live := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/gone" {
			w.WriteHeader(http.StatusGone)
		}
		fmt.Fprintf(w, `{"asked":%q}`, r.URL.RequestURI())
	})
	tape, err := NewTape(dir)
	if err != nil {
		t.Fatal(err)
	}
	recorder := tape.Record(live)
	urls := []string{"/a/b?page=2&size=10", "/a/b?page=1&size=10", "/gone", "/a/b?page=2&size=10"}
	for _, url := range urls {
		recorder.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, url, nil))
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
	played, err := PlayTape(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range urls {
		want, got := httptest.NewRecorder(), httptest.NewRecorder()
		live.ServeHTTP(want, httptest.NewRequest(http.MethodGet, url, nil))
		played.ServeHTTP(got, httptest.NewRequest(http.MethodGet, url, nil))
		if got.Code != want.Code || got.Body.String() != want.Body.String() || got.Header().Get("Content-Type") != want.Header().Get("Content-Type") {
			t.Errorf("%s: %d %s, want %d %s", url, got.Code, got.Body, want.Code, want.Body)
		}
	}
	other := httptest.NewRecorder()
	played.ServeHTTP(other, httptest.NewRequest(http.MethodGet, "/a/b?page=3&size=10", nil))
	if other.Code != http.StatusNotFound {
		t.Errorf("an address that was never asked: %d", other.Code)
	}
}
