package employerboards

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// smartRecruiters reads the SmartRecruiters Posting API: {"content":[...]} in
// pages, without text; the text is in one object per posting. A company
// that does not exist gives an empty list with status 200.
type smartRecruiters struct{ lists[smartPosting] }

func smartLists(key, base string) vendor {
	return smartRecruiters{lists[smartPosting]{key: key, base: base, path: "/v1/companies/{token}/postings?limit=100&offset={skip}", pages: true, rows: "content", says: saysFound}}
}

type smartPosting struct {
	ID         jsonrows.Scalar `json:"id"`
	Title      string          `json:"name"`
	RefNumber  jsonrows.Scalar `json:"refNumber"` // one may have several postings
	Released   string          `json:"releasedDate"`
	Visibility string          `json:"visibility"`
	Department struct {
		Label string `json:"label"`
	} `json:"department"`
	Location struct {
		City      string          `json:"city"`
		Region    string          `json:"region"`
		Country   string          `json:"country"` // ISO 3166-1 alpha-2, lower case
		Postcode  string          `json:"postalCode"`
		Full      string          `json:"fullLocation"`
		Remote    bool            `json:"remote"`
		Hybrid    bool            `json:"hybrid"`
		Latitude  jsonrows.Scalar `json:"latitude"` // strings
		Longitude jsonrows.Scalar `json:"longitude"`
	} `json:"location"`
}

// smartDetail is the object of one posting.
type smartDetail struct {
	ID    jsonrows.Scalar `json:"id"`
	Link  string          `json:"postingUrl"`
	Apply string          `json:"applyUrl"`
	JobAd struct {
		Sections struct {
			Company        smartSection `json:"companyDescription"`
			Job            smartSection `json:"jobDescription"`
			Qualifications smartSection `json:"qualifications"`
			More           smartSection `json:"additionalInformation"`
		} `json:"sections"`
	} `json:"jobAd"`
}

type smartSection struct {
	Title string `json:"title"`
	Text  string `json:"text"` // HTML
}

// saysFound takes the number of postings, and whether this page has the last of them.
func saysFound(l *listing, others jsonrows.Members) {
	var total, offset int
	if raw, ok := others["totalFound"]; ok && json.Unmarshal(raw, &total) == nil {
		l.total = total
	}
	if raw, ok := others["offset"]; ok && json.Unmarshal(raw, &offset) != nil {
		offset = 0
	}
	l.more = l.rows > 0 && offset+l.rows < l.total
}

func (p smartPosting) advert(token string) (sources.Advert, error) {
	link := "https://jobs.smartrecruiters.com/" + url.PathEscape(token) + "/" + url.PathEscape(string(p.ID))
	return dated(sources.Advert{
		ID: string(p.ID), Listed: p.Visibility == "PUBLIC", Title: p.Title, Requisition: string(p.RefNumber),
		ApplyURL: link, Link: link, Department: p.Department.Label, Locations: p.locations(),
	}, "releasedDate", p.Released, "", "")
}

func (p smartPosting) locations() []sources.Location {
	at := p.Location
	l := sources.Location{Text: cmp.Or(at.Full, adverts.Place(at.City, at.Region)), Country: at.Country, Postcode: at.Postcode, Remote: at.Remote && !at.Hybrid}
	lat, errLat := strconv.ParseFloat(string(at.Latitude), 64)
	lon, errLon := strconv.ParseFloat(string(at.Longitude), 64)
	if errLat == nil && errLon == nil && lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180 {
		l.Latitude, l.Longitude = lat, lon
	}
	return []sources.Location{l}
}

// detail addresses the object with the text of one posting.
func (v smartRecruiters) detail(token string, row []byte) (sources.Request, error) {
	var p struct {
		ID jsonrows.Scalar `json:"id"`
	}
	if err := jsonrows.Row(row, &p); err != nil {
		return sources.Request{}, err
	}
	id := string(p.ID)
	if id == "" || strings.ContainsAny(id, "/\\?#%. ") {
		return sources.Request{}, sources.Coded(sources.FaultSchema, fmt.Errorf("the posting has no usable id"))
	}
	return sources.Request{
		Name:   "smartrecruiters/" + token + "/" + detailMark + id,
		URL:    address(v.base, "/v1/companies/{token}/postings/", token) + id,
		Accept: sources.AcceptJSON,
	}, nil
}

// read reads such an object. What is asked comes before what is said of the employer.
func (smartRecruiters) read(body []byte) (sources.Advert, error) {
	if err := sources.AcceptJSON("", body[:min(len(body), 1024)]); err != nil {
		return sources.Advert{}, err
	}
	var d smartDetail
	if err := jsonrows.Row(body, &d); err != nil {
		return sources.Advert{}, err
	}
	if d.ID == "" {
		return sources.Advert{}, sources.Coded(sources.FaultNotExpected, fmt.Errorf("the object is no posting: it has no id"))
	}
	var parts []string
	s := d.JobAd.Sections
	for _, section := range [...]smartSection{s.Job, s.Qualifications, s.More, s.Company} {
		if text := plaintext.HTML(section.Text); text != "" {
			parts = append(parts, plaintext.Line(section.Title), text)
		}
	}
	return sources.Advert{ID: string(d.ID), Link: d.Link, ApplyURL: d.Apply, Text: plaintext.Join(parts...)}, nil
}
