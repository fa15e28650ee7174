package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

// all are the lines of a journal, read from the first on and from the last on.
func all(t rapid.TB, j *Journal) []string {
	t.Helper()
	var forward, backward []string
	for line, err := range j.Lines() {
		if err != nil {
			t.Fatal(err)
		}
		forward = append(forward, string(line))
	}
	for line, err := range j.LinesBackward() {
		if err != nil {
			t.Fatal(err)
		}
		backward = append(backward, string(line))
	}
	slices.Reverse(backward)
	if !slices.Equal(forward, backward) {
		t.Fatalf("forward %q, backward %q", forward, backward)
	}
	return forward
}

// A crash or a full disk can cut the file at any byte, and can leave the beginning of a
// line. Complete records stay, and the next record is on a line of its own.
func TestTornLineNeverHappened(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		path := filepath.Join(dir, "a.ndjson")
		j := New(path, 0o600)
		var want []string
		for range rapid.IntRange(0, 4).Draw(rt, "records") {
			text := strings.Repeat("x", rapid.SampledFrom([]int{0, 5, chunk - 3, chunk, 3 * chunk}).Draw(rt, "length"))
			if err := j.Append(text); err != nil {
				rt.Fatal(err)
			}
			want = append(want, `"`+text+`"`)
		}
		if err := j.Append("last"); err != nil {
			rt.Fatal(err)
		}
		if err := j.Close(); err != nil {
			rt.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			rt.Fatal(err)
		}
		if err := os.Truncate(path, info.Size()-rapid.Int64Range(1, int64(len(`"last"`)+1)).Draw(rt,
			"cut")); err != nil {
			rt.Fatal(err)
		}
		if got := all(rt, j); !slices.Equal(got, want) {
			rt.Fatalf("%q, want %q", got, want)
		}
		if err := j.Append("next"); err != nil {
			rt.Fatal(err)
		}
		if got := all(rt, New(path, 0o600)); !slices.Equal(got, append(want, `"next"`)) {
			rt.Fatalf("%q after the next append", got)
		}
	})
}

// A last line that an editor left without its end is a record, and stays one.
func TestLastLineWithoutItsEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ndjson")
	if err := os.WriteFile(path, []byte("{\"N\":1}\n{\"N\":2}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := all(t, New(path, 0o600)); !slices.Equal(got, []string{`{"N":1}`, `{"N":2}`}) {
		t.Errorf("%q", got)
	}
	j := New(path, 0o600)
	if err := errors.Join(j.Append("next"), j.Close()); err != nil {
		t.Fatal(err)
	}
	if got := all(t, New(path, 0o600)); !slices.Equal(got, []string{`{"N":1}`, `{"N":2}`, `"next"`}) {
		t.Errorf("after the next append %q", got)
	}
}

// A link to a missing file is an error, and not an empty journal.
func TestLinkToNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ndjson")
	if err := os.Symlink(filepath.Join(t.TempDir(), "gone"), path); err != nil {
		t.Fatal(err)
	}
	for _, err := range New(path, 0o600).Lines() {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
		return
	}
	t.Error("a link to nothing is an empty journal")
}

// A short write is not a record: what is appended after it stands alone.
func TestShortWriteIsTakenBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ndjson")
	j := New(path, 0o600)
	if err := j.Append("first"); err != nil {
		t.Fatal(err)
	}
	readOnly, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := j.file
	j.file = readOnly
	if err := j.Append("second"); err == nil {
		t.Fatal("written to a file that cannot be written to")
	}
	j.file = whole
	if _, err := whole.WriteAt([]byte(`"secon`), j.end); err != nil { // what a disk took before it was full
		t.Fatal(err)
	}
	if err := j.Append("3"); err != nil {
		t.Fatal(err)
	}
	if got := all(t, j); !slices.Equal(got, []string{`"first"`, `"3"`}) {
		t.Errorf("%q", got)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// The newest records are found without reading the others.
func TestBackwardReadsWhatIsTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ndjson")
	lines := "\x00 no record\n" + strings.Repeat(fmt.Sprintf("%q\n", "record"), 3)
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, err := range New(path, 0o600).LinesBackward() {
		if string(line) != `"record"` || err != nil {
			t.Fatalf("%q, %v", line, err)
		}
		break
	}
}

// A file that cannot be read or written as lines is an error which names it, and no empty journal.
func TestFileThatIsNoneIsNamed(t *testing.T) {
	dir := t.TempDir()
	folder, device := filepath.Join(dir, "folder"), filepath.Join(dir, "device")
	if err := errors.Join(os.Mkdir(folder, 0o700), os.Symlink(os.DevNull, device)); err != nil {
		t.Fatal(err)
	}
	reads := func(lines func(func([]byte, error) bool)) (err error) {
		for _, err = range lines {
			if err == nil {
				t.Error("a line of a folder")
			}
		}
		return err
	}
	of := New(folder, 0o600)
	for name, c := range map[string]struct {
		err  error
		want error
		path string
	}{
		"read forward":       {reads(of.Lines()), syscall.EISDIR, folder},
		"read backward":      {reads(of.LinesBackward()), syscall.EISDIR, folder},
		"append to a folder": {of.Append("x"), syscall.EISDIR, folder},
		"append to a device": {New(device, 0o600).Append("x"), syscall.EINVAL, device},
	} {
		if !errors.Is(c.err, c.want) || !strings.Contains(c.err.Error(), c.path) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
}

// What Sync says was synced is on the disk: it is an error if the file is not there to sync.
func TestSyncOfWhatWasAppended(t *testing.T) {
	j := New(filepath.Join(t.TempDir(), "a.ndjson"), 0o600)
	if err := errors.Join(j.Sync(), j.Close(), j.Append("first"), j.Sync()); err != nil {
		t.Fatal(err)
	}
	if err := j.file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Sync(); !errors.Is(err, fs.ErrClosed) || !strings.Contains(err.Error(), j.path) {
		t.Errorf("a closed file is synced: %v", err)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	if err := SyncDir(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there is synced: %v", err)
	}
}

// Each record is read once, in order; the first line that is no such record is named by its number,
// empty lines counted, and ends the reading.
func TestEachNamesTheLine(t *testing.T) {
	type record struct{ N int }
	refused := errors.New("refused")
	for name, c := range map[string]struct {
		lines string
		want  []int
		says  string
	}{
		"records":           {"{\"N\":1}\n\n{\"N\":2}\n", []int{1, 2}, ""},
		"none":              {"", nil, ""},
		"cut short":         {"{\"N\":1}\n{\"N\":2", []int{1}, "a.ndjson line 2: the line is incomplete"},
		"a comma, no end":   {"{\"N\":1},", nil, "a.ndjson line 1: the line is incomplete"},
		"a comma":           {"{\"N\":1},\n", nil, "a.ndjson line 1: it has more than one record"},
		"two on a line":     {"{\"N\":1}{\"N\":2}\n", nil, "a.ndjson line 1: it has more than one record"},
		"old line ends":     {"{\"N\":1}\r{\"N\":2}\r", nil, "a.ndjson line 1: the line is incomplete"},
		"CRLF":              {"{\"N\":1}\r\n{\"N\":2}\r\n", []int{1, 2}, ""},
		"without its end":   {"{\"N\":1}\n{\"N\":2}", []int{1, 2}, ""},
		"no JSON":           {"{\"N\":1}\n\nN\n{\"N\":2}\n", []int{1}, "a.ndjson line 3: "},
		"an unknown field":  {"{\"M\":1}\n", nil, "a.ndjson line 1: "},
		"a refused record":  {"{\"N\":1}\n{\"N\":9}\n{\"N\":2}\n", []int{1}, "a.ndjson line 2: refused"},
		"a number too long": {"{\"N\":1e99}\n", nil, "a.ndjson line 1: "},
	} {
		path := filepath.Join(t.TempDir(), "a.ndjson")
		if err := os.WriteFile(path, []byte(c.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		var got []int
		err := EachRecord(New(path, 0o600), func(r record) error {
			if r.N == 9 {
				return refused
			}
			got = append(got, r.N)
			return nil
		})
		if !slices.Equal(got, c.want) || (err == nil) != (c.says == "") ||
			err != nil && !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if err := EachRecord(New(t.TempDir(), 0o600), func(record) error { return nil }); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a folder has records: %v", err)
	}
}
