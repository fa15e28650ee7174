// Command types generates Go types for the rows of the API from a server's OpenAPI document:
//
//	curl -s "$LABOUR_URL/v1/openapi.json" | go run ./types > types.go
//
// It needs only the standard library, so that the folder can be copied. The page /docs/api of the
// server describes the fields.
package main

import (
	"encoding/json"
	"fmt"
	"go/format"
	"io"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

func main() {
	text, err := types(os.Stdin)
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "types:", err)
		os.Exit(1)
	}
}

// schema is a schema of the OpenAPI document. It has only the properties that determine the Go
// type.
type schema struct {
	Ref        string `json:"$ref"`
	Type       any
	Format     string
	AnyOf      []schema
	Items      *schema
	Properties map[string]schema
}

// notOfData matches the names of schemas for which no Go type is generated. These are whole
// responses, requests, and types that are written by hand.
var notOfData = regexp.MustCompile(
	"Response$|^Webhook[^M]|^WebhookMeta|^NewWebhook|^Compliance|^Health$|^Readiness$|^ErrorBody$|^Source$")

// types returns Go source code that declares a struct for each row type in an OpenAPI document.
func types(document io.Reader) ([]byte, error) {
	var doc struct {
		Components struct{ Schemas map[string]schema }
	}
	if err := json.NewDecoder(document).Decode(&doc); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	text := "// Code generated from openapi.json; DO NOT EDIT.\n\npackage labourmarket\n\nimport \"time\"\n\n"
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		if notOfData.MatchString(name) {
			continue
		}
		text += "type " + name + " struct {\n"
		properties := doc.Components.Schemas[name].Properties
		for _, field := range slices.Sorted(maps.Keys(properties)) {
			of, err := goType(properties[field])
			if err != nil {
				return nil, fmt.Errorf("%s.%s: %w", name, field, err)
			}
			text += fmt.Sprintf("%s %s `json:%q`\n", goName(field), of, field)
		}
		text += "}\n"
	}
	return format.Source([]byte(text))
}

// goType returns the Go type for a field's schema. A schema with anyOf becomes a Count, because
// only counts of people use anyOf.
func goType(s schema) (string, error) {
	if s.Ref != "" {
		return path.Base(s.Ref), nil
	}
	if s.AnyOf != nil {
		return "Count", nil
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
		item, err := goType(*s.Items)
		return "[]" + item, err
	case name == "string" && s.Format == "date-time":
		return pointer + "time.Time", nil
	}
	plain := map[any]string{"string": "string", "integer": "int64", "number": "float64", "boolean": "bool"}[names[0]]
	if plain == "" || len(names) > 2 {
		return "", fmt.Errorf("no Go type for %v", s.Type)
	}
	return pointer + plain, nil
}

// goName returns the Go name of a JSON field. For example, "source_key" becomes "SourceKey".
func goName(name string) string {
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
