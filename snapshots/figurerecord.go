package snapshots

import (
	"regexp"
	"strings"
)

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

// notInID matches the characters that a hyphen replaces in the id of a row of the table evidence.
var notInID = regexp.MustCompile(`[^a-z0-9]+`)

// IsStatedIn reports whether the row of the table evidence with the given id states the statistic.
// source is the key of the statistic's source. The id has the source, metric, area code, subject
// area, series and period, as the query evidence of package cells writes it. A record does not name
// the series, so the result is true for all series of the statistic. It is also true for a subject
// area with the same spelling in ids; HasSubjectOf tells these apart.
func (r FigureRecord) IsStatedIn(id, source string) bool {
	subject := notInID.ReplaceAllString(strings.ToLower(r.SubjectArea), "-")
	rest, ok := strings.CutPrefix(id, strings.Join([]string{source, r.Metric, r.RegionCode, subject, ""}, ":"))
	return ok && strings.Contains(rest, ":"+r.PeriodEnd)
}

// HasSubjectOf reports whether a statement of the table evidence is about the statistic's subject
// area. The statement names the subject area, unless the statistic is of all of them.
func (r FigureRecord) HasSubjectOf(statement string) bool {
	return r.SubjectArea == "Total" || strings.Contains(statement, ", "+r.SubjectArea+", period to ")
}
