package main

import (
	"slices"
	"testing"

	"labour/pipeline/disclosure/attackertest"
	"labour/pipeline/disclosure/synthtest"
)

// attackPairs subtracts every printed figure from every one that holds it: a sector, SOC
// group, level or source from all, an occupation from its group, a borough from an area, a
// window from a longer one. No difference may be known to be one value of 1 to 4.
func attackPairs(t *testing.T, all []attackertest.Figures) {
	pairs := 0
	for _, f := range all {
		for part, token := range f.Tokens {
			for _, whole := range wholes(&f.World, part) {
				printed, asked := f.Tokens[whole]
				if !asked || printed == "null" || token == "null" {
					continue
				}
				pairs++
				low, high, err1 := attackertest.Range(printed, f.Exact)
				less, more, err2 := attackertest.Range(token, f.Exact)
				if err1 != nil || err2 != nil {
					t.Fatal(err1, err2)
				}
				if low-more == high-less && low-more >= 1 && low-more <= 4 {
					t.Errorf("%s: %+v of %s less %+v of %s is %d", f.Name, whole, printed, part, token, low-more)
				}
			}
		}
	}
	t.Logf("%d pairs", pairs)
	if pairs < 5000 {
		t.Error("too few pairs were tried")
	}
}

// wholes are the cells that hold a cell and differ from it in one filter or the window.
func wholes(w *synthtest.World, c synthtest.Cell) (out []synthtest.Cell) {
	if c.Dim == "month" {
		return nil
	}
	for _, window := range synthtest.Windows {
		if longer := c; window > c.Window {
			longer.Window = window
			out = append(out, longer)
		}
	}
	if c.Dim != "" {
		out = append(out, synthtest.Cell{Place: c.Place, Window: c.Window})
	}
	for digits := 1; c.Dim == "soc" && digits < len(c.Value); digits++ {
		out = append(out, synthtest.Cell{Dim: "soc", Place: c.Place, Value: c.Value[:digits], Window: c.Window})
	}
	place := c
	if place.Place = ""; c.Place != "" {
		out = append(out, place)
	}
	for area, boroughs := range w.Areas {
		if place.Place = area; slices.Contains(boroughs, c.Place) {
			out = append(out, place)
		}
	}
	return out
}
