package ledger

import "slices"

// Timeline is what was ever printed of one cell: nodes of time (months since year
// 0) joined by printed numbers, with the people between joined nodes. "An interval
// is derivable iff its ends are connected."
//
// Where nobody is, nobody is at any time between: a point within a printed 0 is joined to
// its ends, whichever number it comes with.
type Timeline struct {
	points []point // as they came
	nobody Nobody  // printed 0
}

type point struct {
	at   int
	root int   // node that stands for its component
	sum  int64 // people from the root to here
}

// NewTimeline is a cell of which nothing was printed.
func NewTimeline() *Timeline { return &Timeline{} }

// fewPoints are as many points as most timelines have that have any.
const fewPoints = 8

// find is the position of a node, or -1. There are few, so that a walk is fastest.
func (t *Timeline) find(at int) int {
	for i := range t.points {
		if t.points[i].at == at {
			return i
		}
	}
	return -1
}

func (t *Timeline) node(at int) point {
	if i := t.find(at); i >= 0 {
		return t.points[i]
	}
	if t.points == nil {
		t.points = make([]point, 0, fewPoints)
	}
	t.points = append(t.points, point{at: at, root: at})
	for _, span := range t.nobody {
		if span[0] < at && at < span[1] {
			t.join(span[0], at, 0)
		}
	}
	return t.points[t.find(at)]
}

// Safe says that printing n people for the months from to just under to makes no
// other interval of 1 to 4 people derivable, and is not 1 to 4 itself. Where the
// number was derivable before and is another now, people have moved to a newer
// event: the difference is a group, too.
func (t *Timeline) Safe(from, to int, n int64) bool {
	a, b := t.node(from), t.node(to)
	if a.root == b.root {
		return !isSmall(n - (b.sum - a.sum))
	}
	if n == 0 {
		return t.safeNobody(from, to)
	}
	for _, p := range t.points {
		if p.root != a.root {
			continue
		}
		for _, q := range t.points {
			if q.root == b.root && isSmall((a.sum-p.sum)+n+(q.sum-b.sum)) {
				return false
			}
		}
	}
	return true
}

// safeNobody is Safe for a printed 0, which joins every point within it.
func (t *Timeline) safeNobody(from, to int) bool {
	with := &Timeline{points: slices.Clone(t.points), nobody: slices.Clone(t.nobody)}
	with.Print(from, to, 0)
	for i, p := range with.points {
		for j, q := range with.points[:i] {
			if p.root == q.root && t.points[i].root != t.points[j].root && isSmall(p.sum-q.sum) {
				return false
			}
		}
	}
	return true
}

const smallest = 5

// isSmall says that a difference, in either direction, is 1 to 4.
func isSmall(d int64) bool { return d != 0 && d > -smallest && d < smallest }

// Print records a number.
func (t *Timeline) Print(from, to int, n int64) {
	if n == 0 && t.nobody.Holds(from, to) {
		return
	}
	t.node(from)
	t.node(to)
	t.join(from, to, n)
	if n != 0 {
		return
	}
	from, to = t.nobody.Add(from, to)
	for _, p := range t.points { // none is added here
		if from < p.at && p.at <= to {
			t.join(from, p.at, 0)
		}
	}
}

// join joins two nodes that are there.
func (t *Timeline) join(from, to int, n int64) {
	a, b := t.points[t.find(from)], t.points[t.find(to)]
	if a.root == b.root {
		return
	}
	shift := a.sum + n - b.sum
	for i := range t.points {
		if p := &t.points[i]; p.root == b.root {
			p.root, p.sum = a.root, p.sum+shift
		}
	}
}

// Between is the number of people between two nodes, if it is derivable from this
// cell alone.
func (t *Timeline) Between(from, to int) (int64, bool) {
	a, first, ok := t.component(from)
	b, last, is := t.component(to)
	if !ok || !is || a != b {
		return 0, from == to
	}
	return last - first, true
}

// component is the root of what a point of time is joined to, and the people from there;
// false for one that no number reaches.
func (t *Timeline) component(at int) (root int, sum int64, ok bool) {
	i := t.find(at)
	for _, span := range t.nobody {
		if i < 0 && span[0] < at && at < span[1] {
			i = t.find(span[0])
		}
	}
	if i < 0 {
		return 0, 0, false
	}
	return t.points[i].root, t.points[i].sum, true
}

// blocks puts into label, for each of the nodes, the first of them in its component; a
// node that was never printed is its own. The nodes are in order, and all points of the
// timeline among them.
func (t *Timeline) blocks(nodes, label []int) {
	for i := range label {
		label[i] = i
	}
	place := func(at int) int {
		i, _ := slices.BinarySearch(nodes, at)
		return i
	}
	for _, p := range t.points {
		first := p.at
		for _, q := range t.points {
			if q.root == p.root {
				first = min(first, q.at)
			}
		}
		label[place(p.at)] = place(first)
	}
	for _, span := range t.nobody {
		from, to := place(span[0]), place(span[1])
		for i := from + 1; i < to; i++ {
			label[i] = label[from]
		}
	}
}
