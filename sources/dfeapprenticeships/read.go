package dfeapprenticeships

import (
	"context"
	"fmt"
	"io"

	"labour/sources"
)

// Read emits the figures of an extract (one fetch of the source) as sources.Statistic records. They
// are in the order of the configured data sets. A figure that an earlier data set contains is
// skipped. A file with unknown or missing columns is rejected, with one fault per column.
func (s *Source) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.RecordSink) error {
	given := map[figureKey]bool{}
	for _, d := range s.cfg.DataSets {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read data sets: %w", err)
		}
		o, ok := x.Object(tableName(d.ID))
		if !ok {
			continue // Fetch has reported that it is missing
		}
		description, _ := x.Object(descriptionName(d.ID))
		rows, err := readDataSet(d, o, description, open, out)
		if err != nil {
			return err
		}
		setReceivedDates(rows, o)
		for _, st := range rows {
			if k := keyOf(st); !given[k] {
				given[k] = true
				if err := out.Emit(st); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// figureKey identifies a figure by metric, region, subject, series and period. Figures with equal
// keys are duplicates.
type figureKey struct {
	metric, region, subject, series string
	start, end                      sources.Date
}

func keyOf(st sources.Statistic) figureKey {
	return figureKey{st.Metric, st.RegionCode, st.SubjectArea, st.Series, st.PeriodStart, st.PeriodEnd}
}

// setReceivedDates sets missing publication dates in rows to the day on which the data file was
// first received. table is the archived file. A later fetch of the same bytes does not change this
// day.
func setReceivedDates(rows []sources.Statistic, table sources.ArchivedObject) {
	for i := range rows {
		if rows[i].Published.IsZero() {
			rows[i].Published = sources.DateOf(table.FetchedAt)
		}
	}
}

// readDataSet returns the figures in the file of one data set. table is the archived data file, and
// description the publisher's archived description. readDataSet reports invalid data to out as
// faults. An error means that the program or the disk failed.
func readDataSet(d DataSet, table, description sources.ArchivedObject, open sources.Opener,
	out sources.RecordSink) ([]sources.Statistic, error) {
	var r release
	var err error
	switch {
	case description.Name != "":
		r, err = openRelease(open, description)
	case d.CoveredPeriod == "":
		err = sources.CodedErrorf(sources.FaultSchema, "the description of the data set is not there, so the months "+
			"that it covers are not known; fetch again or set `covers`")
	}
	if err != nil {
		return nil, sources.ReportDataFault(out, Key, descriptionName(d.ID), err)
	}
	body, err := open.Open(table)
	if err != nil {
		return nil, sources.ReportDataFault(out, Key, table.Name, fmt.Errorf("open %s: %w", table.Name, err))
	}
	defer body.Close()
	t := scan(body, d, r)
	// The archive checks the SHA-256 at the end of the body. A rejected file or the decompression
	// may have stopped before it. If the body is damaged, every other fault is only a consequence
	// of the damage.
	if _, err := io.Copy(io.Discard, body); err != nil {
		return nil, sources.ReportDataFault(out, Key, table.Name, fmt.Errorf("read %s: %w", table.Name, err))
	}
	for _, f := range t.faults {
		f.Source, f.Object = Key, table.Name
		out.Fault(f)
	}
	return t.rows, nil
}
