package snapshots

import (
	"time"

	"labour/snapshots/figure"
)

// JobsRow is a row of the table jobs: a live advert that may be republished.
type JobsRow struct {
	ID         string     `col:"id" doc:"stable id: key of the source that delivered the advert, a colon and the publisher's own id"`
	Type       string     `col:"type" doc:"job, apprenticeship or training"`
	Title      string     `col:"title" doc:"title as shown"`
	Employer   string     `col:"employer" doc:"employer's name as shown"`
	Boroughs   string     `col:"boroughs" doc:"slugs of the served boroughs where the work is, sorted, separated by commas; empty = none of them, or the whole country"`
	Sector     string     `col:"sector" doc:"sector slug; empty = not known"`
	SOC        string     `col:"soc" doc:"SOC 2020 unit group, 4 digits; the minor or sub-major group, 3 or 2 digits, if the advert does not tell the unit group; empty = not known"`
	SalaryText *string    `col:"salary_text" doc:"the pay, as shown; null = not stated"`
	PostedAt   time.Time  `col:"posted_at" is:"moment" doc:"when it was first posted; midnight if only the day is known"`
	FirstSeen  time.Time  `col:"first_seen" is:"moment" doc:"time of the fetch with which the advert came into this table; carried from the snapshot that was current when this one was begun, so snapshots that were never current do not count"`
	ClosesOn   *time.Time `col:"closes_on" doc:"last day to apply, on or after as_of; null = not stated"`
	Link       *string    `col:"link" doc:"the advert's page; null = none"`
	SourceKey  string     `col:"source_key" doc:"key of the source under whose terms it is shown"`
}

// PathwaysRow is a row of the table pathways: a careers pathway of the platform.
type PathwaysRow struct {
	ID        string    `col:"id" doc:"the platform's id of the pathway"`
	Slug      string    `col:"slug" doc:"the pathway's name in addresses"`
	Title     string    `col:"title" doc:"title as shown"`
	Summary   string    `col:"summary" doc:"what it is about; may be empty"`
	Sector    string    `col:"sector" doc:"sector slug"`
	UpdatedOn time.Time `col:"updated_on" doc:"the day of the last change"`
}

// PathwayStepsRow is a row of the table pathway_steps: one step of a careers pathway.
type PathwayStepsRow struct {
	Pathway     string  `col:"pathway" doc:"id of the pathway"`
	Position    int16   `col:"position" doc:"place of the step among those of the pathway, from 1 without gaps"`
	Step        int16   `col:"step" doc:"number of the step as the platform gives it, from 1"`
	Title       string  `col:"title" doc:"title of the step"`
	Description string  `col:"description" doc:"what the step is; may be empty"`
	SOC         *string `col:"soc" doc:"SOC 2020 unit group that the step leads to; null = not stated"`
	Level       *int8   `col:"level" doc:"level of the step's qualification, 1 to 8; null = none"`
}

// PathwayStandardsRow is a row of the table pathway_standards: an apprenticeship standard that
// belongs to a careers pathway.
type PathwayStandardsRow struct {
	Pathway string `col:"pathway" doc:"id of the pathway"`
	Code    string `col:"code" doc:"code of the standard, such as ST0316"`
	Title   string `col:"title" doc:"title of the standard"`
	Level   int8   `col:"level" doc:"level of the standard, 2 to 7"`
}

// The values of the column dimension in the table candidates. They state how a row selects the
// residents that it counts.
const (
	// CandidatesTotal marks the row that counts all residents. The column value is empty.
	CandidatesTotal = "all"
	// CandidatesByBorough marks a row that counts the residents of one borough. The column value
	// has the borough's place slug.
	CandidatesByBorough = "borough"
	// CandidatesByLevel marks a row that counts the residents with the same highest level. The
	// column value has that level, 1 to 5.
	CandidatesByLevel = "level"
	// CandidatesBySector marks a row that counts the residents who seek work in one sector. The
	// column value has the sector's slug.
	CandidatesBySector = "sector_sought"
	// CandidatesSeekingWork marks a row that counts all residents who seek work. The column value
	// is empty.
	CandidatesSeekingWork = "seeking_work"
)

// CandidatesRow is a row of the table candidates: the number of residents in one group.
// SetResidents sets the number and its status together, so that they cannot disagree.
type CandidatesRow struct {
	Dimension       string        `col:"dimension" doc:"all, borough, level (the highest on record), sector_sought or seeking_work"`
	Value           string        `col:"value" doc:"place slug, level from 1 to 5 or sector slug; empty for all and seeking_work"`
	Residents       *int32        `col:"residents" unit:"people" doc:"residents; 0 or a multiple of 5, exact from 5 on if the manifest has protection plain"`
	ResidentsStatus figure.Status `col:"residents_status" doc:"number, under_5 (a count from 1 to 4), or empty (not published)"`
}

// SetResidents sets the number of residents in the group. It also sets the status, which states
// whether the count is a number, "<5" or not published.
func (r *CandidatesRow) SetResidents(c figure.Count) {
	r.Residents, r.ResidentsStatus = figure.ValueOf[int32](c), c.Status()
}

// Count returns the published count of residents. It returns an error if the number and its status
// contradict each other.
func (r CandidatesRow) Count() (figure.Count, error) {
	return figure.ParseCount(r.Residents, r.ResidentsStatus)
}

// S106Row is a row of the table s106: totals for the section 106 sites of a place. A section 106
// site is a development whose developer has agreed obligations, for example to train local people.
type S106Row struct {
	Place            string `col:"place" doc:"place slug; empty = the whole platform"`
	Developments     int64  `col:"developments" unit:"developments" doc:"sites with obligations"`
	Obligations      int64  `col:"obligations" unit:"obligations" doc:"obligations of the sites"`
	TrainingPlaces   int64  `col:"training_places" unit:"places" doc:"training places"`
	ContributionsGBP int64  `col:"contributions_gbp" unit:"pounds sterling" doc:"contributions in whole pounds"`
}

// S106PeopleRow is a row of the table s106_people: counts of people for the section 106 sites of a
// place. Each of its methods SetJobsCreated, SetApprenticeshipsStarted and SetLocalPeopleEmployed
// sets a number and its status together, so that they cannot disagree.
type S106PeopleRow struct {
	Place                        string        `col:"place" doc:"place slug; empty = the whole platform"`
	JobsCreated                  *int64        `col:"jobs_created" unit:"jobs" doc:"jobs created; rounded like counts of people, because they limit how many people are employed: 0 or a multiple of 5, exact from 5 on if the manifest has protection plain"`
	JobsCreatedStatus            figure.Status `col:"jobs_created_status" doc:"number, under_5 (a count from 1 to 4), or empty (not published)"`
	ApprenticeshipsStarted       *int64        `col:"apprenticeships_started" unit:"apprenticeships" doc:"apprenticeships started; 0 or a multiple of 5, exact from 5 on if the manifest has protection plain"`
	ApprenticeshipsStartedStatus figure.Status `col:"apprenticeships_started_status" doc:"number, under_5 (a count from 1 to 4), or empty (not published)"`
	LocalPeopleEmployed          *int64        `col:"local_people_employed" unit:"people" doc:"local people employed; 0 or a multiple of 5, exact from 5 on if the manifest has protection plain"`
	LocalPeopleEmployedStatus    figure.Status `col:"local_people_employed_status" doc:"number, under_5 (a count from 1 to 4), or empty (not published)"`
}

// SetJobsCreated sets the number of jobs created. It also sets the status, which states whether the
// count is a number, "<5" or not published.
func (r *S106PeopleRow) SetJobsCreated(c figure.Count) {
	r.JobsCreated, r.JobsCreatedStatus = c.Value(), c.Status()
}

// SetLocalPeopleEmployed sets the number of local people employed. It also sets the status, which
// states whether the count is a number, "<5" or not published.
func (r *S106PeopleRow) SetLocalPeopleEmployed(c figure.Count) {
	r.LocalPeopleEmployed, r.LocalPeopleEmployedStatus = c.Value(), c.Status()
}

// SetApprenticeshipsStarted sets the number of apprenticeships started. It also sets the status,
// which states whether the count is a number, "<5" or not published.
func (r *S106PeopleRow) SetApprenticeshipsStarted(c figure.Count) {
	r.ApprenticeshipsStarted, r.ApprenticeshipsStartedStatus = c.Value(), c.Status()
}

// EventsRow is a row of the table events: something that happened on the platform, such as a
// published advert.
type EventsRow struct {
	ID         string    `col:"id" doc:"the platform's id of the event"`
	Type       string    `col:"type" doc:"application.created, click.recorded, outcome.recorded or opportunity.published"`
	OccurredAt time.Time `col:"occurred_at" is:"moment" doc:"when it happened"`
	Partner    string    `col:"partner" doc:"always empty in a snapshot; in a partner's file, the only partner that may see the event"`
	Advert     *string   `col:"advert" doc:"the platform's id of the advert that it is about; null = none"`
	Borough    *string   `col:"borough" doc:"slug of the borough that it is about; null = none"`
	Outcome    *string   `col:"outcome" doc:"pending, hired, turned_down or withdrawn; null = the event is not an outcome"`
}

// IsVisible reports whether any reader may see the event. Everybody may see an event that is not
// about a person. Only the event's partner may see an event about a person: an application, an
// outcome, or any event with an outcome. If such an event has no partner, nobody may see it.
func (r EventsRow) IsVisible() bool {
	isPersonal := r.Type == "application.created" || r.Type == "outcome.recorded" || r.Outcome != nil
	return r.Partner != "" || !isPersonal
}
