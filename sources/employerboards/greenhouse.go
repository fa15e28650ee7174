package employerboards

import (
	"cmp"
	"encoding/json"
	"strings"

	"labour/sources"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// greenhouseJob is a job of the Greenhouse Job Board API: one list without pages,
// {"jobs":[...],"meta":{"total":n}}.
type greenhouseJob struct {
	ID             jsonrows.Scalar `json:"id"`
	InternalJobID  jsonrows.Scalar `json:"internal_job_id"` // null for a prospect post
	Title          string          `json:"title"`
	FirstPublished string          `json:"first_published"`
	Deadline       string          `json:"application_deadline"`
	Link           string          `json:"absolute_url"`
	Location       struct {
		Name string `json:"name"`
	} `json:"location"`
	Departments []struct {
		Name string `json:"name"`
	} `json:"departments"`
	Offices []struct {
		Name     string `json:"name"`
		Location string `json:"location"`
	} `json:"offices"`
	Content string `json:"content"` // HTML, escaped once more
}

// saysTotal takes the number of jobs from meta.
func saysTotal(l *listing, others jsonrows.Members) {
	var meta struct {
		Total *int `json:"total"`
	}
	if raw, ok := others["meta"]; ok && json.Unmarshal(raw, &meta) == nil && meta.Total != nil {
		l.total = *meta.Total
	}
}

// advert takes a job. "The same vacancy may be posted once per city": such
// posts have the same internal_job_id, which is therefore the Requisition;
// requisition_id is free text that employers fill with words such as EVERGREEN.
func (j greenhouseJob) advert(string) (sources.Advert, error) {
	a := sources.Advert{
		ID: string(j.ID), Listed: j.InternalJobID != "", Title: j.Title,
		Requisition: string(j.InternalJobID), ApplyURL: j.Link, Link: j.Link,
		Locations: j.locations(), Text: plaintext.EscapedHTML(j.Content),
	}
	if len(j.Departments) > 0 {
		a.Department = j.Departments[0].Name
	}
	return dated(a, "first_published", j.FirstPublished, "application_deadline", j.Deadline)
}

// locations is the free text of the job, or the offices when there is none.
func (j greenhouseJob) locations() []sources.Location {
	if strings.TrimSpace(j.Location.Name) != "" {
		return []sources.Location{{Text: j.Location.Name, Remote: saysRemote(j.Location.Name)}}
	}
	var places []sources.Location
	for _, o := range j.Offices {
		text := cmp.Or(o.Location, o.Name)
		places = append(places, sources.Location{Text: text, Remote: saysRemote(text)})
	}
	return places
}

// saysRemote says that the free text of a place names remote work, and does not call it hybrid.
func saysRemote(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "remote") && !strings.Contains(text, "hybrid")
}
