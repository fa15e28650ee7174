package employerboards

import (
	"cmp"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// workableJob is a job of Workable's widget: one list without pages, {"jobs":[...]}, with
// one row per place of a job, all with the same shortcode.
type workableJob struct {
	Shortcode   jsonrows.Scalar `json:"shortcode"`
	Title       string          `json:"title"`
	Code        jsonrows.Scalar `json:"code"` // the employer's own number
	Remote      bool            `json:"telecommuting"`
	Department  string          `json:"department"`
	Link        string          `json:"url"`
	Apply       string          `json:"application_url"`
	PublishedOn string          `json:"published_on"`
	Country     string          `json:"country"`
	City        string          `json:"city"`
	State       string          `json:"state"`
	Locations   []struct {
		Country string `json:"country"`
		City    string `json:"city"`
		Region  string `json:"region"`
		Hidden  bool   `json:"hidden"` // the employer does not show it
	} `json:"locations"`
	Description string `json:"description"` // HTML
}

// advert takes one row: the job, at one of its places.
func (j workableJob) advert(string) (sources.Advert, error) {
	return dated(sources.Advert{
		ID: string(j.Shortcode), Listed: true, Title: j.Title, Requisition: string(j.Code),
		ApplyURL: cmp.Or(j.Apply, j.Link), Link: j.Link, Department: j.Department,
		Locations: j.locations(), Text: plaintext.HTML(j.Description),
	}, "published_on", j.PublishedOn, "", "")
}

func (j workableJob) locations() []sources.Location {
	places := []sources.Location{{Text: adverts.Place(j.City, j.State), Country: j.Country, Remote: j.Remote}}
	for _, l := range j.Locations {
		if !l.Hidden {
			places = append(places, sources.Location{Text: adverts.Place(l.City, l.Region), Country: l.Country, Remote: j.Remote})
		}
	}
	return places
}
