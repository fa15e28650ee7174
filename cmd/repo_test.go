// Package cmd_test holds the rules of the repository that need no program.
package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// direction lists the packages of ours that a package may import. The longest
// matching prefix holds. Nothing points up or sideways.
var direction = []struct {
	from    string
	may     []string
	because string
}{
	{"labour/cmd", []string{"labour/"}, ""},
	{"labour/pipeline", []string{"labour/pipeline", "labour/sources", "labour/snapshots"},
		"the batch side never sees the server: between them stand snapshots"},
	{"labour/pipeline/disclosure/attackertest", []string{"labour/pipeline/disclosure/attackertest",
		"labour/pipeline/disclosure/synthtest"},
		"the attacker of the tests must not share a fault with what it attacks"},
	{"labour/pipeline/disclosure/synthtest", nil, "made-up people are compared with what the service's code counts"},
	{"labour/pipeline/disclosure/attack", []string{"labour/pipeline", "labour/sources", "labour/snapshots"},
		"the attacker runs the pipeline; what it must not know is in TestAttackerKnowsNoRules"},
	{"labour/serve", []string{"labour/serve", "labour/snapshots"},
		"what a partner may know about a source is a table in the snapshot, so an auditor finds it there too"},
	{"labour/sources", []string{"labour/sources", "labour/snapshots/filestest"},
		"a connector knows its publisher and nothing of what is made of its records"},
	{"labour/snapshots", []string{"labour/snapshots"}, "the disk format is the one thing that both sides know"},
}

// only says where a technology may be imported.
var only = []struct {
	library string
	in      []string
}{
	{"github.com/apache/arrow/", []string{"labour/snapshots/parquetio"}},
	{"github.com/marcboeker/go-duckdb", []string{"labour/serve/query", "labour/cmd/labour-bench",
		"labour/pipeline/cells/engine/duckdb"}},
	{"modernc.org/sqlite", []string{"labour/serve/state"}},
	{"github.com/jackc/pgx", []string{"labour/serve/state"}},
	{"code.dny.dev/ssrf", []string{"labour/serve/webhooks", "labour/sources/fetching"}},
	{"github.com/mmcdole/gofeed", []string{"labour/sources/newsfeeds"}},
	{"github.com/swaggest/swgui", []string{"labour/serve/apidocs"}},
	{"github.com/wneessen/go-mail", []string{"labour/serve/partners/mail"}},
	{"github.com/spf13/cobra", []string{"labour/cmd"}},
	{"github.com/yuin/goldmark", []string{"labour/serve/web"}},
	{"github.com/chromedp/", []string{"labour/serve"}},
	{"github.com/prometheus/", []string{"labour/serve/metrics", "labour/cmd/labour-bench"}},
	{"gocloud.dev/", []string{"labour/snapshots/objects", "labour/pipeline/cells/engine"}},
	{"google.golang.org/grpc", []string{"labour/pipeline/cells/engine/sparkconnect"}},
	{"google.golang.org/protobuf", []string{"labour/pipeline/cells/engine/sparkconnect"}},
	{"github.com/aws/", []string{"labour/snapshots/objects"}},
}

type goFile struct {
	path, pkg string // path from the root; import path of its package
	imports   []string
	functions []function
	texts     []text
	long      []condition // of more than mostTerms
	lines     int
	wide      []int // lines over 120 columns
	crowded   []int // lines that assign more than mostAssigned values
	test      bool
}

type function struct {
	name  string
	lines int
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func goFiles(t *testing.T) []goFile {
	t.Helper()
	dir := root(t)
	var files []goFile
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		g := goFile{path: rel, pkg: "labour/" + filepath.ToSlash(filepath.Dir(rel)),
			lines: strings.Count(string(text), "\n"), wide: wideLines(string(text), rel),
			test: strings.HasSuffix(rel, "_test.go"), texts: texts(set, f),
			long: longConditions(set, f), crowded: crowdedAssignments(set, f)}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				g.functions = append(g.functions,
					function{fn.Name.Name, set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1})
			}
		}
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			g.imports = append(g.imports, name)
		}
		files = append(files, g)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func under(pkg, prefix string) bool {
	return pkg == prefix || strings.HasPrefix(pkg, strings.TrimSuffix(prefix, "/")+"/")
}

func TestImportsRunOneWay(t *testing.T) {
	used := map[string]bool{}
	for _, f := range goFiles(t) {
		for _, rule := range direction {
			if !under(f.pkg, rule.from) {
				continue
			}
			used[rule.from] = true
			for _, i := range f.imports {
				if under(i, "labour") && !allowed(i, rule.may) {
					t.Errorf("%s imports %s: %s", f.path, i, rule.because)
				}
			}
		}
	}
	for _, rule := range direction { // a renamed folder must not switch its rule off
		if !used[rule.from] {
			t.Errorf("no package is under %s any more", rule.from)
		}
	}
}

// TestAttackerKnowsNoRules: who attacks the figures of people shares no fault with what makes them.
func TestAttackerKnowsNoRules(t *testing.T) {
	rules := []string{"labour/pipeline/disclosure", "labour/pipeline/people", "labour/pipeline/counting"}
	for _, f := range goFiles(t) {
		for _, i := range f.imports {
			if f.pkg == "labour/pipeline/disclosure/attack" && slices.Contains(rules, i) {
				t.Errorf("%s imports %s, whose figures it attacks", f.path, i)
			}
		}
	}
}

func allowed(pkg string, prefixes []string) bool {
	for _, p := range prefixes {
		if under(pkg, p) {
			return true
		}
	}
	return false
}

func TestTechnologiesStayInTheirPackage(t *testing.T) {
	files := goFiles(t)
	for _, rule := range only {
		found := false
		for _, f := range files {
			for _, i := range f.imports {
				if !strings.HasPrefix(i, rule.library) {
					continue
				}
				found = true
				if !allowed(f.pkg, rule.in) {
					t.Errorf("%s imports %s, which belongs in %s", f.path, i, strings.Join(rule.in, " and "))
				}
			}
		}
		if !found {
			t.Errorf("nothing imports %s any more: drop the rule or the module", rule.library)
		}
	}
}

// TestServerNeverKnowsTheProtectedZone: the path of the protected zone is in no
// file of the serving side.
func TestServerNeverKnowsTheProtectedZone(t *testing.T) {
	dir := root(t)
	for _, f := range goFiles(t) {
		if !under(f.pkg, "labour/serve") || f.test {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.path))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), `"protected`) {
			t.Errorf("%s names the protected zone", f.path)
		}
	}
}

// TestDuckDBAnswersEveryQuestion: the server has no way of its own into the rows of a
// snapshot, and so no index or cache of them.
func TestDuckDBAnswersEveryQuestion(t *testing.T) {
	for _, f := range goFiles(t) {
		for _, i := range f.imports {
			if under(f.pkg, "labour/serve/query") && !f.test && i == "labour/snapshots/parquetio" {
				t.Errorf("%s reads rows past DuckDB", f.path)
			}
		}
	}
}

func TestTopLevel(t *testing.T) {
	allowed := map[string]bool{"cmd": true, "pipeline": true, "snapshots": true, "serve": true, "sources": true,
		"go.mod": true, "go.sum": true, "Makefile": true, "README.md": true, "LICENSE": true}
	built := map[string]bool{"bin": true, "data": true} // made by the program, never committed
	entries, err := os.ReadDir(root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && !allowed[name] && !built[name] {
			t.Errorf("%s does not belong at the top level", name)
		}
		delete(allowed, e.Name())
	}
	for name := range allowed {
		t.Errorf("%s is missing at the top level", name)
	}
}

// TestNoProgramIsCommitted: a built program weighs 170 MB in every clone for ever.
func TestNoProgramIsCommitted(t *testing.T) {
	git := exec.Command("git", "ls-files", "-z")
	git.Dir = root(t)
	list, err := git.Output()
	if err != nil {
		t.Skip("no git here, or no clone: ", err)
	}
	for _, name := range strings.Split(strings.Trim(string(list), "\x00"), "\x00") {
		most := int64(1 << 20)
		if name == "pipeline/coding/skill/register.tsv" { // text that is written by hand
			most <<= 1
		}
		if at, err := os.Stat(filepath.Join(root(t), name)); err == nil && at.Size() > most {
			t.Errorf("%s has %d MB; what is built or downloaded stays out of the repository", name, at.Size()>>20)
		}
	}
}

func TestFilesStayReadable(t *testing.T) {
	banned := map[string]bool{"util": true, "utils": true, "common": true, "helpers": true, "models": true}
	hall := 0 // lines of the package that calls all rooms of the pipeline
	for _, f := range goFiles(t) {
		if f.lines > 350 {
			t.Errorf("%s has %d lines; 350 are readable", f.path, f.lines)
		}
		if f.pkg == "labour/pipeline" && !f.test {
			hall += f.lines
		}
		most := 60 // usually 10 to 40
		if f.test {
			most = 80 // with its table
		}
		for _, fn := range f.functions {
			if fn.lines > most {
				t.Errorf("%s: %s has %d lines; %d are readable", f.path, fn.name, fn.lines, most)
			}
		}
		if banned[filepath.Base(filepath.Dir(f.path))] {
			t.Errorf("%s: a package is named after what it is about", f.path)
		}
	}
	if hall > 900 {
		t.Errorf("package pipeline has %d lines; 900 are read in half an hour. A rule belongs to a room", hall)
	}
}
