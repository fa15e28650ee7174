package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	for line, err := range j.Backward() {
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
// line. What was whole stays, and the next record stands on a line of its own.
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
	for line, err := range New(path, 0o600).Backward() {
		if string(line) != `"record"` || err != nil {
			t.Fatalf("%q, %v", line, err)
		}
		break
	}
}
