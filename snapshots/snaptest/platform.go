package snaptest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
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

func pathways(asOf time.Time) []snapshots.PathwaysRow {
	return []snapshots.PathwaysRow{
		{ID: "pw-2", Slug: "into-care", Title: "Into care", Summary: "From a first course to a registered manager.", Sector: "care-services", UpdatedOn: asOf.AddDate(0, -2, 0)},
		{ID: "pw-1", Slug: "into-software", Title: "Into software", Sector: "digital", UpdatedOn: asOf.AddDate(0, 0, -10)},
	}
}

func pathwaySteps() []snapshots.PathwayStepsRow {
	return []snapshots.PathwayStepsRow{
		{Pathway: "pw-2", Position: 1, Step: 1, Title: "Care certificate", Description: "A first course.", Level: ptr(int8(2))},
		{Pathway: "pw-2", Position: 2, Step: 2, Title: "Care worker", SOC: ptr("6135"), Level: ptr(int8(3))},
		{Pathway: "pw-2", Position: 3, Step: 4, Title: "Registered manager"},
		{Pathway: "pw-1", Position: 1, Step: 1, Title: "Junior developer", SOC: ptr("2134")},
	}
}

func pathwayStandards() []snapshots.PathwayStandardsRow {
	return []snapshots.PathwayStandardsRow{
		{Pathway: "pw-2", Code: "ST0005", Title: "Adult care worker", Level: 2},
		{Pathway: "pw-2", Code: "ST0008", Title: "Leader in adult care", Level: 5},
	}
}

// candidates has every kind of token: camden is the cover of westminster.
func candidates() []snapshots.CandidatesRow {
	row := func(dimension, value string, n int64) snapshots.CandidatesRow {
		r := snapshots.CandidatesRow{Dimension: dimension, Value: value}
		r.SetResidents(figure.Rounded(n))
		return r
	}
	rows := []snapshots.CandidatesRow{
		row(snapshots.CandidatesAll, "", 120), row(snapshots.CandidatesSeeking, "", 71),
		row(snapshots.CandidatesBorough, "camden", -1), row(snapshots.CandidatesBorough, "islington", 60), row(snapshots.CandidatesBorough, "westminster", 3),
	}
	for level, n := range []int64{0, 50, 31, 12, 0} {
		rows = append(rows, row(snapshots.CandidatesLevel, strconv.Itoa(level+1), n))
	}
	for i, s := range sectorSlugs() {
		rows = append(rows, row(snapshots.CandidatesSector, s, []int64{40, -1, 2}[i]))
	}
	return rows
}

func s106() []snapshots.S106Row {
	row := func(place string, sites, employed int64) snapshots.S106Row {
		r := snapshots.S106Row{Place: place, Developments: sites, Obligations: 3 * sites, JobsCreated: 10 * sites,
			TrainingPlaces: 7 * sites, ContributionsGBP: 250_000 * sites}
		r.SetEmployed(figure.Rounded(employed))
		r.SetStarted(figure.Rounded(2 * sites))
		return r
	}
	return []snapshots.S106Row{row("", 6, 41), row("camden", 4, -1), row("central-london", 5, 39), row("islington", 1, 2), row("westminster", 1, 0)}
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
