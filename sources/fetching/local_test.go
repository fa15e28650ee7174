package fetching_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/archive"
	"labour/sources/fetching"
	"labour/sources/sourcetest"
)

// A local file is refused by a fetch and by CheckLocal for the same reasons.
func TestCheckLocalIsAFetchThatStoresNothing(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rows, page := write("rows.json", `[1,2,3,4,5]`), write(".page.json", "<!DOCTYPE html><html>moved</html>")
	f, err := fetching.New(fetching.Options{Archive: sourcetest.OpenArchive(t), SourceKey: "src",
		UserAgent: "test (data@works.example)", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path   string
		limit  int64
		refuse bool
	}{
		"as large as permitted": {rows, 11, false}, "too large": {rows, 10, true}, "HTML": {page, 0, true},
		"missing": {filepath.Join(dir, "none"), 0, true}, "directory": {dir, 0, false}, "device": {os.DevNull, 0, true},
	} {
		r := sources.Request{Name: name, URL: c.path, Accept: sources.AcceptJSON, MaxBytes: c.limit}
		checked := fetching.CheckLocal(r)
		_, fetched := f.Get(t.Context(), r)
		if (checked != nil) != c.refuse || (fetched != nil) != c.refuse {
			t.Errorf("%s: CheckLocal returns %v, and Get %v", name, checked, fetched)
		}
		if tooLarge := name == "too large"; errors.Is(checked, archive.ErrTooLarge) != tooLarge ||
			errors.Is(fetched, archive.ErrTooLarge) != tooLarge {
			t.Errorf("%s: CheckLocal returns %v, and Get %v", name, checked, fetched)
		}
	}
	body, err := fetching.OpenLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := io.ReadAll(body); err != nil || string(list) != `{"files":["rows.json"]}` {
		t.Errorf("the list of the directory is %s, %v", list, err)
	}
}
