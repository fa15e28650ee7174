package labourmarket

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write types.go anew")

// schema is what of a schema of the document decides on a Go type.
type schema struct {
	Ref        string `json:"$ref"`
	Type       any
	Format     string
	AnyOf      []schema
	Items      *schema
	Properties map[string]schema
}

// goType is the type of a field. A count is the only one that may be several things.
func goType(t *testing.T, s schema) string {
	t.Helper()
	if s.Ref != "" {
		return filepath.Base(s.Ref)
	}
	if s.AnyOf != nil {
		return "Count"
	}
	names, _ := s.Type.([]any)
	if names == nil {
		names = []any{s.Type}
	}
	pointer := ""
	if len(names) == 2 && names[1] == "null" {
		pointer = "*"
	}
	switch name := names[0]; {
	case name == "array":
		return "[]" + goType(t, *s.Items)
	case name == "string" && s.Format == "date-time":
		return pointer + "time.Time"
	}
	plain := map[any]string{"string": "string", "integer": "int64", "number": "float64", "boolean": "bool"}[names[0]]
	if plain == "" || len(names) > 2 {
		t.Fatalf("no Go type for %v", s.Type)
	}
	return pointer + plain
}

// named writes a name of the document as Go does.
func named(name string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		switch word {
		case "id", "soc", "gbp", "url":
			out.WriteString(strings.ToUpper(word))
		default:
			out.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return out.String()
}

// notOfData are the schemas of whole answers, of requests and of what is not data.
var notOfData = regexp.MustCompile("Response$|^Webhook[^M]|^WebhookMeta|^NewWebhook|^Compliance|^Health$|^Readiness$|^ErrorBody$")

// generated is types.go as the document wants it.
func generated(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../../openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("// Code generated from openapi.json by go test -update; DO NOT EDIT.\n\npackage labourmarket\n\nimport \"time\"\n\n")
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		if notOfData.MatchString(name) {
			continue
		}
		fmt.Fprintf(&b, "type %s struct {\n", name)
		properties := doc.Components.Schemas[name].Properties
		for _, field := range slices.Sorted(maps.Keys(properties)) {
			fmt.Fprintf(&b, "%s %s `json:%q`\n", named(field), goType(t, properties[field]), field)
		}
		b.WriteString("}\n")
	}
	out, err := format.Source([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestTypesAreThoseOfTheDocument(t *testing.T) {
	want := generated(t)
	if *update {
		if err := os.WriteFile("types.go", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("types.go"); err != nil || string(got) != want {
		t.Errorf("types.go is old (%v): run this test with -update", err)
	}
}

func TestNothingButTheStandardLibrary(t *testing.T) {
	for _, file := range []string{"count.go", "types.go"} {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range tree.Imports {
			if first, _, _ := strings.Cut(strings.Trim(i.Path.Value, `"`), "/"); strings.Contains(first, ".") || first == "labour" {
				t.Errorf("%s imports %s", file, i.Path.Value)
			}
		}
	}
}

func TestCountsAreRead(t *testing.T) {
	for text, want := range map[string]Count{"0": {}, "15": {Number: 15}, `"<5"`: {UnderFive: true}, "null": {None: true}} {
		row := SkillsUnmetRow{PeopleTurnedDown: Count{Number: 1, None: true}}
		if err := json.Unmarshal([]byte(`{"people_turned_down":`+text+`}`), &row); err != nil || row.PeopleTurnedDown != want {
			t.Errorf("%s: %+v, %v", text, row.PeopleTurnedDown, err)
		}
	}
	if err := json.Unmarshal([]byte(`"<6"`), new(Count)); err == nil {
		t.Error("another text was read as a count")
	}
}
