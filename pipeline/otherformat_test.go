package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/snapshots"
)

// startAgain ends every refusal of a data directory that this program cannot read.
const startAgain = "start a new data directory and fetch again"

// TestAnotherDataDirectoryIsRefused: a data directory whose snapshots, index or archive are not of the
// format and the layout of this program is refused with one sentence, and nothing in it changes.
func TestAnotherDataDirectoryIsRefused(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	first := s.run()
	root := snapshots.SnapshotsDir(s.data)
	manifest, index := filepath.Join(root, string(first.ID), snapshots.ManifestFileName),
		filepath.Join(root, snapshots.IndexFileName)
	archive := filepath.Join(s.data, "protected", "archive", "extracts.ndjson")
	for name, change := range map[string]func() (undo func()){
		"a manifest without a format": func() func() {
			return replaceIn(t, manifest, `"format": "labour/1"`,
				`"format_version": 2`)
		},
		"a manifest of another format": func() func() {
			return replaceIn(t, manifest, `"format": "labour/1"`,
				`"format": "labour/2"`)
		},
		"an index without a format": func() func() {
			return replaceIn(t, index, `"format": "labour/1"`,
				`"format_version": 1`)
		},
		"one journal for all sources": func() func() {
			writeFile(t, archive, "{}\n")
			return func() { os.Remove(archive) }
		},
	} {
		undo := change()
		before := filesUnder(t, s.data)
		_, err := Run(t.Context(), *s.last)
		if err == nil || !strings.HasSuffix(err.Error(), startAgain) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if after := filesUnder(t, s.data); after != before {
			t.Errorf("%s: files were\n%s\nand are\n%s", name, before, after)
		}
		undo()
	}
	if _, err := Run(t.Context(), *s.last); err != nil {
		t.Error(err)
	}
}

// replaceIn replaces a part of a file, and returns what puts it back.
func replaceIn(t *testing.T, file, old, with string) (undo func()) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("%s has no %s: %v", file, old, err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	writeFile(t, file, strings.Replace(string(text), old, with, 1))
	return func() { writeFile(t, file, string(text)) }
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// filesUnder lists the files of a directory with the times of their last change.
func filesUnder(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			b.WriteString(path + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
