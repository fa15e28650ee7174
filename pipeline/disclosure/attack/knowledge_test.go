package attack

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"labour/pipeline/disclosure/attackertest"
	"labour/pipeline/disclosure/synthtest"
)

// knowledge is what an attacker works out of a skill from printed releases. An unknown is a number of
// people of one combination of values: those that a release counts, whose event was in one quarter.
type knowledge struct {
	system *attackertest.AttackerKnowledge
	world  synthtest.TestWorld
	in     map[slot][]unknown
	named  map[size]int32
	own    map[size]int64 // of an employer who attacks
}

// slot is a cell in a release.
type slot struct {
	cell    synthtest.Cell
	release int
}

// unknown is a variable of the system, and the quarter of the events.
type unknown struct {
	v     int32
	event int
}

// assumption is the attacker's assumption about people who apply again.
type assumption bool

const (
	mayReapply assumption = false // a person is counted at the most recent event, so that a quarter's count only falls
	noneAgain  assumption = true  // a quarter's count stays while it is in the window
)

// studied returns what follows of a skill from releases, with the true sizes for the judge.
func (w *world) studied(skill string, list []release, takes assumption) *knowledge {
	system := &attackertest.AttackerKnowledge{Name: fmt.Sprintf("world %d, %s", w.seed, skill)}
	k := &knowledge{system: system, world: list[0].world(), in: map[slot][]unknown{}, named: map[size]int32{}}
	truth := w.sizes(skill, len(list), everyEmployer)
	begins := begun(skill, list)
	for _, c := range sortedPeople(begins) {
		// Nobody is turned down before there is an advert.
		for quarter := max(0, begins[c]); quarter < len(list)+inWindow-1; quarter++ {
			k.follow(c, quarter, len(list), takes, truth)
		}
	}
	before := map[synthtest.Cell]string{}
	for q := range list {
		said := w.understood(skill, list[q], q)
		k.readPrinted(q, said)
		k.readUnlike(q, said)
		k.readMoves(q, before, said)
		before = said
	}
	return k
}

// aim makes every published cell that holds 1 to 4 people a target. The one source holds everybody.
func (k *knowledge) aim(w *world, skill string, n int) {
	for q := range n {
		for _, cell := range w.cells(skill, q) {
			if cell.Filter != "source" {
				k.system.AddSmallGroup(fmt.Sprintf("release %d, %+v", q, cell), k.of(cell, q))
			}
		}
	}
}

// world returns the places that a release names.
func (r *release) world() synthtest.TestWorld { return synthtest.TestWorld{Areas: r.areas} }

// begun returns the first quarter with adverts of each combination, of all releases.
func begun(skill string, list []release) map[synthtest.Person]int {
	all := map[synthtest.Person]int{}
	for _, r := range list {
		for c, quarter := range r.begins[skill] {
			if was, ok := all[c]; !ok || quarter < was {
				all[c] = quarter
			}
		}
	}
	return all
}

func sortedPeople(of map[synthtest.Person]int) []synthtest.Person {
	return slices.SortedFunc(maps.Keys(of), func(a, b synthtest.Person) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
}

func sortedCells(of map[synthtest.Cell]string) []synthtest.Cell {
	return slices.SortedFunc(maps.Keys(of), synthtest.CompareCells)
}

// follow adds the unknowns of one combination and quarter, one for each release that counts it, or
// one for all where nobody applies again.
func (k *knowledge) follow(c synthtest.Person, quarter, releases int, takes assumption, truth map[size]int64) {
	last := int32(-1)
	for q := max(0, quarter-inWindow+1); q <= min(quarter, releases-1); q++ {
		v := last
		if takes == mayReapply || last < 0 {
			v = k.system.AddUnknown(truth[size{c, quarter, q}])
		}
		if takes == mayReapply && last >= 0 {
			k.system.AddSumBounds(-attackertest.NoUpperLimit, 0, []int32{v}, []int32{last})
		}
		for _, cell := range k.world.CellsOfPerson(c) {
			k.in[slot{cell, q}] = append(k.in[slot{cell, q}], unknown{v, quarter})
		}
		k.named[size{c, quarter, q}] = v
		last = v
	}
}

// least is what the attacker writes for a null that stands for a print of less than a number.
const least = "less than "

// nearest is what the attacker writes before a number that is the nearest multiple of 5.
const nearest = "nearest to "

// understood returns what a release prints of a skill, and what its nulls say: a cell that can be asked
// for and is below no small one is null where it prints less than a number, and below one that prints
// less than another.
func (w *world) understood(skill string, r release, q int) map[synthtest.Cell]string {
	said, askable := map[synthtest.Cell]string{}, w.askable(q)
	cells := slices.DeleteFunc(w.cells(skill, q), func(cell synthtest.Cell) bool { return !askable[matched(cell)] })
	for _, cell := range cells {
		printed := r.turnedDown.at(skill, cell)
		explains := func(whole synthtest.Cell) bool {
			small := prints(r.turnedDown.at(skill, whole), r.rules.whole) || r.turnedDown.at(skill, whole) == "null"
			return small && whole != cell && w.IsPartOf(cell, whole)
		}
		if printed == "null" && !slices.ContainsFunc(cells, explains) {
			printed = least + strconv.Itoa(r.rules.least)
		}
		if _, err := strconv.Atoi(printed); err == nil && r.rules.nearest && printed != "0" {
			printed = nearest + printed
		}
		said[cell] = printed
	}
	return said
}

// rangeOf returns the counts that a token stands for.
func rangeOf(token string) (low, high int64, err error) {
	if limit, ok := strings.CutPrefix(token, least); ok {
		n, err := strconv.ParseInt(limit, 10, 64)
		return 0, n - 1, err
	}
	if number, ok := strings.CutPrefix(token, nearest); ok {
		n, err := strconv.ParseInt(number, 10, 64)
		return max(5, n-2), n + 2, err
	}
	return attackertest.TrueCountBounds(token, false)
}

// readPrinted puts in the sizes that printed tokens allow.
func (k *knowledge) readPrinted(q int, printed map[synthtest.Cell]string) {
	for _, cell := range sortedCells(printed) {
		low, high, err := rangeOf(printed[cell])
		if err != nil {
			panic(err) // a token that no rule allows, which the test of letters finds
		}
		if printed[cell] != "null" {
			k.system.AddSumBounds(low, high, k.of(cell, q), nil)
		}
	}
}

// readUnlike uses that the same people print the same: a cell that prints unlike a part of it has
// somebody more.
func (k *knowledge) readUnlike(q int, printed map[synthtest.Cell]string) {
	cells := sortedCells(printed)
	for _, whole := range cells {
		of := k.of(whole, q)
		for _, part := range cells {
			if part == whole || !overlapping(printed[whole], printed[part]) {
				continue
			}
			in := k.of(part, q)
			if rest := without(of, in); len(without(in, of)) == 0 && len(rest) > 0 {
				k.system.AddSumBounds(1, attackertest.NoUpperLimit, rest, nil)
			}
		}
	}
}

// readMoves uses it of the same cell in successive releases: somebody left it or came.
func (k *knowledge) readMoves(q int, before, after map[synthtest.Cell]string) {
	for _, cell := range sortedCells(after) {
		if !overlapping(before[cell], after[cell]) {
			continue
		}
		was, stayed, came := k.of(cell, q-1), []int32{}, []int32{}
		for _, u := range k.in[slot{cell, q}] {
			if u.event == q+inWindow-1 {
				came = append(came, u.v)
			} else {
				stayed = append(stayed, u.v)
			}
		}
		k.system.AddSumBounds(1, attackertest.NoUpperLimit, slices.Concat(without(was, stayed), came), without(stayed, was))
	}
}

// overlapping reports whether two printed tokens differ and both may stand for the same count.
func overlapping(a, b string) bool {
	if a == b || a == "" || b == "" || a == "null" || b == "null" || mayBe(a, b) || mayBe(b, a) {
		return false
	}
	lowA, highA, errA := rangeOf(a)
	lowB, highB, errB := rangeOf(b)
	return errA == nil && errB == nil && lowA <= highB && lowB <= highA
}

// mayBe reports whether a null that stands for less than a number may stand for a token.
func mayBe(null, token string) bool {
	limit, err := strconv.Atoi(strings.TrimPrefix(null, least))
	return strings.HasPrefix(null, least) && err == nil &&
		(token == "0" || prints(token, limit) || strings.HasPrefix(token, least))
}

// of returns the unknowns of a cell in a release, in order.
func (k *knowledge) of(cell synthtest.Cell, q int) (vars []int32) {
	for _, u := range k.in[slot{cell, q}] {
		vars = append(vars, u.v)
	}
	return vars
}

// without returns the elements of a sorted list that are not in another one.
func without(list, other []int32) (rest []int32) {
	for _, v := range list {
		if _, found := slices.BinarySearch(other, v); !found {
			rest = append(rest, v)
		}
	}
	return rest
}
