package cmd_test

import (
	"flag"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write cmd/PACKAGES.md again")

// TestEveryPackageIsListed: PACKAGES.md lists every package with the first sentence of its comment, so
// that a stranger finds the room of a rule without opening a file. -update writes it again.
func TestEveryPackageIsListed(t *testing.T) {
	sentences := packageSentences(t)
	var b strings.Builder
	b.WriteString("# Packages\n\nEvery package with the first sentence of its comment. `go doc labour/PATH` shows the " +
		"rest, and the READMEs of the folders describe how the packages work together.\n")
	for _, part := range []struct{ folder, title string }{
		{"cmd", "Programs"}, {"pipeline", "From archived data to a snapshot"},
		{"snapshots", "The format of snapshots and where they are kept"}, {"serve", "The server"},
		{"sources", "The publishers"},
	} {
		b.WriteString("\n## " + part.title + "\n\n| Package | What it does |\n|---|---|\n")
		for _, dir := range slices.Sorted(maps.Keys(sentences)) {
			if under(dir, part.folder) {
				b.WriteString("| [`" + dir + "`](../" + dir + ") | " + sentences[dir] + " |\n")
			}
		}
	}
	file := filepath.Join(root(t), "cmd", "PACKAGES.md")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != b.String() {
		t.Errorf("cmd/PACKAGES.md is not what the packages' comments say (%v); go test ./cmd -update writes it", err)
	}
}

// packageSentences returns the first sentence of each package's comment without the words "Package
// NAME", by the package's folder. A package without a comment is an error.
func packageSentences(t *testing.T) map[string]string {
	t.Helper()
	sentences := map[string]string{}
	for _, f := range goFiles(t) {
		dir := filepath.ToSlash(filepath.Dir(f.path))
		if strings.Contains(dir, "testdata") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root(t), f.path), nil,
			parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if sentences[dir] == "" {
			sentences[dir] = sentenceWithoutName(parsed.Doc.Text())
		}
	}
	for dir, sentence := range sentences {
		if sentence == "" && dir != "cmd" {
			t.Errorf("package %s has no comment", dir)
		}
	}
	delete(sentences, "cmd")
	return sentences
}

// sentenceWithoutName returns the first sentence of a package's comment without "Package NAME" or
// "Command NAME".
func sentenceWithoutName(comment string) string {
	sentence := new(doc.Package).Synopsis(comment)
	words := strings.SplitN(sentence, " ", 3)
	if len(words) == 3 && slices.Contains([]string{"Package", "Command"}, words[0]) {
		sentence = strings.ToUpper(words[2][:1]) + words[2][1:]
	}
	return strings.ReplaceAll(sentence, "|", `\|`)
}
