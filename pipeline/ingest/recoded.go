package ingest

import (
	"fmt"

	"labour/snapshots/figure"
	"labour/sources"
	"labour/sources/onsgeography"
)

// figureKey identifies one figure of a council under its current code.
type figureKey struct {
	source, metric, region, subject, series string
	periodEnd                               sources.Date
}

// publishedFigure is a figure with the code of the council under which it was published.
type publishedFigure struct {
	code  string
	count figure.Count
}

// isContradicted reports whether the statistic t must not be used, because a different figure was
// already read under another code of the same council. It reports this as a fault. region is the
// current code of the council. count is the figure of t; if it is not published, the result is
// false.
func (s *stager) isContradicted(t *sources.Statistic, region string, count figure.Count) bool {
	if t.RegionKind != onsgeography.KindCouncil || !s.reader.result.AreaHistory.HasChange(t.RegionCode) {
		return false
	}
	key := figureKey{t.Source, t.Metric, region, t.SubjectArea, t.Series, t.PeriodEnd}
	used, ok := s.reader.recodedFigures[key]
	if !ok {
		s.reader.recodedFigures[key] = publishedFigure{t.RegionCode, count}
		return false
	}
	if used.code == t.RegionCode || used.count == count || count.Status() == figure.StatusNotPublished {
		return false
	}
	s.Fault(sources.Fault{Source: s.info.Key, Where: t.SubjectArea + " to " + t.PeriodEnd.String(),
		Code: sources.FaultSchema,
		Detail: fmt.Sprintf("two different figures for %s, %s: %s under %s and %s under %s; the second figure is not "+
			"used", region, t.Metric, used.count, used.code, count, t.RegionCode)})
	return true
}
