package employerboards

import (
	"cmp"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
)

// ashby reads Ashby's public job board: one list without pages, {"jobs":[...]}.
type ashby struct{ base string }

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

func (v ashby) request(token string, _ int) sources.Request {
	return sources.Request{
		Name:   "ashby/" + token,
		URL:    address(v.base, "/posting-api/job-board/{token}?includeCompensation=true", token),
		Accept: sources.AcceptJSON,
	}
}

func (ashby) walk(body []byte, each func(int, []byte) error) (listing, error) {
	l, _, err := walkJSON(body, "jobs", each)
	return l, err
}

// advert reads one job. isListed false is a direct link, which is not open to
// everyone; a job that does not say so is not taken for listed.
func (ashby) advert(_ string, row []byte) (sources.Advert, error) {
	var j ashbyJob
	if err := jsonrows.Row(row, &j); err != nil {
		return sources.Advert{ID: string(j.ID)}, err
	}
	a := sources.Advert{
		ID: string(j.ID), Listed: j.IsListed != nil && *j.IsListed, Title: j.Title,
		ApplyURL: j.Apply, Link: j.Link, Locations: j.locations(), Department: j.Department,
		SalaryText: j.salary(), Text: markupOr(j.DescriptionHTML, j.DescriptionPlain),
	}
	a.Department = cmp.Or(a.Department, j.Team)
	var err error
	a.Posted, err = adverts.Day("publishedAt", j.PublishedAt)
	return a, err
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
	if j.Compensation.Summary != "" {
		return j.Compensation.Summary
	}
	return j.Compensation.Salary
}
