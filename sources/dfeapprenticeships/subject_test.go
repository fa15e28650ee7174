package dfeapprenticeships

import "testing"

// A column of subjects is taken before a bootcamp's column of sectors, which is a subject for
// bootcamps only; everywhere else it is a filter like any other.
func TestColumnOfSubjects(t *testing.T) {
	const start = "time_period,time_identifier,geographic_level,country_code,"
	const place = "202425,Financial year,National,E92000001,"
	for _, c := range []struct {
		name, metric, text, subject string
		rows                        int
	}{
		{"bootcamps by sector", MetricBootcamps, start + "sector,starts\n" + place + "Construction,40\n",
			"Construction", 1},
		{"bootcamps by both", MetricBootcamps, start + "ssa_tier_1,sector,starts\n" + place + "Health,Total,40\n",
			"Health", 1},
		{"starts by sector", MetricApprenticeships, start + "sector,starts\n" + place + "Total,40\n", "Total", 1},
		{"starts of one sector", MetricApprenticeships, start + "sector,starts\n" + place + "Construction,40\n", "", 0},
	} {
		rows, faults := scanAll(t, c.text, DataSet{ID: startsID, Metric: c.metric, MeaningOfLow: LowMeansUnderFive})
		if len(rows) != c.rows || c.rows > 0 && rows[0].SubjectArea != c.subject {
			t.Errorf("%s: %+v, faults %q", c.name, rows, faults)
		}
	}
}
