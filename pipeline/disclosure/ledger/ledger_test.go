package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func page(t *testing.T, skill string, entries ...Entry) *Page {
	t.Helper()
	p := &Page{}
	if err := p.Add(skill, entries); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWhatIsAppendedIsRemembered(t *testing.T) {
	dir := t.TempDir()
	b, err := Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	first, second := Entry{Signature: "place", Place: "camden", From: 10, To: 22, N: 17}, Entry{Signature: "none", From: 13, To: 25, N: 30}
	for _, quarter := range []struct {
		name string
		page *Page
	}{{"2026-03-31", page(t, "care", first)}, {"2026-06-30", page(t, "care", second)}, {"2026-06-30", page(t, "care", second)}} {
		if err := b.Append(quarter.name, quarter.page); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Open(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	got, err := again.Skill("care")
	if d := cmp.Diff([]Entry{first, second}, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if err := b.Append("2026-06-30", page(t, "care", first)); err != nil { // other numbers of the same quarter are kept beside
		t.Fatal(err)
	}
	if got, err := b.Skill("care"); err != nil || len(got) != 3 {
		t.Errorf("%d entries, %v", len(got), err)
	}
}

func TestADamagedOrLostLedgerIsAnError(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"a changed byte": func(dir string) error {
			f := filepath.Join(dir, "q1.ledger")
			b, err := os.ReadFile(f)
			b[len(b)-3] ^= 1
			return errors.Join(err, os.WriteFile(f, b, 0o600))
		},
		"a missing file": func(dir string) error { return os.Remove(filepath.Join(dir, "q1.ledger")) },
		"a shortened index": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, indexName), nil, 0o600)
		},
		"everything gone": os.RemoveAll,
	} {
		dir := filepath.Join(t.TempDir(), "ledger")
		b, err := Open(dir, false)
		if err == nil {
			err = b.Append("q1", page(t, "care", Entry{From: 1, To: 4, N: 9}))
		}
		if err := errors.Join(err, damage(dir)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, true); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestALossThatIsOwnedUpTo(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, lostName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := Open(dir, true); err != nil || !b.Lost() {
		t.Errorf("%v, lost %v", err, b.Lost())
	}
}

func difference(n, from, to int) []int64 {
	f := make([]int64, n)
	f[from], f[to] = prime-1, 1
	return f
}

// TestTimelinesAgainstElimination compares what a timeline says is derivable with
// linear algebra over the bands between its nodes.
func TestTimelinesAgainstElimination(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 8
		sums := make([]int64, n+1)
		for i := range n {
			sums[i+1] = sums[i] + rapid.Int64Range(0, 9).Draw(t, "people")
		}
		line, known := NewTimeline(), newSpan(n+1)
		for range rapid.IntRange(0, 8).Draw(t, "printed") {
			from := rapid.IntRange(0, n-1).Draw(t, "from")
			to := rapid.IntRange(from+1, n).Draw(t, "to")
			before := known.has(difference(n+1, from, to))
			safe := line.Safe(from, to, sums[to]-sums[from])
			line.Print(from, to, sums[to]-sums[from])
			old := func(f []int64) bool { return known.has(append([]int64(nil), f...)) }
			small := false
			var fresh [][2]int
			for i := range n + 1 {
				for j := range i {
					if !old(difference(n+1, j, i)) {
						fresh = append(fresh, [2]int{j, i})
					}
				}
			}
			known.add(difference(n+1, from, to))
			for m := from; m < to && sums[to] == sums[from]; m++ {
				known.add(difference(n+1, m, m+1)) // nobody is nobody at any time
			}
			for _, f := range fresh {
				d := sums[f[1]] - sums[f[0]]
				small = small || known.has(difference(n+1, f[0], f[1])) && d > 0 && d < smallest
			}
			if safe == small || before && !safe {
				t.Fatalf("printing %d to %d: safe %v, small derivable %v", from, to, safe, small)
			}
			for i := range n + 1 {
				for j := range i {
					d, ok := line.Between(j, i)
					if ok != known.has(difference(n+1, j, i)) || ok && d != sums[i]-sums[j] {
						t.Fatalf("%d to %d: %d %v", j, i, d, ok)
					}
				}
			}
		}
	})
}

// TestLinesAgainstElimination compares the verdict on a line over time with linear
// algebra over one unknown per child and month: a line leaks if an interval of a
// child that its own numbers do not join is derivable and small, or of unknown
// size.
func TestLinesAgainstElimination(t *testing.T) {
	leaks := 0
	rapid.Check(t, func(t *rapid.T) {
		months, kids := rapid.IntRange(2, 6).Draw(t, "months"), rapid.IntRange(1, 4).Draw(t, "children")
		people := make([][]int64, kids)
		for v := range people {
			people[v] = rapid.SliceOfN(rapid.Int64Range(0, 7), months, months).Draw(t, "people")
		}
		known := newSpan(kids * months)
		columns := func(v, from, to int) []int64 {
			f := make([]int64, kids*months)
			for u := range kids {
				for m := from; m < to && (v < 0 || u == v); m++ {
					f[u*months+m] = 1
				}
			}
			return f
		}
		l := Line{Total: NewTimeline()}
		print := func(t *rapid.T, line *Timeline, v int) {
			for range rapid.IntRange(0, 5).Draw(t, "printed") {
				from := rapid.IntRange(0, months-1).Draw(t, "from")
				to := rapid.IntRange(from+1, months).Draw(t, "to")
				sum := int64(0)
				for u := range kids {
					for m := from; m < to && (v < 0 || u == v); m++ {
						sum += people[u][m]
					}
				}
				line.Print(from, to, sum)
				known.add(columns(v, from, to))
				for m := from; m < to && sum == 0; m++ {
					known.add(columns(v, m, m+1)) // nobody is nobody at any time
				}
			}
		}
		print(t, l.Total, -1)
		for v := range kids {
			l.Kids = append(l.Kids, NewTimeline())
			print(t, l.Kids[v], v)
		}
		small := false
		for v := range kids {
			for from := range months {
				sum := int64(0)
				for to := from + 1; to <= months; to++ {
					sum += people[v][to-1]
					if _, own := l.Kids[v].Between(from, to); !own && isSmall(sum) && known.has(columns(v, from, to)) {
						small = true
					}
				}
			}
		}
		if small && !l.Leaks() {
			t.Fatalf("a small interval is derivable, and the line is said to be safe: %v", people)
		}
		if small {
			leaks++
		}
	})
	if leaks == 0 {
		t.Error("no line leaked: the test shows nothing")
	}
}
