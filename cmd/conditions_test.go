package cmd_test

import (
	"go/ast"
	"go/token"
	"testing"
)

// mostTerms is how many terms, joined by && or ||, a condition may have without a name.
const mostTerms = 3

// condition is that of an if, a for, a case or a returned value.
type condition struct{ line, terms int }

// TestLongConditionsHaveNames: a stranger reads a condition once.
func TestLongConditionsHaveNames(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		for _, c := range f.long {
			t.Errorf("%s:%d: a condition of %d terms; %d are readable: before it, give those that belong together "+
				"a name that says what they mean", f.path, c.line, c.terms, mostTerms)
		}
	}
}

// longConditions finds the conditions of a file that have more than mostTerms terms.
func longConditions(set *token.FileSet, f *ast.File) (long []condition) {
	ast.Inspect(f, func(n ast.Node) bool {
		var conditions []ast.Expr
		switch n := n.(type) {
		case *ast.IfStmt:
			conditions = []ast.Expr{n.Cond}
		case *ast.ForStmt:
			conditions = []ast.Expr{n.Cond}
		case *ast.CaseClause:
			conditions = n.List
		case *ast.ReturnStmt:
			conditions = n.Results
		}
		for _, e := range conditions {
			if terms := termsOf(e); terms > mostTerms {
				long = append(long, condition{set.Position(e.Pos()).Line, terms})
			}
		}
		return true
	})
	return long
}

// termsOf counts the terms that && and || join, also within brackets and after "!".
func termsOf(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return termsOf(e.X)
	case *ast.UnaryExpr:
		return termsOf(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			return termsOf(e.X) + termsOf(e.Y)
		}
	}
	return 1
}
