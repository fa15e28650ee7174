package employerboards

import (
	"cmp"
	"fmt"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// leverLists are Lever's public postings: a bare JSON list in pages, of which a shorter one
// is the last. The European service has another address and the same form.
var leverLists = lists[leverPosting]{path: "/v0/postings/{token}?mode=json&skip={skip}&limit=100", pages: true,
	says: func(l *listing, _ jsonrows.Members) { l.more = l.rows >= pageSize }}

type leverPosting struct {
	ID         jsonrows.Scalar `json:"id"`
	Title      string          `json:"text"`
	Country    string          `json:"country"` // ISO 3166-1 alpha-2, or null
	CreatedAt  jsonrows.Number `json:"createdAt"`
	Workplace  string          `json:"workplaceType"`
	Link       string          `json:"hostedUrl"`
	Apply      string          `json:"applyUrl"`
	Categories struct {
		Location     string   `json:"location"`
		AllLocations []string `json:"allLocations"`
		Department   string   `json:"department"`
		Team         string   `json:"team"`
	} `json:"categories"`
	Description      string `json:"description"`
	DescriptionPlain string `json:"descriptionPlain"`
	Lists            []struct {
		Heading string `json:"text"`
		Content string `json:"content"` // <li> elements without their list
	} `json:"lists"`
	Additional      string `json:"additional"`
	AdditionalPlain string `json:"additionalPlain"`
	Salary          *struct {
		Currency string           `json:"currency"`
		Interval string           `json:"interval"`
		Min      *jsonrows.Number `json:"min"`
		Max      *jsonrows.Number `json:"max"`
	} `json:"salaryRange"`
	SalaryText string `json:"salaryDescription"`
}

// advert takes a posting. Lever states no day of publication; createdAt is the
// nearest. The public form has no requisition number.
func (p leverPosting) advert(string) (sources.Advert, error) {
	a := sources.Advert{
		ID: string(p.ID), Listed: true, Title: p.Title, ApplyURL: p.Apply, Link: p.Link,
		Locations: p.locations(), Department: cmp.Or(p.Categories.Department, p.Categories.Team),
		SalaryText: p.salary(), Text: p.body(),
	}
	if p.CreatedAt == "" {
		return a, nil
	}
	ms, err := p.CreatedAt.Int64()
	if err != nil {
		return a, sources.Coded(sources.FaultValue, fmt.Errorf("createdAt is not a number of milliseconds"))
	}
	a.Posted, err = adverts.Millis("createdAt", ms)
	return a, err
}

// locations are the main place, for which the country holds, and all others.
func (p leverPosting) locations() []sources.Location {
	remote := strings.EqualFold(p.Workplace, "remote")
	main := p.Categories.Location
	places := []sources.Location{{Text: main, Country: p.Country, Remote: remote}}
	for _, name := range p.Categories.AllLocations {
		if name != main {
			places = append(places, sources.Location{Text: name, Remote: remote})
		}
	}
	return places
}

// salary is the range in words, or else the employer's own words.
func (p leverPosting) salary() string {
	if s := p.Salary; s != nil && (s.Min != nil || s.Max != nil) {
		return payRange(s.Currency, number(s.Min), number(s.Max), strings.ReplaceAll(s.Interval, "-", " "))
	}
	return plaintext.HTML(p.SalaryText)
}

// body is the whole text: the description, the lists under their headings, the rest.
func (p leverPosting) body() string {
	parts := []string{markupOr(p.Description, p.DescriptionPlain)}
	for _, l := range p.Lists {
		parts = append(parts, plaintext.Tidy(l.Heading), plaintext.HTML(l.Content))
	}
	return plaintext.Join(append(parts, markupOr(p.Additional, p.AdditionalPlain))...)
}

// markupOr is the text of the markup, or plain when there is no markup. Markup
// is preferred: the plain forms write headings in capitals.
func markupOr(markup, plain string) string {
	if markup != "" {
		return plaintext.HTML(markup)
	}
	return plaintext.Tidy(plain)
}

func number(n *jsonrows.Number) string {
	if n == nil {
		return ""
	}
	return n.String()
}

// payRange is "GBP 30000 to 35000, per year" as far as the parts are given.
func payRange(currency, least, most, interval string) string {
	amount := least
	switch {
	case least == "":
		amount = most
	case most != "" && most != least:
		amount = least + " to " + most
	}
	if amount == "" {
		return ""
	}
	text := strings.TrimSpace(currency + " " + amount)
	if interval != "" {
		text += ", " + interval
	}
	return text
}
