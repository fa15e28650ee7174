package sourcetest

import (
	"testing"

	"labour/sources/archive"
)

// OpenArchive returns a new, empty archive in a temporary directory. It is closed at the end of the
// test.
func OpenArchive(t testing.TB) *archive.Archive {
	t.Helper()
	a, err := archive.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}
