package main

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// The types of the document of this version need the standard library only, as the rest of
// the folder does.
func TestNothingButTheStandardLibrary(t *testing.T) {
	document, err := os.Open("../../../openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer document.Close()
	made, err := types(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"type SkillsUnmetRow struct", "PeopleTurnedDown ", "Count ", `json:"source_keys"`,
		"*float64"} {
		if !strings.Contains(string(made), want) {
			t.Errorf("the types have no %q", want)
		}
	}
	for file, source := range map[string]any{"types.go": made, "main.go": nil, "../count.go": nil} {
		tree, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range tree.Imports {
			if first, _, _ := strings.Cut(strings.Trim(i.Path.Value, `"`), "/"); first == "labour" ||
				strings.Contains(first, ".") {
				t.Errorf("%s imports %s", file, i.Path.Value)
			}
		}
	}
}

// A document with a type that Go has none for is refused.
func TestUnknownTypesAreRefused(t *testing.T) {
	document := `{"components": {"schemas": {"Row": {"properties": {"at": {"type": ["string", "number", "null"]}}}}}}`
	if _, err := types(strings.NewReader(document)); err == nil || !strings.Contains(err.Error(), "Row.at") {
		t.Errorf("the error is %v", err)
	}
}
