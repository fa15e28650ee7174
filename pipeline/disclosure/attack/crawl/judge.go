package crawl

import (
	"fmt"
	"slices"
	"strconv"

	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/madeup"
)

// People are the true people of one skill by measure, each at their most recent
// event: what the judge of a test knows and the attacker does not.
type People struct {
	TurnedDownFor, HiredWith, HiredWithout, TurnedDownWith, TurnedDownWithout []madeup.Person
}

// Verdicts are what the attacker found in one skill.
type Verdicts struct {
	// Cells are the groups of the published lattice, Beyond those with more filters,
	// Differences those between two windows, Months single months (by subtraction).
	Cells, Beyond, Differences, Months attack.Verdict
	// Parts are the parts of shares, with both parts of every printed share given to
	// the attacker as whole numbers.
	Parts attack.Verdict
	// Pairs are two printed numbers of groups within each other that differ by 1 to 4.
	Pairs []string
	// Wrong are printed figures that the people behind them contradict.
	Wrong []string
	// Printed is how many of the Large true counts of 5 and more are numbers.
	Printed, Large int
}

// Failed says why the skill is not safe: a small group of the lattice or a part of
// a share can be worked out, or a printed figure is not true. Groups outside the
// lattice and differences of windows must not be derivable; that bounds may pin a
// few of them is a stated residual risk.
func (v Verdicts) Failed() (why []string) {
	why = slices.Concat(v.Cells.Leaks, v.Parts.Leaks, v.Months.Leaks, v.Pairs, v.Wrong)
	for _, l := range []attack.Verdict{v.Beyond, v.Differences} {
		if l.Derivable > 0 {
			why = append(why, l.Leaks...)
		}
	}
	return why
}

// Add adds the verdicts of another skill.
func (v *Verdicts) Add(o Verdicts) {
	v.Cells.Add(o.Cells)
	v.Beyond.Add(o.Beyond)
	v.Differences.Add(o.Differences)
	v.Months.Add(o.Months)
	v.Parts.Add(o.Parts)
	v.Pairs, v.Wrong = append(v.Pairs, o.Pairs...), append(v.Wrong, o.Wrong...)
	v.Printed, v.Large = v.Printed+o.Printed, v.Large+o.Large
}

// Held is the people of one combination.
type Held struct {
	attack.Atom
	N int64
}

// Witness is a population that answers everything as printed and has another size
// in some small group.
type Witness []Held

// Judge attacks one skill.
func Judge(w madeup.World, figures map[madeup.Cell]Figures, people People) (v Verdicts, found []Witness, err error) {
	c := attack.Crawl{World: w, Tokens: map[madeup.Cell]string{}}
	for cell, f := range figures {
		c.Tokens[cell] = f.TurnedDown
	}
	truth := w.Count(people.TurnedDownFor)
	v.compare(c.Tokens, truth)
	v.pairs(c)
	months, err := attack.Linear(c.Atoms(true), c.Answers(true))
	if err != nil {
		return v, nil, err
	}
	v.Months = months.JudgeLinear(small(c, truth, isMonth))
	s, err := attack.New(c.Atoms(false), c.Answers(false))
	if err != nil {
		return v, nil, err
	}
	real, err := population(s, people.TurnedDownFor)
	if err == nil {
		err = s.Fits(real)
	}
	if err != nil {
		v.Wrong = append(v.Wrong, err.Error())
	}
	cells := small(c, truth, func(c madeup.Cell) bool { return !isMonth(c) })
	for _, part := range []struct {
		into    *attack.Verdict
		targets []attack.Target
	}{{&v.Cells, cells}, {&v.Beyond, beyond(w, people.TurnedDownFor)}, {&v.Differences, differences(c, truth)}} {
		var populations []attack.Population
		if *part.into, populations, err = s.Judge(part.targets); err != nil {
			return v, nil, err
		}
		for _, p := range populations {
			var w Witness
			s.Each(p, func(a attack.Atom, n int64) { w = append(w, Held{a, n}) })
			found = append(found, w)
		}
	}
	if v.Cells.Narrow, err = s.CountNarrow(cells); err != nil {
		return v, nil, err
	}
	return v, found, v.parts(c, figures, people)
}

// compare holds what is printed against the truth.
func (v *Verdicts) compare(tokens map[madeup.Cell]string, truth map[madeup.Cell]int64) {
	for cell, token := range tokens {
		n := truth[cell]
		printed, err := strconv.ParseInt(token, 10, 64)
		switch {
		case err == nil && (printed != n || n >= 1 && n <= 4), token == "<5" && (n < 1 || n > 4):
			v.Wrong = append(v.Wrong, fmt.Sprintf("%+v prints %s for %d people", cell, token, n))
		}
		if n >= 5 {
			v.Large++
			if err == nil {
				v.Printed++
			}
		}
	}
}

func isMonth(c madeup.Cell) bool { return c.Window == 1 }

// small are the cells of the grid that hold 1 to 4 people, printed or not.
func small(c attack.Crawl, truth map[madeup.Cell]int64, which func(madeup.Cell) bool) (out []attack.Target) {
	for _, cell := range c.World.Grid() {
		if n := truth[cell]; n >= 1 && n <= 4 && which(cell) {
			out = append(out, attack.Target{Name: fmt.Sprintf("%+v, %d people", cell, n), Query: c.Query(cell), N: n})
		}
	}
	return out
}

// differences are the groups between two windows of a cell, such as the months 4 to
// 6 back.
func differences(c attack.Crawl, truth map[madeup.Cell]int64) (out []attack.Target) {
	for _, cell := range c.World.Grid() {
		for _, w := range windows {
			shorter := cell
			shorter.Window = w
			if isMonth(cell) || w >= cell.Window {
				continue
			}
			if n := truth[cell] - truth[shorter]; n >= 1 && n <= 4 {
				q := c.Query(cell)
				q.From = w
				out = append(out, attack.Target{Name: fmt.Sprintf("%+v without the last %d months, %d people", cell, w, n), Query: q, N: n})
			}
		}
	}
	return out
}

// beyond are small groups outside the lattice: a sector and an occupation or level
// with or without a place, over all windows.
func beyond(w madeup.World, people []madeup.Person) (out []attack.Target) {
	var order []attack.Query
	for _, place := range append([]string{""}, w.Places...) {
		for _, sector := range w.Sectors {
			for _, level := range w.Levels {
				for _, window := range windows {
					q := attack.Query{Sector: sector, Level: level, To: window}
					if place != "" {
						q.Places = []string{place}
					}
					order = append(order, q)
				}
			}
		}
	}
	for i, q := range order {
		n := int64(0)
		for _, p := range people {
			if q.Holds(attack.Atom{Place: p.Place, Sector: p.Sector, SOC: p.SOC, Level: p.Level, Source: p.Source, From: p.Age, To: p.Age + 1}) {
				n++
			}
		}
		if n >= 1 && n <= 4 {
			out = append(out, attack.Target{Name: fmt.Sprintf("beyond %d: %+v, %d people", i, q, n), Query: q, N: n})
		}
	}
	return out
}
