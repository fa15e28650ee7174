package sandbox

import (
	"bytes"
	"fmt"
	"time"

	"labour/sources/fakepublishers"
)

const (
	// startsID is the id of the made-up data set on apprenticeship starts.
	startsID = "5a0db0c5-0000-4000-8000-000000000001"
	// enrolmentsID is the id of the made-up data set on enrolments in further education.
	enrolmentsID = "5a0db0c5-0000-4000-8000-000000000002"
	// bootcampsID is the id of the made-up data set on starts of skills bootcamps.
	bootcampsID = "5a0db0c5-0000-4000-8000-000000000003"
)

// startsInEngland is the approximate number of apprenticeship starts in England per year.
const startsInEngland = 350_000

// mergedCouncil is the code of a council that replaced several districts in 2023.
const mergedCouncil = "E06000065"

// statisticRow holds the figures of one area for one year.
type statisticRow struct {
	level, region, regionName, council, councilName, area, areaName string
	// approximate total of the figures; 0 = the figures are sums over the areas inside this one
	size float64
	// figures by subject, in the order of texts.Subjects
	parts []int
}

// statistics returns the made-up data sets on training. They cover England, its regions, local
// skills improvement plan areas and boroughs, in the last three academic years with published
// figures. The data set on skills bootcamps covers only England, in financial years.
func (w *World) statistics() []fakepublishers.EducationDataSet {
	last := w.lastStatistics()
	published := publishedOn(last).Time().Add(9*time.Hour + 30*time.Minute)
	return []fakepublishers.EducationDataSet{
		{ID: startsID, Title: "Apprenticeship starts by geography and subject (sandbox)",
			Summary:   "Made-up figures for full academic years.",
			Published: published, Indicators: []string{"Starts"},
			Filters: []string{"Sector subject area", "Apprenticeship level", "Age group"},
			CSV:     w.table(last, "starts", startsInEngland)},
		{ID: enrolmentsID, Title: "Further education enrolments by geography and subject (sandbox)",
			Summary:   "Made-up figures for full academic years.",
			Published: published, Indicators: []string{"Enrolments"},
			Filters: []string{"Sector subject area", "Apprenticeship level", "Age group"},
			CSV:     w.table(last, "enrolments", 1_900_000)},
		{ID: bootcampsID, Title: "Skills bootcamps (sandbox)", Summary: "Made-up figures for financial years.",
			Published:  published,
			Indicators: []string{"Starts"}, Filters: []string{"Sector"}, CSV: w.bootcamps(last)},
	}
}

// lastStatistics returns the last academic year with published figures, as the calendar year in
// which it ends.
func (w *World) lastStatistics() int {
	if w.asOf.Before(publishedOn(w.asOf.Year)) {
		return w.asOf.Year - 1
	}
	return w.asOf.Year
}

// bootcamps returns the CSV file of skills bootcamp starts. It covers England by sector, in three
// financial years. last is the first calendar year in which none of them ends.
func (w *World) bootcamps(last int) []byte {
	c := w.rng(streamStatistics + 1)
	var b bytes.Buffer
	b.WriteString("time_period,time_identifier,geographic_level,country_name,country_code,sex,sector," +
		"delivery_phase,start_total\n")
	for year := last - 4; year < last-1; year++ {
		sum := 0
		for _, sector := range []string{"Construction", "Digital", "Engineering", "Green Skills", "Heavy Goods Vehicle",
			"Rail", "Technical"} {
			n := c.between(80, 1500) * 10
			sum += n
			fmt.Fprintf(&b, "%d%02d,Financial year,National,England,E92000001,Total,%s,Total,%d\n", year, (year+1)%100,
				sector, n)
		}
		fmt.Fprintf(&b, "%d%02d,Financial year,National,England,E92000001,Total,Total,Total,%d\n", year, (year+1)%100,
			sum)
	}
	return b.Bytes()
}

// table returns the CSV file of a data set. column is the name of the column with the figures. size
// is the approximate figure for England in a year. lastYear is the calendar year in which the last
// academic year ends.
func (w *World) table(lastYear int, column string, size float64) []byte {
	c := w.rng(streamStatistics + uint64(len(column))<<8)
	var b bytes.Buffer
	b.WriteString("time_period,time_identifier,geographic_level,country_code,country_name," +
		"region_code,region_name,lad_code,lad_name,lsip_code,lsip_name," +
		"ssa_tier_1,apprenticeship_level,age_group," + column + "\n")
	for year := lastYear - 3; year < lastYear; year++ {
		growth := 1 + 0.03*float64(year-lastYear)
		for _, p := range w.placeStatistics(c, size*growth) {
			total := 0
			hasMisprint := column == "starts" && year == lastYear-1 && p.council == misprintedBorough
			for i, s := range texts.Subjects {
				total += p.parts[i]
				printed := symbol(c, p, p.parts[i])
				if hasMisprint && s.Name == tooLargeSubject {
					printed += "0"
				}
				fmt.Fprintf(&b, "%s,%q,Total,Total,%s\n", p.prefix(year), s.Name, printed)
				if p.level == "National" { // a breakdown, which must not be counted too
					fmt.Fprintf(&b, "%s,%q,Total,19-24,%d\n", p.prefix(year), s.Name, p.parts[i]/30*10)
				}
			}
			fmt.Fprintf(&b, "%s,Total,Total,Total,%s\n", p.prefix(year), symbol(c, p, total))
		}
	}
	return b.Bytes()
}

// placeStatistics generates the figures of all areas for one year. england is the approximate
// figure for England. The figures of London and England are sums.
func (w *World) placeStatistics(c rng, england float64) []*statisticRow {
	rows := w.places(england)
	byRegion := map[string]*statisticRow{}
	for _, p := range rows {
		p.parts = make([]int, len(texts.Subjects))
		for i, s := range texts.Subjects {
			if figure := p.size * s.Share * (0.8 + 0.4*c.Float64()); figure >= 5 {
				p.parts[i] = max(int(figure+5)/10*10, 10) // fewer than 5 are printed as low
			}
		}
		if p.level == "Regional" {
			byRegion[p.region] = p
		}
	}
	for _, level := range []string{"Local authority district", "Regional"} { // boroughs come first
		for _, p := range rows {
			to := rows[0]
			if level != "Regional" {
				to = byRegion[p.region]
			}
			for i := range texts.Subjects {
				if p.level == level {
					to.parts[i] += p.parts[i]
				}
			}
		}
	}
	return rows
}

// prefix returns the first columns of a CSV row: the period and the area. The period is the academic
// year that begins in the calendar year `year`.
func (p *statisticRow) prefix(year int) string {
	return fmt.Sprintf("%d%02d,Academic year,%s,E92000001,England,%s,%s,%s,%s,%s,%q", year, (year+1)%100, p.level,
		p.region, p.regionName,
		p.council, p.councilName, p.area, p.areaName)
}

// places returns a row without figures for each area of a data set: England, its regions, local
// skills improvement plan areas, boroughs and mergedCouncil. One row is for people outside England.
// england is the approximate figure for England.
func (w *World) places(england float64) []*statisticRow {
	out := []*statisticRow{{level: "National"}}
	london := w.borough(0).region
	regionName := map[string]string{}
	for i, a := range w.lists.areas {
		switch a.kind {
		case "region":
			regionName[a.code] = a.name
			size := england / 9 * (0.7 + 0.06*float64(i%9))
			if a.code == london {
				size = 0
			}
			out = append(out, &statisticRow{level: "Regional", region: a.code, regionName: a.name, size: size})
		case "lsip":
			out = append(out, &statisticRow{level: "Local skills improvement plan area", area: a.code, areaName: a.name,
				size: england / 38 * (0.6 + 0.1*float64(i%9))})
		}
	}
	out = append(out, &statisticRow{level: "Regional", region: "z", regionName: "Outside of England and unknown",
		size: england / 80})
	for _, b := range w.lists.councils {
		people := b.people
		if b.code == mergedCouncil {
			people = 620
		}
		if people > 0 {
			out = append(out, &statisticRow{level: "Local authority district", region: b.region,
				regionName: regionName[b.region],
				council:    b.code, councilName: b.name, size: england * float64(people) / 62_000})
		}
	}
	return out
}

// symbol returns a figure of the area p as the publisher prints it. 0 gives "low", which means under
// 5. For some figures of councils, chosen at random, it returns the symbol of a suppressed figure
// instead.
func symbol(c rng, p *statisticRow, figure int) string {
	switch {
	case p.council == "E09000001" && c.one(0.2):
		return "c"
	case p.council != "" && c.one(0.004):
		return "z"
	case figure == 0:
		return "low"
	}
	return fmt.Sprint(figure)
}
