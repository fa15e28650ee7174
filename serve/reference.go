package serve

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// CallGroup is a group of calls of the OpenAPI document.
type CallGroup struct {
	Name, Description string
	Calls             []Call
}

// Call is one operation of the OpenAPI document.
type Call struct {
	Method, Path string
	Words        string // description in one sentence
	Scope        string // required scope of the key; empty = no key is needed
}

// referenced holds the fields of the OpenAPI document that Reference reads.
type referenced struct {
	Tags  []struct{ Name, Description string }
	Paths map[string]map[string]struct {
		Tags        []string
		Description string
	}
}

// scopePattern matches the sentence of a description with the scope.
var scopePattern = regexp.MustCompile(`Scope: (\S+)\.`)

// Reference returns the calls of the OpenAPI document in its groups, by path and method.
func Reference() ([]CallGroup, error) {
	var d referenced
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, fmt.Errorf("openapi.json: %w", err)
	}
	groups := make([]CallGroup, len(d.Tags))
	for i, tag := range d.Tags {
		groups[i] = CallGroup{Name: tag.Name, Description: tag.Description}
		for path, methods := range d.Paths {
			for method, operation := range methods {
				if slices.Contains(operation.Tags, tag.Name) {
					groups[i].Calls = append(groups[i].Calls, callOfDocument(method, path, operation.Description))
				}
			}
		}
		slices.SortFunc(groups[i].Calls, func(a, b Call) int {
			return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
		})
	}
	return groups, nil
}

func callOfDocument(method, path, description string) Call {
	sentence, _, _ := strings.Cut(description, ". ")
	one := Call{Method: strings.ToUpper(method), Path: path, Words: strings.TrimSuffix(sentence, ".") + "."}
	if m := scopePattern.FindStringSubmatch(description); m != nil {
		one.Scope = m[1]
	}
	return one
}
