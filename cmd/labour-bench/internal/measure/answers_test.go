package measure

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestAnswersAreGivenAgain: the same type and bytes are given again as were recorded, and
// nothing else is known, failures included.
func TestAnswersAreGivenAgain(t *testing.T) {
	dir := t.TempDir()
	live := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/gone" {
			w.WriteHeader(http.StatusGone)
		}
		fmt.Fprintf(w, `{"asked":%q}`, r.URL.RequestURI())
	})
	recorder, err := newRecorder(live, dir)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(h http.Handler, url string) *httptest.ResponseRecorder {
		got := httptest.NewRecorder()
		h.ServeHTTP(got, httptest.NewRequest(http.MethodGet, url, nil))
		return got
	}
	urls := []string{"/a/b?page=2&size=10", "/a/b?page=1&size=10", "/gone", "/a/b?page=2&size=10"}
	for _, url := range urls {
		if want, got := ask(live, url), ask(recorder, url); got.Code != want.Code || got.Body.String() != want.Body.String() {
			t.Errorf("%s: %d %s while it is recorded", url, got.Code, got.Body)
		}
	}
	if _, err := replay(dir); err == nil {
		t.Error("answers without a list are given again")
	}
	if err := recorder.close(); err != nil {
		t.Fatal(err)
	}
	played, err := replay(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range append(urls, "/a/b?page=3&size=10") {
		want, got := ask(live, url), ask(played, url)
		if url == "/gone" || url == "/a/b?page=3&size=10" {
			if got.Code != http.StatusNotFound {
				t.Errorf("%s: %d, want 404", url, got.Code)
			}
			continue
		}
		if got.Code != want.Code || got.Body.String() != want.Body.String() || got.Header().Get("Content-Type") != want.Header().Get("Content-Type") {
			t.Errorf("%s: %d %s, want %d %s", url, got.Code, got.Body, want.Code, want.Body)
		}
	}
}
