package sandbox

import (
	"slices"
	"strings"
)

// ladder is up to four jobs of a sector from the lowest pay to the highest.
func (w *World) ladder(sector string) []job {
	var all []job
	for _, j := range w.lists.jobs {
		if j.sector == sector {
			all = append(all, j)
		}
	}
	slices.SortStableFunc(all, func(a, b job) int { return a.low - b.low })
	var out []job
	for i := range 4 {
		j := all[i*(len(all)-1)/3]
		if !slices.ContainsFunc(out, func(o job) bool { return o.titles[0] == j.titles[0] }) {
			out = append(out, j)
		}
	}
	return out
}

func words(slug string) string { return strings.ReplaceAll(slug, "-", " ") }

// routeName is the official name of a sector, which is one of the apprenticeship
// routes.
func routeName(sector string) string {
	switch sector {
	case "agriculture-environmental-and-animal-care":
		return "Agriculture, environmental and animal care"
	case "legal-finance-and-accounting":
		return "Legal, finance and accounting"
	case "sales-marketing-and-procurement":
		return "Sales, marketing and procurement"
	}
	return upperFirst(words(sector))
}
