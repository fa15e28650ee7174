package employerboards

import (
	"cmp"
	"encoding/json"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// greenhouse reads the Greenhouse Job Board API: one list without pages,
// {"jobs":[...],"meta":{"total":n}}.
type greenhouse struct{ base string }

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

func (g greenhouse) request(token string, _ int) sources.Request {
	return sources.Request{
		Name:   "greenhouse/" + token,
		URL:    address(g.base, "/v1/boards/{token}/jobs?content=true", token),
		Accept: sources.AcceptJSON,
	}
}

func (greenhouse) walk(body []byte, each func(int, []byte) error) (listing, error) {
	l, others, err := walkJSON(body, "jobs", each)
	var meta struct {
		Total *int `json:"total"`
	}
	if raw, ok := others["meta"]; ok && json.Unmarshal(raw, &meta) == nil && meta.Total != nil {
		l.total = *meta.Total
	}
	return l, err
}

// advert reads one job. "The same vacancy may be posted once per city": such
// posts have the same internal_job_id, which is therefore the Requisition;
// requisition_id is free text that employers fill with words such as EVERGREEN.
func (greenhouse) advert(_ string, row []byte) (sources.Advert, error) {
	var j greenhouseJob
	if err := jsonrows.Row(row, &j); err != nil {
		return sources.Advert{ID: string(j.ID)}, err
	}
	a := sources.Advert{
		ID: string(j.ID), Listed: j.InternalJobID != "", Title: j.Title,
		Requisition: string(j.InternalJobID), ApplyURL: j.Link, Link: j.Link,
		Locations: j.locations(), Text: plaintext.EscapedHTML(j.Content),
	}
	if len(j.Departments) > 0 {
		a.Department = j.Departments[0].Name
	}
	var err error
	if a.Posted, err = adverts.Day("first_published", j.FirstPublished); err != nil {
		return a, err
	}
	a.Closes, err = adverts.Day("application_deadline", j.Deadline)
	return a, err
}

// locations is the free text of the job, or the offices when there is none.
func (j greenhouseJob) locations() []sources.Location {
	if strings.TrimSpace(j.Location.Name) != "" {
		return []sources.Location{{Text: j.Location.Name, Remote: saysRemote(j.Location.Name)}}
	}
	var places []sources.Location
	for _, o := range j.Offices {
		text := o.Location
		text = cmp.Or(text, o.Name)
		places = append(places, sources.Location{Text: text, Remote: saysRemote(text)})
	}
	return places
}

// saysRemote says that the free text of a place names remote work, and does not
// call it hybrid.
func saysRemote(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "remote") && !strings.Contains(text, "hybrid")
}
