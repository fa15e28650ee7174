package employerboards

import (
	"cmp"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// recruiteeOffer is an offer of a Recruitee careers site: one list without pages,
// {"offers":[...]}, on a host of the employer's own.
type recruiteeOffer struct {
	ID           jsonrows.Scalar `json:"id"`
	Status       string          `json:"status"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`  // HTML
	Requirements string          `json:"requirements"` // HTML
	Translations map[string]struct {
		Title        string `json:"title"`
		Description  string `json:"description"`
		Requirements string `json:"requirements"`
	} `json:"translations"`
	Department  string `json:"department"`
	Remote      bool   `json:"remote"`
	Hybrid      bool   `json:"hybrid"`
	OnSite      bool   `json:"on_site"`
	Location    string `json:"location"`
	CountryCode string `json:"country_code"`
	Postcode    string `json:"postal_code"`
	Locations   []struct {
		Name        string `json:"name"`
		City        string `json:"city"`
		Country     string `json:"country"`
		CountryCode string `json:"country_code"`
		Postcode    string `json:"postal_code"`
	} `json:"locations"`
	Salary struct {
		Min      jsonrows.Scalar `json:"min"` // strings
		Max      jsonrows.Scalar `json:"max"`
		Period   string          `json:"period"`
		Currency string          `json:"currency"`
	} `json:"salary"`
	PublishedAt string `json:"published_at"` // "2026-08-05 09:41:37 UTC"
	CloseAt     string `json:"close_at"`
	Link        string `json:"careers_url"`
	Apply       string `json:"careers_apply_url"`
}

// advert takes an offer, in English where the employer translated it.
func (o recruiteeOffer) advert(string) (sources.Advert, error) {
	en := o.Translations["en"]
	return dated(sources.Advert{
		ID: string(o.ID), Listed: o.Status == "published", Title: cmp.Or(en.Title, o.Title),
		ApplyURL: o.Apply, Link: o.Link, Department: o.Department, Locations: o.locations(),
		SalaryText: payRange(o.Salary.Currency, string(o.Salary.Min), string(o.Salary.Max), per(o.Salary.Period)),
		Text: plaintext.Join(plaintext.HTML(cmp.Or(en.Description, o.Description)),
			plaintext.HTML(cmp.Or(en.Requirements, o.Requirements))),
	}, "published_at", o.PublishedAt, "close_at", o.CloseAt)
}

func per(period string) string {
	if period == "" {
		return ""
	}
	return "per " + period
}

// locations are the listed places, or the free text when none is listed.
func (o recruiteeOffer) locations() []sources.Location {
	remote := o.Remote && !o.Hybrid && !o.OnSite
	var places []sources.Location
	for _, l := range o.Locations {
		places = append(places, sources.Location{Text: adverts.Place(l.Name, l.City),
			Country: cmp.Or(l.CountryCode, l.Country), Postcode: l.Postcode, Remote: remote})
	}
	if len(places) == 0 && strings.TrimSpace(o.Location) != "" {
		places = append(places, sources.Location{Text: o.Location, Country: o.CountryCode, Postcode: o.Postcode, Remote: remote})
	}
	return places
}
