package main

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/attack/crawl"
)

// neighbours are the counts of residents and people employed of a series, as printed
// at each quarter end, and as they are. What came of one count from one quarter end to
// another is a group too: those who came less those who went.
type neighbours struct {
	lines    map[string]*standing
	verdict  attack.Verdict // of each quarter end alone
	quarters int
}

// standing is a total and its parts over the quarter ends.
type standing struct {
	areas   map[string][]string
	printed []crawl.Counts // "" is the total
	real    []map[string]int64
}

// take crawls the neighbours at a quarter end and judges them by themselves.
func (n *neighbours) take(t *testing.T, client *crawl.Client, w *attackedWorld) {
	t.Helper()
	printed, err := client.Neighbours(t.Context(), crawl.Space{World: w.World, Skills: w.slugs()})
	if err != nil {
		t.Fatal(err)
	}
	real := w.truth(t).Registered
	v, err := crawl.JudgeNeighbours(w.World, printed, real)
	if err != nil {
		t.Fatal(err)
	}
	n.verdict.Add(v)
	n.quarters++
	for by, counts := range printed.By {
		n.add(by, nil, printed.Residents, counts, real.Residents, real.By[by])
	}
	n.add("seeking", nil, printed.Residents, crawl.Counts{"seeking": printed.Seeking}, real.Residents, map[string]int64{"seeking": real.Seeking})
	employed, all := maps.Clone(printed.Employed), int64(0)
	delete(employed, "")
	for _, people := range real.Employed {
		all += people
	}
	n.add("employed", w.Areas, printed.Employed[""], employed, all, real.Employed)
}

func (n *neighbours) add(name string, areas map[string][]string, total string, parts crawl.Counts, all int64, real map[string]int64) {
	if n.lines == nil {
		n.lines = map[string]*standing{}
	}
	if n.lines[name] == nil {
		n.lines[name] = &standing{areas: areas}
	}
	s := n.lines[name]
	counts, people := maps.Clone(parts), maps.Clone(real)
	counts[""], people[""] = total, all
	for area, boroughs := range areas {
		for _, b := range boroughs {
			people[area] += people[b]
		}
	}
	s.printed, s.real = append(s.printed, counts), append(s.real, people)
}

// judge subtracts every two quarter ends: no part of 1 to 4, and no change of a part
// by 1 to 4 between two of them, may be a sum and difference of printed numbers.
func (n *neighbours) judge(t *testing.T) {
	t.Helper()
	small, derivable, printed, large := 0, 0, 0, 0
	for _, name := range slices.Sorted(maps.Keys(n.lines)) {
		s := n.lines[name]
		names := slices.Sorted(maps.Keys(s.real[len(s.real)-1]))
		e := s.eliminate(names, &printed, &large)
		for _, part := range names {
			for q := range s.real {
				for before := -1; before < q; before++ {
					change, columns := s.real[q][part], s.columns(names, part, q)
					if before >= 0 {
						change -= s.real[before][part]
					}
					if change == 0 || change < -4 || change > 4 {
						continue
					}
					small++
					found := before < 0 && e.Derives(columns) || before >= 0 && e.DerivesDifference(columns, s.columns(names, part, before))
					if found {
						derivable++
						t.Errorf("%s: %d people of %q from quarter %d to %d follow", name, change, part, before+1, q+1)
					}
				}
			}
		}
	}
	t.Logf("neighbours at %d quarter ends: %d of %d small counts and changes are derivable; at each alone %d of %d derivable and %d exact; %d of %d counts of 5 and more printed",
		n.quarters, derivable, small, n.verdict.Derivable, n.verdict.Small, n.verdict.Exact, printed, large)
	if n.verdict.Failed() || small < 10 || n.quarters < seriesQuarters {
		t.Errorf("neighbours: %+v, %d small counts and changes", n.verdict, small)
	}
}

// columns are the unknowns of a part at a quarter end: the people of each smallest
// part, and of none, which is the last.
func (s *standing) columns(names []string, part string, q int) (out []int) {
	for i, name := range names {
		if _, area := s.areas[name]; area || name == "" {
			continue
		}
		if part == "" || part == name || slices.Contains(s.areas[part], name) {
			out = append(out, q*(len(names)+1)+i)
		}
	}
	if part == "" {
		out = append(out, q*(len(names)+1)+len(names))
	}
	return out
}

// eliminate takes in every printed number.
func (s *standing) eliminate(names []string, printed, large *int) *attack.Elimination {
	e := attack.NewElimination(len(s.printed) * (len(names) + 1))
	for q, counts := range s.printed {
		for part, token := range counts {
			if s.real[q][part] >= 5 {
				*large++
			}
			if n, err := strconv.ParseInt(token, 10, 64); err == nil {
				e.Add(s.columns(names, part, q))
				if n >= 5 {
					*printed++
				}
			}
		}
		// Who is in no part is nobody where the parts are all there are.
		all := s.real[q][""]
		for part, people := range s.real[q] {
			if _, area := s.areas[part]; !area && part != "" {
				all -= people
			}
		}
		if all == 0 {
			e.Add([]int{q*(len(names)+1) + len(names)})
		}
	}
	return e
}
