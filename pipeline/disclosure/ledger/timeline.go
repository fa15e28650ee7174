package ledger

// Timeline is what was ever printed of one cell: nodes of time (months since year
// 0) joined by printed numbers, with the people between joined nodes. "An interval
// is derivable iff its ends are connected."
type Timeline struct {
	points []point // as they came
}

type point struct {
	at   int
	root int   // node that stands for its component
	sum  int64 // people from the root to here
}

// NewTimeline is a cell of which nothing was printed.
func NewTimeline() *Timeline { return &Timeline{} }

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
	p := point{at: at, root: at}
	t.points = append(t.points, p)
	return p
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

const smallest = 5

// isSmall says that a difference, in either direction, is 1 to 4.
func isSmall(d int64) bool { return d != 0 && d > -smallest && d < smallest }

// Print records a number.
func (t *Timeline) Print(from, to int, n int64) {
	a, b := t.node(from), t.node(to)
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
	i, j := t.find(from), t.find(to)
	if i < 0 || j < 0 || t.points[i].root != t.points[j].root {
		return 0, from == to
	}
	return t.points[j].sum - t.points[i].sum, true
}

// blocks labels each of the nodes with the first of them in its component; a node
// that was never printed is its own.
func (t *Timeline) blocks(nodes []int) []int {
	label, first := make([]int, len(nodes)), map[int]int{}
	for i, at := range nodes {
		label[i] = i
		k := t.find(at)
		if k < 0 {
			continue
		}
		root := t.points[k].root
		if j, ok := first[root]; ok {
			label[i] = j
		} else {
			first[root] = i
		}
	}
	return label
}
