package verify

import (
	"errors"
	"fmt"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// cellKey is a cell of the advert tables but for the kind of its area; texts are
// numbered, so that a key is small and a row costs no memory.
type cellKey struct {
	place, sector, soc, source int32
	month                      int64
}

// totals is the adverts of every cell of adverts_total, by area kind.
type totals struct {
	texts map[string]int32
	cells map[string]map[cellKey]int64
}

// cellColumns are the columns of a cell, in the order in which cell takes them.
func cellColumns() []string {
	return []string{"area_kind", "place", "sector", "soc", "source", "month", "adverts"}
}

// readTotals is nil when the table cannot be read.
func readTotals(s *subject) *totals {
	t := &totals{texts: map[string]int32{}, cells: map[string]map[cellKey]int64{}}
	for _, kind := range []string{snapshots.AreaAll, snapshots.AreaBorough, snapshots.AreaServed} {
		t.cells[kind] = map[cellKey]int64{}
	}
	path := snapshots.Within(s.dir, snapshots.TableFileName("adverts_total"))
	err := parquetio.Scan(path, cellColumns(), func(_ int64, v []parquetio.Value) error {
		if of, known := t.cells[v[0].Text]; known {
			of[t.cell(v)] = v[6].Int
		}
		return nil
	})
	if err != nil {
		return nil // said by checkSchemas or by the scan of the table
	}
	return t
}

func (t *totals) cell(v []parquetio.Value) cellKey {
	return cellKey{t.number(v[1].Text), t.number(v[2].Text), t.number(v[3].Text), t.number(v[4].Text), v[5].Int}
}

func (t *totals) number(text string) int32 {
	n, known := t.texts[text]
	if !known {
		n = int32(len(t.texts))
		t.texts[string(append([]byte(nil), text...))] = n
	}
	return n
}

// cellChecks: a cell has at least one advert, of a month that begins on its first
// day. The adverts that ask for a skill are some of all adverts of the same cell,
// and those of a place are some of the whole country's: "An advert in several
// boroughs is in each borough's cells and once in the whole country's".
func cellChecks(t snapshots.Table, all *totals) []rowCheck {
	if t.Name != "adverts" && t.Name != "adverts_total" {
		return nil
	}
	checks := []rowCheck{{"cells", []string{"month", "adverts"}, func(v []parquetio.Value) error {
		if v[1].Int < 1 {
			return fmt.Errorf("adverts is %d", v[1].Int)
		}
		if d := dayOf(v[0].Int); d.Day() != 1 {
			return fmt.Errorf("month is %s, not the first day of one", snapshots.DateOf(d))
		}
		return nil
	}}}
	if all == nil {
		return checks
	}
	if t.Name == "adverts" {
		return append(checks, rowCheck{"cells", cellColumns(), all.withinTotal})
	}
	return append(checks, rowCheck{"cells", cellColumns(), all.withinCountry})
}

func (t *totals) withinTotal(v []parquetio.Value) error {
	if n := t.cells[v[0].Text][t.cell(v)]; v[6].Int > n {
		return fmt.Errorf("%d adverts ask for the skill; adverts_total has %d in the cell", v[6].Int, n)
	}
	return nil
}

func (t *totals) withinCountry(v []parquetio.Value) error {
	switch v[0].Text {
	case snapshots.AreaAll:
		if v[1].Text != "" {
			return errors.New("area_kind all has a place")
		}
	case snapshots.AreaBorough, snapshots.AreaServed:
		key := t.cell(v)
		key.place = t.number("")
		if n := t.cells[snapshots.AreaAll][key]; v[6].Int > n {
			return fmt.Errorf("%d adverts in the place; the whole country has %d", v[6].Int, n)
		}
	default:
		return fmt.Errorf("area_kind %q is unknown", v[0].Text)
	}
	return nil
}
