package counting

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"labour/sources"
)

// TestDeduperAgainstBruteForce: many candidates that meet in one key or another, some of them
// one record twice, get the verdicts of the rules as they are said.
func TestDeduperAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		few := rapid.IntRange(1, 40).Draw(t, "different")
		list := make([]AdvertFields, rapid.IntRange(0, 600).Draw(t, "n"))
		draw := func(n int) int {
			seed = seed*6364136223846793005 + 1442695040888963407
			return int(seed >> 33 % uint64(n))
		}
		for i := range list {
			a := sources.Advert{ID: fmt.Sprint(draw(len(list) * 20)), Listed: draw(30) > 0,
				Origin:   sources.OriginPlatform,
				Source:   []string{"platform", "employer_boards", "find_an_apprenticeship", "other"}[draw(13)%4],
				Employer: fmt.Sprint("e", draw(few)), Title: fmt.Sprint("t", draw(3)),
				Posted: asOf.AddDays(2 - draw(800))}
			if draw(3) == 0 {
				a.Requisition = fmt.Sprint(draw(20))
			}
			if draw(3) == 0 {
				a.ApplyURL = fmt.Sprint("https://a.example/", draw(40*few))
			}
			list[i] = NewAdvertFields(&a, InUK, fmt.Sprint(draw(2)))
		}
		checkVerdicts(t, list, Apply(list, policy))
	})
}

// TestDeduperNamesSources: each verdict comes with the source of its candidate.
func TestDeduperNamesSources(t *testing.T) {
	l := NewDeduper(policy)
	want := []string{"platform", "elsewhere", "employer_boards", "platform", "elsewhere"}
	for i, source := range want {
		a := advert(fmt.Sprint(i), func(a *sources.Advert) { a.Source = source })
		c := NewAdvertFields(&a, InUK, "")
		if l.AdvertCount() != i {
			t.Errorf("%d taken, want %d", l.AdvertCount(), i)
		}
		l.Add(&c)
	}
	var got []string
	for source := range l.Verdicts() {
		got = append(got, source)
	}
	if !slices.Equal(got, want) {
		t.Errorf("sources %v, want %v", got, want)
	}
}

// BenchmarkDeduper shows what a deduper keeps of each advert while they are read, and
// while the verdicts are given.
func BenchmarkDeduper(b *testing.B) {
	const n = 1_000_000
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / n
	}
	for b.Loop() {
		before := heap()
		l := NewDeduper(policy)
		for i := range n {
			a := advert(fmt.Sprint(i),
				func(a *sources.Advert) { a.Employer, a.Posted = fmt.Sprint(i%5000), asOf.AddDays(-i%700) })
			c := NewAdvertFields(&a, InUK, fmt.Sprint(i%33))
			l.Add(&c)
		}
		b.ReportMetric(heap()-before, "kept-B/advert")
		for range l.Verdicts() {
			b.ReportMetric(heap()-before, "verdicts-B/advert")
			break
		}
	}
}

// TestIDThatIsGivenToAnotherVacancy: another number and another title under an ID are another vacancy. An
// advert that got only one of them is the same one.
func TestIDThatIsGivenToAnotherVacancy(t *testing.T) {
	first := advert("1", func(a *sources.Advert) { a.Requisition = "R-1" })
	for name, c := range map[string]struct {
		number, title string
		countedAs     int
	}{
		"the same":               {"R-1", "Care assistant", 0},
		"another number":         {"R-2", "Care assistant", 0},
		"another title":          {"R-1", "Plumber", 0},
		"another title, none":    {"", "Plumber", 0},
		"another number, none":   {"R-2", "", 0},
		"another vacancy, later": {"R-2", "Plumber", 1},
	} {
		later := advert("1", func(a *sources.Advert) {
			a.Requisition, a.Title, a.Posted = c.number, c.title, first.Posted.AddDays(5)
			a.ApplyURL = "https://boards.example/jobs/1"
		})
		before := first
		before.ApplyURL = later.ApplyURL
		if got := apply(InUK, before, later)[1].CountedAs; got != c.countedAs {
			t.Errorf("%s: counted as %d, want %d", name, got, c.countedAs)
		}
	}
}
