package crawl

import (
	"fmt"
	"slices"
	"strconv"

	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/madeup"
)

// population turns people into a population of a system over the bands of the
// windows.
func population(s *attack.System, people []madeup.Person) (attack.Population, error) {
	return s.Population(func(a attack.Atom) (n int64) {
		for _, p := range people {
			if p.Place == a.Place && p.Sector == a.Sector && p.SOC == a.SOC && p.Level == a.Level && p.Source == a.Source && p.Age >= a.From && p.Age < a.To {
				n++
			}
		}
		return n
	})
}

// parts attacks the parts of the shares in the worst case: both parts of every
// printed share are given as whole numbers. Who was turned down without the skill
// may be whom the count counts, so what that prints is given too.
func (v *Verdicts) parts(c attack.Crawl, figures map[madeup.Cell]Figures, people People) error {
	hired := func(f Figures) bool { return f.HiredWith != "null" }
	turned := func(f Figures) bool { return f.TurnedDownWith != "null" }
	without := slices.Clone(people.TurnedDownWithout)
	same := len(without) == len(people.TurnedDownFor)
	for i := 0; same && i < len(without); i++ {
		same = without[i] == people.TurnedDownFor[i]
	}
	for _, part := range []struct {
		name   string
		people []madeup.Person
		beside func(Figures) bool
		count  bool
	}{
		{"hired with", people.HiredWith, hired, false}, {"hired without", people.HiredWithout, hired, false},
		{"turned down with", people.TurnedDownWith, turned, false}, {"turned down without", without, turned, same},
	} {
		truth := c.World.Count(part.people)
		var answers []attack.Answer
		for cell, f := range figures {
			if part.beside(f) && !isMonth(cell) {
				answers = append(answers, attack.Answer{Query: c.Query(cell), Token: strconv.FormatInt(truth[cell], 10)})
			}
			if n := truth[cell]; part.beside(f) && n >= 1 && n <= 4 {
				v.Wrong = append(v.Wrong, fmt.Sprintf("%+v prints a share of which one part is %d people", cell, n))
			}
		}
		if part.count {
			answers = append(answers, c.Answers(false)...)
		}
		s, err := attack.New(c.Atoms(false), answers)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		targets := small(c, truth, func(c madeup.Cell) bool { return !isMonth(c) })
		for i := range targets {
			targets[i].Name = part.name + ": " + targets[i].Name
		}
		found, _, err := s.Judge(targets)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		v.Parts.Add(found)
	}
	return nil
}

// pairs looks for two printed numbers of groups within each other that differ by 1
// to 4: "direct hit; must be empty".
func (v *Verdicts) pairs(c attack.Crawl) {
	type printed struct {
		cell madeup.Cell
		attack.Query
		n int64
	}
	var all []printed
	for cell, token := range c.Tokens {
		if n, err := strconv.ParseInt(token, 10, 64); err == nil {
			all = append(all, printed{cell, c.Query(cell), n})
		}
	}
	for _, p := range all {
		for _, q := range all {
			if d := p.n - q.n; d >= 1 && d <= 4 && p.Contains(q.Query) {
				v.Pairs = append(v.Pairs, fmt.Sprintf("%+v prints %d and %+v within it %d", p.cell, p.n, q.cell, q.n))
			}
		}
	}
}
