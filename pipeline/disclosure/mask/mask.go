package mask

import (
	"slices"

	"labour/snapshots/figure"
)

// Status is how a count is printed.
type Status uint8

// The statuses of a count.
const (
	Shown   Status = iota // 0, or a number of at least 5
	Small                 // "<5"
	Hidden                // null: a cover, or hidden on its own account
	Blocked               // null: below something that is no number, or in a withheld line or table
)

// Reason says which rule withheld a count. Totals by reason are public; the
// reason of one cell never is.
type Reason uint8

// The reasons for which a count is not shown.
const (
	ReasonNone    Reason = iota
	ReasonParent         // R1: below a cell that is no number
	ReasonLine           // R2: cover in a line, or the line is withheld
	ReasonWindow         // R3: differs from a longer window by 1 to 4
	ReasonTable          // R4: cover in a table, or the table is withheld
	ReasonMonth          // T4: an interval of months would be 1 to 4
	ReasonInsider        // R8: few employers
	ReasonLedger         // T2: with what was printed before
	ReasonGate           // R10: the attacker found something
	ReasonOutside        // the place is outside the lattice
	reasons
)

// String is the name of the reason in reports.
func (r Reason) String() string {
	return [reasons]string{"", "parent_not_shown", "line", "window_difference", "table", "month_difference", "few_employers", "ledger", "audit", "outside_lattice"}[r]
}

const smallest = 5 // the smallest count that is shown as a number

// IsSmall says that n is a small group, or no count.
func IsSmall(n int64) bool { return n < 0 || n > 0 && n < smallest }

// Board is one measure's counts with their statuses.
type Board struct {
	*Index
	Count   []int64
	Status  []Status
	Reason  []Reason
	tabled  []tabled // per table
	changed bool
}

// NewBoard is a board before any rule: numbers, and "<5" for small counts.
func (x *Index) NewBoard(count []int64) *Board {
	b := &Board{Index: x, Count: count, Status: make([]Status, len(count)), Reason: make([]Reason, len(count)), tabled: make([]tabled, len(x.tables))}
	for i, n := range count {
		if IsSmall(n) {
			b.Status[i] = Small
		}
	}
	return b
}

// hide moves a number to hidden.
func (b *Board) hide(i int32, why Reason) {
	if b.Status[i] == Shown {
		b.Status[i], b.Reason[i], b.changed = Hidden, why, true
	}
}

// block moves anything to blocked.
func (b *Board) block(i int32, why Reason) {
	if b.Status[i] != Blocked {
		b.Status[i], b.changed = Blocked, true
		if b.Reason[i] == ReasonNone {
			b.Reason[i] = why
		}
	}
}

// Hide hides a number on grounds of its own, before Run: R8, or the ledger.
func (b *Board) Hide(i int, why Reason) { b.hide(int32(i), why) }

// Block withholds a cell, before Run or between two runs.
func (b *Board) Block(i int, why Reason) { b.block(int32(i), why) }

// Run applies the rules to a fixpoint. It may be called again after more cells
// were hidden or blocked.
func (b *Board) Run() { b.run(true) }

// RunLines is Run without R4, which is dear, for those who will call Run at last.
func (b *Board) RunLines() { b.run(false) }

func (b *Board) run(tables bool) {
	for {
		b.changed = false
		b.inherit()
		for _, c := range b.chains {
			b.windows(c)
			b.twins(c)
		}
		for i := range b.months {
			b.monthLine(&b.months[i])
		}
		for i := range b.lines {
			b.line(&b.lines[i])
		}
		b.inherit()
		if b.changed {
			continue // the tables are dear: their margins first
		}
		for i := range b.tables {
			if tables {
				b.table(i)
			}
		}
		if !b.changed {
			return
		}
	}
}

// inherit is R1: "a parent of Q (one filter dropped, same window) is null or
// "<5" => null". Parents come from coarser to finer, so that one pass over the
// depths suffices; the fixpoint repeats it.
func (b *Board) inherit() {
	for again := true; again; {
		again = false
		for i, parents := range b.parents {
			if b.Status[i] == Blocked {
				continue
			}
			for _, p := range parents {
				if p < 0 || b.Unlisted[p] || b.Status[p] != Shown {
					b.block(int32(i), ReasonParent)
					again = true
					break
				}
			}
		}
	}
}

// inTurn is the order in which R3 keeps the windows of a cell. The design walks
// "24, 12, 6, 3"; which of two windows goes is its choice, and as many go either
// way. Here the last quarter stays rather than the half year between it and the
// year: it is the newest there is, and is printed least often as it is. A window
// of 6 months that is hidden has four values or more for every pair of 12 and 3
// that is printed, since those differ by 0 or by 5 and more.
var inTurn = []int{24, 12, 3, 6}

// windows is R3: "walk over those still numeric; if the next differs from the last
// kept by 1..4, hide" it. In this order it must differ so from none that is kept.
func (b *Board) windows(chain []int32) {
	kept := make([]int32, 0, 4)
	for _, w := range inTurn {
		for _, i := range chain {
			if b.Cells[i].Window != w || b.Status[i] != Shown {
				continue
			}
			if slices.ContainsFunc(kept, func(k int32) bool {
				return b.Count[k] != b.Count[i] && max(b.Count[k]-b.Count[i], b.Count[i]-b.Count[k]) < smallest
			}) {
				b.hide(i, ReasonWindow)
				continue
			}
			kept = append(kept, i)
		}
	}
}

// twins are two windows of a cell below a parent that is printed with the same
// number in both. Then nobody is in the months between, and the two are known to
// be equal: what is hidden in one must be hidden in the other. This is how every
// longer window looks while the platform is young.
func (b *Board) twins(chain []int32) {
	for k := 1; k < len(chain); k++ {
		long, short := chain[k-1], chain[k]
		if !b.equalParents(long, short) {
			continue
		}
		for _, pair := range [][2]int32{{long, short}, {short, long}} {
			switch b.Status[pair[0]] {
			case Hidden:
				b.hide(pair[1], b.Reason[pair[0]])
			case Blocked:
				b.block(pair[1], b.Reason[pair[0]])
			}
		}
	}
}

func (b *Board) equalParents(i, j int32) bool {
	for k, p := range b.parents[i] {
		if k >= len(b.parents[j]) {
			break
		}
		if q := b.parents[j][k]; p >= 0 && q >= 0 && b.Status[p] == Shown && b.Status[q] == Shown && b.Count[p] == b.Count[q] {
			return true
		}
	}
	return false
}

// line is R2 over a line whose total is a number.
func (b *Board) line(l *line) {
	if b.Status[l.total] == Shown && !b.cover(b.Count[l.total], l.kids, ReasonLine) {
		for _, i := range l.kids {
			b.block(i, ReasonLine)
		}
	}
}

// cover is R2: it hides children of at least 5, in the order given, until "j >= 1,
// |H| >= 2, and slack = sum(H) - (m + 5*(|H|-m)) >= 3", or returns false: the line
// must be withheld. People in no listed child are one more child that is never
// printed: a group to protect while they are 1 to 4, a cover from 5 on, and
// bounded below by 0 alone, since nothing says that they exist.
func (b *Board) cover(total int64, kids []int32, why Reason) bool {
	var small, hidden, shown int64
	var covers []int32
	for _, i := range kids {
		switch b.Status[i] {
		case Small:
			small++
		case Hidden:
			hidden++
		case Shown:
			shown += b.Count[i]
			if b.Count[i] >= smallest {
				covers = append(covers, i)
			}
		}
	}
	rest := total - b.sum(kids) // and those in children that are not published at all
	for _, i := range kids {
		if b.Status[i] == Blocked {
			rest += b.Count[i]
		}
	}
	bounds, big := small+smallest*hidden, hidden // least that the hidden ones can be
	switch {
	case IsSmall(rest):
		small, bounds = small+1, bounds+1
	case rest > 0:
		big++
	}
	if small == 0 && hidden == 0 {
		return true
	}
	left := total - shown // the sum of what is hidden, which the attacker knows too
	enough := func() bool { return big >= 1 && small+big >= 2 && left-bounds >= 3 }
	n := 0
	for ; !enough(); n++ {
		if n == len(covers) {
			return false
		}
		left += b.Count[covers[n]]
		bounds += smallest
		big++
	}
	for _, i := range covers[:n] {
		b.hide(i, why)
	}
	return true
}

func (b *Board) sum(cells []int32) (n int64) {
	for _, i := range cells {
		n += b.Count[i]
	}
	return n
}

// numeric says whether a margin is printed, and what it is.
func (b *Board) numeric(s sum) (n int64, ok bool) {
	for _, i := range s.need {
		if i < 0 || b.Unlisted[i] || b.Status[i] != Shown {
			return 0, false
		}
	}
	n = b.Count[s.plus]
	if s.minus >= 0 {
		n -= b.Count[s.minus]
	}
	return n, true
}

// Printed is what is shown of a cell, and which rule withheld it if nothing is.
func (b *Board) Printed(i int) (figure.Count, Reason) {
	switch b.Status[i] {
	case Shown, Small:
		return figure.CountOf(b.Count[i]), ReasonNone
	}
	return figure.Count{}, b.Reason[i]
}
