// Package area translates former area codes to current ones. Council codes change when councils are
// merged, split or recoded, but old figures and feeds still have the old codes.
package area

import (
	"cmp"
	"slices"
	"strings"

	"labour/sources"
)

// NewestEditions returns each official area once, from the newest edition that has it, sorted by
// kind and code. If an edition has an area twice, the first is used.
func NewestEditions(list []sources.Area) []sources.Area {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y sources.Area) int {
		return cmp.Or(strings.Compare(x.Kind, y.Kind), strings.Compare(x.Code, y.Code),
			strings.Compare(y.Edition, x.Edition))
	})
	return slices.CompactFunc(list, func(x, y sources.Area) bool { return x.Kind == y.Kind && x.Code == y.Code })
}

// History holds the changes of area codes, for example when councils were merged. The zero value
// has no changes.
type History struct {
	// to maps an area code to the codes that directly replaced it, and from maps back
	to, from map[string][]string
	// codes of areas that kept their code while other areas were merged into them
	mergeTargets map[string]bool
}

// NewHistory returns a history with the given code changes. They may be in any order, and
// duplicates are ignored.
func NewHistory(changes []sources.AreaCodeChange) *History {
	h := &History{to: map[string][]string{}, from: map[string][]string{}, mergeTargets: map[string]bool{}}
	type inYear struct{ code, edition string }
	kept := map[inYear]bool{}
	for _, c := range changes {
		if c.From == c.To {
			kept[inYear{c.To, c.Edition}] = true
		}
	}
	for _, c := range changes {
		if c.From != c.To && kept[inYear{c.To, c.Edition}] {
			h.mergeTargets[c.To] = true
		}
		if c.From != c.To && !slices.Contains(h.to[c.From], c.To) {
			h.to[c.From] = append(h.to[c.From], c.To)
			h.from[c.To] = append(h.from[c.To], c.From)
		}
	}
	return h
}

// CurrentCodes returns the current codes of an area, sorted. It returns several if the area was
// split, and the code itself if it never changed. It returns none if the changes form a circle.
func (h *History) CurrentCodes(code string) []string {
	var last []string
	walk(code, h.to, func(c string) {
		if len(h.to[c]) == 0 {
			last = append(last, c)
		}
	})
	slices.Sort(last)
	return last
}

// HasChange reports whether a code was replaced or has replaced another code.
func (h *History) HasChange(code string) bool { return len(h.to[code])+len(h.from[code]) > 0 }

// FormerCodes returns all former codes of an area, sorted. code is its current code.
func (h *History) FormerCodes(code string) []string {
	var all []string
	walk(code, h.from, func(c string) {
		if c != code {
			all = append(all, c)
		}
	})
	slices.Sort(all)
	return all
}

// CurrentCodeIfRecoded returns the current code of an area whose code changed but whose boundary
// did not. It returns the given code if the area was merged or split.
func (h *History) CurrentCodeIfRecoded(code string) string {
	now := code
	for seen := map[string]bool{}; len(h.to[now]) == 1; now = h.to[now][0] {
		next := h.to[now][0]
		if seen[now] || len(h.from[next]) != 1 || h.mergeTargets[next] {
			return code
		}
		seen[now] = true
	}
	if len(h.to[now]) > 1 {
		return code
	}
	return now
}

// walk calls visit once for code and once for each of its direct and indirect successors.
func walk(code string, successors map[string][]string, visit func(string)) {
	seen, todo := map[string]bool{code: true}, []string{code}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		visit(at)
		for _, c := range successors[at] {
			if !seen[c] {
				seen[c] = true
				todo = append(todo, c)
			}
		}
	}
}
