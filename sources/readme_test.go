package sources_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWalk compiles the source that README.md walks through, and runs its suite.
func TestWalk(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	lines := 0
	for _, m := range regexp.MustCompile(
		"(?s)`sources/(shortages/[a-z_]+\\.go)`:\n\n```go\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		file := filepath.Join(dir, filepath.Base(m[1]))
		if err := os.WriteFile(file, []byte(m[2]), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(here, m[1])] = file
		lines += strings.Count(m[2], "\n")
	}
	if len(replace) != 2 || lines > 150 {
		t.Fatalf("%d files of %d lines; a file source is a connector and its test, in 150 lines", len(replace), lines)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "suite")
	for _, c := range [][]string{{"go", "test", "-c", "-vet=off", "-overlay", file, "-o", program,
		"labour/sources/shortages"}, {program}} {
		if out, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(c, " "), err, out)
		}
	}
}
