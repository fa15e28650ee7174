package cmd_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// callsBack bounds how many calls run back up between the files of the packages under a folder:
// where file a calls into b, b does not call into a again, not even by way of other files. Then a
// package can be read file by file, from its exported functions down. No call runs back up in the
// pipeline or the snapshots; serve has at most five.
var callsBack = []struct {
	under string
	most  int
}{
	{"labour/pipeline", 0},
	{"labour/snapshots", 0},
	{"labour/serve", 5},
}

// TestCallsRunOneWay counts the calls that run back up between the files of each package.
func TestCallsRunOneWay(t *testing.T) {
	for _, rule := range callsBack {
		var back []string
		for pkg, calls := range callsBetweenFiles(t, rule.under) {
			for _, c := range runningBack(calls) {
				back = append(back, fmt.Sprintf("%s: %s in %s calls %s in %s", pkg, c.caller, c.from, c.callee, c.to))
			}
		}
		slices.Sort(back)
		if len(back) > rule.most {
			t.Errorf("%d calls run back up under %s, at most %d may:\n%s", len(back), rule.under, rule.most,
				strings.Join(back, "\n"))
		}
	}
}

// TestRunningBack tries the count on files that call each other.
func TestRunningBack(t *testing.T) {
	one := func(from, to string) call { return call{from: from, to: to, caller: from + "F", callee: to + "F"} }
	down := []call{one("a", "b"), one("b", "c"), one("a", "c")}
	if got := runningBack(down); len(got) > 0 {
		t.Errorf("calls down: %v", got)
	}
	if got := runningBack(append(down, one("c", "a"))); len(got) != 1 || got[0] != one("c", "a") {
		t.Errorf("a call back up by way of another file: %v", got)
	}
}

// call is a function of one file that uses a function or method of another file of its package.
type call struct{ from, to, caller, callee string }

// callsBetweenFiles returns the calls between files of each package under a folder, each pair of
// functions once. Tests are left out.
func callsBetweenFiles(t *testing.T, under string) map[string][]call {
	t.Helper()
	pattern := "./" + strings.TrimPrefix(under, "labour/") + "/..."
	list := exec.Command("go", "list", "-export", "-deps", "-f",
		"{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{.GoFiles}}", pattern)
	list.Dir = root(t)
	out, err := list.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	exports := map[string]string{}
	dirs, files := map[string]string{}, map[string][]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		exports[f[0]] = f[1]
		if f[0] == under || strings.HasPrefix(f[0], under+"/") {
			dirs[f[0]], files[f[0]] = f[2], strings.Fields(strings.Trim(f[3], "[]"))
		}
	}
	if len(dirs) == 0 {
		t.Fatalf("no package is under %s any more", under)
	}
	set := token.NewFileSet()
	from := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		b, err := os.ReadFile(exports[path])
		return io.NopCloser(bytes.NewReader(b)), err
	})
	calls := map[string][]call{}
	for pkg, dir := range dirs {
		calls[pkg] = callsOf(t, set, from, pkg, dir, files[pkg])
	}
	return calls
}

// callsOf returns the calls between the files of one package.
func callsOf(t *testing.T, set *token.FileSet, from types.Importer, pkg, dir string, names []string) (calls []call) {
	t.Helper()
	var parsed []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	checked, err := (&types.Config{Importer: from}).Check(pkg, set, parsed, info)
	if err != nil {
		t.Fatalf("%s: %v", pkg, err)
	}
	file := func(p token.Pos) string { return filepath.Base(set.Position(p).Filename) }
	for _, f := range parsed {
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				id, _ := n.(*ast.Ident)
				if id == nil {
					return true
				}
				used, ok := info.Uses[id].(*types.Func)
				if !ok || used.Pkg() != checked || isOfInterface(used) {
					return true
				}
				c := call{file(d.Pos()), file(used.Origin().Pos()), nameOf(d), used.Name()}
				if c.from != c.to && !slices.Contains(calls, c) {
					calls = append(calls, c)
				}
				return true
			})
		}
	}
	return calls
}

// nameOf returns the name of a function, or "a variable" for a declaration of variables or constants.
func nameOf(d ast.Decl) string {
	if fn, ok := d.(*ast.FuncDecl); ok {
		return fn.Name.Name
	}
	return "a variable"
}

// isOfInterface reports whether a method is of an interface: who implements it is not known here.
func isOfInterface(f *types.Func) bool {
	of := f.Signature().Recv()
	return of != nil && types.IsInterface(of.Type())
}

// runningBack returns few calls without which no file calls, by way of others, into itself. Only
// files that do so are looked at.
func runningBack(calls []call) (back []call) {
	for _, group := range groups(calls) {
		rank := map[string]int{}
		for i, name := range bestOrder(group, calls) {
			rank[name] = i
		}
		for _, c := range calls {
			from, ok := rank[c.from]
			to, also := rank[c.to]
			if ok && also && from > to {
				back = append(back, c)
			}
		}
	}
	return back
}

// groups returns the files that call each other, directly or by way of others.
func groups(calls []call) (all [][]string) {
	reach := map[[2]string]bool{}
	var names []string
	for _, c := range calls {
		reach[[2]string{c.from, c.to}] = true
		names = append(names, c.from, c.to)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, by := range names {
		for _, a := range names {
			for _, b := range names {
				if reach[[2]string{a, by}] && reach[[2]string{by, b}] {
					reach[[2]string{a, b}] = true
				}
			}
		}
	}
	in := map[string]bool{}
	for _, a := range names {
		if in[a] || !reach[[2]string{a, a}] {
			continue
		}
		var group []string
		for _, b := range names {
			if reach[[2]string{a, b}] && reach[[2]string{b, a}] {
				group, in[b] = append(group, b), true
			}
		}
		all = append(all, group)
	}
	return all
}

// bestOrder returns an order of files in which few calls run back up: as long as there are fewer,
// it moves one file to another place.
func bestOrder(files []string, calls []call) []string {
	best := slices.Clone(files)
	fewest := backIn(best, calls)
	for better := true; better; {
		better = false
		for _, name := range files {
			rest := slices.DeleteFunc(slices.Clone(best), func(f string) bool { return f == name })
			for at := range files {
				order := slices.Insert(slices.Clone(rest), at, name)
				if n := backIn(order, calls); n < fewest {
					best, fewest, better = order, n, true
				}
			}
		}
	}
	return best
}

// backIn returns how many calls run back up in an order of files.
func backIn(order []string, calls []call) (n int) {
	rank := map[string]int{}
	for i, name := range order {
		rank[name] = i
	}
	for _, c := range calls {
		from, ok := rank[c.from]
		to, also := rank[c.to]
		if ok && also && from > to {
			n++
		}
	}
	return n
}
