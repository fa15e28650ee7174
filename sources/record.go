package sources

import "time"

// Record is one typed item from a source. Contact details, recruiters' names and other personal
// data are dropped by the connector: no record has a field for them. The names in JSON are those of
// the platform's feed.
type Record interface{ record() }

// Origin is where an advert was first posted. The zero value is unknown, and
// what is unknown is not counted.
type Origin string

// The origins that the counting rules distinguish.
const (
	OriginUnknown        Origin = ""
	OriginPlatform       Origin = "platform"               // posted on the platform itself
	OriginEmployerBoard  Origin = "employer_board"         // an employer's own applicant-tracking board
	OriginApprenticeship Origin = "find_an_apprenticeship" // the national apprenticeship vacancy service
	OriginJobBoard       Origin = "job_board"              // a job board, or a listing imported from one
	OriginAggregator     Origin = "aggregator"             // an aggregator, or a listing imported from one
)

// Location is where the work is according to the advert: the publisher's values, uncoded. Any
// subset of the fields may be set.
type Location struct {
	Text      string  // free text: "London, UK; Remote"
	Slug      string  // a borough of the platform's feed
	Postcode  string  // as given
	Country   string  // as given: "GB", "United Kingdom", "us"
	Latitude  float64 // degrees north, WGS 84; 0 with Longitude 0 = not given
	Longitude float64 // degrees east, WGS 84
	Remote    bool    // the publisher states that the place of work is free
}

// ListedSkill is a skill that the publisher itself lists (not recognised in text).
type ListedSkill struct {
	Skill string `json:"skill"`           // slug or label as given
	Level int    `json:"level,omitempty"` // 1 to 5; 0 = not stated
}

// Advert is one advert from its publisher, uncoded.
type Advert struct {
	Source      string // key of the source that delivered it
	ID          string // the publisher's id, unique within Source (boards: vendor/board/id)
	Origin      Origin
	Listed      bool   // open to everyone; false for prospect posts and direct links
	Employer    string // name as given; the display name for an anonymous employer
	Title       string
	Requisition string // the employer's own number of the vacancy; "" if not given
	ApplyURL    string // where one applies; "" if not given
	Link        string // the advert's page
	Kind        string // "job", "apprenticeship" or "training"
	Posted      Date   // first published
	Closes      Date   // last day to apply; zero = not stated
	Locations   []Location
	Nationwide  bool   // the whole of England or the United Kingdom, no borough
	Route       string // apprenticeship route or sector, as given
	Department  string // the employer's own department, as given
	SOC         string // SOC 2020, when the publisher codes it; else ""
	CourseLevel int    // apprenticeship level 2 to 7, of what is learnt in it; 0 = none
	SalaryText  string
	Wanted      []ListedSkill // skills stated as a list
	Text        string        // plain text of the advert, markup removed; never leaves the pipeline
}

// SkillLevel is a skill that a resident has, or that a role asked for, with its level.
type SkillLevel struct {
	Skill string `json:"skill"` // slug
	Level int    `json:"level"` // 1 to 5
}

// Borough is a place that the platform serves.
type Borough struct {
	Slug string
	Name string
	Code string // council code of the national statistics office
}

// Resident is a pseudonymous person who is registered with the platform.
type Resident struct {
	ID           string       `json:"id"`      // pseudonym, stable over time
	Borough      string       `json:"borough"` // slug
	SeekingWork  bool         `json:"seeking_work"`
	SectorSought string       `json:"sector_sought,omitempty"` // sector slug; "" = not stated
	Skills       []SkillLevel `json:"skills,omitempty"`
}

// Outcome is the outcome of an application.
type Outcome string

// The outcomes of an application.
const (
	OutcomePending    Outcome = "pending"
	OutcomeHired      Outcome = "hired"
	OutcomeTurnedDown Outcome = "turned_down"
	OutcomeWithdrawn  Outcome = "withdrawn"
)

// AskedSkill is one skill that was asked for in an application, with the applicant's level at that
// time.
type AskedSkill struct {
	Skill         string `json:"skill"`                     // slug
	AskedLevel    int    `json:"asked_level"`               // 1 to 5: the level the role asked
	HeldLevel     int    `json:"held_level"`                // 0 = no record of it; else 1 to 5
	TurnedDownFor bool   `json:"turned_down_for,omitempty"` // named as a reason why the applicant was turned down
}

// Application is one application of a resident to an advert of the platform.
type Application struct {
	ID        string    `json:"id"`
	Resident  string    `json:"resident"` // Resident.ID
	Advert    string    `json:"advert"`   // Advert.ID within the platform's feed
	AppliedAt time.Time `json:"applied_at"`
	Outcome   Outcome   `json:"outcome"`
	// RecordedAt is when the outcome was recorded, by the clock of the place where it was, as one of
	// UTC. Its month is the month in which the person is counted, so that a closed month never changes.
	RecordedAt time.Time    `json:"outcome_recorded_at,omitzero"`
	Skills     []AskedSkill `json:"skills,omitempty"`
}

// Event is something that happened on the platform, for the webhooks and /v1/events.
type Event struct {
	ID         string    `json:"id"`
	Type       string    `json:"type"` // application.created, click.recorded, outcome.recorded, opportunity.published
	OccurredAt time.Time `json:"occurred_at"`
	Partner    string    `json:"partner,omitempty"` // the partner it belongs to; "" = every partner
	Advert     string    `json:"advert,omitempty"`  // Advert.ID, "" when it concerns none
	Borough    string    `json:"borough,omitempty"` // slug, "" when it concerns none
	Outcome    Outcome   `json:"outcome,omitempty"`
}

// PathwayStep is one step of a careers pathway.
type PathwayStep struct {
	Order       int
	Title       string
	Description string
	SOC         string
	Level       int
}

// Standard is an apprenticeship standard.
type Standard struct {
	Code  string
	Title string
	Level int
}

// Pathway is a published careers pathway.
type Pathway struct {
	ID, Slug, Title, Summary, Sector string
	Steps                            []PathwayStep
	Standards                        []Standard
	Updated                          Date
}

// Development is one site with section 106 obligations.
type Development struct {
	ID, Borough            string
	Obligations            int
	JobsCreated            int
	ApprenticeshipsStarted int
	LocalPeopleEmployed    int // people: small-number rule
	TrainingPlaces         int
	ContributionsGBP       int64
}

// Symbol is a publisher's symbol in place of a figure.
type Symbol string

// The meanings of a statistic's value.
const (
	SymbolNone         Symbol = ""              // Value holds
	SymbolUnderFive    Symbol = "under_5"       // defined by the file's notes as fewer than 5 and more than 0
	SymbolNotPublished Symbol = "not_published" // suppressed, unavailable or not applicable
)

// Statistic is one published figure on courses: apprenticeship starts, further
// education enrolments or skills bootcamp starts.
type Statistic struct {
	Source      string // key
	Metric      string // apprenticeship_starts, further_education_enrolments, skills_bootcamp_starts
	Country     string // ISO 3166-1 alpha-2
	RegionCode  string // national statistics code, as published in that year
	RegionName  string
	RegionKind  string // nation, region, council, lsip
	SubjectArea string // "Total" for all subjects
	PeriodStart Date
	PeriodEnd   Date
	Published   Date // date of publication of the edition; zero = not stated
	// Series separates figures that may not be compared: the breakdown and its basis ("full
	// academic year", "academic year to April").
	Series string
	Value  int64
	Symbol Symbol
}

// Area is one area of the official geography.
type Area struct {
	Source     string
	Code       string
	Name       string
	NameWelsh  string // "" when there is none
	Kind       string // nation, region, council, travel_to_work_area, lsip, itl1, itl2, itl3
	NationCode string // "" when it crosses nations
	Edition    string // year of the code list, "2025"
	Slug       string // local skills improvement plan areas only: stable while the code is; else ""
}

// CodeChange is a code change of an area, or of a part of it, from one year's list to the next. An
// area that was split has several, and so has one that was merged from several. From equal to To
// means that the code did not change.
type CodeChange struct {
	Source, Kind string
	From, To     string // codes
	Edition      string // year of the list that has the new code
}

// Boundary is the outline of an area, for placing coordinates.
type Boundary struct {
	Source, Code string
	GeoJSON      []byte // a GeoJSON geometry, WGS 84
}

// Evidence is one published statement behind a figure.
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
	// Embargoed keeps it out of every open table. It waits on "Confirmation of reuse terms
	// of the projections blended in", as the embargoed dataset outlook does, for which it is read.
	Embargoed bool
}

// OccupationGroup is a group of SOC 2020 with its official name.
type OccupationGroup struct {
	Source string
	SOC    string // 1 to 4 digits
	Name   string
}

// OccupationTitle is a job title with its official unit group of SOC 2020.
type OccupationTitle struct {
	Source    string
	SOC       string // 4 digits
	Title     string
	Qualified bool // it holds for one industry or duty only
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

// The records that only the embargoed datasets are made of.

// Ward is one electoral ward with its centre, from which distances are measured.
type Ward struct {
	Source    string
	Code      string // national statistics code: E05, W05, S13 or N08 and six digits
	Name      string
	Council   string  // code of its council
	Latitude  float64 // degrees north, WGS 84
	Longitude float64 // degrees east, WGS 84
	Edition   string  // year of the code list, "2025"
}

// Topic is the subject of a publication on the labour market, from the closed list of its
// connector. In a sentence its underscores are spaces.
type Topic string

// Headline is one publication of a feed on the labour market. It contains none of the publisher's
// words: the connector maps them to topics.
type Headline struct {
	Source    string
	ID        string // the publisher's own, unique within Source
	Published Date
	Topics    []Topic // at least one
	Link      string  // where it can be read
}

// The kinds of Priority.
const (
	PriorityOccupation = "occupation"
	PrioritySector     = "sector"
	PrioritySkill      = "skill"
)

// Priority is one skill, occupation or sector that a plan lists as in demand, coded by the person
// who read the plan.
type Priority struct {
	Source     string
	Plan       string // id of the plan
	Title      string // what the plan is called
	RegionCode string // national statistics code of its area
	Kind       string // occupation, sector or skill
	Code       string // SOC 2020 code of 1 to 4 digits, sector slug or skill slug
	Page       string // "" = not paged
	Published  Date
	Link       string // where the plan can be read
}

func (Ward) record()     {}
func (Headline) record() {}
func (Priority) record() {}
