package disclosure_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/madeup"
)

// TestTheOrderOfRowsChangesNothing: the mask depends on the cells alone.
func TestTheOrderOfRowsChangesNothing(t *testing.T) {
	w := madeup.Sized(4, 3, 2, 2, 2)
	w.Areas = map[string][]string{"north": w.Places[:2]}
	rapid.Check(t, func(t *rapid.T) {
		cells := truth(w, w.People(rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]float64{30, 150, 800}).Draw(t, "people")))
		tokens := func(cells []disclosure.Truth) map[disclosure.Cell]string {
			out := map[disclosure.Cell]string{}
			for _, p := range rules(w).Mask(cells) {
				out[p.Cell] = p.TurnedDown.String()
			}
			return out
		}
		want := tokens(cells)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "shuffle"), 1))
		r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		if d := cmp.Diff(want, tokens(cells)); d != "" {
			t.Fatalf("another order prints otherwise:\n%s", d)
		}
	})
}

// TestEveryPrintedLineKeepsItsSlack is R2 read off the printed tokens: a total,
// its children, and what the hidden ones could be.
func TestEveryPrintedLineKeepsItsSlack(t *testing.T) {
	w := madeup.Sized(5, 4, 0, 3, 2)
	rapid.Check(t, func(t *rapid.T) {
		cells := truth(w, w.People(rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]float64{30, 150, 800}).Draw(t, "people")))
		type line struct {
			signature string
			window    int
		}
		totals := map[int]int64{}
		sum, least, hidden, covers, shown := map[line]int64{}, map[line]int64{}, map[line]int{}, map[line]int{}, map[line]int{}
		for _, p := range rules(w).Mask(cells) {
			n, number := p.TurnedDown.Number()
			k := line{p.Signature, p.Window}
			switch {
			case p.Signature == "none" && number:
				totals[p.Window] = n
			case p.Place != "" && p.Value != "" || p.Window == 1:
			case number:
				sum[k] += n
				shown[k]++
			case p.TurnedDown.String() == "<5":
				hidden[k], least[k] = hidden[k]+1, least[k]+1
				shown[k]++
			default:
				hidden[k], least[k], covers[k] = hidden[k]+1, least[k]+5, covers[k]+1
			}
		}
		for k, h := range hidden {
			total, printed := totals[k.window]
			if k.signature == "none" || !printed || shown[k] == 0 || h == 0 {
				continue
			}
			if slack := total - sum[k] - least[k]; h < 2 || covers[k] < 1 || slack < 3 {
				t.Fatalf("line %v: %d hidden, %d covers, slack %d", k, h, covers[k], slack)
			}
		}
	})
}
