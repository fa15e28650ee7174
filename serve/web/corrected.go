package web

import (
	"fmt"
	"strings"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// correction describes the operator's correction of a published figure.
type correction struct {
	Old, New string // the publisher's value and the corrected one
	Reason   string
}

// corrections holds the applied corrections of figures of training, by record as in the table
// corrections.
type corrections map[string]correction

// correctionsOf returns the corrections of the snapshot of a page. Each snapshot is read once.
func (s *Site) correctionsOf(v *request) corrections {
	if v.err != nil {
		return nil
	}
	id := v.snapshot.ID()
	if known, ok := s.corrected.Load(id); ok {
		return known.(corrections)
	}
	file := snapshots.Within(s.Store.Dir(snapshots.ID(id)), snapshots.TableFileName("corrections"))
	rows, err := parquetio.ReadAll[snapshots.CorrectionsRow](file)
	if err != nil {
		v.fail(fmt.Errorf("corrections of %s: %w", id, err))
		return nil
	}
	found := corrections{}
	for _, r := range rows {
		if r.Outcome == "applied" && r.Kind == "statistic" && r.Field == "value" {
			found[r.Record] = correction{Old: textOf(r.Old), New: textOf(r.New), Reason: r.Reason}
		}
	}
	s.corrected.Store(id, found)
	return found
}

// textOf returns a value of a correction. A statistic without a value is withdrawn.
func textOf(value *string) string {
	if value == nil || *value == "null" {
		return "withdrawn"
	}
	return *value
}

// Of returns the correction of a figure; nil if it was not corrected.
func (c corrections) Of(r api.CourseDemandRow) *correction { return c.at(r, 0) }

// Before returns the correction of the figure of the previous year.
func (c corrections) Before(r api.CourseDemandRow) *correction { return c.at(r, -1) }

func (c corrections) at(r api.CourseDemandRow, years int) *correction {
	day := r.PeriodEnd.Time().AddDate(years, 0, 0).Format("2006-01-02")
	if one, ok := c[strings.Join([]string{r.Metric, r.RegionCode, day, r.SubjectArea}, " ")]; ok {
		return &one
	}
	return nil
}

// withCorrections returns kinds of training with the corrections of their figures.
func (s *Site) withCorrections(v *request, kinds []trainingKind) []trainingKind {
	for i := range kinds {
		kinds[i].Corrections = s.correctionsOf(v)
	}
	return kinds
}
