package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// mostAssigned is how many values one statement may assign. Results of one call and exchanges do not count.
const mostAssigned = 2

// TestOneAssignmentALine: a stranger reads which value belongs to which name.
func TestOneAssignmentALine(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		for _, line := range f.crowded {
			t.Errorf("%s:%d: one statement assigns more than %d values: write one assignment a line", f.path, line,
				mostAssigned)
		}
	}
}

// crowdedAssignments returns the lines of the statements of a file that assign more than mostAssigned values.
// A statement before the condition of an if, for or switch cannot be split, and does not count.
func crowdedAssignments(set *token.FileSet, f *ast.File) (lines []int) {
	ast.Inspect(f, func(n ast.Node) bool {
		var statements []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			statements = n.List
		case *ast.CaseClause:
			statements = n.Body
		case *ast.CommClause:
			statements = n.Body
		}
		for _, s := range statements {
			if a, ok := s.(*ast.AssignStmt); ok && len(a.Rhs) > mostAssigned && !isExchange(a) {
				lines = append(lines, set.Position(a.Pos()).Line)
			}
		}
		return true
	})
	return lines
}

// isExchange reports whether a statement assigns the old value of one of its variables to another.
func isExchange(a *ast.AssignStmt) bool {
	var names []string
	for _, e := range a.Lhs {
		names = append(names, types.ExprString(e))
	}
	return slices.ContainsFunc(a.Rhs, func(e ast.Expr) bool { return slices.Contains(names, types.ExprString(e)) })
}

// TestCrowdedAssignmentsAreFound: three values of their own count. Results of one call, exchanges, and statements
// before a condition do not.
func TestCrowdedAssignmentsAreFound(t *testing.T) {
	set, f := parsed(t, `package p
func f() {
	a, b, c := 1, 2, 3
	a, b, c = g()
	a, b, c = b, a, 0
	if x, y, z := 1, 2, 3; x < y+z {
		x, y, z = 2, 3, 4
	}
	a, b = 1, 2
}`)
	if got := crowdedAssignments(set, f); !slices.Equal(got, []int{3, 7}) {
		t.Errorf("lines %v, want 3 and 7", got)
	}
}

func parsed(t *testing.T, text string) (*token.FileSet, *ast.File) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return set, f
}
