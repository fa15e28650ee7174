package dfeapprenticeships

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"labour/sources"
)

// Read turns the files of one extract into sources.Statistic, in the order in
// which the configuration names the data sets. A file with an unknown or missing
// column is refused whole, with a fault for each such column. A figure that an
// earlier data set already gave is not given again.
func (s *Source) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	given := map[figureKey]bool{}
	for _, d := range s.cfg.DataSets {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read data sets: %w", err)
		}
		o, ok := x.Object(tableName(d.ID))
		if !ok {
			continue // its absence was a fault of the fetch
		}
		description, _ := x.Object(descriptionName(d.ID))
		rows, err := readDataSet(d, o, description, open, out)
		if err != nil {
			return err
		}
		for _, st := range rows {
			k := figureKey{st.Metric, rowKey{st.RegionCode, st.SubjectArea, st.PeriodStart, st.PeriodEnd, st.Series}}
			if given[k] {
				continue
			}
			given[k] = true
			if err := out.Emit(st); err != nil {
				return err
			}
		}
	}
	return nil
}

// figureKey is what makes a figure one.
type figureKey struct {
	metric string
	rowKey
}

// readDataSet reads one file. Faults of the data are reported and give no rows;
// an error is a fault of the program or of the machine.
func readDataSet(d DataSet, table, description sources.Object, open sources.Opener, out sources.Sink) ([]sources.Statistic, error) {
	r, err := describe(d, description, open)
	if err != nil {
		return nil, sources.DataFault(out, Key, descriptionName(d.ID), err)
	}
	body, err := open.Open(table)
	if err != nil {
		return nil, sources.DataFault(out, Key, table.Name, fmt.Errorf("open %s: %w", table.Name, err))
	}
	defer body.Close()
	var found []sources.Fault
	rows, _, err := scan(body, d, r, func(code sources.FaultCode, where, detail string) {
		found = append(found, sources.Fault{Source: Key, Object: table.Name, Where: where, Code: code, Detail: detail})
	})
	// The archive checks the SHA-256 at the end of the body, which a refused file
	// and the compression may leave unread. In a damaged body every other fault is
	// only a trace of the damage.
	if _, derr := io.Copy(io.Discard, body); derr != nil {
		return nil, sources.DataFault(out, Key, table.Name, fmt.Errorf("read %s: %w", table.Name, derr))
	}
	for _, f := range found {
		out.Fault(f)
	}
	if err != nil && !errors.Is(err, errRefused) {
		return nil, sources.DataFault(out, Key, table.Name, fmt.Errorf("read %s: %w", table.Name, err))
	}
	return rows, nil
}

// describe reads the description of a data set. Without one the months that it
// covers must be configured.
func describe(d DataSet, o sources.Object, open sources.Opener) (release, error) {
	switch {
	case o.Name != "":
		return openRelease(open, o)
	case d.Covers == "":
		return release{}, sources.Coded(sources.FaultSchema, errors.New("the description of the data set is not there, so the months "+
			"that it covers are not known; fetch again or set `covers`"))
	}
	return release{}, nil
}

// row takes one row. Rows of a breakdown are passed over; a row that cannot be
// read is a fault and is left out; two different figures for the same thing mean
// that a breakdown was not recognised, and refuse the file.
func (t *table) row(c *csv.Reader, row []string) error {
	if len(row) != t.plan.width {
		t.report(sources.FaultSchema, line(c, 0), fmt.Sprintf("the row has %d cells and the header %d", len(row), t.plan.width))
		return nil
	}
	for _, f := range t.plan.filters {
		if strings.TrimSpace(row[f.column]) != f.value {
			t.tally.skip("breakdown")
			return nil
		}
	}
	st, ok := t.where(c, row)
	if !ok {
		return nil
	}
	sp, err := t.when(row)
	if err != nil {
		t.report(sources.FaultValue, line(c, t.plan.period), err.Error())
		return nil
	}
	st.PeriodStart, st.PeriodEnd, st.Series = sp.start, sp.end, t.series(sp)
	if st.Value, st.Symbol, err = figure(row[t.plan.value], t.d.LowMeans); err != nil {
		t.report(sources.FaultValue, line(c, t.plan.value), err.Error())
		return nil
	}
	st.SubjectArea = rollUp
	if t.plan.subject >= 0 {
		st.SubjectArea = strings.Clone(subjectArea(row[t.plan.subject]))
	}
	if st.SubjectArea == "" {
		t.report(sources.FaultValue, line(c, t.plan.subject), "the row names no subject")
		return nil
	}
	return t.add(c, st)
}

// where reads the place of a row; ok is false when the row is not to be used.
func (t *table) where(c *csv.Reader, row []string) (st sources.Statistic, ok bool) {
	level := strings.TrimSpace(row[t.plan.level])
	i := slices.IndexFunc(placeKinds, func(k placeKind) bool { return k.level == level })
	if i < 0 {
		if slices.Contains(columns.OtherLevels, level) {
			t.tally.skip("other_level")
		} else {
			t.report(sources.FaultValue, line(c, t.plan.level), fmt.Sprintf("geographic_level %.60q is unknown", level))
		}
		return st, false
	}
	k := placeKinds[i]
	at, known := t.plan.places[level]
	if !known {
		t.report(sources.FaultColumnMissing, line(c, t.plan.level), fmt.Sprintf("the level %q has no column %s", level, k.code))
		return st, false
	}
	code := strings.TrimSpace(row[at[0]])
	if nowhere(code) {
		t.tally.skip("unknown_area")
		return st, false
	}
	if !k.shape.MatchString(code) {
		t.report(sources.FaultValue, line(c, at[0]), fmt.Sprintf("%.40q is not the code of a %s", code, k.kind))
		return st, false
	}
	st = sources.Statistic{Source: Key, Metric: t.d.Metric, Country: "GB", RegionCode: strings.Clone(code), RegionKind: k.kind,
		Published: t.until}
	if at[1] >= 0 {
		st.RegionName = strings.Clone(strings.TrimSpace(row[at[1]]))
	}
	return st, true
}

// when reads the period of a row. A file knows few, so that each is read once. A
// period that had not ended when the figures were published is part of a year,
// and is refused when it is not known which part.
func (t *table) when(row []string) (span, error) {
	key := [2]string{row[t.plan.period], row[t.plan.identifier]}
	sp, ok := t.spans[key]
	if !ok {
		var err error
		if sp, err = period(key[0], key[1], t.covers); err != nil {
			return span{}, err
		}
		t.spans[[2]string{strings.Clone(key[0]), strings.Clone(key[1])}] = sp
	}
	if !t.until.IsZero() && t.until.Before(sp.end) {
		return span{}, fmt.Errorf("the period %s ends on %s, after the figures were published on %s; set `covers`", key[0], sp.end, t.until)
	}
	return sp, nil
}

// series names everything that must be the same before two figures are compared.
func (t *table) series(sp span) string {
	s := t.plan.basis + ", " + sp.covers
	if t.plan.narrowed != "" {
		s += ", " + t.plan.narrowed
	}
	return s
}

// add keeps a figure. A figure that is there already is kept once, and a printed figure stands over
// one that was not published: a file that was changed over to a new subject name has both.
func (t *table) add(c *csv.Reader, st sources.Statistic) error {
	key := rowKey{st.RegionCode, st.SubjectArea, st.PeriodStart, st.PeriodEnd, st.Series}
	i, there := t.place[key]
	switch {
	case !there && len(t.rows) >= maxRows:
		t.report(sources.FaultSchema, line(c, 0), fmt.Sprintf("the file holds more than %d figures that are not a breakdown", maxRows))
		return errRefused
	case !there:
		t.place[key] = len(t.rows)
		t.rows = append(t.rows, st)
		return nil
	}
	old := &t.rows[i]
	switch {
	case old.Value == st.Value && old.Symbol == st.Symbol, st.Symbol == sources.SymbolNotPublished:
	case old.Symbol == sources.SymbolNotPublished:
		old.Value, old.Symbol = st.Value, st.Symbol
	default:
		t.report(sources.FaultSchema, line(c, 0), fmt.Sprintf("two different figures for %s, %q, %s to %s: a breakdown was not recognised",
			st.RegionCode, st.SubjectArea, st.PeriodStart, st.PeriodEnd))
		return errRefused
	}
	t.tally.skip("same_figure")
	return nil
}

func line(c *csv.Reader, column int) string {
	l, _ := c.FieldPos(max(column, 0))
	return fmt.Sprintf("line %d", l)
}
