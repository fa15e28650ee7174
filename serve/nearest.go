package serve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// longestCompared bounds the work of a comparison and what is repeated of a
// caller's text.
const longestCompared = 64

// nearest is the n known values that a wrong one may have meant: those that
// contain it first, then by the number of letters to change, then by name.
func nearest(wrong string, known []string, n int) []string {
	type candidate struct {
		value    string
		distance int
	}
	wrong = strings.ToLower(clip(wrong))
	all := make([]candidate, len(known))
	for i, k := range known {
		distance := levenshtein.ComputeDistance(wrong, strings.ToLower(k))
		if len(wrong) > 2 && strings.Contains(strings.ToLower(k), wrong) {
			distance -= longestCompared
		}
		all[i] = candidate{k, distance}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.value, b.value))
	})
	out := make([]string, 0, n)
	for _, c := range all[:min(n, len(all))] {
		out = append(out, c.value)
	}
	return out
}

// clip shortens a caller's text for a message, at a character and without what
// is not UTF-8.
func clip(s string) string {
	s = strings.ToValidUTF8(s, "")
	for i := range s {
		if i >= longestCompared {
			return s[:i]
		}
	}
	return s
}
