package attack

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"labour/pipeline/disclosure/madeup"
)

// Crawl is everything that was printed of one skill, by cell.
type Crawl struct {
	World  madeup.World
	Tokens map[madeup.Cell]string
}

// bandEnds bound the bands of time without months: the windows.
var bandEnds = []int{0, 3, 6, 12, 24}

// Atoms are the unknowns of the world: with months, one band per month.
func (c Crawl) Atoms(months bool) []Atom {
	ends := bandEnds
	if months {
		ends = nil
		for i := range 25 {
			ends = append(ends, i)
		}
	}
	var out []Atom
	for _, p := range c.World.Places {
		for _, sec := range orUnknown(c.World.Sectors) {
			for _, soc := range orUnknown(c.World.SOCs) {
				for _, lev := range orUnknown(c.World.Levels) {
					for _, src := range orUnknown(c.World.Sources) {
						for i := 1; i < len(ends); i++ {
							out = append(out, Atom{p, sec, soc, lev, src, ends[i-1], ends[i]})
						}
					}
				}
			}
		}
	}
	return out
}

func orUnknown(values []string) []string {
	if len(values) == 0 {
		return []string{""}
	}
	return values
}

// Query is the group of a cell.
func (c Crawl) Query(cell madeup.Cell) Query {
	q := Query{To: cell.Window}
	if cell.Place != "" {
		q.Places = []string{cell.Place}
		if boroughs, ok := c.World.Areas[cell.Place]; ok {
			q.Places = boroughs
		}
	}
	switch strings.TrimPrefix(cell.Signature, "place_") {
	case "sector":
		q.Sector = cell.Value
	case "soc":
		q.SOC = cell.Value
	case "level":
		q.Level = cell.Value
	case "source":
		q.Source = cell.Value
	case "month":
		for age := range 24 {
			if madeup.Month(age) == cell.Value {
				q.From, q.To = age, age+1
			}
		}
	}
	return q
}

// Answers are the printed cells as the attacker reads them. Without months, cells
// of months are left out. A null stands for at least 5 where the cells above it
// are numbers and its line or table prints something; a null month need not, nor
// one that is withheld together with an equal window, nor one of a row or column
// of a table that may be too small to be broken down: the largest such margin is
// not known, but it is below that of every cell that prints something.
func (c Crawl) Answers(months bool) []Answer {
	cells := make([]madeup.Cell, 0, len(c.Tokens))
	broken := map[madeup.Cell]int64{} // line or table → the smallest margin below which something is printed
	for cell, token := range c.Tokens {
		cells = append(cells, cell)
		if n := c.margin(cell); token != "null" && n > 0 {
			if least, ok := broken[c.line(cell)]; !ok || n < least {
				broken[c.line(cell)] = n
			}
		}
	}
	slices.SortFunc(cells, madeup.Compare)
	var out []Answer
	for _, cell := range cells {
		month := strings.HasSuffix(cell.Signature, "month")
		if month && !months {
			continue
		}
		least, alive := broken[c.line(cell)]
		five := !month && c.Tokens[cell] == "null" && alive && c.numbersAbove(cell) && c.margin(cell) >= least && !c.twin(cell)
		out = append(out, Answer{Query: c.Query(cell), Token: c.Tokens[cell], Five: five})
	}
	return out
}

// area is the smallest area that holds the place. The areas of the tests are
// nested.
func (c Crawl) area(place string) string {
	best := ""
	for a, boroughs := range c.World.Areas {
		inside, whole := c.World.Areas[place]
		if !whole {
			inside = []string{place}
		}
		holds := !slices.ContainsFunc(inside, func(b string) bool { return !slices.Contains(boroughs, b) })
		if a != place && holds && (best == "" || len(boroughs) < len(c.World.Areas[best])) {
			best = a
		}
	}
	return best
}

// line names the line or table that a cell is part of: the cells of its kind with
// the same place above.
func (c Crawl) line(cell madeup.Cell) madeup.Cell {
	if cell.Place != "" {
		cell.Place = "below " + c.area(cell.Place)
	}
	cell.Value = ""
	return cell
}

// twin says that a cell above is printed with the same number in another window,
// so that the two windows are withheld together.
func (c Crawl) twin(cell madeup.Cell) bool {
	for _, w := range bandEnds[1:] {
		other := cell
		other.Window = w
		above, there := c.above(cell), c.above(other)
		for i := range above {
			t := c.Tokens[above[i]]
			if w != cell.Window && t != "null" && t != "<5" && t != "" && t == c.Tokens[there[i]] {
				return true
			}
		}
	}
	return false
}

// margin is the least of the numbers printed above a cell: the smaller of its row
// and its column in a table. A cell with nothing above is its own.
func (c Crawl) margin(cell madeup.Cell) int64 {
	least := int64(math.MaxInt64)
	for _, a := range c.above(cell) {
		if n, err := strconv.ParseInt(c.Tokens[a], 10, 64); err == nil {
			least = min(least, n)
		}
	}
	return least
}

// numbersAbove says that every cell above is printed as a number.
func (c Crawl) numbersAbove(cell madeup.Cell) bool {
	return !slices.ContainsFunc(c.above(cell), func(a madeup.Cell) bool {
		t := c.Tokens[a]
		return t == "" || t == "null" || t == "<5"
	})
}

// above are the cells with one filter dropped, or one step up the place tree.
func (c Crawl) above(cell madeup.Cell) (above []madeup.Cell) {
	dim := strings.TrimPrefix(cell.Signature, "place_")
	switch {
	case cell.Signature == "none":
	case cell.Place == "" || cell.Value == "":
		above = []madeup.Cell{{Signature: "none", Window: cell.Window}}
	default:
		above = []madeup.Cell{{Signature: "place", Place: cell.Place, Window: cell.Window}, {Signature: dim, Value: cell.Value, Window: cell.Window}}
	}
	if a := c.area(cell.Place); cell.Place != "" && a != "" {
		wider := cell
		wider.Place = a
		above = append(above, wider)
	}
	return above
}
