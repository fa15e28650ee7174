package employerboards

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strconv"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// teamtailor reads the JSON Feed of a Teamtailor career site, {"items":[...]},
// on a host of the employer's own. A feed may name a next page.
type teamtailor struct{ base string }

type teamtailorItem struct {
	ID        jsonrows.Scalar `json:"id"`
	Title     string          `json:"title"`
	Link      string          `json:"url"`
	Published string          `json:"date_published"`
	Content   string          `json:"content_html"`
	Posting   struct {        // schema.org JobPosting
		Posted   string                               `json:"datePosted"`
		Through  string                               `json:"validThrough"`
		Kind     string                               `json:"jobLocationType"` // TELECOMMUTE = remote
		Location jsonrows.Many[teamtailorJobLocation] `json:"jobLocation"`
	} `json:"_jobposting"`
}

type teamtailorJobLocation struct {
	Address struct {
		Locality string `json:"addressLocality"`
		Postcode string `json:"postalCode"`
		Country  string `json:"addressCountry"`
	} `json:"address"`
}

func (v teamtailor) request(token string, n int) sources.Request {
	return sources.Request{
		Name: "teamtailor/" + token + "/" + strconv.Itoa(n), URL: address(v.base, "/jobs.json", token),
		Accept: sources.AcceptJSON,
	}
}

// walk takes of the next page's address only the query: the next page of a feed
// is at the address of the first, whatever the feed says.
func (teamtailor) walk(body []byte, each func(int, []byte) error) (listing, error) {
	l, others, err := walkJSON(body, "items", each)
	var next string
	if raw, ok := others["next_url"]; ok && json.Unmarshal(raw, &next) == nil {
		if u, err := url.Parse(next); err == nil {
			l.query, l.more = u.Query().Encode(), u.RawQuery != ""
		}
	}
	return l, err
}

func (teamtailor) advert(_ string, row []byte) (sources.Advert, error) {
	var i teamtailorItem
	if err := jsonrows.Row(row, &i); err != nil {
		return sources.Advert{ID: string(i.ID)}, err
	}
	a := sources.Advert{ID: string(i.ID), Listed: true, Title: i.Title, ApplyURL: i.Link, Link: i.Link, Text: plaintext.HTML(i.Content)}
	for _, l := range i.Posting.Location {
		a.Locations = append(a.Locations, sources.Location{Text: l.Address.Locality, Postcode: l.Address.Postcode,
			Country: l.Address.Country, Remote: i.Posting.Kind == "TELECOMMUTE"})
	}
	if len(a.Locations) == 0 && i.Posting.Kind == "TELECOMMUTE" {
		a.Locations = []sources.Location{{Remote: true}}
	}
	var err error
	if a.Posted, err = adverts.Day("date_published", cmp.Or(i.Published, i.Posting.Posted)); err != nil {
		return a, err
	}
	a.Closes, err = adverts.Day("validThrough", i.Posting.Through)
	return a, err
}
