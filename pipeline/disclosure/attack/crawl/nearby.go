package crawl

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/madeup"
)

// Registered are the true residents and employed people, for the judge.
type Registered struct {
	Residents, Seeking int64
	By                 map[string]map[string]int64 // by borough, level and sector
	Employed           map[string]int64            // by borough
	// Below are the residents under the skill's level, by skill and borough.
	Below map[string]map[string]int64
}

// JudgeNeighbours attacks the counts beside skills not met: each breakdown of the
// residents on its total, the people employed over the place tree, and the two
// parts of each share of residents, given as whole numbers where it is printed,
// together with every printed number of residents.
func JudgeNeighbours(w madeup.World, n *Neighbours, real Registered) (v attack.Verdict, err error) {
	for dim, counts := range n.By {
		found, err := judgeLine(n.Residents, counts, nil, real.Residents, real.By[dim])
		if err != nil {
			return v, fmt.Errorf("residents by %s: %w", dim, err)
		}
		v.Add(found)
	}
	found, err := judgeLine(n.Residents, Counts{"seeking": n.Seeking}, nil, real.Residents, map[string]int64{"seeking": real.Seeking})
	if err != nil {
		return v, fmt.Errorf("who seeks work: %w", err)
	}
	v.Add(found)
	employed := maps.Clone(n.Employed)
	delete(employed, "")
	all := int64(0)
	for _, people := range real.Employed {
		all += people
	}
	if found, err = judgeLine(n.Employed[""], employed, w.Areas, all, real.Employed); err != nil {
		return v, fmt.Errorf("people employed: %w", err)
	}
	v.Add(found)
	for skill, below := range n.Below {
		if found, err = judgeBelow(w, n, skill, below, real); err != nil {
			return v, fmt.Errorf("residents below the level of %s: %w", skill, err)
		}
		v.Add(found)
	}
	return v, nil
}

// elsewhere are people in no printed value.
const elsewhere = "elsewhere"

// judgeLine attacks one total and its values, which may be places in areas. Who is
// in no value is one more, unprinted.
func judgeLine(total string, printed Counts, areas map[string][]string, all int64, real map[string]int64) (attack.Verdict, error) {
	answers := []attack.Answer{{Query: attack.Query{To: 1}, Token: total}}
	atoms := []attack.Atom{{Place: elsewhere, To: 1}}
	count := map[string]int64{elsewhere: all}
	var targets []attack.Target
	for value, token := range printed {
		q := attack.Query{Places: []string{value}, To: 1}
		n := real[value]
		if boroughs, area := areas[value]; area {
			q.Places, n = boroughs, 0
			for _, b := range boroughs {
				n += real[b]
			}
		} else {
			atoms = append(atoms, attack.Atom{Place: value, To: 1})
			count[value], count[elsewhere] = n, count[elsewhere]-n
		}
		answers = append(answers, attack.Answer{Query: q, Token: token})
		if n >= 1 && n <= 4 {
			targets = append(targets, attack.Target{Name: fmt.Sprintf("%s, %d people", value, n), Query: q, N: n})
		}
	}
	if n := count[elsewhere]; n >= 1 && n <= 4 {
		targets = append(targets, attack.Target{Name: fmt.Sprintf("in no value, %d people", n), Query: attack.Query{Places: []string{elsewhere}, To: 1}, N: n})
	}
	return judged(atoms, answers, targets, func(a attack.Atom) int64 { return count[a.Place] })
}

// judged sets a system up, holds the truth against it and attacks the targets.
func judged(atoms []attack.Atom, answers []attack.Answer, targets []attack.Target, count func(attack.Atom) int64) (attack.Verdict, error) {
	s, err := attack.New(atoms, answers)
	if err != nil {
		return attack.Verdict{}, err
	}
	real, err := s.Population(count)
	if err == nil {
		err = s.Fits(real)
	}
	if err != nil {
		return attack.Verdict{}, fmt.Errorf("what is printed is not true: %w", err)
	}
	slices.SortFunc(targets, func(a, b attack.Target) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	v, _, err := s.Judge(targets)
	return v, err
}

// judgeBelow attacks the residents below a skill's level and those at or above it.
func judgeBelow(w madeup.World, n *Neighbours, skill string, printed Counts, real Registered) (attack.Verdict, error) {
	const below, above = "below", "above"
	count := func(places []string, part string) (people int64) {
		for _, p := range places {
			b := real.Below[skill][p]
			if part == above {
				b = real.By["borough"][p] - b
			}
			people += b
		}
		return people
	}
	var atoms []attack.Atom
	var answers []attack.Answer
	var targets []attack.Target
	for _, p := range w.Places {
		atoms = append(atoms, attack.Atom{Place: p, Level: below, To: 1}, attack.Atom{Place: p, Level: above, To: 1})
		answers = append(answers, attack.Answer{Query: attack.Query{Places: []string{p}, To: 1}, Token: n.By["borough"][p]})
	}
	for place, share := range printed {
		places := []string{place}
		if boroughs, area := w.Areas[place]; area {
			places = boroughs
		}
		if place == "" {
			places = w.Places
		}
		for _, part := range []string{below, above} {
			q := attack.Query{Places: places, Level: part, To: 1}
			people := count(places, part)
			if share != "null" {
				answers = append(answers, attack.Answer{Query: q, Token: strconv.FormatInt(people, 10)})
			}
			if people >= 1 && people <= 4 {
				targets = append(targets, attack.Target{Name: fmt.Sprintf("%s %s the level of %s, %d people", place, part, skill, people), Query: q, N: people})
			}
		}
	}
	return judged(atoms, answers, targets, func(a attack.Atom) int64 { return count([]string{a.Place}, a.Level) })
}
