package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// question finds a question in SQL, or a part of one, in a text of a program. What
// sets up an engine is none: SET of a setting, PRAGMA, CREATE DATABASE, a lock.
var question = regexp.MustCompile(`(?s)` + strings.Join([]string{
	`\bSELECT\b.*\bFROM\b`, `\bINSERT\s+(OR\s+\w+\s+)?INTO\b`, `\bUPDATE\s+\S+\s+SET\b`, `\bDELETE\s+FROM\b`,
	`\bMERGE\s+INTO\b`,
	`\b(CREATE|ALTER|DROP)\s+(OR\s+REPLACE\s+)?((TEMP|TEMPORARY|UNIQUE)\s+)?(TABLE|VIEW|INDEX|TRIGGER|MACRO)\b`,
	`\bWITH\s+\w+\s+AS\s`, `\bCOPY\b.*\b(TO|FROM)\b`,
	`^\s*(FROM|JOIN|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|VALUES|RETURNING)\s`,
	`(?i:^\s*(select\s.*\sfrom|insert\s+into|update\s+\S+\s+set|delete\s+from|create\s+(table|view))\s)`,
}, "|"))

// inGo lists the files that may hold queries, and why.
var inGo = map[string]string{
	"pipeline/cells/engine/duckdb/duckdb.go": "makes views, tables and files of paths and of questions, which " +
		"cannot be bound",
	"cmd/labour-bench/rows.go": "makes views of paths, which cannot be bound",
	"serve/state/copy.go":      "copies whole tables, whose names cannot be bound",
}

func TestQuestion(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT id\nFROM keys": true, "WITH one AS (SELECT 1)": true, "INSERT OR IGNORE INTO keys VALUES (1)": true,
		"UPDATE ? SET a = 1": true, "DELETE FROM keys": true, "CREATE OR REPLACE VIEW keys": true,
		"COPY (FROM ?) TO '?'": true,
		" WHERE id = $1":       true, "ORDER BY id": true, "select id from keys": true,
		"SELECT pg_advisory_lock($1)": false, "SET memory_limit = '2GB'": false, "CREATE DATABASE test": false,
		"choose a plan from the list, or select one": false, "update the settings": false,
	} {
		if got := question.MatchString(text); got != want {
			t.Errorf("%q is a question: %v, want %v", text, got, want)
		}
	}
}

// TestQuestionsAreInFiles: SQL is in files of its own, one question each, where it can
// be read and tried by itself, and where nothing can be spliced into it.
func TestQuestionsAreInFiles(t *testing.T) {
	found := map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		for _, s := range f.texts {
			if !question.MatchString(s.text) {
				continue
			}
			found[f.path] = true
			if inGo[f.path] == "" {
				t.Errorf("%s:%d holds a question in SQL; put it into a file of its own: %.60q", f.path, s.line, s.text)
			}
		}
	}
	for path := range inGo {
		if !found[path] {
			t.Errorf("%s holds no question any more: take it off the list", path)
		}
	}
}

// text is a string of a program, with what is added to it in the same expression; a ?
// stands for what is not written there.
type text struct {
	line int
	text string
}

// texts finds the strings of a file. Tags of fields and paths of imports are none.
func texts(set *token.FileSet, f *ast.File) (all []text) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.BinaryExpr, *ast.BasicLit:
			if s, ok := joined(n.(ast.Expr)); ok {
				all = append(all, text{set.Position(n.Pos()).Line, s}) // and go on, to what a function in it is given
			}
		}
		return true
	})
	return all
}

// joined is the text of a string, or of a sum in which there is one.
func joined(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, e.Kind == token.STRING && err == nil
	case *ast.ParenExpr:
		return joined(e.X)
	case *ast.BinaryExpr:
		left, hasLeft := joined(e.X)
		right, hasRight := joined(e.Y)
		return left + right, e.Op == token.ADD && (hasLeft || hasRight)
	}
	return "?", false
}

// TestFilesOfQuestionsAreAsked: a file of SQL in the folder sql of a package is
// embedded there. One that is embedded by itself is in the variable of its name
// (key_by_id.sql in keyByIDSQL), and that is used.
func TestFilesOfQuestionsAreAsked(t *testing.T) {
	dir := root(t)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() || e.Name() != "sql" {
			return err
		}
		whole, single, uses := embedded(t, filepath.Dir(path))
		files, err := filepath.Glob(filepath.Join(path, "*.sql"))
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".sql")
			want, got := strings.ReplaceAll(name, "_", "")+"sql", single[name]
			switch {
			case whole:
			case strings.ToLower(got) != want:
				t.Errorf("%s is in the variable %q, not in one of its name with SQL at the end", file, got)
			case uses[got] < 2:
				t.Errorf("nothing asks %s", file)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// embedded returns whether a package embeds its folder sql as a whole, which variable
// holds which file, and how often each name stands in its program.
func embedded(t *testing.T, dir string) (whole bool, single map[string]string, uses map[string]int) {
	t.Helper()
	single, uses = map[string]string{}, map[string]int{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				uses[n.Name]++
			case *ast.GenDecl:
				pattern, ok := strings.CutPrefix(lastLine(n.Doc), "//go:embed sql")
				if name, one := strings.CutSuffix(pattern, ".sql"); one && !strings.Contains(name, "*") {
					single[strings.TrimPrefix(name, "/")] = n.Specs[0].(*ast.ValueSpec).Names[0].Name
				} else if ok {
					whole = true
				}
			}
			return true
		})
	}
	return whole, single, uses
}

func lastLine(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	return doc.List[len(doc.List)-1].Text
}
