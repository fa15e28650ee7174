package counting

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"labour/sources"
)

// applyInMemory is the rules of duplicates as they are said, with candidates and maps in
// memory: the oracle of the ledger.
func applyInMemory(candidates []Candidate, p Policy) []Verdict {
	rank := make(map[string]int, len(p.Precedence))
	for i, key := range p.Precedence {
		rank[key] = i
	}
	verdicts := make([]Verdict, len(candidates))
	admitted := make([]int, 0, len(candidates))
	for i := range candidates {
		reason := NewLedger(p).exclude(&candidates[i])
		verdicts[i] = Verdict{Reason: reason, CountedAs: -1}
		if reason == Counted {
			admitted = append(admitted, i)
		}
	}
	before := func(a, b int) int { return compareInMemory(&candidates[a], &candidates[b], rank) }
	slices.SortStableFunc(admitted, before)
	for i, kept := range vacanciesInMemory(candidates, admitted) {
		at := admitted[i]
		verdicts[at].CountedAs = admitted[kept]
		if kept != i {
			verdicts[at].Reason = DuplicateVacancy
		}
	}
	return verdicts
}

// compareInMemory orders the candidates by which is kept of one vacancy: the source that
// comes first, then the one posted first, then by id.
func compareInMemory(a, b *Candidate, rank map[string]int) int {
	return cmp.Or(cmp.Compare(rank[a.Source], rank[b.Source]), a.Posted.Time().Compare(b.Posted.Time()), a.ID.Compare(b.ID))
}

// vacanciesInMemory groups the admitted candidates (indexes, in order of precedence)
// into vacancies and gives, for each, the position in admitted of the one kept.
func vacanciesInMemory(candidates []Candidate, admitted []int) []int {
	groups := newJoined(len(admitted))
	for _, key := range []func(*Candidate) Key{
		func(c *Candidate) Key { return c.ID }, // the same record delivered twice
		func(c *Candidate) Key { return c.Requisition },
		func(c *Candidate) Key { return c.Apply },
	} {
		first := make(map[Key]int, len(admitted))
		for i, at := range admitted {
			k := key(&candidates[at])
			if k.IsZero() {
				continue
			}
			if j, seen := first[k]; seen {
				groups.join(i, j)
			} else {
				first[k] = i
			}
		}
	}
	fortnightsInMemory(candidates, admitted, groups)
	kept := make([]int, len(admitted))
	for i := range kept {
		kept[i] = groups.root(i)
	}
	return kept
}

// fortnightsInMemory joins adverts with the same employer, title and place that were
// posted within 14 days of the first of their run. A role advertised again later
// is a new vacancy.
func fortnightsInMemory(candidates []Candidate, admitted []int, groups *joined) {
	runs := make(map[Key][]int)
	for i, at := range admitted {
		if k := candidates[at].Same; !k.IsZero() {
			runs[k] = append(runs[k], i)
		}
	}
	for _, run := range runs {
		if len(run) < 2 {
			continue
		}
		posted := func(i int) int64 { return candidates[admitted[i]].Posted.Time().Unix() / 86400 }
		slices.SortFunc(run, func(a, b int) int {
			if d := posted(a) - posted(b); d != 0 {
				return int(d)
			}
			return a - b
		})
		start := run[0]
		for _, i := range run[1:] {
			if posted(i)-posted(start) < FortnightDays {
				groups.join(i, start)
			} else {
				start = i
			}
		}
	}
}

// joined is a union-find in which the root of a group is its smallest member,
// so that the candidate that comes first in precedence is the one kept.
type joined struct{ parent []int }

func newJoined(n int) *joined {
	p := &joined{parent: make([]int, n)}
	for i := range p.parent {
		p.parent[i] = i
	}
	return p
}

func (p *joined) root(i int) int {
	for p.parent[i] != i {
		p.parent[i] = p.parent[p.parent[i]]
		i = p.parent[i]
	}
	return i
}

func (p *joined) join(i, j int) {
	i, j = p.root(i), p.root(j)
	if i > j {
		i, j = j, i
	}
	p.parent[j] = i
}

// TestLedgerAgainstMaps: many candidates that meet in one key or another, some of them
// one record twice, get the verdicts of the rules as they are said.
func TestLedgerAgainstMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		few := rapid.IntRange(1, 40).Draw(t, "different")
		list := make([]Candidate, rapid.IntRange(0, 600).Draw(t, "n"))
		draw := func(n int) int {
			seed = seed*6364136223846793005 + 1442695040888963407
			return int(seed >> 33 % uint64(n))
		}
		for i := range list {
			a := sources.Advert{ID: fmt.Sprint(draw(len(list) * 20)), Listed: draw(30) > 0, Origin: sources.OriginPlatform,
				Source:   []string{"platform", "employer_boards", "find_an_apprenticeship", "other"}[draw(13)%4],
				Employer: fmt.Sprint("e", draw(few)), Title: fmt.Sprint("t", draw(3)), Posted: asOf.AddDays(2 - draw(800))}
			if draw(3) == 0 {
				a.Requisition = fmt.Sprint(draw(20))
			}
			if draw(3) == 0 {
				a.ApplyURL = fmt.Sprint("https://a.example/", draw(40*few))
			}
			list[i] = NewCandidate(&a, InUK, fmt.Sprint(draw(2)))
		}
		if d := gocmp.Diff(applyInMemory(list, policy), Apply(list, policy), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("verdicts (-maps +ledger):\n%s", d)
		}
	})
}

// TestLedgerNamesSources: each verdict comes with the source of its candidate.
func TestLedgerNamesSources(t *testing.T) {
	l := NewLedger(policy)
	want := []string{"platform", "elsewhere", "employer_boards", "platform", "elsewhere"}
	for i, source := range want {
		a := advert(fmt.Sprint(i), func(a *sources.Advert) { a.Source = source })
		c := NewCandidate(&a, InUK, "")
		if l.Len() != i {
			t.Errorf("%d taken, want %d", l.Len(), i)
		}
		l.Take(&c)
	}
	var got []string
	for source := range l.Verdicts() {
		got = append(got, source)
	}
	if !slices.Equal(got, want) {
		t.Errorf("sources %v, want %v", got, want)
	}
}

// BenchmarkLedger shows what a ledger keeps of each advert while they are read, and
// while the verdicts are given.
func BenchmarkLedger(b *testing.B) {
	const n = 1_000_000
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / n
	}
	for b.Loop() {
		before := heap()
		l := NewLedger(policy)
		for i := range n {
			a := advert(fmt.Sprint(i), func(a *sources.Advert) { a.Employer, a.Posted = fmt.Sprint(i%5000), asOf.AddDays(-i%700) })
			c := NewCandidate(&a, InUK, fmt.Sprint(i%33))
			l.Take(&c)
		}
		b.ReportMetric(heap()-before, "kept-B/advert")
		for range l.Verdicts() {
			b.ReportMetric(heap()-before, "verdicts-B/advert")
			break
		}
	}
}
