package employerboards

import (
	"cmp"
	"encoding/json"
	"net/url"

	"labour/sources"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// teamtailorItem is an item of the JSON Feed of a Teamtailor career site, {"items":[...]},
// on a host of the employer's own. A feed may name a next page.
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

// saysNext takes of the next page's address only the query: the next page of a feed
// is at the address of the first, whatever the feed says.
func saysNext(l *listing, others jsonrows.Members) {
	var next string
	if raw, ok := others["next_url"]; ok && json.Unmarshal(raw, &next) == nil {
		if u, err := url.Parse(next); err == nil {
			l.query, l.more = u.Query().Encode(), u.RawQuery != ""
		}
	}
}

func (i teamtailorItem) advert(string) (sources.Advert, error) {
	a := sources.Advert{ID: string(i.ID), Listed: true, Title: i.Title, ApplyURL: i.Link, Link: i.Link, Text: plaintext.HTML(i.Content)}
	for _, l := range i.Posting.Location {
		a.Locations = append(a.Locations, sources.Location{Text: l.Address.Locality, Postcode: l.Address.Postcode,
			Country: l.Address.Country, Remote: i.Posting.Kind == "TELECOMMUTE"})
	}
	if len(a.Locations) == 0 && i.Posting.Kind == "TELECOMMUTE" {
		a.Locations = []sources.Location{{Remote: true}}
	}
	return dated(a, "date_published", cmp.Or(i.Published, i.Posting.Posted), "validThrough", i.Posting.Through)
}
