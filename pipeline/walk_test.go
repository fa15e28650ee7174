package pipeline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

// mostHops is how many steps a reader may need from `labour run` to the row of an advert.
const mostHops = 12

var (
	linked = regexp.MustCompile(`\]\(([^)]+\.go)\)`)
	named  = regexp.MustCompile("`([A-Za-z]+)`")
)

// TestWalkOfAnAdvert holds the handbook's way of one advert to the code: it is short, every
// function is in the file that is named, and each is used by one before it.
func TestWalkOfAnAdvert(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walk, found := strings.Cut(string(text), "| | Step | Code | Functions | What happens |\n|---|---|---|---|---|\n")
	if !found {
		t.Fatal("the handbook has no walk of an advert")
	}
	hops, used := 0, map[string]bool{}
	for line := range strings.Lines(walk) {
		cells := strings.Split(line, "|")
		if len(cells) < 6 {
			break
		}
		hops++
		bodies := map[string]*ast.BlockStmt{}
		for _, link := range linked.FindAllStringSubmatch(cells[3], -1) {
			functionsOf(t, link[1], bodies)
		}
		for _, name := range named.FindAllStringSubmatch(cells[4], -1) {
			body := bodies[name[1]]
			if body == nil {
				t.Errorf("step %d: no function %s in %s", hops, name[1], cells[3])
				continue
			}
			if len(used) > 0 && !used[name[1]] {
				t.Errorf("step %d: no function named before it uses %s", hops, name[1])
			}
			ast.Inspect(body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					used[id.Name] = true
				}
				return true
			})
		}
	}
	if hops == 0 || hops > mostHops {
		t.Errorf("%d steps, want at most %d", hops, mostHops)
	}
}

// functionsOf adds the bodies of the functions and methods of a file, by name.
func functionsOf(t *testing.T, file string, to map[string]*ast.BlockStmt) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			to[fn.Name.Name] = fn.Body
		}
	}
}
