package conformance

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list of the tests into README.md again")

// listed writes the tests of this folder as two tables: those whose comment quotes the
// specification, numbered, and the others.
func listed(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var quoted, others strings.Builder
	n, set := 0, token.NewFileSet()
	for _, file := range files {
		tree, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			f, isFunction := d.(*ast.FuncDecl)
			if !isFunction || !strings.HasPrefix(f.Name.Name, "Test") || f.Name.Name == "TestMain" {
				continue
			}
			words := strings.ReplaceAll(strings.Join(strings.Fields(f.Doc.Text()), " "), "|", "\\|")
			words = strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(words)
			if words == "" {
				t.Errorf("%s does not say what it tests", f.Name.Name)
			}
			if strings.HasPrefix(words, `"`) || strings.HasPrefix(words, "…") {
				n++
				fmt.Fprintf(&quoted, "| %d | %s | `%s` |\n", n, words, f.Name.Name)
			} else {
				fmt.Fprintf(&others, "| %s | `%s` |\n", words, f.Name.Name)
			}
		}
	}
	return "| | The specification's words | Test |\n|---|---|---|\n" + quoted.String() +
		"\nTests of what the specification leaves open:\n\n| What | Test |\n|---|---|\n" + others.String()
}

// The README lists each test, with the words that it holds.
func TestReadmeListsTheTests(t *testing.T) {
	const mark = "<!-- The rest is written by go test ./serve/conformance -run Readme -update -->\n"
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, after, found := strings.Cut(string(text), mark)
	if !found {
		t.Fatal("README.md has no mark")
	}
	want := "\n" + listed(t)
	if *update {
		if err := os.WriteFile("README.md", []byte(before+mark+want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if after != want {
		t.Error("the list of the tests is old: run this test with -update")
	}
}
