package cmd_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documents returns the text of every document, by its path from the top level. Those
// under testdata are data.
func documents(t *testing.T) map[string]string {
	t.Helper()
	dir := root(t)
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := e.Name(); e.IsDir() && (name == "testdata" || name == "bin" || name == "data" || name == ".git") {
			return filepath.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(path, ".md") {
			return nil
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		texts[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// anchors returns the anchors of the headings of a document, as web views of Markdown
// name them.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, h := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		plain := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(h[1]), "")
		found[strings.ReplaceAll(plain, " ", "-")] = true
	}
	return found
}

// TestDocumentLinks: every link of a document to a file leads to one, and to a heading
// that is there.
func TestDocumentLinks(t *testing.T) {
	texts := documents(t)
	link := regexp.MustCompile(`\]\(([^)\s]*)\)`)
	for name, text := range texts {
		for _, l := range link.FindAllStringSubmatch(text, -1) {
			path, heading, _ := strings.Cut(l[1], "#")
			if strings.Contains(path, ":") || strings.HasPrefix(path, "/") {
				continue // of the web, or of a running server
			}
			target := filepath.Join(filepath.Dir(name), path)
			if path == "" {
				target = name
			}
			if _, err := os.Stat(filepath.Join(root(t), target)); err != nil {
				t.Errorf("%s: link %s leads nowhere", name, l[1])
			} else if heading != "" && !anchors(texts[target])[heading] {
				t.Errorf("%s: %s has no heading #%s", name, target, heading)
			}
		}
	}
}

// TestDocumentedFilesExist: a Go file that a document names without a link is in the folder of the
// document, or below it where the name has a folder.
func TestDocumentedFilesExist(t *testing.T) {
	file := regexp.MustCompile("[^\\[]`((?:[a-z]+/)*[a-z_0-9]+\\.go)`")
	for name, text := range documents(t) {
		for _, m := range file.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "sources/shortages/") {
				continue // the source that the example adds
			}
			if _, err := os.Stat(filepath.Join(root(t), filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s: there is no file %s", name, m[1])
			}
		}
	}
}

// TestDocumentedNamesExist: the targets of make that documents name are there, and the
// variables of the environment that the handbooks of the folders name.
func TestDocumentedNamesExist(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, f := range goFiles(t) {
		b, err := os.ReadFile(filepath.Join(root(t), f.path))
		if err != nil {
			t.Fatal(err)
		}
		code.Write(b)
	}
	target, variable := regexp.MustCompile("(?m)(?:^|`)make ([a-z]+)"), regexp.MustCompile(`LABOUR_[A-Z_]+[A-Z]`)
	for name, text := range documents(t) {
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(string(makefile), "\n"+m[1]+":") {
				t.Errorf("%s: there is no make %s", name, m[1])
			}
		}
		if strings.Count(name, "/") > 1 {
			continue // no handbook of a folder
		}
		for _, v := range variable.FindAllString(text, -1) {
			if !strings.Contains(code.String(), v) && !strings.Contains(code.String(), strings.TrimSuffix(v, "_FILE")) {
				t.Errorf("%s: nothing reads %s", name, v)
			}
		}
	}
}

// TestMethodsPageSaysHowGoodTheCodingIs: the page that visitors read has the figures of adverts
// and titles that nobody had seen, as the README of the coding states them.
func TestMethodsPageSaysHowGoodTheCodingIs(t *testing.T) {
	readme := documents(t)[filepath.Join("pipeline", "coding", "README.md")]
	methods, err := os.ReadFile(filepath.Join(root(t), "serve", "web", "templates", "docs", "methods.html"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(methods)
	skills := regexp.MustCompile(`(?s)Skills: precision, [^|]+ \| [^|]+ \| 0\.(\d\d) ` +
		`.*Skills: recall, [^|]+ \| [^|]+ \| 0\.(\d\d) `).FindStringSubmatch(readme)
	titles := regexp.MustCompile(`(?s)Occupation: coded to four digits; to two or more \| \d+ \| (\d+) %; (\d+) %` +
		`.*Occupation: of those, right to four digits; to two \| \d+ \| (\d+ ± \d+) %; (\d+ ± \d+) %`,
	).FindStringSubmatch(readme)
	if skills == nil || titles == nil {
		t.Fatal("the README of the coding has no table of how good it is in the form that this test reads")
	}
	right := func(text string) string { return strings.Replace(text, " ±", " in 100 (±", 1) + ")" }
	want := map[string][2]string{
		"Skills, adverts not seen before":                    {skills[1] + " in 100 (±", skills[2] + " in 100 (±"},
		"Occupations to four digits, titles not seen before": {right(titles[3]), titles[1] + " in 100"},
		"Occupations to two digits, titles not seen before":  {right(titles[4]), titles[2] + " in 100"},
	}
	for name, figures := range want {
		row, _, _ := strings.Cut(page[max(0, strings.Index(page, name)):], "</tr>")
		if !strings.Contains(row, `data-l="Right">`+figures[0]) ||
			!strings.Contains(row, `data-l="Found">`+figures[1]) {
			t.Errorf("%s: the page has %s, the README %q", name, row, figures)
		}
	}
}
