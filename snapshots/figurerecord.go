package snapshots

import "strings"

// FigureRecord identifies a published statistic in the table corrections.
type FigureRecord struct {
	Metric      string
	RegionCode  string // code of the area, as the publisher stated it
	PeriodEnd   string // last day of the period, YYYY-MM-DD
	SubjectArea string
}

// ParseFigureRecord parses a record of the table corrections. It returns false for the record of an
// area, which has no figure.
func ParseFigureRecord(record string) (FigureRecord, bool) {
	part := strings.SplitN(record, " ", 4)
	if len(part) != 4 {
		return FigureRecord{}, false
	}
	return FigureRecord{part[0], part[1], part[2], part[3]}, true
}

// String returns the record as it is in the table corrections.
func (r FigureRecord) String() string {
	return strings.Join([]string{r.Metric, r.RegionCode, r.PeriodEnd, r.SubjectArea}, " ")
}
