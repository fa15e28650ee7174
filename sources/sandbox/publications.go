package sandbox

import (
	"bytes"
	"fmt"
	"html"
	"time"

	"labour/sources"
	"labour/sources/fakepublishers"
	"labour/sources/newsfeeds"
	"labour/sources/skillsplans"
	"labour/sources/skillsprojections"
)

// The documents of the world, by name: publications of the skills bodies, feeds of
// news and what local plans list. All are made up in the publishers' formats.
const (
	priorityFile    = "priority-occupations.csv"
	demandFile      = "occupations-in-demand.csv"
	projectionsFile = "occ-t2.csv"
	officeFeed      = "office.rss"
	instituteFeed   = "institute.atom"
	usFile          = "us-projections.csv"
	closedFeed      = "closed.rss" // which its publisher took down, so that the source is stale
)

// documents are those that the simulated publishers offer.
func (w *World) documents() map[string]fakepublishers.File {
	table := func(b []byte) fakepublishers.File { return fakepublishers.File{ContentType: "text/csv", Body: b} }
	files := map[string]fakepublishers.File{
		priorityFile: table(w.priorityOccupations()), demandFile: table(w.inDemand()), projectionsFile: table(w.projections()), usFile: table(w.usProjections()),
		officeFeed:    {ContentType: "application/rss+xml; charset=utf-8", Body: w.rss()},
		instituteFeed: {ContentType: "application/atom+xml; charset=utf-8", Body: w.atom()},
	}
	for _, p := range plans() {
		files[p.id+".csv"] = table(w.plan(p))
	}
	return files
}

// priorityOccupations is the list of priority occupations, with its title above and
// employment now and in five years in people.
func (w *World) priorityOccupations() []byte {
	var b bytes.Buffer
	now := w.asOf.Year - 1
	fmt.Fprintf(&b, "Table 5: Priority occupations (sandbox),,,,\nMade-up figures,,,,\nSector,SOC 2020 code,SOC 2020 title,Employment demand %d,Employment demand %d\n", now, now+6)
	for i, o := range w.lists.occupations {
		people := o.thousands * 1000
		if i%6 == 0 {
			people = 600 // too few for a projection: the list only names it
		}
		if o.sector != "" {
			fmt.Fprintf(&b, "%s,%s,%q,%d,%d\n", o.sector, o.soc, o.name, people, people+people*o.change*6/1000)
		}
	}
	return b.Bytes()
}

// inDemand are the occupations in demand of the last two years, of which the newest
// is taken.
func (w *World) inDemand() []byte {
	var b bytes.Buffer
	b.WriteString("time_period,time_identifier,geographic_level,country_code,country_name,soc2020_code,soc2020_title,weighted_score,demand_category\n")
	for year := w.asOf.Year - 2; year < w.asOf.Year; year++ {
		for _, o := range w.lists.occupations {
			if o.demand != "" {
				fmt.Fprintf(&b, "%d,Calendar year,National,K02000001,United Kingdom,%s,%q,%.1f,%s\n", year, o.soc, o.name, float64(o.change)/10, o.demand)
			}
		}
	}
	return b.Bytes()
}

// projections are those of the groups of two digits over 15 years: employment, net
// change, replacement demand and total requirement in thousands, with all
// occupations below.
func (w *World) projections() []byte {
	var b bytes.Buffer
	base := w.asOf.Year - 6
	fmt.Fprintf(&b, "\"Occupation Table 2  Employment Change by Occupation (SOC 2020) and Replacement Demand, sandbox\",,,,,,\n26 Occupations,,,,,,\n,,,,%d-%d,,\n,,,,Net,Replacement,Total\n", base, base+15)
	fmt.Fprintf(&b, "Levels (000s),%d,%d,,Change,Demand,Requirement\n", base, base+15)
	row := func(name string, now, net, replacement float64) {
		fmt.Fprintf(&b, "%q,%.1f,%.1f,,%.1f,%.1f,%.1f\n", name, now, now+net, net, replacement, net+replacement)
	}
	var sum [3]float64
	for _, o := range w.lists.occupations {
		if len(o.soc) != 2 {
			continue
		}
		now := float64(o.thousands)
		net, replacement := now*float64(o.change)*0.015, now*0.46
		row(o.soc+" "+o.name, now, net, replacement)
		sum[0], sum[1], sum[2] = sum[0]+now, sum[1]+net, sum[2]+replacement
	}
	row("All occupations", sum[0], sum[1], sum[2])
	return b.Bytes()
}

// usProjections is the table of the United States agency's projections over ten years.
func (w *World) usProjections() []byte {
	var b bytes.Buffer
	base := w.asOf.Year - 2
	fmt.Fprintf(&b, "Occupation Title,Occupation Code,Employment %d,Employment %d,\"Employment Change, %d-%d\",\"Employment Percent Change, %d-%d\",\"Occupational Openings, %d-%d Annual Average\",Median Annual Wage %d,Typical Entry-Level Education,Education Code,Work Experience in a Related Occupation,Workex Code,Typical on-the-job Training,trCode\n",
		base, base+10, base, base+10, base, base+10, base, base+10, base)
	for _, o := range []struct {
		code, title string
		thousands   float64
		percent     float64
	}{{"15-1252", "Software developers", 1690, 15.8}, {"29-1141", "Registered nurses", 3390, 4.9}, {"31-1120", "Home health and personal care aides", 4350, 17},
		{"35-2014", "Cooks, restaurant", 1460, 14.2}, {"41-2011", "Cashiers", 3150, -9.9}, {"43-3071", "Tellers", 347, -13}, {"47-2111", "Electricians", 819, 9.5}, {"53-3032", "Heavy and tractor-trailer truck drivers", 2240, 4}} {
		change := o.thousands * o.percent / 100
		fmt.Fprintf(&b, "%q,%s,%.1f,%.1f,%.1f,%.1f,%.1f,\"50,000\",High school diploma or equivalent,7,None,4,None,6\n", o.title, o.code, o.thousands, o.thousands+change, change, o.percent, o.thousands/12)
	}
	return b.Bytes()
}

// closed is a feed that its publisher took down: it cannot be fetched, and is stale.
func closed(base string) newsfeeds.Feed {
	return newsfeeds.Feed{ID: "closed", URL: base + "/" + closedFeed, Publisher: "Sandbox Vacancy Monitor", Licence: "Open Government Licence v3.0",
		Statement: string(sources.StatementOGL), Link: "https://monitor.example/"}
}

// titles are what the made-up bodies publish on, one after the other.
var titles = []string{"Vacancies and pay in the latest quarter", "Unemployment in small areas", "Apprenticeships by region", "New museum opening hours",
	"Skills shortages in construction", "Recruitment and hiring intentions", "Zero-hours contracts", "Redundancies notified", "Productivity by industry"}

// rss is the feed of the statistics office, an item a week.
func (w *World) rss() []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<rss version=\"2.0\"><channel><title>Sandbox Statistics Office</title><link>https://office.example/</link><description>Releases</description>\n")
	for i := range 18 {
		on := w.asOf.AddDays(-7 * i).Time().Add(7 * time.Hour)
		fmt.Fprintf(&b, "<item><title>%s</title><link>https://office.example/releases/%d</link><guid isPermaLink=\"false\">office-%d</guid><pubDate>%s</pubDate></item>\n",
			html.EscapeString(titles[i%len(titles)]), 100-i, 100-i, on.Format(time.RFC1123Z))
	}
	b.WriteString("</channel></rss>\n")
	return b.Bytes()
}

// atom is the feed of the research institute, an entry a month.
func (w *World) atom() []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?>` + "\n<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Sandbox Institute of Employment</title><id>tag:institute.example,2026:feed</id>\n")
	for i := range 8 {
		on := w.asOf.AddDays(-30*i - 3).Time().Add(10 * time.Hour).Format(time.RFC3339)
		fmt.Fprintf(&b, "<entry><id>tag:institute.example,2026:%d</id><title>%s</title><link href=\"https://institute.example/%d\"/><published>%s</published><updated>%s</updated></entry>\n",
			50-i, html.EscapeString(titles[(2*i+1)%len(titles)]), 50-i, on, on)
	}
	b.WriteString("</feed>\n")
	return b.Bytes()
}

// localPlan is a made-up plan for a real area.
type localPlan struct{ id, area, region string }

func plans() []localPlan {
	return []localPlan{{"central_london", "Central London Forward", "E69000039"}, {"local_london", "Local London", "E69000044"},
		{"south_london", "South London Partnership", "E69000047"}, {"west_london", "West London Alliance", "E69000050"}}
}

// plan is what a plan lists: a few occupations, sectors and skills, drawn for it.
func (w *World) plan(p localPlan) []byte {
	c := w.chance(streamRest + uint64(len(p.id))<<8 + uint64(p.id[0])<<16)
	var b bytes.Buffer
	b.WriteString("kind,code,page\n")
	listed := map[string]bool{}
	line := func(kind, code, page string) {
		if !listed[kind+code] {
			fmt.Fprintf(&b, "%s,%s,%s\n", kind, code, page)
		}
		listed[kind+code] = true
	}
	for i := range 8 {
		line(sources.PriorityOccupation, w.lists.occupations[c.IntN(len(w.lists.occupations))].soc, fmt.Sprint(12+2*i))
	}
	for range 3 {
		line(sources.PrioritySector, w.lists.jobs[c.IntN(len(w.lists.jobs))].sector, "9")
	}
	for range 4 {
		line(sources.PrioritySkill, w.lists.skills[c.IntN(len(w.lists.skills))].slug, "")
	}
	return b.Bytes()
}

// publications configures the documents under base. The terms differ, so that each
// way can be tried: of the skills bodies one is not open, of the feeds one permits no
// summary, and of the plans one has a licence that is not known.
func (w *World) publications(base string) (england, demand, imperative *skillsprojections.Config, news *newsfeeds.Config, local *skillsplans.Config) {
	published := w.asOf.AddDays(-100).String()
	one := func(id, kind, file, reuse, unit string) *skillsprojections.Config {
		return &skillsprojections.Config{Publications: []skillsprojections.Publication{{ID: id, Kind: kind, URL: base + "/" + file, Edition: "sandbox",
			Published: published, Region: skillsprojections.Whole, Reuse: reuse, Unit: unit}}}
	}
	england = one("priority-skills", skillsprojections.KindPriority, priorityFile, skillsprojections.ReuseOpen, "people")
	demand = one("occupations-in-demand", skillsprojections.KindInDemand, demandFile, skillsprojections.ReuseOpen, "")
	imperative = one("projections", skillsprojections.KindProjections, projectionsFile, skillsprojections.ReuseUnconfirmed, "")
	news = &newsfeeds.Config{Feeds: []newsfeeds.Feed{
		{ID: "office", URL: base + "/" + officeFeed, Publisher: "Sandbox Statistics Office", Licence: "Open Government Licence v3.0",
			Statement: string(sources.StatementOGL), Link: "https://office.example/", MaySummarise: true},
		{ID: "institute", URL: base + "/" + instituteFeed, Publisher: "Sandbox Institute of Employment", Licence: "All rights reserved",
			Statement: "Source: Sandbox Institute of Employment.", Link: "https://institute.example/", Cadence: sources.Monthly}}}
	local = &skillsplans.Config{}
	for i, p := range plans() {
		licence := "Summary with citation agreed with the publisher"
		if i == 3 {
			licence = "Not confirmed"
		}
		local.Plans = append(local.Plans, skillsplans.Plan{ID: p.id, File: base + "/" + p.id + ".csv", Title: "Local skills improvement plan for " + p.area + " (sandbox)",
			Publisher: "Sandbox Chamber of " + p.area, Region: p.region, Published: published, Licence: licence,
			Statement: "Source: Sandbox Chamber of " + p.area + ".", Link: "https://chamber.example/" + p.id, MaySummarise: true})
	}
	return england, demand, imperative, news, local
}
