package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// A folder that is shared with a cluster has the permissions of the one above it, and files that
// are put there once.
func TestFilesOfASharedFolder(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work")
	if err := errors.Join(os.Mkdir(work, 0o700), os.Chmod(work, 0o750)); err != nil {
		t.Fatal(err)
	}
	f, err := openFolder(t.Context(), onCluster{Session: "1", WorkFolder: work})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.make(false); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rows.parquet")
	if err := os.WriteFile(file, []byte("PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.put(t.Context(), "staged/rows.parquet", file); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(work, "labour-1")
	for path, mode := range map[string]fs.FileMode{"": 0o750, "staged": 0o750, "staged/rows.parquet": 0o640} {
		about, err := os.Stat(filepath.Join(root, path))
		if err != nil || about.Mode().Perm() != mode {
			t.Errorf("%q: %v, %v; want %o", path, about, err, mode)
		}
	}
	if got := f.url("staged"); got != "file://"+root+"/staged" {
		t.Errorf("the address is %s", got)
	}
	if err := f.put(t.Context(), "staged/rows.parquet", file); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the same file again: %v", err)
	}
	if err := f.put(t.Context(), "staged/none.parquet", file+".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	to := filepath.Join(t.TempDir(), "to")
	if err := f.get(t.Context(), "staged", to); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(to, "rows.parquet")); err != nil || string(b) != "PAR1" {
		t.Errorf("the file that comes back is %q, %v", b, err)
	}
	if err := errors.Join(f.remove(t.Context(), "staged"), f.close()); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// A work directory that is not there, is a file or is open to others is refused, unless the last is
// permitted.
func TestUnfitWorkDirectories(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	shared := filepath.Join(dir, "shared")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Mkdir(shared, 0o700), os.Chmod(shared, 0o701)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		work    string
		allowed bool
		want    string
	}{
		{filepath.Join(dir, "none"), true, "engine.work: "}, {file, true, file + " is no directory"},
		{shared, false, "is open to every user of the machine: chmod o= it, or set engine.allow_open_work"},
		{shared, true, ""},
	} {
		err := directory(filepath.Join(c.work, "labour-1")).make(c.allowed)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, allowed %t: %v, want %q", c.work, c.allowed, err, c.want)
		}
	}
	if f, err := openFolder(t.Context(), onCluster{WorkFolder: "s3://%zz"}); f != nil || err == nil ||
		!strings.HasPrefix(err.Error(), "engine.work: ") {
		t.Errorf("an address that is none: %v, %v", f, err)
	}
	b := bucket{host: "host", key: "prefix/labour-1/"}
	if got := b.url("staged/x.parquet"); got != "s3a://host/prefix/labour-1/staged/x.parquet" || b.make(false) != nil {
		t.Errorf("the address in a bucket is %s", got)
	}
}
