package sandbox

import (
	"fmt"
	"maps"
	"reflect"

	"labour/sources"
)

// line is one record of the feed: a JSON object as a map from property name to value.
type line = map[string]any

// withoutUnknown removes properties with a zero value, which means "not known".
func withoutUnknown(l line) line {
	maps.DeleteFunc(l, func(_ string, v any) bool { return reflect.ValueOf(v).IsZero() })
	return l
}

// writeAdverts writes the platform's adverts to one file per month.
func (w *World) writeAdverts(f *feed) {
	for number := range w.adverts.own {
		v := w.vacancy(number)
		f.put("adverts-"+v.postingDay.String()[:7]+".ndjson.zst", w.advertLine(v))
	}
}

// advertLine returns an advert as a record of the feed. As on real platforms, some adverts lack a
// sector, a SOC code or a list of skills.
func (w *World) advertLine(v *vacancy) line {
	c := w.rng(streamRows + uint64(v.number))
	j := w.lists.jobs[v.job]
	kind, title := "job", v.title
	switch {
	case v.course > 0 || v.origin == sources.OriginApprenticeship:
		kind = "apprenticeship"
	case v.origin == sources.OriginPlatform && v.number%trainingEach == 0:
		kind, title = "training", title+" (training course)"
	}
	l := line{"id": v.id, "imported_from": string(v.origin), "unlisted": v.unlisted,
		"employer": w.employers[v.employer].Name, "title": title,
		"requisition": v.requisition, "apply_url": v.applyURL, "link": siteAddress + "/jobs/" + v.id, "kind": kind,
		"posted_on": v.postingDay.String(),
		"closes_on": v.closes.String(), "nationwide": v.nationwide, "salary_text": pay(v, j), "course_level": v.course,
		"text": plain.write(w.text(v))}
	var boroughs []string
	for _, b := range v.boroughs {
		boroughs = append(boroughs, w.borough(b).slug)
	}
	l["boroughs"] = boroughs
	if v.place != "" {
		l["locations"] = []string{v.place}
	}
	if c.one(0.85) {
		l["sector"] = j.sector
	}
	if c.one(0.3) {
		l["soc"] = j.soc
	}
	if c.one(0.92) {
		var skills []sources.ListedSkill
		for _, a := range v.requirements {
			s := sources.ListedSkill{Skill: w.lists.skills[a.skill].slug}
			if a.isStated {
				s.Level = a.level
			}
			skills = append(skills, s)
		}
		l["skills"] = skills
	}
	return withoutUnknown(l)
}

// trainingEach sets the frequency of training courses: one in trainingEach of the platform's own
// adverts is for a course.
const trainingEach = 20

// writePathways writes a careers pathway for each sector. Its steps are up to four of the sector's
// jobs, from the lowest pay to the highest.
func (w *World) writePathways(f *feed) {
	sectors, _ := w.sectors(func(job) bool { return true })
	for i, sector := range sectors {
		var steps, standards []line
		for n, j := range w.ladder(sector) {
			steps = append(steps, line{"order": n + 1, "title": j.titles[0], "soc": j.soc, "level": min(n+2, 7),
				"description": fmt.Sprintf("Paid from about £%s a year.", thousands(j.low*1000))})
			if j.course > 0 {
				standards = append(standards, line{"code": fmt.Sprintf("SB%04d", 100*(i+1)+n), "title": j.titles[0],
					"level": j.course})
			}
		}
		p := withoutUnknown(line{"id": fmt.Sprintf("pw-%d", i+1), "slug": "into-" + sector, "title": "Into " + words(sector),
			"sector":     sector,
			"summary":    "From a first job to a senior one in " + words(sector) + ".",
			"updated_on": w.asOf.AddDays(-20 * (i + 1)).String(),
			"steps":      steps, "apprenticeship_standards": standards})
		f.put("pathways.ndjson", p)
	}
}

func (w *World) writeDevelopments(f *feed) {
	c := w.rng(streamSites)
	n := 0
	for i := range w.lists.boroughs {
		for range c.between(1, 4) {
			n++
			obligations := c.between(1, 9)
			jobs := c.between(0, 120)
			apprentices := c.between(0, 18)
			places := c.between(0, 60)
			pounds := 5000 * c.between(2, 160)
			d := line{"id": fmt.Sprintf("site-%03d", n), "borough": w.borough(i).slug, "obligations": obligations,
				"jobs_created":            jobs,
				"apprenticeships_started": apprentices, "local_people_employed": int(float64(jobs) * c.Float64() * 0.4),
				"training_places": places, "contributions_gbp": pounds}
			f.put("s106.ndjson", d)
		}
	}
}
