package config

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the reference of the configuration into pipeline/README.md")

// The lines of pipeline/README.md between which the reference stands.
const referenceBegin, referenceEnd = "<!-- Generated: go test ./pipeline/config -update -->\n",
	"<!-- End of the generated part -->\n"

// TestReferenceIsThatOfTheCode: the handbook's table of keys says what the comments of the
// configuration's fields say, and every key has one.
func TestReferenceIsThatOfTheCode(t *testing.T) {
	const handbook = "../README.md"
	text, err := os.ReadFile(handbook)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, begun := strings.Cut(string(text), referenceBegin)
	_, tail, ended := strings.Cut(rest, referenceEnd)
	if !begun || !ended {
		t.Fatalf("%s has no generated part", handbook)
	}
	r := reference{t: t, root: "../..", described: map[string]string{}}
	r.block("labour/pipeline/config", "Config", "")
	want := head + referenceBegin + "| Key | Value | Meaning |\n|---|---|---|\n" + r.rows.String() + referenceEnd + tail
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the code says; run go test ./pipeline/config -update", handbook)
	}
	if err := os.WriteFile(handbook, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// reference writes a row for every key of a Go struct and of the structs within it.
type reference struct {
	t    *testing.T
	root string
	rows strings.Builder
	// described is where the keys of a struct stand, by package and name.
	described map[string]string
}

// block writes the rows of a struct of a package, whose keys stand under a prefix.
func (r *reference) block(pkg, name, prefix string) {
	r.t.Helper()
	if at, twice := r.described[pkg+"."+name]; twice {
		r.row(prefix+"…", "", "the keys of `"+at+"…`")
		return
	}
	r.described[pkg+"."+name] = prefix
	fields, imports := r.find(pkg, name)
	for _, f := range fields {
		if f.Tag == nil {
			continue
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		key, _, _ := strings.Cut(reflect.StructTag(tag).Get("yaml"), ",")
		if err != nil || key == "" || key == "-" {
			continue
		}
		meaning := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
		if meaning == "" {
			r.t.Errorf("%s.%s has no comment that says what %s means", pkg, f.Names[0].Name, prefix+key)
		}
		r.field(pkg, imports, f.Type, prefix+key, r.asMeaning(pkg, f.Names[0].Name, meaning))
	}
}

var isOrAre, defaultName = regexp.MustCompile(`^(is|are) `), regexp.MustCompile(`Default[A-Z][A-Za-z]*`)

// asMeaning makes the comment of a field one for operators, who do not see its Go name nor
// those of constants.
func (r *reference) asMeaning(pkg, field, comment string) string {
	comment = isOrAre.ReplaceAllString(strings.TrimPrefix(comment, field+" "), "")
	comment = defaultName.ReplaceAllStringFunc(comment, func(name string) string {
		_, spec := r.declaration(pkg, name)
		if c, is := spec.(*ast.ValueSpec); is {
			return strings.ReplaceAll(c.Values[0].(*ast.BasicLit).Value, `"`, "`")
		}
		return name
	})
	return strings.ReplaceAll(strings.TrimSuffix(comment, "."), "|", "\\|")
}

// field writes the row of a key, and those of the keys within it.
func (r *reference) field(pkg string, imports map[string]string, of ast.Expr, key, meaning string) {
	value := ""
	switch x := of.(type) {
	case *ast.StarExpr:
		r.field(pkg, imports, x.X, key, meaning)
		return
	case *ast.ArrayType:
		if simple(x.Elt) == "" {
			r.row(key, "list", meaning)
			r.within(pkg, imports, x.Elt, key+"[].")
			return
		}
		value = "list of " + simple(x.Elt)
	case *ast.MapType:
		if simple(x.Value) == "" {
			r.row(key, "by name", meaning)
			r.within(pkg, imports, x.Value, key+".*.")
			return
		}
		value = simple(x.Value) + " by name"
	default:
		if value = simple(of); value == "" {
			r.row(key, "block", meaning)
			r.within(pkg, imports, of, key+".")
			return
		}
	}
	r.row(key, value, meaning)
}

func (r *reference) row(key, value, meaning string) {
	fmt.Fprintf(&r.rows, "| `%s` | %s | %s |\n", key, value, meaning)
}

// within writes the keys of a named struct.
func (r *reference) within(pkg string, imports map[string]string, of ast.Expr, prefix string) {
	switch x := of.(type) {
	case *ast.Ident:
		r.block(pkg, x.Name, prefix)
	case *ast.SelectorExpr:
		r.block(imports[x.X.(*ast.Ident).Name], x.Sel.Name, prefix)
	}
}

// simple returns the words for a type that holds no keys of its own; "" for any other.
func simple(of ast.Expr) string {
	switch x := of.(type) {
	case *ast.Ident:
		return map[string]string{"string": "text", "int": "whole number", "int64": "whole number",
			"bool": "true or false"}[x.Name]
	case *ast.SelectorExpr:
		if x.Sel.Name == "Cadence" {
			return "text"
		}
	}
	return ""
}

// find returns the fields of a struct, and the packages that its file imports by name.
func (r *reference) find(pkg, name string) (fields []*ast.Field, imports map[string]string) {
	r.t.Helper()
	f, spec := r.declaration(pkg, name)
	if f == nil {
		r.t.Fatalf("no type %s in %s", name, pkg)
	}
	imports = map[string]string{}
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		imports[path[strings.LastIndexByte(path, '/')+1:]] = path
	}
	return spec.(*ast.TypeSpec).Type.(*ast.StructType).Fields.List, imports
}

// declaration returns the type or the constant of that name of a package, with its file;
// nil for none.
func (r *reference) declaration(pkg, name string) (*ast.File, ast.Spec) {
	r.t.Helper()
	files, err := filepath.Glob(filepath.Join(r.root, strings.TrimPrefix(pkg, "labour/"), "*.go"))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, d := range f.Decls {
			general, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					ok = s.Name.Name == name
				case *ast.ValueSpec:
					ok = s.Names[0].Name == name
				default:
					ok = false
				}
				if ok {
					return f, spec
				}
			}
		}
	}
	return nil, nil
}
