package snaptest

import (
	"fmt"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// line is a combination of filters for which counts of people are published. signature is the name
// of the combination, such as "place_sector". place and value are the values of the filters.
type line struct{ signature, place, value string }

// lines returns all combinations of filters for which the invented counts of people are published.
func lines() []line {
	others := []struct {
		signature, joined string
		values            []string
	}{
		{snapshots.FilteredBySector, snapshots.FilteredByPlaceAndSector, sectorSlugs()},
		{snapshots.FilteredBySOC, snapshots.FilteredByPlaceAndSOC, []string{"2", "21", "213", "2134", "5", "53", "531",
			"5319", "6", "61", "613", "6135"}},
		{snapshots.FilteredByLevel, snapshots.FilteredByPlaceAndLevel, []string{"1", "2", "3", "4", "5"}},
		{snapshots.FilteredBySource, snapshots.FilteredByPlaceAndSource, []string{"employer_boards", "find_an_apprenticeship",
			"platform"}},
	}
	out := []line{{signature: snapshots.Unfiltered}}
	for _, p := range placeSlugs() {
		out = append(out, line{snapshots.FilteredByPlace, p, ""})
	}
	for _, o := range others {
		for _, v := range o.values {
			out = append(out, line{o.signature, "", v})
			for _, p := range placeSlugs() {
				out = append(out, line{o.joined, p, v})
			}
		}
	}
	return out
}

// people returns the rows of the table people: one for each combination of filters and skill.
// Figures of all sorts occur, such as "<5" and null.
func people() []snapshots.PeopleRow {
	var rows []snapshots.PeopleRow
	for l, cell := range lines() {
		for s, skill := range skillSlugs() {
			rows = append(rows, personRow(cell, skill, l*2+s*3))
		}
	}
	return rows
}

// personRow returns the row of the table people for a combination of filters and a skill. n selects
// the figures of the row from a short list.
func personRow(cell line, skill string, n int) snapshots.PeopleRow {
	row := snapshots.PeopleRow{Signature: cell.signature, Place: cell.place, Value: cell.value, Skill: skill}
	cases := []struct {
		turnedDown int64 // below 0: not published
		hired      figure.Tenths
		shares     bool
	}{{38, 640, true}, {2, 0, false}, {0, 0, false}, {-1, 0, false}, {110, 560, true}, {7, 0, false}, {4, 0, false},
		{25, 300, true}}
	c := cases[n%len(cases)]
	row.SetTurnedDown(figure.RoundedCount(c.turnedDown, false))
	if c.shares {
		hired, turnedDown := c.hired, c.hired/2+figure.Tenths(n%9*10)
		row.HiredWithSkillPct, row.TurnedDownWithSkillPct = &hired, &turnedDown
	}
	return row
}

// residents returns the rows of the table residents, for every place, skill and level. In one
// place, the shares of one skill are not published.
func residents() []snapshots.ResidentsRow {
	var rows []snapshots.ResidentsRow
	for p, place := range append([]string{""}, placeSlugs()...) {
		for s, skill := range skillSlugs() {
			for level := range 5 {
				row := snapshots.ResidentsRow{Place: place, Skill: skill, Level: int8(level + 1)}
				if place != "westminster" || skill != "site-safety" {
					share := figure.Tenths(150 + 110*s + 35*p + 20*level)
					row.PeopleBelowSharePct = &share
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// jobs returns sixty rows of the table jobs, of all three types. Their numbers of boroughs and
// their optional values differ.
func jobs(asOf time.Time) []snapshots.JobsRow {
	boroughs := []string{"camden", "islington", "camden,westminster", "", "westminster"}
	titles := []string{"Care worker", "Python developer", "Site carpenter", "Café <assistant> & barista"}
	socs := []string{"6135", "2134", "5319", ""}
	sectors := []string{"care-services", "digital", "construction-and-the-built-environment", ""}
	var rows []snapshots.JobsRow
	for i := range 60 {
		r := snapshots.JobsRow{ID: fmt.Sprintf("platform:ad-%03d", i), Type: "job", Title: titles[i%4],
			Employer: fmt.Sprintf("Employer %d Ltd", i%7),
			Boroughs: boroughs[i%5], Sector: sectors[i%4], SOC: socs[i%4], PostedAt: asOf.AddDate(0, 0, -i/4),
			FirstSeen: asOf.AddDate(0, 0, -i%3), SourceKey: "platform",
			Link: ptr(fmt.Sprintf("https://example.org/jobs/%d", i))}
		switch i % 3 {
		case 1:
			r.ID, r.SourceKey = fmt.Sprintf("find_an_apprenticeship:VAC%03d", i), "find_an_apprenticeship"
			r.Type = "apprenticeship"
			r.SalaryText = ptr("£18,500 a year")
			r.ClosesOn = ptr(asOf.AddDate(0, 0, i%30))
		case 2:
			r.Type, r.Link = "training", nil
		}
		rows = append(rows, r)
	}
	return rows
}

// events returns thirty events of the last two days. Some are public, and some may be seen by only
// one of two partners. Some are about a person and have no partner, so nobody may see them.
func events(asOf time.Time) []snapshots.EventsRow {
	var rows []snapshots.EventsRow
	types := []string{"opportunity.published", "application.created", "click.recorded", "outcome.recorded"}
	for i := range 30 {
		r := snapshots.EventsRow{ID: fmt.Sprintf("ev-%03d", i), Type: types[i%4],
			OccurredAt: asOf.Add(time.Duration(i/2-30) * time.Hour),
			Partner:    []string{"", "north-london-jobs", "south-works"}[i%3], Advert: ptr(fmt.Sprintf("ad-%03d", i)),
			Borough: ptr("camden")}
		if strings.HasPrefix(r.Type, "outcome") {
			r.Outcome, r.Borough = ptr("hired"), nil
		}
		rows = append(rows, r)
	}
	return rows
}

// EmbargoedContent holds the rows of the six embargoed datasets, which the server does not serve
// until a condition is met.
type EmbargoedContent struct {
	Demand     []snapshots.DemandRow
	Trends     []snapshots.TrendsRow
	Outlook    []snapshots.OutlookRow
	Reach      []snapshots.ReachRow
	Signals    []snapshots.SignalsRow
	Priorities []snapshots.PrioritiesRow
}
