package api

// List is the answer of the endpoints beside the labour data that give rows.
type List[R any, M any] struct {
	Data []R `json:"data" nullable:"false" doc:"The rows."`
	Meta M   `json:"meta" doc:"About this response."`
}

// One is the answer of those that give one object.
type One[D any, M any] struct {
	Data D `json:"data" doc:"The object."`
	Meta M `json:"meta" doc:"About this response."`
}

// SnapshotMeta says which data answered, where nothing is paged.
type SnapshotMeta struct {
	AsOf      Date      `json:"as_of" doc:"The date the data describes."`
	Generated Timestamp `json:"generated" doc:"When this response was built."`
	Snapshot  string    `json:"snapshot" example:"2026-11-20.1" doc:"The snapshot that answered."`
}

// CountMeta is SnapshotMeta for an unpaged list.
type CountMeta struct {
	SnapshotMeta
	Returned int `json:"returned" minimum:"0" doc:"Number of rows."`
}

// ResidentsMeta is SnapshotMeta where people are counted.
type ResidentsMeta struct {
	SnapshotMeta
	PeopleAsOf MaybeDate `json:"people_as_of" doc:"The month end that the counts of people describe; they stay as they are until the next one, since the difference of two days is a handful of people. null without any."`
}

// EventsMeta is the metadata of events.
type EventsMeta struct {
	SnapshotMeta
	Page     int    `json:"page" minimum:"1" doc:"The page, from 1."`
	Limit    int    `json:"limit" minimum:"1" maximum:"200" doc:"The page size applied. It is lower than the one you asked for when that was above the maximum."`
	Returned int    `json:"returned" minimum:"0" doc:"Number of rows in this page."`
	Total    int64  `json:"total" minimum:"0" doc:"The count of all events matching the same filters including since."`
	Note     string `json:"note,omitempty" doc:"There only when your partner's own events are missing from this answer: the server that answered does not have them."`
}

// JobsRow is one live advert. The specification leaves its fields open.
type JobsRow struct {
	ID                   string    `json:"id" example:"platform:ad-1002" doc:"Stable identifier."`
	Type                 string    `json:"type" enum:"job,apprenticeship,training" doc:"What is advertised."`
	Title                string    `json:"title" example:"Care worker" doc:"Title as the employer shows it."`
	Employer             string    `json:"employer" example:"Example Care Ltd" doc:"The employer's name as shown."`
	Borough              *string   `json:"borough" example:"camden" doc:"Slug of the borough where the work is; of several the first that was asked for. null when it is in none that is served."`
	BoroughName          *string   `json:"borough_name" example:"Camden" doc:"Name of the borough."`
	Sector               *string   `json:"sector" example:"care-services" doc:"Sector slug; null when it is not known."`
	SOC                  *string   `json:"soc" example:"6135" doc:"Occupation, SOC 2020 unit group; null when it is not known."`
	SalaryText           *string   `json:"salary_text" example:"£12.60 an hour" doc:"The pay, as shown; null when it is not stated."`
	PostedAt             Timestamp `json:"posted_at" doc:"When it was first posted; midnight UTC where only the day is known."`
	FirstSeenAt          Timestamp `json:"first_seen_at" doc:"When the service first showed it; posted_at in data of before this was recorded. Of adverts posted on one day, those that came last stand in front."`
	ClosesOn             MaybeDate `json:"closes_on" doc:"Last day to apply; null when it is not stated."`
	Link                 *string   `json:"link" example:"https://works.example/jobs/1002" doc:"The advert's page; null when it has none."`
	SourceKey            string    `json:"source_key" example:"platform" doc:"Key of the source under whose terms the advert is shown."`
	AttributionStatement string    `json:"attribution_statement" example:"Source: Example Works." doc:"Text that must be displayed, word for word, with this advert."`
}

// PathwaysRow is one careers pathway.
type PathwaysRow struct {
	ID        string     `json:"id" example:"pw-1" doc:"Stable identifier."`
	Slug      string     `json:"slug" example:"into-care" doc:"The pathway's name in addresses."`
	Title     string     `json:"title" example:"Into care" doc:"Title."`
	Summary   string     `json:"summary" doc:"What it is about; may be empty."`
	Sector    string     `json:"sector" example:"care-services" doc:"Sector slug."`
	Steps     []Step     `json:"steps" nullable:"false" doc:"The steps, in order."`
	Standards []Standard `json:"apprenticeship_standards" nullable:"false" doc:"Apprenticeship standards on the way, by code."`
	UpdatedOn Date       `json:"updated_on" doc:"The day of the last change."`
}

// Step is one step of a pathway.
type Step struct {
	Order       int     `json:"order" minimum:"1" doc:"Number of the step."`
	Title       string  `json:"title" doc:"Title of the step."`
	Description string  `json:"description" doc:"What the step is; may be empty."`
	SOC         *string `json:"soc" example:"6135" doc:"Occupation that the step leads to, SOC 2020 unit group; null when it leads to none."`
	Level       *int    `json:"level" minimum:"1" maximum:"8" doc:"Level of the step's qualification; null when it has none."`
}

// Standard is an apprenticeship standard.
type Standard struct {
	Code  string `json:"code" example:"ST0005" doc:"Code of the standard."`
	Title string `json:"title" example:"Adult care worker" doc:"Title of the standard."`
	Level int    `json:"level" minimum:"2" maximum:"7" doc:"Level of the standard."`
}

// Candidates is the summary of residents. Each breakdown adds up to no more than
// the total; people without a record of it are in the total alone.
type Candidates struct {
	Residents      Count                 `json:"residents" doc:"Residents who are registered. Every count here is null when they are fewer than 10."`
	SeekingWork    Count                 `json:"seeking_work" doc:"Those who seek work."`
	ByBorough      []CandidatesOfBorough `json:"by_borough" nullable:"false" doc:"By borough, every served one."`
	ByLevel        []CandidatesOfLevel   `json:"by_level" nullable:"false" doc:"By the highest level of any skill on record, every level."`
	BySectorSought []CandidatesOfSector  `json:"by_sector_sought" nullable:"false" doc:"By the sector in which they seek work, every sector."`
}

// CandidatesOfBorough is the residents of one borough.
type CandidatesOfBorough struct {
	Borough     string `json:"borough" example:"camden" doc:"Place slug."`
	BoroughName string `json:"borough_name" example:"Camden" doc:"Name of the borough."`
	Residents   Count  `json:"residents" doc:"Residents."`
}

// CandidatesOfLevel is the residents whose highest level it is.
type CandidatesOfLevel struct {
	Level     int    `json:"level" minimum:"1" maximum:"5" doc:"Level."`
	LevelName string `json:"level_name" example:"Working" doc:"Name of the level."`
	Residents Count  `json:"residents" doc:"Residents."`
}

// CandidatesOfSector is the residents who seek work in one sector.
type CandidatesOfSector struct {
	Sector     string `json:"sector" example:"digital" doc:"Sector slug."`
	SectorName string `json:"sector_name" example:"Digital" doc:"Name of the sector."`
	Residents  Count  `json:"residents" doc:"Residents."`
}

// S106 is headline counts of section 106 obligations.
type S106 struct {
	Developments           int64 `json:"developments" minimum:"0" doc:"Sites with obligations."`
	Obligations            int64 `json:"obligations" minimum:"0" doc:"Obligations of the sites."`
	JobsCreated            int64 `json:"jobs_created" minimum:"0" doc:"Jobs created."`
	ApprenticeshipsStarted Count `json:"apprenticeships_started" doc:"Apprenticeships started: people, so rounded to the nearest 5."`
	LocalPeopleEmployed    Count `json:"local_people_employed" doc:"Local people employed: people, so rounded to the nearest 5."`
	TrainingPlaces         int64 `json:"training_places" minimum:"0" doc:"Training places."`
	ContributionsGBP       int64 `json:"contributions_gbp" minimum:"0" doc:"Contributions in whole pounds."`
}

// EventsRow is one thing that happened.
type EventsRow struct {
	ID         string    `json:"id" example:"ev-1" doc:"Stable identifier, the same as in webhooks."`
	Type       string    `json:"type" enum:"application.created,click.recorded,outcome.recorded,opportunity.published" doc:"What happened."`
	OccurredAt Timestamp `json:"occurred_at" doc:"When it happened."`
	Data       EventData `json:"data" doc:"What it concerns, the same as in webhooks. No event names a person."`
}

// EventData is what an event concerns; what is not known is left out.
type EventData struct {
	Advert  *string `json:"advert,omitempty" nullable:"false" example:"ad-1002" doc:"The platform's id of the advert that it concerns."`
	Borough *string `json:"borough,omitempty" nullable:"false" example:"camden" doc:"Slug of the borough that it concerns."`
	Outcome *string `json:"outcome,omitempty" nullable:"false" enum:"pending,hired,turned_down,withdrawn" doc:"The outcome that was recorded."`
}
