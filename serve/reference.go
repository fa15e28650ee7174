package serve

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// OperationGroup is a group of API operations with a heading and a description. The reference
// documentation shows one section for each group.
type OperationGroup struct {
	Name, Description string
	Calls             []Operation
}

// Operation describes one API operation in the reference documentation.
type Operation struct {
	Method, Path string
	Summary      string // first sentence of the operation's description in the OpenAPI document
	Scope        string // scope that an API key must have; empty = no key is needed
}

// referenceDocument holds the fields of the OpenAPI document that OperationGroups reads.
type referenceDocument struct {
	Tags  []struct{ Name, Description string }
	Paths map[string]map[string]struct {
		Tags        []string
		Description string
	}
}

// scopePattern finds the scope that an operation requires in its description, such as jobs:read in
// "Scope: jobs:read."
var scopePattern = regexp.MustCompile(`Scope: (\S+)\.`)

// OperationGroups returns all API operations for the reference documentation. Each group is sorted
// by path and method.
func OperationGroups() ([]OperationGroup, error) {
	var d referenceDocument
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, fmt.Errorf("openapi.json: %w", err)
	}
	groups := make([]OperationGroup, len(d.Tags))
	for i, tag := range d.Tags {
		groups[i] = OperationGroup{Name: tag.Name, Description: tag.Description}
		for path, methods := range d.Paths {
			for method, operation := range methods {
				if slices.Contains(operation.Tags, tag.Name) {
					groups[i].Calls = append(groups[i].Calls, callOfDocument(method, path, operation.Description))
				}
			}
		}
		slices.SortFunc(groups[i].Calls, func(a, b Operation) int {
			return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
		})
	}
	return groups, nil
}

func callOfDocument(method, path, description string) Operation {
	sentence, _, _ := strings.Cut(description, ". ")
	one := Operation{Method: strings.ToUpper(method), Path: path, Summary: strings.TrimSuffix(sentence, ".") + "."}
	if m := scopePattern.FindStringSubmatch(description); m != nil {
		one.Scope = m[1]
	}
	return one
}
