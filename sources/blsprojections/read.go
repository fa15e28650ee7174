package blsprojections

import (
	"context"
	"fmt"

	"labour/sources"
)

// What every record of this source has.
const (
	country    = "US"
	class      = "SOC2018-US"
	signalNone = "none"
)

// Read turns the projections into sources.Evidence, in the order of the file, and
// then each series. A file whose columns are not those that are expected is refused
// whole; a row that cannot be read is a fault.
func (s *Source) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	objects := make(map[string]sources.Object, len(x.Objects))
	for _, o := range x.Objects {
		objects[o.Name] = o
	}
	if o, ok := objects[projectionsName]; ok && s.cfg.Projections != nil {
		if err := s.readProjections(ctx, o, open, out); err != nil {
			return err
		}
	}
	for _, series := range s.cfg.Series {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read series: %w", err)
		}
		o, ok := objects[seriesName(series.ID)]
		if !ok {
			continue // its absence was a fault of the fetch
		}
		text, err := sources.ReadWhole(open, o)
		var list []observation
		if err == nil {
			list, err = observations(text, series.ID)
		}
		if err != nil {
			if err := sources.DataFault(out, Key, o.Name, err); err != nil {
				return err
			}
			continue
		}
		if err := out.Emit(series.evidence(list, sources.DateOf(o.FetchedAt))); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) readProjections(ctx context.Context, o sources.Object, open sources.Opener, out sources.Sink) error {
	text, err := sources.ReadWhole(open, o)
	if err != nil {
		return sources.DataFault(out, Key, o.Name, err)
	}
	rows, faults, err := parse(ctx, text, s.cfg.Projections.Sheet)
	if err != nil {
		return sources.DataFault(out, Key, o.Name, err)
	}
	for _, f := range faults {
		out.Fault(sources.Fault{Source: Key, Object: o.Name, Where: f.where, Code: f.code, Detail: f.detail})
	}
	day, _ := sources.ParseDate(s.cfg.Projections.Published) // checked by New
	for _, r := range rows {
		if err := out.Emit(r.evidence(day)); err != nil {
			return err
		}
	}
	return nil
}
