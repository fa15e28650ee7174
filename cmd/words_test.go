package cmd_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// dialect matches turns of phrase that no reader should meet, each with a plain one to use instead.
var dialect = []struct {
	phrase *regexp.Regexp
	plain  string
}{
	{regexp.MustCompile(`(?i)\btold of\b`), "informed about, receives"},
	{regexp.MustCompile(`(?i)\bof which\b`), "a sentence of its own"},
	{regexp.MustCompile(`(?i)\bsays that\b`), "reports whether, states that"},
	{regexp.MustCompile(`(?i)\banew\b`), "again, new"},
	{regexp.MustCompile(`(?i)\bbeside `), "next to, and, also"},
	{regexp.MustCompile(`(?i)\bwhat is under\b`), "the name of the thing"},
	{regexp.MustCompile(`(?i)\bby the clock\b`), "elapsed"},
	{regexp.MustCompile(`(?i)\bby now, (but|and)\b`), "now"},
	{regexp.MustCompile(`(?i)\bcannot be said\b`), "is not known"},
}

// isReadByPeople reports whether the words of a file are of this project and meant for readers: code, SQL,
// documents, pages, help, and the descriptions in JSON schemas. Tests and data are not.
func isReadByPeople(path string) bool {
	folders := strings.Split(filepath.ToSlash(path), "/")
	for _, folder := range []string{"testdata", "bin", "data", ".git", "node_modules"} {
		if slices.Contains(folders, folder) {
			return false
		}
	}
	switch filepath.Ext(path) {
	case ".go":
		return !strings.HasSuffix(path, "_test.go")
	case ".sql", ".md", ".html":
		return true
	case ".json":
		return slices.Contains(folders, "schema") || filepath.Base(path) == "openapi.json"
	}
	return filepath.Base(path) == "help.txt"
}

// dialectIn returns the dialect in a text, with the plain words to use instead. It finds a phrase also
// where a line ends inside it.
func dialectIn(text string) (found []string) {
	joined := regexp.MustCompile(`\s*\n\s*(//|--)?\s*`).ReplaceAllString(text, " ")
	joined = regexp.MustCompile(`" \+ "`).ReplaceAllString(joined, "")
	for _, d := range dialect {
		for _, at := range d.phrase.FindAllStringIndex(joined, -1) {
			around := joined[max(0, at[0]-40):min(len(joined), at[1]+20)]
			found = append(found, "…"+around+"…; write: "+d.plain)
		}
	}
	return found
}

func TestDialectIn(t *testing.T) {
	for text, want := range map[string]int{
		"// Partners are told\n// of every event.": 1, "\t\"the index is made \" +\n\t\t\"anew\"": 1,
		"-- A list beside another,\n-- of which none": 2, "the besides of whichever renewed": 0,
	} {
		if got := dialectIn(text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}

// TestWordsArePlain holds for everything that people read: comments, SQL, descriptions of columns, messages,
// help, documents and pages.
func TestWordsArePlain(t *testing.T) {
	dir, files := root(t), 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || !isReadByPeople(rel) {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		for _, words := range dialectIn(string(text)) {
			t.Errorf("%s: %s", rel, words)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d files were read", files)
	}
}
