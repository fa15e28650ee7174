// Package area finds the current council for a former code: councils are merged, split and recoded,
// and a figure or a feed may still have old codes.
package area

import (
	"slices"

	"labour/sources"
)

// History holds the code changes of areas, over any number of years. With the zero value every code
// is current.
type History struct {
	to, from map[string][]string // codes one step later and earlier, sorted
	grown    map[string]bool     // areas that kept their code while others were merged into them
}

// NewHistory accepts the changes in any order and ignores duplicates.
func NewHistory(changes []sources.CodeChange) *History {
	h := &History{to: map[string][]string{}, from: map[string][]string{}, grown: map[string]bool{}}
	type inYear struct{ code, edition string }
	kept := map[inYear]bool{}
	for _, c := range changes {
		if c.From == c.To {
			kept[inYear{c.To, c.Edition}] = true
		}
	}
	for _, c := range changes {
		if c.From != c.To && kept[inYear{c.To, c.Edition}] {
			h.grown[c.To] = true
		}
		if c.From != c.To && !slices.Contains(h.to[c.From], c.To) {
			h.to[c.From] = append(h.to[c.From], c.To)
			h.from[c.To] = append(h.from[c.To], c.From)
		}
	}
	for _, list := range h.to {
		slices.Sort(list)
	}
	for _, list := range h.from {
		slices.Sort(list)
	}
	return h
}

// Today returns the current codes that continue an area, sorted: the code itself if it never
// changed, one code if it was recoded or merged, several if it was split. Codes that lead in a
// circle have no current code.
func (h *History) Today(code string) []string {
	var last []string
	walk(code, h.to, func(c string) {
		if len(h.to[c]) == 0 {
			last = append(last, c)
		}
	})
	slices.Sort(last)
	return last
}

// FormerCodes returns the former codes of a current area, sorted, without its own: one if it was
// recoded, several if it was formed from several.
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

// Same returns the current code of an area that only ever changed its code. For an area that was
// merged or split it returns the code itself: its figures belong to no current area, and adding
// them up would leave a gap.
func (h *History) Same(code string) string {
	now := code
	for seen := map[string]bool{}; len(h.to[now]) == 1; now = h.to[now][0] {
		next := h.to[now][0]
		if seen[now] || len(h.from[next]) != 1 || h.grown[next] {
			return code
		}
		seen[now] = true
	}
	if len(h.to[now]) > 1 {
		return code
	}
	return now
}

// walk visits a code and all codes that can be reached from it, each once.
func walk(code string, next map[string][]string, visit func(string)) {
	seen, todo := map[string]bool{code: true}, []string{code}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		visit(at)
		for _, c := range next[at] {
			if !seen[c] {
				seen[c] = true
				todo = append(todo, c)
			}
		}
	}
}
