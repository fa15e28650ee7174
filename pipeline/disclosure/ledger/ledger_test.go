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
