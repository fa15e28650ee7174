package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// rowCheck looks at some columns of every row of a table. It may remember what it needs of earlier
// rows. The values are in the order of its columns and are overwritten by the next row.
type rowCheck struct {
	name    string
	columns []string
	row     func(v []parquetio.Value) error // the error is the fault
}

// rowChecks lists what is checked in the rows of a table. Adding a check is adding a line.
func rowChecks(s *subject, t snapshots.Table, known sourceKeys, all *totals, up *rollups) []rowCheck {
	var checks []rowCheck
	checks = append(checks, asOfCheck(s.manifest))
	checks = append(checks, orderCheck(t))
	checks = append(checks, peopleChecks(t, s.manifest.Rounded() && snapshots.CountsOwnPeople(t.Name))...)
	checks = append(checks, percentChecks(t)...)
	checks = append(checks, sourceChecks(t, known)...)
	checks = append(checks, floorChecks(t)...)
	checks = append(checks, statementChecks(t, s.manifest)...)
	checks = append(checks, recomputeChecks(t)...)
	checks = append(checks, cellChecks(t, all)...)
	checks = append(checks, rollupChecks(t, up)...)
	checks = append(checks, outlineChecks(s, t)...)
	checks = append(checks, eventChecks(t, s.manifest)...)
	return checks
}

// checkRows reads each table once, with only the columns that the checks need.
func checkRows(ctx context.Context, s *subject) error {
	known := readSourceKeys(s)
	var all *totals
	var up *rollups
	if !s.trusted {
		all, up = readTotals(s), readRollupCodes(s)
	}
	for _, t := range s.manifest.Schemas() {
		if s.trusted && (t.Name == "adverts" || t.Name == "adverts_total" || snapshots.IsRollup(t.Name)) {
			continue
		}
		if err := s.rowsOf(ctx, t, snapshots.TableFileName(t.Name), known, all, up); err != nil {
			return err
		}
	}
	for _, t := range snapshots.HeldTables() {
		if s.manifest.HeldNamed(t.Name).Rows == nil {
			continue
		}
		if err := s.rowsOf(ctx, t, snapshots.HeldFileName(t.Name), known, all, up); err != nil {
			return err
		}
	}
	up.compare(s)
	return nil
}

func (s *subject) rowsOf(ctx context.Context, t snapshots.Table, file string, known sourceKeys, all *totals, up *rollups) error {
	path := snapshots.Within(s.dir, file)
	if columns, err := parquetio.Schema(path); err != nil || !slices.Equal(columns, snapshots.Bare(t.Columns)) {
		return nil // checkSchemas has said so; the rows cannot be judged
	}
	return s.scan(ctx, path, file, rowChecks(s, t, known, all, up))
}

func (s *subject) scan(ctx context.Context, path, file string, checks []rowCheck) error {
	columns, places := plan(checks)
	buffers := make([][]parquetio.Value, len(checks))
	for i, c := range checks {
		buffers[i] = make([]parquetio.Value, len(c.columns))
	}
	err := parquetio.Scan(path, columns, func(row int64, values []parquetio.Value) error {
		s.report.Rows++
		for i, c := range checks {
			for j, at := range places[i] {
				buffers[i][j] = values[at]
			}
			if err := c.row(buffers[i]); err != nil {
				s.fault(c.name, file, row, "%v", err)
			}
		}
		if row%4096 == 0 {
			return ctx.Err()
		}
		return nil
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.fault("rows", file, WholeFile, "cannot be read: %v", err)
	}
	return nil
}

// plan joins the columns of the checks and says where each check finds its own.
func plan(checks []rowCheck) (columns []string, places [][]int) {
	for _, c := range checks {
		var at []int
		for _, name := range c.columns {
			i := slices.Index(columns, name)
			if i < 0 {
				i, columns = len(columns), append(columns, name)
			}
			at = append(at, i)
		}
		places = append(places, at)
	}
	return columns, places
}

const secondsPerDay = 24 * 60 * 60

// dayOf is a day that a file holds as days since 1970.
func dayOf(day int64) time.Time { return time.Unix(day*secondsPerDay, 0).UTC() }

// asOfCheck: every row says the date that the manifest says.
func asOfCheck(m snapshots.Manifest) rowCheck {
	want := m.AsOf.Unix() / secondsPerDay
	return rowCheck{"as_of", []string{"as_of"}, func(v []parquetio.Value) error {
		if v[0].Null || v[0].Int != want {
			got := snapshots.DateOf(dayOf(v[0].Int))
			return fmt.Errorf("as_of is %s, not %s", got, m.AsOf)
		}
		return nil
	}}
}

// fewestVacancies is the least count of vacancies that a held dataset may hold: "If
// fewer than 5 adverts, or fewer than 3 employers, remain", there is no row.
const fewestVacancies = 5

// floorChecks: a held dataset has no count of vacancies under the floor. Employers
// are not in the files and cannot be counted here.
func floorChecks(t snapshots.Table) []rowCheck {
	if _, held := snapshots.HeldNamed(t.Name); !held {
		return nil
	}
	var checks []rowCheck
	for _, name := range []string{"vacancies", "previous_vacancies"} {
		if _, has := t.Column(name); !has {
			continue
		}
		checks = append(checks, rowCheck{"floor", []string{name}, func(v []parquetio.Value) error {
			if v[0].Int < fewestVacancies {
				return fmt.Errorf("%s is %d; under %d there is no row", name, v[0].Int, fewestVacancies)
			}
			return nil
		}})
	}
	return checks
}

// orderCheck: the rows are in the order of the table, and no key is there twice
// (a cell with two rows would be counted twice, or printed twice). Texts are
// ordered by their bytes; a null comes after every value.
func orderCheck(t snapshots.Table) rowCheck {
	var last []parquetio.Value
	return rowCheck{"order", t.Sort, func(v []parquetio.Value) error {
		c := -1
		if last != nil {
			c = parquetio.CompareValues(last, v)
		}
		last = parquetio.KeepValues(last, v)
		switch {
		case c == 0:
			return errors.New("has the same key as the row before")
		case c > 0:
			return fmt.Errorf("comes before the row before in the order %s", strings.Join(t.Sort, ", "))
		}
		return nil
	}}
}

// peopleChecks: a printed count of people is 0, at least 5, "<5" or not
// published. "A count of people from 1 to 4 is never a number and never 0." Where counts
// are rounded, it is a multiple of 5.
func peopleChecks(t snapshots.Table, rounded bool) []rowCheck {
	var checks []rowCheck
	for _, p := range t.PeopleColumns() {
		checks = append(checks, rowCheck{"small numbers", []string{p.Value, p.Status}, func(v []parquetio.Value) error {
			var n *int64
			if !v[0].Null {
				n = &v[0].Int
			}
			c, err := figure.Parse(n, figure.Status(v[1].Text))
			if err != nil {
				return fmt.Errorf("%s: %w", p.Value, err)
			}
			if rounded && !c.IsRounded() {
				return fmt.Errorf("%s is %v, which is not rounded to %d", p.Value, c, figure.RoundedTo)
			}
			return nil
		}})
	}
	return checks
}

// percentChecks: a share of people is between 0 and 100 %. A change or a
// projection may be anything.
func percentChecks(t snapshots.Table) []rowCheck {
	const whole = 1000 // tenths
	var checks []rowCheck
	for _, c := range t.Columns {
		if c.Type != snapshots.Decimal1 || strings.Contains(c.Name, "change") {
			continue
		}
		checks = append(checks, rowCheck{"percent", []string{c.Name}, func(v []parquetio.Value) error {
			if !v[0].Null && (v[0].Int < 0 || v[0].Int > whole) {
				return fmt.Errorf("%s is %s %%", c.Name, figure.AppendTenths(nil, figure.Tenths(v[0].Int)))
			}
			return nil
		}})
	}
	return checks
}
