package sources

import "time"

// Record is one item read from a source, for example an Advert or an Application. No record has a
// field for personal data such as contact details or recruiters' names.
type Record interface{ record() }

// Origin is where an advert was first posted. Adverts of unknown origin, the zero value, are not
// counted.
type Origin string

// The origins that the rules for counting adverts distinguish.
const (
	OriginUnknown        Origin = ""
	OriginPlatform       Origin = "platform"               // posted on the platform itself
	OriginEmployerBoard  Origin = "employer_board"         // an employer's own applicant-tracking board
	OriginApprenticeship Origin = "find_an_apprenticeship" // the national apprenticeship vacancy service
	OriginJobBoard       Origin = "job_board"              // a job board, or a listing imported from one
	OriginAggregator     Origin = "aggregator"             // an aggregator, or a listing imported from one
)

// Location is a place of work as the publisher gives it. Any of the fields may be empty.
type Location struct {
	Text      string  // free text: "London, UK; Remote"
	Slug      string  // borough slug in the platform's feed
	Postcode  string  // as the publisher gives it
	Country   string  // as the publisher gives it: "GB", "United Kingdom", "us"
	Latitude  float64 // degrees north, WGS 84; 0 together with Longitude 0 = not given
	Longitude float64 // degrees east, WGS 84
	Remote    bool    // the publisher states that the work can be done from anywhere
}

// ListedSkill is a skill that the publisher lists in a separate field, not one recognised in the
// text.
type ListedSkill struct {
	Skill string `json:"skill"`           // slug or label as the publisher gives it
	Level int    `json:"level,omitempty"` // 1 to 5; 0 = not stated
}

// Advert is one advert as published, before it is coded to occupations, skills and areas.
type Advert struct {
	Source      string // key of the source that delivered it
	ID          string // the publisher's id, unique within Source (boards: vendor/board/id)
	Origin      Origin
	Listed      bool   // open to everyone; false for prospect posts and direct links
	Employer    string // name as published; the display name for an anonymous employer
	Title       string
	Requisition string // the employer's own number of the vacancy; "" if not given
	ApplyURL    string // where to apply; "" if not given
	Link        string // the advert's page
	Kind        string // "job", "apprenticeship" or "training"
	Posted      Date   // date of first publication
	Closes      Date   // last day to apply; zero = not stated
	Locations   []Location
	Nationwide  bool   // anywhere in England or the United Kingdom, without a borough
	Route       string // apprenticeship route or sector, as published
	Department  string // the employer's own department, as published
	SOC         string // SOC 2020, if the publisher codes it; else ""
	CourseLevel int    // apprenticeship level of the course, 2 to 7; 0 = none
	SalaryText  string
	Wanted      []ListedSkill // skills that the publisher lists
	Text        string        // plain text of the advert without markup; never leaves the pipeline
}

// SkillLevel is a skill with a level from 1 to 5. It is either a resident's skill or one that a
// role requires.
type SkillLevel struct {
	Skill string `json:"skill"` // slug of the skill
	Level int    `json:"level"` // 1 to 5
}

// Borough is a council area that the platform serves.
type Borough struct {
	Slug string
	Name string
	Code string // council code of the national statistics office
}

// Resident is a person registered with the platform, under a pseudonym.
type Resident struct {
	ID           string       `json:"id"`      // pseudonym, stable over time
	Borough      string       `json:"borough"` // slug of the borough
	SeekingWork  bool         `json:"seeking_work"`
	SectorSought string       `json:"sector_sought,omitempty"` // sector slug; "" = not stated
	Skills       []SkillLevel `json:"skills,omitempty"`
}

// Outcome is the result of an application: pending, hired, turned down or withdrawn.
type Outcome string

// The possible results of an application.
const (
	OutcomePending    Outcome = "pending"
	OutcomeHired      Outcome = "hired"
	OutcomeTurnedDown Outcome = "turned_down"
	OutcomeWithdrawn  Outcome = "withdrawn"
)

// RequiredSkill is one skill that a role required, with the applicant's level at the time of the
// application.
type RequiredSkill struct {
	Skill         string `json:"skill"`                     // slug of the skill
	AskedLevel    int    `json:"asked_level"`               // the level that the role required, 1 to 5
	HeldLevel     int    `json:"held_level"`                // 1 to 5; 0 = no record of it
	TurnedDownFor bool   `json:"turned_down_for,omitempty"` // named as a reason why the applicant was turned down
}

// Application is one resident's application for an advert of the platform.
type Application struct {
	ID        string    `json:"id"`
	Resident  string    `json:"resident"` // Resident.ID
	Advert    string    `json:"advert"`   // Advert.ID within the platform's feed
	AppliedAt time.Time `json:"applied_at"`
	Outcome   Outcome   `json:"outcome"`
	// RecordedAt is when the outcome was recorded: the local clock time, stored as if it were UTC.
	// The applicant is counted in the month of this time, so that the counts of a past month never
	// change.
	RecordedAt time.Time       `json:"outcome_recorded_at,omitzero"`
	Skills     []RequiredSkill `json:"skills,omitempty"`
}

// Event is something that happened on the platform, for example a new application. Partners receive
// events by webhook and from /v1/events.
type Event struct {
	ID         string    `json:"id"`
	Type       string    `json:"type"` // application.created, click.recorded, outcome.recorded, opportunity.published
	OccurredAt time.Time `json:"occurred_at"`
	Partner    string    `json:"partner,omitempty"` // name of the only partner that may see the event; "" = every partner
	Advert     string    `json:"advert,omitempty"`  // Advert.ID, "" if it concerns none
	Borough    string    `json:"borough,omitempty"` // slug, "" if it concerns none
	Outcome    Outcome   `json:"outcome,omitempty"`
}

// PathwayStep is one step of a careers pathway (a route into work), for example a job.
type PathwayStep struct {
	Order       int
	Title       string
	Description string
	SOC         string
	Level       int
}

// Standard is an apprenticeship standard: the official description of an apprenticeship for one
// occupation.
type Standard struct {
	Code  string
	Title string
	Level int
}

// Pathway is a published careers pathway: a route into work with its steps.
type Pathway struct {
	ID, Slug, Title, Summary, Sector string
	Steps                            []PathwayStep
	Standards                        []Standard
	Updated                          Date
}

// Development is one building site with section 106 obligations (a developer's duties to the local
// community).
type Development struct {
	ID, Borough            string
	Obligations            int
	JobsCreated            int
	ApprenticeshipsStarted int
	LocalPeopleEmployed    int // number of people; small numbers are protected when it is published
	TrainingPlaces         int
	ContributionsGBP       int64
}

// Symbol is the publisher's mark in place of a figure, for example for a suppressed figure. It is
// "" if there is a figure.
type Symbol string

// The marks that a statistic may have in place of a figure.
const (
	SymbolNone         Symbol = ""              // Value holds a number
	SymbolUnderFive    Symbol = "under_5"       // defined by the file's notes as fewer than 5 and more than 0
	SymbolNotPublished Symbol = "not_published" // suppressed, unavailable or not applicable
)

// Statistic is one published figure on courses, for example the apprenticeship starts of a region
// in a year.
type Statistic struct {
	Source      string // key of the source
	Metric      string // apprenticeship_starts, further_education_enrolments, skills_bootcamp_starts
	Country     string // ISO 3166-1 alpha-2
	RegionCode  string // national statistics code, as published in that year
	RegionName  string
	RegionKind  string // nation, region, council, lsip
	SubjectArea string // "Total" for all subjects
	PeriodStart Date
	PeriodEnd   Date
	Published   Date // date of publication of the edition; zero = not stated
	// Series separates figures that must not be compared: the breakdown and its basis ("full
	// academic year", "academic year to April").
	Series string
	Value  int64
	Symbol Symbol
}

// Area is one official geographical area, for example a council or a region.
type Area struct {
	Source     string
	Code       string
	Name       string
	NameWelsh  string // "" if there is none
	Kind       string // nation, region, council, travel_to_work_area, lsip, itl1, itl2, itl3
	NationCode string // "" if the area crosses nations
	Edition    string // year of the code list, "2025"
	Slug       string // only for local skills improvement plan areas, stable as long as the code is; else ""
}

// CodeChange records that an area, or part of it, got a new code from one year to the next. An area
// that was split or merged has several records. From equals To if the code did not change.
type CodeChange struct {
	Source, Kind string
	From, To     string // code in the earlier and in the later year
	Edition      string // year of the list with the new code
}

// Boundary is the outline of an area, for finding the area that contains a point.
type Boundary struct {
	Source, Code string
	GeoJSON      []byte // a GeoJSON geometry, WGS 84
}

// Evidence is one published statement that supports a figure, for example a projection for an
// occupation.
type Evidence struct {
	Source      string
	ID          string // unique within Source, stable over editions
	Published   Date
	Title       string
	Statement   string
	Kind        string // statistic, projection, report, news
	Signal      string // gap, no_gap, none
	SOC         string
	Class       string // SOC2020 or SOC2018-US
	Occupation  string
	RegionCode  string
	Country     string
	Link        string
	BaseYear    int
	HorizonYear int
	ChangePct   *float64 // projected change over the period, per cent
	Openings    *int64   // projected openings over the period
	// Embargoed keeps the record out of every open table. It waits on "Confirmation of reuse terms
	// of the projections blended in", like the embargoed dataset outlook, which uses it.
	Embargoed bool
}

// OccupationGroup is a group of the Standard Occupational Classification 2020 (SOC 2020) with its
// official name.
type OccupationGroup struct {
	Source string
	SOC    string // 1 to 4 digits
	Name   string
}

// OccupationTitle is a job title with the SOC 2020 unit group that it officially belongs to.
type OccupationTitle struct {
	Source    string
	SOC       string // 4 digits
	Title     string
	Qualified bool // the title is valid for one industry or duty only
}

func (OccupationGroup) record() {}
func (OccupationTitle) record() {}

func (Advert) record()      {}
func (Borough) record()     {}
func (Resident) record()    {}
func (Application) record() {}
func (Event) record()       {}
func (Pathway) record()     {}
func (Development) record() {}
func (Statistic) record()   {}
func (Area) record()        {}
func (CodeChange) record()  {}
func (Boundary) record()    {}
func (Evidence) record()    {}

// The records that are used only for the embargoed datasets.

// Ward is an electoral ward with the coordinates of its centre, for measuring distances.
type Ward struct {
	Source    string
	Code      string // national statistics code: E05, W05, S13 or N08 and six digits
	Name      string
	Council   string  // code of its council
	Latitude  float64 // degrees north, WGS 84
	Longitude float64 // degrees east, WGS 84
	Edition   string  // year of the code list, "2025"
}

// Topic is a subject of labour market news, from a fixed list, such as "job_losses". Underscores
// stand for spaces.
type Topic string

// Headline is one item of a labour market news feed: its topics, day and link. It contains none of
// the publisher's words.
type Headline struct {
	Source    string
	ID        string // the publisher's own id, unique within Source
	Published Date
	Topics    []Topic // at least one
	Link      string  // page of the publication
}

// The values of Priority.Kind: what kind of thing a plan lists.
const (
	PriorityOccupation = "occupation"
	PrioritySector     = "sector"
	PrioritySkill      = "skill"
)

// Priority is one skill, occupation or sector that a local plan lists as in demand. A person read
// the plan and recorded the code.
type Priority struct {
	Source     string
	Plan       string // id of the plan
	Title      string // title of the plan
	RegionCode string // national statistics code of the plan's area
	Kind       string // occupation, sector or skill
	Code       string // SOC 2020 code of 1 to 4 digits, sector slug or skill slug
	Page       string // "" = no page given
	Published  Date
	Link       string // page of the plan
}

func (Ward) record()     {}
func (Headline) record() {}
func (Priority) record() {}
