package disclosure_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/gate"
	"labour/pipeline/disclosure/ledger"
	"labour/snapshots/figure"
)

// tiny is a line of a few sectors over a few quarters since launch, and what was
// printed of it. people are by sector and quarter.
type tiny struct {
	people  [][]int
	printed []answer
	small   []answer // groups of 1 to 4 in a window at a quarter end, printed or not
}

// answer bounds the people of a sector (-1 = all) in the quarters from from to just
// under to.
type answer struct{ sector, from, to, low, high int }

const tinyLaunch = 2020 * 12

// cells are the true counts at the end of a quarter, 1 = the first.
func (s *tiny) cells(end int) []disclosure.Truth {
	var out []disclosure.Truth
	for sector := -1; sector < len(s.people); sector++ {
		for _, w := range []int{3, 6, 12, 24} {
			c := disclosure.Cell{Signature: "none", Window: w}
			if sector >= 0 {
				c.Signature, c.Value = "sector", fmt.Sprint(sector)
			}
			out = append(out, disclosure.Truth{Cell: c, TurnedDownFor: int64(s.count(sector, max(0, end-w/3), end))})
		}
	}
	return out
}

func (s *tiny) count(sector, from, to int) (n int) {
	for v, people := range s.people {
		for q := from; q < to; q++ {
			if v == sector || sector < 0 {
				n += people[q]
			}
		}
	}
	return n
}

// print prints the end of a quarter in the light of the book.
func (s *tiny) print(t fataler, r disclosure.Rules, end int) []ledger.Entry {
	r.Launch, r.End = tinyLaunch, tinyLaunch+3*end
	result, err := r.Skill("care", s.cells(end))
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, p := range result.Printed {
		a := answer{sector: -1, from: max(0, end-p.Window/3), to: end}
		if p.Value != "" {
			a.sector = int(p.Value[0] - '0')
		}
		if n := s.count(a.sector, a.from, a.to); n >= 1 && n <= 4 {
			s.small = append(s.small, a)
		}
		n, number := p.TurnedDown.Number()
		switch {
		case number:
			a.low, a.high = int(n), int(n)
		case p.TurnedDown.Status() == figure.Small:
			a.low, a.high = 1, 4
		default:
			continue
		}
		s.printed = append(s.printed, a)
	}
	return result.Entries
}

type fataler interface{ Fatalf(string, ...any) }

// pinned are the small groups that are the same in every history of whole people, of
// those with 1 to 4 people there, that fits all that was printed. It goes through the
// histories one by one, those near the truth first.
func (s *tiny) pinned(t fataler) (out []answer) {
	for _, target := range s.small {
		n, other := s.count(target.sector, target.from, target.to), false
		for m := 1; m <= 4 && !other; m++ {
			if m != n {
				left := 3_000_000
				target.low, target.high = m, m
				other = s.search(append([]answer{target}, s.printed...), make([]int, len(s.people)*len(s.people[0])), 0, &left)
				if left <= 0 {
					t.Fatalf("too many histories of %v", s.people)
				}
			}
		}
		if !other {
			out = append(out, target)
		}
	}
	return out
}

// mostMore is how many people more than there are a history may have in one place.
const mostMore = 6

// search looks for a history that fits, from the i-th number on.
func (s *tiny) search(answers []answer, x []int, i int, left *int) bool {
	*left--
	if *left <= 0 || !s.fits(answers, x, i) {
		return false
	}
	if i == len(x) {
		return true
	}
	truth := s.people[i%len(s.people)][i/len(s.people)]
	for d := range mostMore + truth + 1 {
		for _, n := range []int{truth - d, truth + d} {
			if n < 0 || d == 0 && n != truth || d > mostMore && n > truth {
				continue
			}
			if x[i] = n; s.search(answers, x, i+1, left) {
				return true
			}
			if d == 0 {
				break
			}
		}
	}
	return false
}

// fits says that the first i numbers, by quarter and sector, contradict nothing: what
// is complete is within its bounds, and what is not is not beyond them.
func (s *tiny) fits(answers []answer, x []int, i int) bool {
	k := len(s.people)
	for _, a := range answers {
		sum, whole := 0, true
		for q := a.from; q < a.to; q++ {
			for v := range k {
				switch at := q*k + v; {
				case a.sector >= 0 && v != a.sector:
				case at < i:
					sum += x[at]
				default:
					whole = false
				}
			}
		}
		if sum > a.high || whole && sum < a.low {
			return false
		}
	}
	return true
}

func openBook(t *testing.T, dir string) *ledger.Book {
	t.Helper()
	book, err := ledger.Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func appendTo(t fataler, book *ledger.Book, quarter int, entries []ledger.Entry) {
	var page ledger.Page
	if err := page.Add("care", entries); err != nil {
		t.Fatalf("%v", err)
	}
	if err := book.Append(fmt.Sprintf("q%02d", quarter), &page); err != nil {
		t.Fatalf("%v", err)
	}
}

// TestEveryTinySeries goes through all lines of two sectors over two quarters, and
// asks an oracle that goes through all histories whether some small window of either
// quarter end has one value alone. Without the audits some has.
func TestEveryTinySeries(t *testing.T) {
	most := 5
	if os.Getenv("DISCLOSURE_MEASURE") != "" {
		most = 14
	}
	for _, audited := range []bool{true, false} {
		r := disclosure.Rules{}
		if !audited {
			r.Gate = gate.Limits{Unknowns: -1}
		}
		small, pinned := 0, 0
		for a := range most + 1 {
			for b := range most + 1 {
				r.Book = openBook(t, t.TempDir())
				first := tiny{people: [][]int{{a, 0}, {b, 0}}}
				appendTo(t, r.Book, 1, first.print(t, r, 1))
				for c := range most + 1 {
					for d := range most + 1 {
						s := tiny{people: [][]int{{a, c}, {b, d}}, printed: first.printed[:len(first.printed):len(first.printed)], small: first.small[:len(first.small):len(first.small)]}
						s.print(t, r, 2)
						found := s.pinned(t)
						small, pinned = small+len(s.small), pinned+len(found)
						if audited && len(found) > 0 {
							t.Fatalf("%v: %+v has one value; printed %+v", s.people, found, s.printed)
						}
					}
				}
			}
		}
		t.Logf("counts to %d, audited %t: %d of %d small windows have one value", most, audited, pinned, small)
		if !audited && pinned == 0 {
			t.Error("nothing is pinned without the audits: the test shows nothing")
		}
	}
}

// TestNoTinySeriesPinsASmallGroup is the same for drawn lines of two or three sectors
// over two to four quarters.
func TestNoTinySeriesPinsASmallGroup(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		book, err := ledger.Open(filepath.Join(dir, fmt.Sprint(n)), false)
		if err != nil {
			t.Fatal(err)
		}
		s := tiny{}
		sectors, quarters := rapid.IntRange(2, 3).Draw(t, "sectors"), rapid.IntRange(2, 4).Draw(t, "quarters")
		for range sectors {
			s.people = append(s.people, rapid.SliceOfN(rapid.IntRange(0, 7), quarters, quarters).Draw(t, "people"))
		}
		for q := 1; q <= quarters; q++ {
			appendTo(t, book, q, s.print(t, disclosure.Rules{Book: book}, q))
		}
		if found := s.pinned(t); len(found) > 0 {
			t.Fatalf("%v: %+v has one value; printed %+v", s.people, found, s.printed)
		}
	})
}
