package ledger

// Timeline is what was ever printed of one cell: nodes of time (months since year
// 0) joined by printed numbers, with the people between joined nodes. "An interval
// is derivable iff its ends are connected."
type Timeline struct {
	nodes map[int]*point
	order []int // nodes as they came
}

type point struct {
	root int   // node that stands for its component
	sum  int64 // people from the root to here
}

// NewTimeline is a cell of which nothing was printed.
func NewTimeline() *Timeline { return &Timeline{nodes: map[int]*point{}} }

func (t *Timeline) node(at int) *point {
	if p, ok := t.nodes[at]; ok {
		return p
	}
	p := &point{root: at}
	t.nodes[at], t.order = p, append(t.order, at)
	return p
}

// Safe says that printing n people for the months from to just under to makes no
// other interval of 1 to 4 people derivable, and is not 1 to 4 itself.
func (t *Timeline) Safe(from, to int, n int64) bool {
	a, b := t.node(from), t.node(to)
	if a.root == b.root {
		return true // it was derivable before
	}
	for _, i := range t.order {
		for _, j := range t.order {
			p, q := t.nodes[i], t.nodes[j]
			if p.root != a.root || q.root != b.root {
				continue
			}
			if d := (a.sum - p.sum) + n + (q.sum - b.sum); d != 0 && d > -smallest && d < smallest {
				return false
			}
		}
	}
	return true
}

const smallest = 5

// Print records a number.
func (t *Timeline) Print(from, to int, n int64) {
	a, b := t.node(from), t.node(to)
	if a.root == b.root {
		return
	}
	shift, old := a.sum+n-b.sum, b.root
	for _, i := range t.order {
		if p := t.nodes[i]; p.root == old {
			p.root, p.sum = a.root, p.sum+shift
		}
	}
}

// Between is the number of people between two nodes, if it is derivable from this
// cell alone.
func (t *Timeline) Between(from, to int) (int64, bool) {
	p, okP := t.nodes[from]
	q, okQ := t.nodes[to]
	if !okP || !okQ || p.root != q.root {
		return 0, from == to
	}
	return q.sum - p.sum, true
}

// block is the component of a node; a node that was never printed is its own.
func (t *Timeline) block(at int) int {
	if p, ok := t.nodes[at]; ok {
		return p.root
	}
	return at
}
