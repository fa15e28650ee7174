package disclosure_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/ledger"
	"labour/snapshots"
	"labour/snapshots/figure"
)

func tokens(total figure.Count, parts []figure.Count) string {
	words := []string{total.String()}
	for _, p := range parts {
		words = append(words, p.String())
	}
	return strings.Join(words, " ")
}

func TestBreakdown(t *testing.T) {
	tree := disclosure.Rules{Lattice: lattice.New([]lattice.Area{{Slug: "area", Boroughs: []string{"a", "b"}}, {Slug: "cuts", Boroughs: []string{"b", "c"}}}, nil)}
	for _, tt := range []struct {
		name, dim string
		rules     disclosure.Rules
		total     int64
		parts     []disclosure.Part
		want      string
	}{
		{"all large", snapshots.SigSector, disclosure.Rules{}, 30, []disclosure.Part{{"x", 10}, {"y", 20}}, "30 10 20"},
		{"a zero", snapshots.SigLevel, disclosure.Rules{}, 30, []disclosure.Part{{"1", 0}, {"2", 30}}, "30 0 30"},
		{"one small needs a cover", snapshots.SigSector, disclosure.Rules{}, 33, []disclosure.Part{{"x", 10}, {"y", 20}, {"z", 3}}, "33 null 20 <5"},
		{"the part that is not listed is small", snapshots.SigSector, disclosure.Rules{}, 33, []disclosure.Part{{"x", 10}, {"y", 20}}, "33 null 20"},
		{"no cover is left", snapshots.SigSector, disclosure.Rules{}, 6, []disclosure.Part{{"x", 5}, {"y", 1}}, "6 null null"},
		{"small total", snapshots.SigSector, disclosure.Rules{}, 4, []disclosure.Part{{"x", 4}}, "<5 null"},
		{"places of a tree", snapshots.SigPlace, tree, 60, []disclosure.Part{{"a", 20}, {"area", 40}, {"b", 20}, {"c", 20}, {"cuts", 40}}, "60 20 40 20 20 null"},
		{"nothing below a small area", snapshots.SigPlace, tree, 60, []disclosure.Part{{"a", 2}, {"area", 4}, {"b", 2}, {"c", 56}}, "60 null <5 null null"},
	} {
		b, err := tt.rules.Breakdown("-test-", tt.total, tt.dim, tt.parts)
		if got := tokens(b.Whole, b.Parts); err != nil || got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Whatever the parts: numbers are true, no number is 1 to 4, and every small part
// could be another number from 1 to 4 for somebody who adds up all that is shown.
func TestBreakdownHidesSmallParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "parts")
		total := rapid.Int64Range(0, 9).Draw(t, "in no part")
		var parts []disclosure.Part
		for i := range n {
			p := disclosure.Part{Value: fmt.Sprint(i), Count: rapid.Int64Range(0, 14).Draw(t, "count")}
			total += p.Count
			parts = append(parts, p)
		}
		b, err := (disclosure.Rules{}).Breakdown("-test-", total, snapshots.SigSector, parts)
		if err != nil {
			t.Fatal(err)
		}
		whole, printed := b.Whole, b.Parts
		hidden, low := total, int64(0)
		small := 0
		for i, c := range printed {
			v, number := c.Number()
			switch {
			case number && v != parts[i].Count:
				t.Fatalf("%s: part %d is %d", tokens(whole, printed), i, parts[i].Count)
			case number:
				hidden -= v
			case c.Status() == figure.Small:
				small, low = small+1, low+1
			case whole.Status() == figure.Number:
				low += 5
			}
		}
		if _, ok := whole.Number(); !ok || small == 0 {
			return
		}
		if hidden-low < 3 {
			t.Fatalf("%s of %v: what is hidden sums to %d and is at least %d", tokens(whole, printed), parts, hidden, low)
		}
	})
}

// TestStandingCountsRememberTheLastQuarter: the difference of two quarter ends is
// a group too, and so is what siblings say of it.
func TestStandingCountsRememberTheLastQuarter(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after []int64
		want          string
	}{
		{"nobody came", []int64{20, 30, 40}, []int64{20, 30, 40}, "90 20 30 40"},
		{"many came", []int64{20, 30, 40}, []int64{25, 40, 45}, "110 25 40 45"},
		{"two came, and the total says so", []int64{20, 30, 40}, []int64{22, 30, 40}, "null null null null"},
		{"two came and seven elsewhere", []int64{20, 30, 40}, []int64{22, 37, 40}, "99 null null 40"},
		{"three went", []int64{20, 30, 40}, []int64{17, 40, 50}, "107 null null 50"},
	} {
		book, err := ledger.Open(t.TempDir(), false)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for q, counts := range [][]int64{tt.before, tt.after} {
			parts, total := []disclosure.Part{}, int64(0)
			for i, n := range counts {
				parts, total = append(parts, disclosure.Part{Value: fmt.Sprint(i), Count: n}), total+n
			}
			b, err := disclosure.Rules{Book: book, End: 100 + 3*q}.Breakdown("-test-", total, snapshots.SigSector, parts)
			var page ledger.Page
			if err = errors.Join(err, page.Add("-test-", b.Entries), book.Append(fmt.Sprint("q", q), &page)); err != nil {
				t.Fatal(err)
			}
			got = tokens(b.Whole, b.Parts)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestALostLedgerPrintsNothingThatStands: what was printed last is not known.
func TestALostLedgerPrintsNothingThatStands(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "LOST"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	book, err := ledger.Open(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	b, err := disclosure.Rules{Book: book, End: 100}.Breakdown("-test-", 50, snapshots.SigSector, []disclosure.Part{{Value: "x", Count: 20}, {Value: "y", Count: 30}})
	if got := tokens(b.Whole, b.Parts); err != nil || got != "null null null" {
		t.Errorf("%s, %v", got, err)
	}
}
