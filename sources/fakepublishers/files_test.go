package fakepublishers

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestFilesMisbehave: each fault is what the connectors are tried against.
func TestFilesMisbehave(t *testing.T) {
	f := NewFiles(map[string]File{"a.csv": {ContentType: "text/csv", Body: []byte("kind,code\na,1\nb,2\nc,3\n")}})
	server := httptest.NewServer(f)
	defer server.Close()
	for fault, want := range map[Fault]struct {
		status int
		body   string
	}{
		Healthy: {200, "kind,code\na,1\nb,2\nc,3\n"}, TooMany: {429, "Too Many Requests\n"}, ErrorAlways: {500, "Internal Server Error\n"},
		HalfTheRows: {200, "kind,code\na,1\n"}, NoRows: {200, ""}, HTMLPage: {200, "<!DOCTYPE html><html><body>We are back soon.</body></html>"},
	} {
		f.Faults.Set("a.csv", fault)
		response, err := http.Get(server.URL + "/any/path/a.csv")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != want.status || string(body) != want.body {
			t.Errorf("fault %d: %d %q, %v", fault, response.StatusCode, body, err)
		}
		response.Body.Close()
	}
	f.Faults.Set("a.csv", Truncated)
	if response, err := http.Get(server.URL + "/a.csv"); err == nil {
		if _, err := io.ReadAll(response.Body); err == nil {
			t.Error("a body that breaks off was read to its end")
		}
		response.Body.Close()
	}
	if response, err := http.Get(server.URL + "/b.csv"); err != nil || response.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown document: %v", err)
	}
}
