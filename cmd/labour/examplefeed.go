package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"labour/sources"
	"labour/sources/platform"
)

// Numbers of records in the example feed of `labour init`. They are large enough that the pages show
// figures about adverts and people.
const (
	// exampleAdverts is the number of adverts in the example feed of `labour init`.
	exampleAdverts = 240
	// exampleResidents is the number of residents in the example feed of `labour init`.
	exampleResidents = 300
	// exampleApplications is the number of applications in the example feed of `labour init`.
	exampleApplications = 960
)

// exampleJob is a job that is advertised in the example feed, such as care worker.
type exampleJob struct {
	title, kind, sector, soc string
	skills                   []exampleSkill
	text                     string
}

// exampleSkill is a skill that an example job requires. Its level is 1 to 5.
type exampleSkill struct {
	slug  string
	level int
}

var exampleJobs = []exampleJob{
	{"Care worker", "job", "care-services", "6135", []exampleSkill{{"personal-care", 2}, {"communication", 2}},
		"You help people at home with washing, dressing and meals. You communicate well."},
	{"Office administrator", "job", "business-and-administration", "4159", []exampleSkill{{"excel", 2},
		{"customer-care", 2}}, "You answer customers and keep our records in Excel."},
	{"Rail engineering apprentice", "apprenticeship", "engineering-and-manufacturing", "5223",
		[]exampleSkill{{"electrical-fault-finding", 2}, {"communication", 1}},
		"You learn to maintain trains, to find faults and to communicate clearly."},
	{"Junior data analyst", "job", "digital", "3544", []exampleSkill{{"sql", 2}, {"excel", 3}},
		"You answer questions from our data with SQL and Excel."},
}

var (
	exampleEmployers = []string{"Example Care Ltd", "Example Rail plc", "Example Council", "Example Data Ltd",
		"Example College"}
	exampleBoroughs = []string{"camden", "islington"}
)

// exampleFeed returns the files of a made-up feed: it maps file names to contents. Adverts and
// applications are dated in the two years before today.
func exampleFeed(today sources.Date) map[string]string {
	files := map[string]*strings.Builder{}
	put := func(kind platform.RecordKind, record map[string]any) {
		name := string(kind) + ".ndjson"
		if files[name] == nil {
			files[name] = &strings.Builder{}
		}
		line, _ := json.Marshal(record) // maps, texts and numbers can always be encoded
		files[name].Write(append(line, '\n'))
	}
	put(platform.KindBoroughs, map[string]any{"slug": "camden", "name": "Camden", "code": "E09000007"})
	put(platform.KindBoroughs, map[string]any{"slug": "islington", "name": "Islington", "code": "E09000019"})
	for n := range exampleAdverts {
		put(platform.KindAdverts, exampleAdvert(n, today))
	}
	for n := range exampleResidents {
		put(platform.KindResidents, exampleResident(n))
	}
	for n := range exampleApplications {
		put(platform.KindApplications, exampleApplication(n, today))
	}
	texts := map[string]string{}
	for name, b := range files {
		texts[name] = b.String()
	}
	return texts
}

// exampleLink is the beginning of every advert's link in the example feed. Its domain ends in
// .example, which no real website can have.
const exampleLink = "https://works.example/jobs/"

// postedOn returns the date on which an advert of the example feed was posted. advert is its
// number, from 0. Advert 0 was posted yesterday. Three adverts were posted in each week before
// that.
func postedOn(advert int, today sources.Date) sources.Date { return today.AddDays(-1 - advert*7/3) }

func exampleAdvert(n int, today sources.Date) map[string]any {
	job := exampleJobs[n%len(exampleJobs)]
	var skills []map[string]any
	for i, s := range job.skills {
		if i == 0 || n%3 > 0 { // not every advert requires all of them
			skills = append(skills, map[string]any{"skill": s.slug, "level": s.level})
		}
	}
	id := fmt.Sprint("ad-", n+1)
	return map[string]any{"id": id, "imported_from": "platform", "title": job.title, "link": exampleLink + id,
		"employer": exampleEmployers[n%len(exampleEmployers)], "kind": job.kind, "sector": job.sector, "soc": job.soc,
		"posted_on": postedOn(n, today).String(), "closes_on": postedOn(n, today).AddDays(30).String(),
		"boroughs": exampleBoroughs[n/4%2 : n/4%2+1], "skills": skills, "text": job.text}
}

func exampleResident(n int) map[string]any {
	job := exampleJobs[n%len(exampleJobs)]
	skills := []map[string]any{}
	for i, s := range job.skills {
		if level := (n/len(exampleJobs) + i) % (s.level + 2); level > 0 {
			skills = append(skills, map[string]any{"skill": s.slug, "level": level})
		}
	}
	return map[string]any{"id": fmt.Sprint("r-", n+1), "borough": exampleBoroughs[n%7%2], "seeking_work": n%3 == 0,
		"sector_sought": job.sector, "skills": skills}
}

// exampleApplication returns made-up application n as fields of the feed. The resident applies for
// a job in the sector that they seek. The decision comes 14 days after the advert was posted, and
// the application is pending until then. One in four decided applications leads to hiring. All
// other applicants are turned down for the job's first skill.
func exampleApplication(n int, today sources.Date) map[string]any {
	advert, jobs := n%exampleAdverts, len(exampleJobs)
	job := exampleJobs[advert%jobs]
	resident := (n/jobs*jobs + advert%jobs) % exampleResidents
	day := postedOn(advert, today)
	l := map[string]any{"id": fmt.Sprint("ap-", n+1), "resident": fmt.Sprint("r-", resident+1),
		"advert": fmt.Sprint("ad-", advert+1), "applied_at": day.Time().Add(9 * time.Hour).Format(time.RFC3339),
		"outcome": "pending"}
	decided := day.AddDays(14)
	if !decided.Before(today) {
		return l
	}
	first := job.skills[0]
	outcome, held := "turned_down", first.level-1
	if n%4 == 0 {
		outcome, held = "hired", first.level
	}
	l["outcome"], l["outcome_recorded_at"] = outcome, decided.Time().Format(time.RFC3339)
	l["skills"] = []map[string]any{{"skill": first.slug, "asked_level": first.level, "held_level": held,
		"turned_down_for": outcome == "turned_down"}}
	return l
}
