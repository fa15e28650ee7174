package sandbox

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"strings"
	"time"

	"labour/sources"
	"labour/sources/findanapprenticeship"
)

// serviceRows returns all made-up apprenticeship vacancies in the format of the Display Advert API,
// newest first.
func (w *World) serviceRows() []json.RawMessage {
	rows := []json.RawMessage{}
	for _, v := range w.adverts.list[w.adverts.own:] {
		if v.source == fromService {
			rows = append(rows, encodeRow(w.serviceRow(&v)))
		}
	}
	return rows
}

// apprenticeshipLevels maps a level, 2 to 7, to the apprenticeship service's name for it.
var apprenticeshipLevels = map[int]string{2: "Intermediate", 3: "Advanced", 4: "Higher", 5: "Higher", 6: "Degree",
	7: "Degree"}

// serviceRow returns a vacancy in the format of the apprenticeship service's API, version 2.
func (w *World) serviceRow(v *vacancy) map[string]any {
	c := w.rng(streamRows + uint64(v.number))
	e, j := w.employers[v.employer], w.lists.jobs[v.job]
	text := w.text(v)
	level := map[string]any{"larsCode": 100 + v.job, "title": fmt.Sprintf("%s (level %d)", j.titles[0], v.course),
		"level": v.course, "route": texts.Routes[j.sector], "type": "Standard"}
	row := map[string]any{"vacancyReference": v.id, "title": v.title, "description": text[0].paras[0],
		"numberOfPositions": c.between(1, 4),
		"postedDate":        v.postingDay.String() + "T09:30:00Z", "closingDate": v.closes.String() + "T23:59:59Z",
		"startDate": v.closes.AddDays(20).String() + "T00:00:00Z", "hoursPerWeek": 37,
		"expectedDuration": c.pick([]string{"1 Year", "1 Year 6 Months", "2 Years"}),
		"wage": map[string]any{"wageType": "Custom", "wageUnit": "Annually", "wageAdditionalInformation": pay(v, j),
			"workingWeekDescription": "Monday to Friday"},
		"addresses": w.addresses(c, v), "employerName": e.Name, "employerContactName": "Careers team",
		"employerContactEmail": "careers@" + e.Slug + ".example", "course": level,
		"apprenticeshipLevel": apprenticeshipLevels[v.course],
		"providerName":        "Capital Training Sandbox", "ukprn": 10000000 + v.job,
		"isDisabilityConfident": c.one(0.4),
		"vacancyUrl":            "https://apprenticeships.example/apprenticeship/VAC" + v.id,
		"isNationalVacancy":     v.nationwide,
		"fullDescription":       markup.write(text[1:3]), "trainingDescription": "<p>A day each week at college.</p>",
		"employerDescription": "<p>" + e.Name + " is invented.</p>", "skills": w.softSkills(v),
		"qualifications": []any{map[string]any{"weighting": "Desired", "qualificationType": "GCSE",
			"subject": "English", "grade": "4"}},
		"applicationUrl": v.applyURL}
	if v.imported {
		row["vacancyReference"] = fmt.Sprintf("C%d-26-%04d", 9000+v.number%900, v.number)
		row["course"] = map[string]any{"larsCode": 0, "level": v.course, "route": texts.Routes[j.sector]}
		row["hoursPerWeek"] = 0
	}
	return row
}

// softSkills returns an advert's skills that are on the apprenticeship service's fixed list.
func (w *World) softSkills(v *vacancy) []string {
	out := []string{}
	for _, a := range v.requirements {
		if name := texts.SoftSkills[w.lists.skills[a.skill].slug]; name != "" {
			out = append(out, name)
		}
	}
	return out
}

// addresses returns a list with the vacancy's address. Its coordinates lie in the square that
// represents the council area. The list is empty if the vacancy has no council.
func (w *World) addresses(c rng, v *vacancy) []any {
	place, town := council{}, "London"
	switch {
	case v.council >= 0:
		place = w.lists.councils[v.council]
		town = place.name
	case len(v.boroughs) > 0:
		place = w.borough(v.boroughs[0])
	default:
		return []any{}
	}
	half := halfOf(place)
	round := func(x float64) float64 { return math.Round(x*1e5) / 1e5 }
	return []any{map[string]any{
		"addressLine1": fmt.Sprintf("%d %s%s House", c.between(1, 90), c.pick(texts.NameHeads),
			c.pick(texts.NameTails)), "addressLine2": place.name,
		"addressLine3": town, "postcode": c.pick(strings.Fields("E8 N4 NW5 SE6 SW9 W7 EC2A")) + " 0ZZ",
		"latitude":  round(place.lat + half.lat*0.8*(2*c.Float64()-1)),
		"longitude": round(place.lon + half.lon*0.8*(2*c.Float64()-1))}}
}

const (
	// ApprenticeshipAPIKeyEnv is the environment variable for the API key of the simulated
	// apprenticeship service. Set it to ApprenticeshipAPIKey before the pipeline fetches data.
	ApprenticeshipAPIKeyEnv = findanapprenticeship.DefaultKeyEnv
	// ApprenticeshipAPIKey is the API key of the simulated apprenticeship service.
	ApprenticeshipAPIKey = "sandbox"
)

// publishedOn returns the publication day of the figures for an academic year. year is the calendar
// year in which the academic year ends.
func publishedOn(year int) sources.Date { return sources.Date{Year: year, Month: 11, Day: 27} }

// boardRows returns the adverts of every board in the vendor's format. The keys are the boards'
// tokens.
func (w *World) boardRows() map[string][]json.RawMessage {
	out := map[string][]json.RawMessage{}
	for _, e := range w.boards {
		out[w.employers[e].Slug] = []json.RawMessage{}
	}
	for _, v := range w.adverts.list[w.adverts.own:] {
		if token := w.employers[v.employer].Slug; v.source == fromBoard {
			out[token] = append(out[token], encodeRow(w.greenhouseRow(&v, w.rng(streamRows+uint64(v.number)))))
		}
	}
	return out
}

func encodeRow(row map[string]any) json.RawMessage {
	b, _ := json.Marshal(row) // texts and numbers can always be encoded
	return b
}

// instant returns the time of posting in the given layout, at a random time of the advert's day. It
// returns nil if the advert has no day. It returns "soon" if the advert tests an invalid date.
func instant(v *vacancy, c rng, layout string) any {
	switch {
	case v.unreadable:
		return "soon"
	case v.postingDay.IsZero():
		return nil
	}
	return v.postingDay.Time().Add(time.Duration(c.between(8*3600, 18*3600)) * time.Second).Format(layout)
}

// greenhouseRow returns an advert in the format of the Greenhouse Job Board API. Its content is
// HTML that is escaped twice. An unlisted advert has no internal_job_id.
func (w *World) greenhouseRow(v *vacancy, c rng) map[string]any {
	department := upperFirst(words(w.lists.jobs[v.job].sector))
	row := map[string]any{"id": json.Number(v.id), "internal_job_id": json.Number(v.requisition), "title": v.title,
		"updated_at": w.asOf.Time().Format(time.RFC3339), "first_published": instant(v, c, "2006-01-02T15:04:05-07:00"),
		"requisition_id": v.requisition[:4], "location": map[string]any{"name": v.place}, "absolute_url": v.applyURL,
		"language": "en", "company_name": w.employers[v.employer].Name, "metadata": nil, "data_compliance": []any{},
		"application_deadline": nil, "content": html.EscapeString(markup.write(w.text(v))),
		"departments": []any{map[string]any{"id": 1000 + v.job, "name": department, "parent_id": nil,
			"child_ids": []any{}}},
		"offices": []any{map[string]any{"id": 2000, "name": "London", "location": "London, United Kingdom",
			"parent_id": nil, "child_ids": []any{}}}}
	if v.unlisted {
		row["internal_job_id"] = nil
	}
	return row
}
