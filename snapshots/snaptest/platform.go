package snaptest

import (
	"fmt"
	"strings"
	"time"

	"labour/snapshots"
)

// jobs are sixty adverts of every type, some posted on one day, some in two
// boroughs or none, with and without what may be missing.
func jobs(asOf time.Time) []snapshots.JobsRow {
	boroughs := []string{"camden", "islington", "camden,westminster", "", "westminster"}
	titles := []string{"Care worker", "Python developer", "Site carpenter", "Café <assistant> & barista"}
	socs := []string{"6135", "2134", "5319", ""}
	sectors := []string{"care-services", "digital", "construction-and-the-built-environment", ""}
	var rows []snapshots.JobsRow
	for i := range 60 {
		r := snapshots.JobsRow{ID: fmt.Sprintf("platform:ad-%03d", i), Type: "job", Title: titles[i%4], Employer: fmt.Sprintf("Employer %d Ltd", i%7),
			Boroughs: boroughs[i%5], Sector: sectors[i%4], SOC: socs[i%4], PostedAt: asOf.AddDate(0, 0, -i/4), FirstSeen: asOf.AddDate(0, 0, -i%3), SourceKey: "platform",
			Link: ptr(fmt.Sprintf("https://example.org/jobs/%d", i))}
		switch i % 3 {
		case 1:
			r.ID, r.SourceKey = fmt.Sprintf("find_an_apprenticeship:VAC%03d", i), "find_an_apprenticeship"
			r.Type, r.SalaryText, r.ClosesOn = "apprenticeship", ptr("£18,500 a year"), ptr(asOf.AddDate(0, 0, i%30))
		case 2:
			r.Type, r.Link = "training", nil
		}
		rows = append(rows, r)
	}
	return rows
}

// events are thirty in the last days, for two partners and for all.
func events(asOf time.Time) []snapshots.EventsRow {
	var rows []snapshots.EventsRow
	types := []string{"opportunity.published", "application.created", "click.recorded", "outcome.recorded"}
	for i := range 30 {
		r := snapshots.EventsRow{ID: fmt.Sprintf("ev-%03d", i), Type: types[i%4], OccurredAt: asOf.Add(time.Duration(i/2-30) * time.Hour),
			Partner: []string{"", "north-london-jobs", "south-works"}[i%3], Advert: ptr(fmt.Sprintf("ad-%03d", i)), Borough: ptr("camden")}
		if strings.HasPrefix(r.Type, "outcome") {
			r.Outcome, r.Borough = ptr("hired"), nil
		}
		rows = append(rows, r)
	}
	return rows
}
