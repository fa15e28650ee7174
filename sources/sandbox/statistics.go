package sandbox

import (
	"bytes"
	"fmt"
	"time"

	"labour/sources/publishers"
)

// The ids of the made-up data sets of the education statistics.
const (
	startsID     = "5a0db0c5-0000-4000-8000-000000000001"
	enrolmentsID = "5a0db0c5-0000-4000-8000-000000000002"
)

// subjects are the sector subject areas, with their share of the starts.
var subjects = []struct {
	name  string
	share float64
}{{"Agriculture, Horticulture and Animal Care", 0.02}, {"Arts, Media and Publishing", 0.012}, {"Business, Administration and Law", 0.27},
	{"Construction, Planning and the Built Environment", 0.08}, {"Digital Technology", 0.09}, {"Education and Training", 0.03},
	{"Engineering and Manufacturing Technologies", 0.15}, {"Health, Public Services and Care", 0.26}, {"History, Philosophy and Theology", 0.0004},
	{"Languages, Literature and Culture", 0.0002}, {"Leisure, Travel and Tourism", 0.02}, {"Preparation for Life and Work", 0.001},
	{"Retail and Commercial Enterprise", 0.09}, {"Science and Mathematics", 0.01}, {"Social Sciences", 0.0008}}

// statisticRow is a place with what it has in a year.
type statisticRow struct {
	level, region, regionName, council, councilName string
	size                                            float64
}

// statistics are the data sets: the last three full academic years that were out
// at the date of the world, for England, its regions and the boroughs.
func (w *World) statistics() []publishers.EESDataSet {
	last := w.asOf.Year
	if w.asOf.Before(publishedOn(last)) {
		last--
	}
	published := publishedOn(last).Time().Add(9*time.Hour + 30*time.Minute)
	return []publishers.EESDataSet{
		{ID: startsID, Title: "Apprenticeship starts by geography and subject (sandbox)", Summary: "Made-up figures for full academic years.",
			Published: published, Indicators: []string{"Starts"}, Filters: []string{"Sector subject area", "Apprenticeship level", "Age group"},
			CSV: w.table(last, "starts", 350_000)},
		{ID: enrolmentsID, Title: "Further education enrolments by geography and subject (sandbox)", Summary: "Made-up figures for full academic years.",
			Published: published, Indicators: []string{"Enrolments"}, Filters: []string{"Sector subject area", "Apprenticeship level", "Age group"},
			CSV: w.table(last, "enrolments", 1_900_000)},
	}
}

// table is the file of a data set; size is the figure of England in a year.
func (w *World) table(last int, column string, size float64) []byte {
	c := w.chance(streamStatistics + uint64(len(column))<<8)
	var b bytes.Buffer
	b.WriteString("time_period,time_identifier,geographic_level,country_code,country_name,region_code,region_name,lad_code,lad_name," +
		"ssa_tier_1,apprenticeship_level,age_group," + column + "\n")
	for year := last - 3; year < last; year++ {
		growth := 1 + 0.03*float64(year-last)
		for _, p := range w.places(size * growth) {
			fmt.Fprintf(&b, "%s,Total,Total,Total,%s\n", p.prefix(year), symbol(c, p, p.size))
			for _, s := range subjects {
				figure := p.size * s.share * (0.8 + 0.4*c.Float64())
				fmt.Fprintf(&b, "%s,%q,Total,Total,%s\n", p.prefix(year), s.name, symbol(c, p, figure))
				if p.level == "National" { // a breakdown, which must not be counted again
					fmt.Fprintf(&b, "%s,%q,Total,19-24,%s\n", p.prefix(year), s.name, symbol(c, p, figure/3))
				}
			}
		}
	}
	return b.Bytes()
}

// prefix are the first columns of a row.
func (p statisticRow) prefix(year int) string {
	return fmt.Sprintf("%d%02d,Academic year,%s,E92000001,England,%s,%s,%s,%s", year, (year+1)%100, p.level, p.region, p.regionName,
		p.council, p.councilName)
}

// places are England, the regions, the boroughs, and the row for people from elsewhere.
func (w *World) places(england float64) []statisticRow {
	out := []statisticRow{{level: "National", size: england}}
	regionName := map[string]string{}
	for i, a := range w.lists.areas {
		if a.kind == "region" {
			regionName[a.code] = a.name
			out = append(out, statisticRow{level: "Regional", region: a.code, regionName: a.name, size: england / 9 * (0.7 + 0.06*float64(i%9))})
		}
	}
	out = append(out, statisticRow{level: "Regional", region: "z", regionName: "Outside of England and unknown", size: england / 80})
	for i := range w.lists.boroughs {
		b := w.borough(i)
		out = append(out, statisticRow{level: "Local authority district", region: b.region, regionName: regionName[b.region],
			council: b.code, councilName: b.name, size: england * float64(b.people) / 62_000})
	}
	return out
}

// symbol is a figure as it is printed: rounded to 10, "low" for fewer than 5, and
// now and then held back or not applicable.
func symbol(c chance, p statisticRow, figure float64) string {
	switch {
	case p.council == "E09000001" && c.one(0.2):
		return "c"
	case p.council != "" && c.one(0.004):
		return "z"
	case figure < 5:
		return "low"
	}
	return fmt.Sprint(max(int(figure+5)/10*10, 10))
}
