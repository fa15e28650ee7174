package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLostFileOfAnAnswer: an answer that loses a file while it is copied is an error, not a
// shorter answer. A missing directory is an answer without rows.
func TestLostFileOfAnAnswer(t *testing.T) {
	const files = 500
	work, to := directory(t.TempDir()), filepath.Join(t.TempDir(), "answer")
	name := func(i int) string { return fmt.Sprintf("part-%04d.parquet", i) }
	from := filepath.Join(string(work), "answers", "1")
	if err := os.MkdirAll(from, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		if err := os.WriteFile(filepath.Join(from, name(i)), []byte("PAR1"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lost := make(chan error, 1)
	go func() {
		for t.Context().Err() == nil {
			if _, err := os.Stat(filepath.Join(to, name(0))); err == nil { // the names have been read
				lost <- os.Remove(filepath.Join(from, name(files-1)))
				return
			}
			time.Sleep(10 * time.Microsecond)
		}
	}()
	err := work.get(t.Context(), "answers/1", to)
	if err := <-lost; err != nil {
		t.Fatal(err)
	}
	copied, readErr := os.ReadDir(to)
	if readErr != nil || err == nil && len(copied) < files {
		t.Errorf("%d of %d files were copied without an error, %v", len(copied), files, readErr)
	}
	none := filepath.Join(t.TempDir(), "none")
	if err := work.get(t.Context(), "answers/2", none); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(none); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
