package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// longLine is a line of the Makefile that runs long forms.
type longLine struct {
	run      *regexp.Regexp
	packages []string
}

// TestLongFormsAreRun holds that `make long` runs every test that has a long form. A name that no
// line matches leaves its long form to nobody.
func TestLongFormsAreRun(t *testing.T) {
	lines := longLines(t)
	found := 0
	err := filepath.WalkDir("..", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
		for _, name := range withLongForm(t, file) {
			found++
			if !isRun(lines, dir, name) {
				t.Errorf("%s of %s has a long form, which no line of the target long runs", name, dir)
			}
		}
		return nil
	})
	if err != nil || found < 10 {
		t.Fatalf("%d tests with long forms, %v", found, err)
	}
}

// TestSkippedTestsAreRun holds that `make long` runs every test that `make test` skips. The names to skip
// hold in all packages, so that a test with such a name in another package would be run by nobody.
func TestSkippedTestsAreRun(t *testing.T) {
	lines, skipped := longLines(t), skippedNames(t)
	found := 0
	err := filepath.WalkDir("..", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
		for _, m := range testFunction.FindAllSubmatch(text, -1) {
			name := string(m[1])
			if !skipped.MatchString(name) {
				continue
			}
			found++
			if !isRun(lines, dir, name) {
				t.Errorf("%s of %s is skipped by make test, and no line of the target long runs it", name, dir)
			}
		}
		return err
	})
	if err != nil || found < 20 {
		t.Fatalf("%d tests that are skipped, %v", found, err)
	}
}

// TestNamedTestsExist holds that the calls of go test in the Makefile name tests that exist. Each
// package of a call has one with such a name, and each name is of one in some package. A test that
// moves to another package would otherwise be run no more.
func TestNamedTestsExist(t *testing.T) {
	packages := map[string][]string{} // of the calls with a name, by name
	for _, l := range testCalls(makefile(t)) {
		if l.run.String() == "" || l.run.String() == "^$" {
			continue
		}
		for _, p := range l.packages {
			if !anyTest(t, p, l.run) {
				t.Errorf("%s has no test of the names %s", p, l.run)
			}
		}
		for _, name := range strings.Split(l.run.String(), "|") {
			packages[name] = append(packages[name], l.packages...)
		}
	}
	for name, in := range packages {
		pattern := regexp.MustCompile(name)
		if !slices.ContainsFunc(in, func(p string) bool { return anyTest(t, p, pattern) }) {
			t.Errorf("%s is not the name of a test in %s", name, strings.Join(in, ", "))
		}
	}
	if len(packages) < 30 {
		t.Fatalf("%d names", len(packages))
	}
}

// anyTest reports whether a package has a test whose name matches.
func anyTest(t *testing.T, dir string, pattern *regexp.Regexp) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testFunction.FindAllSubmatch(text, -1) {
			if pattern.Match(m[1]) {
				return true
			}
		}
	}
	return false
}

var testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// skippedNames returns the pattern of the names that make test skips, without those of subtests.
func skippedNames(t *testing.T) *regexp.Regexp {
	t.Helper()
	var names []string
	for _, v := range variable.FindAllStringSubmatch(makefile(t), -1) {
		if !slices.Contains([]string{"WHOLE", "RUNS", "SERVERS"}, v[1]) {
			continue
		}
		whole, _, _ := strings.Cut(v[2], "|TestScripts/")
		names = append(names, strings.Split(whole, "|")...)
	}
	return regexp.MustCompile(strings.Join(names, "|"))
}

var (
	variable = regexp.MustCompile(`(?m)^([A-Z]+) := (.*)$`)
	goTest   = regexp.MustCompile(`(?m)^\t\$\(GO\) test (.*)$`)
	running  = regexp.MustCompile(`-run (?:'([^']*)'|(\S+))`)
)

// longLines returns the calls of go test under the targets year and wholes.
func longLines(t *testing.T) (lines []longLine) {
	t.Helper()
	text := makefile(t)
	_, text, _ = strings.Cut(text, "\nyear:\n")
	text, _, _ = strings.Cut(text, "\n\n")
	return testCalls(text)
}

// makefile returns the text of the Makefile with the values of its variables.
func makefile(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, v := range variable.FindAllStringSubmatch(text, -1) {
		text = strings.ReplaceAll(text, "$("+v[1]+")", v[2])
	}
	return text
}

// testCalls returns the calls of go test in a part of the Makefile whose variables are replaced.
func testCalls(text string) (lines []longLine) {
	for _, call := range goTest.FindAllStringSubmatch(text, -1) {
		l := longLine{run: regexp.MustCompile("")}
		if m := running.FindStringSubmatch(call[1]); m != nil {
			// The part after a slash is of subtests.
			l.run = regexp.MustCompile(strings.ReplaceAll(strings.Split(m[1]+m[2], "/")[0], "$$", "$"))
		}
		for _, word := range strings.Fields(call[1]) {
			if p, ok := strings.CutPrefix(word, "./"); ok {
				l.packages = append(l.packages, path.Clean(p))
			}
		}
		lines = append(lines, l)
	}
	return lines
}

func isRun(lines []longLine, dir, test string) bool {
	for _, l := range lines {
		for _, p := range l.packages {
			if p == dir && l.run.MatchString(test) {
				return true
			}
		}
	}
	return false
}

// withLongForm returns the tests of a file that do more with LABOUR_LONG.
func withLongForm(t *testing.T, file string) (names []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(f.Name.Name, "Test") {
			continue
		}
		is := false
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				is = is || asksForLong(call)
			}
			return true
		})
		if is {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// asksForLong reports whether a call asks whether long forms are to be run.
func asksForLong(call *ast.CallExpr) bool {
	switch of := call.Fun.(type) {
	case *ast.Ident:
		return of.Name == "long" || of.Name == "longForms"
	case *ast.SelectorExpr:
		if of.Sel.Name != "Getenv" || len(call.Args) == 0 {
			return of.Sel.Name == "FewerDraws"
		}
		name, ok := call.Args[0].(*ast.BasicLit)
		return ok && name.Value == `"LABOUR_LONG"`
	}
	return false
}
