package disclosure_test

import (
	"os"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/madeup"
	"labour/snapshots/figure"
)

// crawl asks for every cell of the world.
func crawl(w madeup.World, printed []disclosure.Printed) attack.Crawl {
	c := attack.Crawl{World: w, Tokens: map[madeup.Cell]string{}}
	for _, p := range printed {
		c.Tokens[madeup.Cell(p.Cell)] = p.TurnedDown.String()
	}
	return c
}

// unmasked prints every count under the small-number rule alone.
func unmasked(cells []disclosure.Truth) []disclosure.Printed {
	out := make([]disclosure.Printed, len(cells))
	for i, t := range cells {
		out[i] = disclosure.Printed{Cell: t.Cell, TurnedDown: figure.CountOf(t.TurnedDownFor)}
	}
	return out
}

// verdict is what the attacker found of the small cells of a data set.
type verdict struct{ small, derivable, exact, narrow, numbers, large int }

func (v *verdict) add(o verdict) {
	v.small, v.derivable, v.exact = v.small+o.small, v.derivable+o.derivable, v.exact+o.exact
	v.narrow, v.numbers, v.large = v.narrow+o.narrow, v.numbers+o.numbers, v.large+o.large
}

// attackCells runs the linear and the bounds verdict on every cell of 1 to 4.
func attackCells(t *testing.T, w madeup.World, cells []disclosure.Truth, printed []disclosure.Printed, months bool) (v verdict) {
	t.Helper()
	c := crawl(w, printed)
	s, err := attack.New(c.Atoms(months), c.Answers(months))
	if err != nil {
		t.Fatal(err)
	}
	for i, cell := range cells {
		n := cell.TurnedDownFor
		if n >= 5 {
			v.large++
			if _, ok := printed[i].TurnedDown.Number(); ok {
				v.numbers++
			}
		}
		if n < 1 || n > 4 || strings.HasSuffix(cell.Signature, "month") && !months {
			continue
		}
		v.small++
		q := c.Query(madeup.Cell(cell.Cell))
		if s.Derivable(q) {
			v.derivable++
		}
		low, high, err := s.Interval(q)
		if err != nil {
			t.Fatal(err)
		}
		if low > n || high < n {
			t.Fatalf("%+v holds %d and the attacker says %d to %d", cell.Cell, n, low, high)
		}
		low, high = max(low, 1), min(high, 4)
		if low == high {
			v.exact++
		} else if high-low < 3 {
			v.narrow++
		}
	}
	return v
}

// scales are mean numbers of people of the small random worlds, from sparse to
// dense.
var scales = []float64{40, 120, 400, 1500}

// TestAttackerOnRandomTables: "linear verdict must be 0; bounds: exact leak must
// be 0; negative control: the oracle must find >= 70 % exact when the mask is
// switched off, else the oracle is broken".
func TestAttackerOnRandomTables(t *testing.T) {
	seeds := uint64(4)
	if os.Getenv("DISCLOSURE_MEASURE") != "" {
		seeds = 60
	}
	w := madeup.Sized(4, 3, 0, 3, 2)
	var masked, ungated, open verdict
	for _, scale := range scales {
		var here verdict
		for seed := range seeds {
			cells := truth(w, w.People(seed, scale))
			here.add(attackCells(t, w, cells, rules(w).Mask(cells), false))
			ungated.add(attackCells(t, w, cells, noGate.Mask(cells), false))
			if seed < 4 {
				open.add(attackCells(t, w, cells, unmasked(cells), false))
			}
		}
		t.Logf("about %4.0f people: %+v", scale, here)
		masked.add(here)
	}
	t.Logf("masked %+v, before the gate %+v, unmasked %+v", masked, ungated, open)
	if ungated.derivable > 0 {
		t.Errorf("%d small cells are derivable before the gate, which large systems are without", ungated.derivable)
	}
	if masked.derivable > 0 || masked.exact > 0 {
		t.Errorf("%d of %d small cells are derivable, %d exact under bounds", masked.derivable, masked.small, masked.exact)
	}
	if open.exact*100 < 70*open.small {
		t.Errorf("the attacker finds %d of %d small cells with the mask off: it is broken", open.exact, open.small)
	}
}
