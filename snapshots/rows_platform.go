package snapshots

import (
	"time"

	"labour/snapshots/figure"
)

// JobsRow is a row of the table jobs.
type JobsRow struct {
	ID         string     `col:"id"`
	Type       string     `col:"type"`
	Title      string     `col:"title"`
	Employer   string     `col:"employer"`
	Boroughs   string     `col:"boroughs"`
	Sector     string     `col:"sector"`
	SOC        string     `col:"soc"`
	SalaryText *string    `col:"salary_text"`
	PostedAt   time.Time  `col:"posted_at"`
	ClosesOn   *time.Time `col:"closes_on"`
	Link       *string    `col:"link"`
	SourceKey  string     `col:"source_key"`
}

// PathwaysRow is a row of the table pathways.
type PathwaysRow struct {
	ID        string    `col:"id"`
	Slug      string    `col:"slug"`
	Title     string    `col:"title"`
	Summary   string    `col:"summary"`
	Sector    string    `col:"sector"`
	UpdatedOn time.Time `col:"updated_on"`
}

// PathwayStepsRow is a row of the table pathway_steps.
type PathwayStepsRow struct {
	Pathway     string  `col:"pathway"`
	Position    int16   `col:"position"`
	Step        int16   `col:"step"`
	Title       string  `col:"title"`
	Description string  `col:"description"`
	SOC         *string `col:"soc"`
	Level       *int8   `col:"level"`
}

// PathwayStandardsRow is a row of the table pathway_standards.
type PathwayStandardsRow struct {
	Pathway string `col:"pathway"`
	Code    string `col:"code"`
	Title   string `col:"title"`
	Level   int8   `col:"level"`
}

// CandidatesRow is a row of the table candidates. Use SetResidents, so that the
// number and its status cannot disagree.
type CandidatesRow struct {
	Dimension       string        `col:"dimension"`
	Value           string        `col:"value"`
	Residents       *int32        `col:"residents"`
	ResidentsStatus figure.Status `col:"residents_status"`
}

// SetResidents puts a printed count into its two columns.
func (r *CandidatesRow) SetResidents(c figure.Count) {
	r.Residents, r.ResidentsStatus = nil, c.Status()
	if n, ok := c.Number(); ok {
		v := int32(n)
		r.Residents = &v
	}
}

// Count is the printed count. The error is for columns that disagree.
func (r CandidatesRow) Count() (figure.Count, error) {
	var n *int64
	if r.Residents != nil {
		v := int64(*r.Residents)
		n = &v
	}
	return figure.Parse(n, r.ResidentsStatus)
}

// S106Row is a row of the table s106. Use SetEmployed, so that the number and its
// status cannot disagree.
type S106Row struct {
	Place                     string        `col:"place"`
	Developments              int64         `col:"developments"`
	Obligations               int64         `col:"obligations"`
	JobsCreated               int64         `col:"jobs_created"`
	ApprenticeshipsStarted    int64         `col:"apprenticeships_started"`
	LocalPeopleEmployed       *int64        `col:"local_people_employed"`
	LocalPeopleEmployedStatus figure.Status `col:"local_people_employed_status"`
	TrainingPlaces            int64         `col:"training_places"`
	ContributionsGBP          int64         `col:"contributions_gbp"`
}

// SetEmployed puts a printed count into its two columns.
func (r *S106Row) SetEmployed(c figure.Count) {
	r.LocalPeopleEmployed, r.LocalPeopleEmployedStatus = c.Value(), c.Status()
}

// Employed is the printed count of local people employed. The error is for
// columns that disagree.
func (r S106Row) Employed() (figure.Count, error) {
	return figure.Parse(r.LocalPeopleEmployed, r.LocalPeopleEmployedStatus)
}

// EventsRow is a row of the table events.
type EventsRow struct {
	ID         string    `col:"id"`
	Type       string    `col:"type"`
	OccurredAt time.Time `col:"occurred_at"`
	Partner    string    `col:"partner"`
	Advert     *string   `col:"advert"`
	Borough    *string   `col:"borough"`
	Outcome    *string   `col:"outcome"`
}
