// Package soc2020 holds the groups of the Standard Occupational Classification 2020 (SOC 2020) of
// the Office for National Statistics, with their official names. It decides which codes are codes
// of SOC 2020.
package soc2020

import (
	_ "embed" // for the list of groups
	"slices"
	"strings"
	"sync"
)

// groupsTSV has the code and the name of each group, sorted by code. A test checks that it is
// complete.
//
//go:embed groups.tsv
var groupsTSV string

// Group is one group of occupations in the Standard Occupational Classification 2020 (SOC 2020).
type Group struct {
	Code string // code of 1 to 4 digits, such as 21 or 2136
	Name string // official name of the group
}

// Groups returns a copy of all groups of SOC 2020, sorted by code. The subgroups of a group follow
// it.
func Groups() []Group { return slices.Clone(groups()) }

// IsGroup reports whether code is the code of a group of SOC 2020, such as "21" or "2136".
func IsGroup(code string) bool {
	_, found := slices.BinarySearchFunc(groups(), code,
		func(g Group, code string) int { return strings.Compare(g.Code, code) })
	return found
}

// groups returns the built-in list of groups, sorted by code.
var groups = sync.OnceValue(func() []Group {
	var list []Group
	for line := range strings.Lines(groupsTSV) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		code, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, Group{Code: code, Name: name})
	}
	return list
})
