package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// operatorSwaps maps each Go operator to the operator that replaces it in a mutation.
var operatorSwaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
}

// goFile is a Go file with the possible mutations that were found in it so far.
type goFile struct {
	path  string
	text  []byte
	set   *token.FileSet
	sites []site
}

// goSites returns all possible mutations of the Go file at path. text is the content of the file.
func goSites(path string, text []byte) ([]site, error) {
	f := &goFile{path: path, text: text, set: token.NewFileSet()}
	parsed, err := parser.ParseFile(f.set, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range parsed.Decls {
		if of, ok := d.(*ast.GenDecl); ok && of.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, f.visit)
	}
	return f.sites, nil
}

// add adds a mutation to f. The mutation replaces the text between the positions from and to with
// replacement. inWords describes the mutation for the output.
func (f *goFile) add(from, to token.Pos, replacement, inWords string) {
	at, end := f.set.Position(from), f.set.Position(to)
	f.sites = append(f.sites, site{file: f.path, line: at.Line, offset: at.Offset,
		oldText: string(f.text[at.Offset:end.Offset]), newText: replacement, inWords: inWords})
}

func (f *goFile) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if other, ok := operatorSwaps[n.Op]; ok {
			f.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String(), "")
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.add(n.OpPos, n.OpPos+1, "", "! left out")
		}
	case *ast.BasicLit:
		if i, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
			f.add(n.Pos(), n.End(), strconv.Itoa(i+1), "")
		}
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			f.add(n.Pos(), n.End(), strconv.FormatBool(n.Name == "false"), "")
		}
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	}
	return true
}

// statements adds mutations that each remove one statement. It skips declarations, because code
// without them would not compile.
func (f *goFile) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.DeferStmt, *ast.IfStmt:
		case *ast.ReturnStmt:
			if len(list) < 2 && len(s.Results) == 0 {
				continue
			}
		default:
			continue
		}
		words := "left out: " + f.firstLine(s)
		f.add(s.Pos(), s.End(), "", words)
	}
}

// firstLine returns the first line of a statement, to describe a mutation. It cuts the line after
// 70 bytes.
func (f *goFile) firstLine(s ast.Stmt) string {
	from := f.set.Position(s.Pos()).Offset
	to := min(f.set.Position(s.End()).Offset, from+70)
	for i := from; i < to; i++ {
		if f.text[i] == '\n' {
			return string(f.text[from:i])
		}
	}
	return string(f.text[from:to])
}
