package fakepublishers

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestFiles: a document is at its name under any path.
func TestFiles(t *testing.T) {
	server := httptest.NewServer(
		NewFileServer(map[string]ServedFile{"a.csv": {ContentType: "text/csv", Body: []byte("kind,code\na,1\n")}}))
	defer server.Close()
	for path, want := range map[string]string{"/any/path/a.csv": "kind,code\na,1\n", "/b.csv": "404 page not found\n"} {
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(response.Body); err != nil || string(body) != want {
			t.Errorf("%s: %q, %v", path, body, err)
		}
		response.Body.Close()
	}
}
