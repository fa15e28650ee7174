package cmd_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// mostColumns is how wide a line may be. A tab counts as one column.
const mostColumns = 120

// wideTests are the tests of package pipeline that have lines that are too wide.
var wideTests = []string{"pipeline/badinput_test.go", "pipeline/lifetime_test.go", "pipeline/light_test.go",
	"pipeline/platform_test.go", "pipeline/reference_test.go"}

// structTag finds the tag of a struct's field, which cannot be broken.
var structTag = regexp.MustCompile("`[a-z_]+:\"")

// wideLines returns the numbers of the lines of a Go file that are too wide. In a test a line may be
// as wide as a text in a raw string, such as a recorded document or a script for a browser.
func wideLines(text, path string) (wide []int) {
	raw := map[int]bool{}
	if strings.HasSuffix(path, "_test.go") {
		raw = rawStringLines(text)
	}
	for n, line := range slices.Collect(strings.Lines(text)) {
		if isWide(line) && !structTag.MatchString(line) && !raw[n+1] {
			wide = append(wide, n+1)
		}
	}
	return wide
}

func isWide(line string) bool {
	return utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > mostColumns
}

// rawStringLines returns the numbers of the lines with a raw string, or with a part of one.
func rawStringLines(text string) map[int]bool {
	lines := map[int]bool{}
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, 0)
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			return lines
		}
		if kind == token.STRING && strings.HasPrefix(literal, "`") {
			for i := range strings.Count(literal, "\n") + 1 {
				lines[set.Position(at).Line+i] = true
			}
		}
	}
}

// TestLinesAreNotWide holds for programs, tests and SQL.
func TestLinesAreNotWide(t *testing.T) {
	for _, f := range goFiles(t) {
		isListed := slices.Contains(wideTests, filepath.ToSlash(f.path))
		if len(f.wide) > 0 && !isListed {
			t.Errorf("%s: lines %v are wider than %d columns", f.path, f.wide, mostColumns)
		}
		if len(f.wide) == 0 && isListed {
			t.Errorf("%s has no wide line any more: drop it from the list", f.path)
		}
	}
	err := filepath.WalkDir(root(t), func(path string, e fs.DirEntry, err error) error {
		if e.IsDir() && e.Name() == "bin" { // tools that are installed here
			return filepath.SkipDir
		}
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".sql") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for n, line := range slices.Collect(strings.Lines(string(text))) {
			if isWide(line) {
				t.Errorf("%s:%d is wider than %d columns", path, n+1, mostColumns)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
