package dfeapprenticeships

import (
	"context"
	"errors"
	"fmt"
	"io"

	"labour/sources"
)

// Read turns the files of one extract into sources.Statistic, in the order in
// which the configuration names the data sets. A file with an unknown or missing
// column is refused whole, with a fault for each such column. A figure that an
// earlier data set already gave is not given again.
func (s *Source) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	objects := make(map[string]sources.Object, len(x.Objects))
	for _, o := range x.Objects {
		objects[o.Name] = o
	}
	given := map[figureKey]bool{}
	for _, d := range s.cfg.DataSets {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read data sets: %w", err)
		}
		o, ok := objects[tableName(d.ID)]
		if !ok {
			continue // its absence was a fault of the fetch
		}
		rows, err := readDataSet(d, o, objects[descriptionName(d.ID)], open, out)
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
