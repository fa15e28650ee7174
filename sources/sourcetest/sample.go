package sourcetest

import (
	"os"
	"path/filepath"
	"testing"
)

// ReadSample returns the content of a file in the tested package's directory testdata.
func ReadSample(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
