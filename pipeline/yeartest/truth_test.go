package yeartest

import (
	"fmt"
	"slices"
	"time"
)

// ask is a skill that an advert asks for; level 0 = it states none.
type ask struct {
	Skill string `json:"skill"`
	Level int    `json:"level,omitempty"`
}

// advert is an advert of the platform, as its feed states it.
type advert struct {
	ID          string   `json:"id"`
	Origin      string   `json:"imported_from,omitempty"`
	Employer    string   `json:"employer"`
	Title       string   `json:"title"`
	Requisition string   `json:"requisition,omitempty"`
	Apply       string   `json:"apply_url,omitempty"`
	Kind        string   `json:"kind"`
	Posted      string   `json:"posted_on"`
	Closes      string   `json:"closes_on,omitempty"`
	Boroughs    []string `json:"boroughs,omitempty"`
	Locations   []string `json:"locations,omitempty"`
	Sector      string   `json:"sector,omitempty"`
	SOC         string   `json:"soc,omitempty"`
	Skills      []ask    `json:"skills,omitempty"`
}

// record is a skill that a resident has on record.
type record struct {
	Skill string `json:"skill"`
	Level int    `json:"level"`
}

// resident is a person who is registered with the platform.
type resident struct {
	ID      string   `json:"id"`
	Borough string   `json:"borough"`
	Seeking bool     `json:"seeking_work"`
	Sought  string   `json:"sector_sought,omitempty"`
	Skills  []record `json:"skills,omitempty"`
}

// judged is a skill that a role asked for, and what the applicant had of it.
type judged struct {
	Skill string `json:"skill"`
	Asked int    `json:"asked_level"`
	Held  int    `json:"held_level"`
	Named bool   `json:"turned_down_for,omitempty"`
}

// application is an application of a resident to an advert. Recorded is the time as printed in the feed.
type application struct {
	ID       string   `json:"id"`
	Resident string   `json:"resident"`
	Advert   string   `json:"advert"`
	Applied  string   `json:"applied_at"`
	Outcome  string   `json:"outcome"`
	Recorded string   `json:"outcome_recorded_at,omitempty"`
	Skills   []judged `json:"skills,omitempty"`
}

// event is an event for partners.
type event struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Occurred string `json:"occurred_at"`
	Partner  string `json:"partner,omitempty"`
	Advert   string `json:"advert,omitempty"`
	Borough  string `json:"borough,omitempty"`
	Outcome  string `json:"outcome,omitempty"`
}

// site has section 106 obligations.
type site struct {
	ID             string `json:"id"`
	Borough        string `json:"borough"`
	Obligations    int64  `json:"obligations"`
	Jobs           int64  `json:"jobs_created"`
	Apprenticeship int64  `json:"apprenticeships_started"`
	Local          int64  `json:"local_people_employed"`
	Training       int64  `json:"training_places"`
	Contributions  int64  `json:"contributions_gbp"`
}

// borough is a council that the platform serves.
type borough struct {
	Slug string `json:"slug"`
	Name string `json:"name"`
	Code string `json:"code"`
}

// platform is what the platform's database holds at one moment. Records are never changed in
// place: a change puts another one in their stead, so that a copy of the lists is a copy of all.
type platform struct {
	Boroughs     []borough
	Adverts      []advert
	Residents    []resident
	Applications []application
	Events       []event
	Sites        []site
}

func (p *platform) clone() *platform {
	return &platform{slices.Clone(p.Boroughs), slices.Clone(p.Adverts), slices.Clone(p.Residents),
		slices.Clone(p.Applications), slices.Clone(p.Events), slices.Clone(p.Sites)}
}

// change is something that happens on the platform.
type change struct {
	at    time.Time
	apply func(*platform)
}

// vacancy is a role on an employer's board.
type vacancy struct {
	ID       int64
	Number   string // the employer's own
	Title    string
	Place    string // as its location says
	Borough  string // which that is
	Posted   time.Time
	Until    time.Time // when it leaves the board; zero = never
	Skills   []ask     // which its text asks for, without a level
	SOC      string    // what its title means
	Sector   string
	Employer string
	Redated  []redating // in order of time
}

// redating is a change of an advert that its board makes without another id.
type redating struct {
	at      time.Time // from when the board shows it
	posted  time.Time // the new date of posting
	skills  []ask     // what the text asks for from then on; nil = as before
	another *vacancy  // to which the id belongs from then on; nil = the vacancy is the same
}

// shownAt returns the vacancy as its board shows it at a moment.
func (v vacancy) shownAt(now time.Time) vacancy {
	for _, r := range v.Redated {
		if r.at.After(now) {
			break
		}
		if r.another != nil {
			v = *r.another
		}
		v.Posted = r.posted
		if r.skills != nil {
			v.Skills = r.skills
		}
	}
	return v
}

// address is where one applies.
func (v vacancy) address() string { return fmt.Sprintf("https://boards.example/jobs/%d", v.ID) }

// at returns the vacancies that a board lists at a moment.
func at(list []vacancy, now time.Time) []vacancy {
	var listed []vacancy
	for _, v := range list {
		if !v.Posted.After(now) && (v.Until.IsZero() || now.Before(v.Until)) {
			listed = append(listed, v.shownAt(now))
		}
	}
	return listed
}

// day returns midnight UTC of a date as written, 2027-10-15.
func day(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t
}

// date writes the day of a moment in UTC.
func date(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// replace puts a record in the place of the one that is, and reports whether there was one.
func replace[T any](list []T, is func(T) bool, with func(T) T) bool {
	i := slices.IndexFunc(list, is)
	if i < 0 {
		return false
	}
	list[i] = with(list[i])
	return true
}
