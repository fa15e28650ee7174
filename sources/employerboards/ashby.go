package employerboards

import (
	"cmp"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
)

// ashbyJob is a job of Ashby's public job board: one list without pages, {"jobs":[...]}.
type ashbyJob struct {
	ID         jsonrows.Scalar `json:"id"`
	Title      string          `json:"title"`
	Department string          `json:"department"`
	Team       string          `json:"team"`
	Location   string          `json:"location"`
	Address    ashbyAddress    `json:"address"`
	Secondary  []struct {
		Location string       `json:"location"`
		Address  ashbyAddress `json:"address"`
	} `json:"secondaryLocations"`
	PublishedAt      string `json:"publishedAt"`
	IsListed         *bool  `json:"isListed"`
	IsRemote         bool   `json:"isRemote"`
	Workplace        string `json:"workplaceType"` // absent before 2026
	Link             string `json:"jobUrl"`
	Apply            string `json:"applyUrl"`
	DescriptionHTML  string `json:"descriptionHtml"`
	DescriptionPlain string `json:"descriptionPlain"`
	ShowPay          *bool  `json:"shouldDisplayCompensationOnJobPostings"`
	Compensation     *struct {
		Summary string `json:"compensationTierSummary"`
		Salary  string `json:"scrapeableCompensationSalarySummary"`
	} `json:"compensation"`
}

type ashbyAddress struct {
	Postal struct {
		Locality string `json:"addressLocality"`
		Country  string `json:"addressCountry"` // free text: "UK", "United Kingdom", "GB", "England"
	} `json:"postalAddress"`
}

// advert takes a job. isListed false is a direct link, which is not open to
// everyone; a job that does not say so is not taken for listed.
func (j ashbyJob) advert(string) (sources.Advert, error) {
	return dated(sources.Advert{
		ID: string(j.ID), Listed: j.IsListed != nil && *j.IsListed, Title: j.Title,
		ApplyURL: j.Apply, Link: j.Link, Locations: j.locations(), Department: cmp.Or(j.Department, j.Team),
		SalaryText: j.salary(), Text: markupOr(j.DescriptionHTML, j.DescriptionPlain),
	}, "publishedAt", j.PublishedAt, "", "")
}

func (j ashbyJob) locations() []sources.Location {
	places := []sources.Location{j.place(j.Location, j.Address)}
	for _, s := range j.Secondary {
		places = append(places, j.place(s.Location, s.Address))
	}
	return places
}

// place joins the name of a place with its town: employers name places "UK" or
// "Head office" and give the town only in the address. The address of a remote
// post is that of an office, and is left out.
func (j ashbyJob) place(text string, at ashbyAddress) sources.Location {
	l := sources.Location{Text: text, Country: at.Postal.Country, Remote: j.remote(text)}
	if !l.Remote {
		l.Text = adverts.Place(text, at.Postal.Locality)
	}
	return l
}

// remote says that the place of work is free. isRemote is true for hybrid work
// too, so it counts only with a workplaceType or a text that says the same.
func (j ashbyJob) remote(text string) bool {
	if j.Workplace != "" {
		return strings.EqualFold(j.Workplace, "Remote")
	}
	return j.IsRemote && saysRemote(text)
}

func (j ashbyJob) salary() string {
	if j.Compensation == nil || j.ShowPay != nil && !*j.ShowPay {
		return ""
	}
	return cmp.Or(j.Compensation.Summary, j.Compensation.Salary)
}
