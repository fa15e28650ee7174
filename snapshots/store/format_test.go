package store

import (
	"os"
	"strings"
	"testing"
)

// TestFormatDocumentNamesTheStore holds that FORMAT.md explains the names that only the store uses.
func TestFormatDocumentNamesTheStore(t *testing.T) {
	b, err := os.ReadFile("../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{hiddenPrefix, currentNewName, indexNewName, withdrawingPrefix, currentLockName,
		writerLockName} {
		if !strings.Contains(string(b), name) {
			t.Errorf("FORMAT.md says nothing of %q", name)
		}
	}
}
