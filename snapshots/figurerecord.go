package snapshots

import "strings"

// FigureRecord identifies the published statistic that a row of the table corrections corrects.
type FigureRecord struct {
	Metric      string
	RegionCode  string // code of the area, as the publisher stated it
	PeriodEnd   string // last day of the period, YYYY-MM-DD
	SubjectArea string
}

// ParseFigureRecord parses a value of the column record of the table corrections. It returns false
// if the value does not identify a statistic.
func ParseFigureRecord(record string) (FigureRecord, bool) {
	part := strings.SplitN(record, " ", 4)
	if len(part) != 4 {
		return FigureRecord{}, false
	}
	return FigureRecord{part[0], part[1], part[2], part[3]}, true
}

// String returns the value for the column record of the table corrections: the metric, the area
// code, the end of the period and the subject area, separated by spaces.
func (r FigureRecord) String() string {
	return strings.Join([]string{r.Metric, r.RegionCode, r.PeriodEnd, r.SubjectArea}, " ")
}
