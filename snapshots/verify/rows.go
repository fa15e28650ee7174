package verify

import (
	"context"
	"slices"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// rowCheck looks at some columns of every row of a table. It may remember what
// it needs of earlier rows. The values are in the order of its columns and are
// overwritten by the next row.
type rowCheck struct {
	name    string
	columns []string
	row     func(v []parquetio.Value) error // the error is the fault
}

// rowChecks lists what is checked in the rows of a table. Adding a check is
// adding a line.
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
