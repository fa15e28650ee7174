package attack

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"labour/pipeline/disclosure/synthtest"
)

// rules print counts by what the documents say, or by other rules, which the attacker may break.
type rules struct {
	nearest bool   // the nearest multiple of 5, and not a draw
	whole   int    // below a cell that prints less everything is null; 0 divides every group
	freely  int    // below a cell that prints less, what prints less than least is null
	least   int    // see freely
	draw    string // of each draw another one; empty is the secret's
}

// documents are what the documents say.
var documents = rules{whole: 10, freely: 20, least: 10}

// printed returns what the rules print of a skill in release q.
func (w *world) printed(r rules, skill string, q int) map[synthtest.Cell]string {
	in := w.residentsIn(w.latest(skill, q, turnedDownFor))
	out, alone := map[synthtest.Cell]string{}, map[synthtest.Cell]string{}
	cells, askable := w.cells(skill, q), w.askable(q)
	for _, cell := range cells {
		alone[cell] = r.print(in[cell])
	}
	for _, cell := range cells {
		out[cell] = alone[cell]
		forbids := func(whole synthtest.Cell) bool {
			return whole != cell && w.IsPartOf(cell, whole) && r.hides(alone[whole], alone[cell])
		}
		if !askable[matched(cell)] || slices.ContainsFunc(cells, forbids) {
			out[cell] = "null"
		}
	}
	return out
}

// matched returns the cell whose adverts decide whether one is askable: a level is where its place is.
func matched(cell synthtest.Cell) synthtest.Cell {
	if cell.Filter == "level" {
		cell.Filter, cell.Value = "", ""
	}
	return cell
}

// print is P1.
func (r rules) print(residents []string) string {
	n := len(residents)
	rest := n % 5
	switch {
	case n == 0:
		return "0"
	case n < 5:
		return "<5"
	case r.nearest:
		return fmt.Sprint((n + 2) / 5 * 5)
	case rest > 0 && r.key(residents) < float64(rest)/5:
		return fmt.Sprint(n - rest + 5)
	}
	return fmt.Sprint(n - rest)
}

// key is the sum of the keys of the residents, modulo 1.
func (r rules) key(residents []string) float64 {
	secret, err := hex.DecodeString(secret)
	if err != nil {
		panic(err)
	}
	sum := uint64(0)
	for _, resident := range residents {
		mac := hmac.New(sha256.New, append(secret, r.draw...))
		mac.Write([]byte("\x00" + resident))
		sum += binary.BigEndian.Uint64(mac.Sum(nil))
	}
	return float64(sum>>11) / (1 << 53)
}

// hides reports whether a part that prints so alone is null below a whole that prints so (P2).
func (r rules) hides(whole, part string) bool {
	return prints(whole, r.whole) || prints(whole, r.freely) && (part == "0" || prints(part, r.least))
}

// prints reports whether a cell prints "<5" or a number from 1 to less than a limit.
func prints(printed string, limit int) bool {
	n, err := strconv.Atoi(printed)
	return limit > 0 && (printed == "<5" || err == nil && n > 0 && n < limit)
}

// askable returns, of P9, the cells that at least 5 adverts of at least 3 employers match in the twelve
// months of release q, whatever the level.
func (w *world) askable(q int) map[synthtest.Cell]bool {
	adverts, employers := map[synthtest.Cell]int{}, map[synthtest.Cell]map[int]bool{}
	for _, a := range w.adverts {
		if a.quarter < q || a.quarter >= q+inWindow {
			continue
		}
		for _, cell := range w.CellsOfPerson(synthtest.Person{Place: a.place, Sector: a.sector, SOC: a.soc,
			Source: "platform"}) {
			adverts[cell]++
			if employers[cell] == nil {
				employers[cell] = map[int]bool{}
			}
			employers[cell][a.employer] = true
		}
	}
	may := map[synthtest.Cell]bool{}
	for cell, n := range adverts {
		may[cell] = n >= 5 && len(employers[cell]) >= 3
	}
	return may
}

// reprinted returns releases with counts by other rules.
func (w *world) reprinted(list []release, r rules) []release {
	other := slices.Clone(list)
	for q := range other {
		other[q].turnedDown, other[q].rules = tokens{}, r
		for _, skill := range w.skills {
			other[q].turnedDown[skill] = w.printed(r, skill, q)
		}
	}
	return other
}

// unpublished returns releases without runs of the pipeline: what the documents say is printed of people,
// and the adverts. same holds what is published against the former.
func (w *world) unpublished(n int) []release {
	list := make([]release, n)
	for q := range list {
		r := release{begins: map[string]map[synthtest.Person]int{}, areas: w.Areas}
		for _, a := range w.adverts {
			if a.quarter >= q+inWindow {
				continue
			}
			c := synthtest.Person{Place: a.place, Sector: a.sector, SOC: a.soc, Level: a.level, Source: "platform"}
			for _, skill := range a.skills {
				r.begin(skill, c, a.quarter)
			}
		}
		list[q] = r
	}
	return w.reprinted(list, documents)
}

// same holds that the releases print what the documents say, cell by cell.
func (w *world) same(t *testing.T, list []release) {
	t.Helper()
	numbers := 0
	for q, r := range list {
		for _, skill := range w.skills {
			for cell, want := range w.printed(documents, skill, q) {
				if got := r.turnedDown.at(skill, cell); got != want {
					t.Errorf("release %d, %s %+v prints %s, and by the documents %s", q, skill, cell, got, want)
				}
				if want != "null" {
					numbers++
				}
			}
		}
	}
	if numbers < 100 {
		t.Errorf("only %d cells are printed", numbers)
	}
}
