package sources

import "time"

// Record is one item read from a source, for example an Advert or an Application. No record has a
// field for a person's name or contact details.
type Record interface{ record() }

// Origin is where an advert was first posted, for example on an employer's own board. Adverts of
// unknown origin are not counted.
type Origin string

const (
	// OriginUnknown is for adverts of unknown origin. They are not counted.
	OriginUnknown Origin = ""
	// OriginPlatform is for adverts that were first posted on the platform.
	OriginPlatform Origin = "platform"
	// OriginEmployerBoard is for adverts from an employer's own careers site.
	OriginEmployerBoard Origin = "employer_board"
	// OriginApprenticeship is for adverts from the national apprenticeship vacancy service.
	OriginApprenticeship Origin = "find_an_apprenticeship"
	// OriginJobBoard is for adverts from a job board, or copied from one. They are not counted.
	OriginJobBoard Origin = "job_board"
	// OriginAggregator is for adverts from an aggregator, or copied from one. They are not counted.
	OriginAggregator Origin = "aggregator"
)

// Location is a place of work as the publisher gives it. Any field may be empty.
type Location struct {
	Text      string  // free text, such as "London, UK; Remote"
	Slug      string  // slug of a borough in the platform's feed, such as camden
	Postcode  string  // postcode as the publisher writes it
	Country   string  // country as the publisher writes it, such as "GB", "United Kingdom" or "us"
	Latitude  float64 // degrees north, WGS 84; 0 with Longitude 0 = not given
	Longitude float64 // degrees east of Greenwich, WGS 84
	Remote    bool    // whether the publisher states that the work can be done from anywhere
}

// ListedSkill is a skill that the publisher lists in a separate field of an advert. Skills
// recognised in the advert's text are not ListedSkills.
type ListedSkill struct {
	Skill string `json:"skill"`           // slug or name of the skill as the publisher writes it
	Level int    `json:"level,omitempty"` // required level, 1 to 5; 0 = not stated
}

// Advert is one advert as published. The pipeline has not yet assigned an occupation, skills or
// areas to it.
type Advert struct {
	Source      string // key of the source that delivered the advert
	ID          string // publisher's id, unique within Source; for boards vendor/board/id
	Origin      Origin
	Listed      bool   // whether the advert is open to everyone; false for unlisted adverts
	Employer    string // name as published; for an anonymous employer, the text shown instead
	Title       string
	Requisition string // employer's own reference number of the vacancy; "" if not given
	ApplyURL    string // address at which to apply; "" if not given
	Link        string // address of the advert's web page
	Kind        string // what is advertised: "job", "apprenticeship" or "training"
	Posted      Date   // day of first publication
	Closes      Date   // last day to apply; the zero Date if not stated
	Locations   []Location
	Nationwide  bool   // whether the vacancy is for all of England or the UK, not for single places
	Route       string // apprenticeship route or sector as published
	Department  string // employer's own name of the department, as published
	SOC         string // SOC 2020 code, if the publisher assigns one; else ""
	CourseLevel int    // level of an apprenticeship's course, 2 to 7; 0 = none
	SalaryText  string
	Wanted      []ListedSkill // skills that the publisher lists in a field of the advert
	Text        string        // text of the advert without markup; it never leaves the pipeline
}

// SkillLevel is a skill with a level from 1 to 5. It describes a skill of a resident or a
// requirement of a role.
type SkillLevel struct {
	Skill string `json:"skill"` // slug of the skill, such as excel
	Level int    `json:"level"` // level of the skill, 1 to 5
}

// Borough is a council area that the platform serves, for example Camden.
type Borough struct {
	Slug string
	Name string
	Code string // council code of the Office for National Statistics, such as E09000007
}

// Resident is a person registered with the platform. A pseudonym identifies the person.
type Resident struct {
	ID          string `json:"id"`      // pseudonym, which stays the same in every delivery
	Borough     string `json:"borough"` // slug of the borough where the resident lives
	SeekingWork bool   `json:"seeking_work"`
	// slug of the sector in which the resident seeks work; "" = not stated
	SectorSought string       `json:"sector_sought,omitempty"`
	Skills       []SkillLevel `json:"skills,omitempty"`
}

// ApplicationOutcome is the result of an application: pending, hired, turned down or withdrawn.
type ApplicationOutcome string

// Possible values of ApplicationOutcome. A pending application has not been decided yet.
const (
	OutcomePending    ApplicationOutcome = "pending"
	OutcomeHired      ApplicationOutcome = "hired"
	OutcomeTurnedDown ApplicationOutcome = "turned_down"
	OutcomeWithdrawn  ApplicationOutcome = "withdrawn"
)

// RequiredSkill is a skill that a role required. It also has the applicant's level in this skill
// when they applied.
type RequiredSkill struct {
	Skill      string `json:"skill"`       // slug of the skill, such as excel
	AskedLevel int    `json:"asked_level"` // level that the role required, 1 to 5
	// level that the applicant had, 1 to 5; 0 = no record of the skill
	HeldLevel int `json:"held_level"`
	// whether the skill is given as a reason for turning the applicant down
	TurnedDownFor bool `json:"turned_down_for,omitempty"`
}

// Application is one resident's application for an advert on the platform.
type Application struct {
	ID        string             `json:"id"`
	Resident  string             `json:"resident"` // Resident.ID of the applicant
	Advert    string             `json:"advert"`   // Advert.ID in the platform's feed
	AppliedAt time.Time          `json:"applied_at"`
	Outcome   ApplicationOutcome `json:"outcome"`
	// RecordedAt is when the outcome was recorded, in the time zone that the feed gives. The
	// applicant is counted on the day of this time in that zone (LocalDateOf).
	RecordedAt time.Time       `json:"outcome_recorded_at,omitzero"`
	Skills     []RequiredSkill `json:"skills,omitempty"`
}

// Event is something that happened on the platform, for example a new application. Partners receive
// events by webhook and from /v1/events.
type Event struct {
	ID string `json:"id"`
	// application.created, click.recorded, outcome.recorded or opportunity.published
	Type       string             `json:"type"`
	OccurredAt time.Time          `json:"occurred_at"`
	Partner    string             `json:"partner,omitempty"` // only partner that may see the event; "" = every partner
	Advert     string             `json:"advert,omitempty"`  // Advert.ID of the advert concerned; "" = none
	Borough    string             `json:"borough,omitempty"` // slug of the borough concerned; "" = none
	Outcome    ApplicationOutcome `json:"outcome,omitempty"`
}

// PathwayStep is one step of a careers pathway, for example a first job in the sector.
type PathwayStep struct {
	Order       int
	Title       string
	Description string
	SOC         string
	Level       int
}

// ApprenticeshipStandard identifies an apprenticeship standard: the official description of an
// apprenticeship for one occupation.
type ApprenticeshipStandard struct {
	Code  string
	Title string
	Level int
}

// Pathway is a published careers pathway: a route into work in several steps.
type Pathway struct {
	ID, Slug, Title, Summary, Sector string
	Steps                            []PathwayStep
	Standards                        []ApprenticeshipStandard
	Updated                          Date
}

// S106Development is a building site whose developer has section 106 obligations. These are duties
// to the local community, for example to create jobs.
type S106Development struct {
	ID, Borough            string
	Obligations            int
	JobsCreated            int
	ApprenticeshipsStarted int
	LocalPeopleEmployed    int // number of people; small numbers are protected before publication
	TrainingPlaces         int
	ContributionsGBP       int64
}

// FigureSymbol says why a published statistic has no figure, for example because it is suppressed.
// It is "" if there is a figure.
type FigureSymbol string

const (
	// SymbolNone means that there is no symbol: the field Statistic.Value holds a figure.
	SymbolNone FigureSymbol = ""
	// SymbolUnderFive is for a suppressed figure from 1 to 4.
	SymbolUnderFive FigureSymbol = "under_5"
	// SymbolNotPublished is for a figure that is suppressed, unavailable or not applicable.
	SymbolNotPublished FigureSymbol = "not_published"
)

// Statistic is one published figure about training, for example the apprenticeship starts in one
// region and year.
type Statistic struct {
	Source string // key of the source that delivered the figure
	// apprenticeship_starts, further_education_enrolments or skills_bootcamp_starts
	Metric      string
	Country     string // ISO 3166-1 alpha-2 code, such as GB
	RegionCode  string // national statistics code of the region; older figures may have a former code
	RegionName  string // name in the file; used only if no list of areas has the code
	RegionKind  string // kind of region: nation, region, council or lsip
	SubjectArea string // name of a subject area; "Total" = all subjects
	PeriodStart Date
	PeriodEnd   Date
	Published   Date // day on which the edition was published; the zero Date if not stated
	// Series is a text that only comparable figures share. It states what is counted and the type
	// of period, such as "full academic year".
	Series string
	Value  int64
	Symbol FigureSymbol
}

// Area is one official geographical area, for example a council or a region.
type Area struct {
	Source     string
	Code       string
	Name       string
	NameWelsh  string // name of the area in Welsh; "" if there is none
	Kind       string // nation, region, council, travel_to_work_area, lsip, itl1, itl2 or itl3
	NationCode string // code of the nation; "" if the area crosses nations
	Edition    string // year of the code list, such as "2025"
	// Slug is set only for areas of local skills improvement plans; it stays the same as long as
	// the code does.
	Slug string
}

// AreaCodeChange links an area's code in one year to its code in a later year. An area that was
// split or merged has several records. From equals To if the code did not change.
type AreaCodeChange struct {
	Source, Kind string
	From, To     string // area code in the earlier and in the later year
	Edition      string // year of the list with the new code, such as "2025"
}

// Boundary is the outline of an area. The pipeline uses outlines to find the area of a point.
type Boundary struct {
	Source, Code string
	GeoJSON      []byte // geometry in GeoJSON, longitude and latitude in WGS 84
}

// Evidence is one published statement about the labour market, for example an employment projection
// for an occupation.
type Evidence struct {
	Source      string
	ID          string // identifier that is unique within Source and the same in every edition
	Published   Date
	Title       string
	Statement   string
	Kind        string // kind of publication: statistic, projection, report or news
	Signal      string // whether the statement points to a skills gap: gap, no_gap or none
	SOC         string
	Class       string // classification of the occupation code: SOC2020 or SOC2018-US
	Occupation  string
	RegionCode  string
	Country     string
	Link        string
	BaseYear    int
	HorizonYear int
	ChangePct   *float64 // projected change of employment over the period, in per cent
	Openings    *int64   // projected number of job openings over the period
	// Embargoed keeps the record out of every public table until the operator records that a
	// condition is met: "Confirmation of reuse terms of the projections blended in". The embargoed
	// dataset `outlook` waits on the same condition.
	Embargoed bool
}

// OccupationGroup is a group of the Standard Occupational Classification 2020 (SOC 2020), with its
// official name.
type OccupationGroup struct {
	Source string
	SOC    string // SOC 2020 code of 1 to 4 digits
	Name   string
}

// OccupationTitle is a job title with its official SOC 2020 unit group.
type OccupationTitle struct {
	Source    string
	SOC       string // SOC 2020 code of 4 digits
	Title     string
	Qualified bool // whether the title is valid for one industry or duty only
}

func (OccupationGroup) record() {}
func (OccupationTitle) record() {}

func (Advert) record()          {}
func (Borough) record()         {}
func (Resident) record()        {}
func (Application) record()     {}
func (Event) record()           {}
func (Pathway) record()         {}
func (S106Development) record() {}
func (Statistic) record()       {}
func (Area) record()            {}
func (AreaCodeChange) record()  {}
func (Boundary) record()        {}
func (Evidence) record()        {}

// The records that are used only for the embargoed datasets.

// Ward is an electoral ward with the coordinates of its centre. Distances are measured from there.
type Ward struct {
	Source    string
	Code      string // national statistics code: E05, W05, S13 or N08, and six digits
	Name      string
	Council   string  // code of the council that the ward belongs to
	Latitude  float64 // latitude of the ward's centre in degrees, WGS 84
	Longitude float64 // longitude of the ward's centre in degrees, WGS 84
	Edition   string  // year of the code list, such as "2025"
}

// Topic is a subject of labour market news from a fixed list, such as "job_losses".
type Topic string

// Headline is one item of a labour market news feed: its topics, day and link. It does not contain
// the publisher's headline or text.
type Headline struct {
	Source    string
	ID        string // publisher's own id, unique within Source
	Published Date
	Topics    []Topic // topics of the item, at least one
	Link      string  // address of the publication's web page
}

// The values of PlanPriority.Kind: what a local skills improvement plan can list as in demand.
const (
	PriorityOccupation = "occupation"
	PrioritySector     = "sector"
	PrioritySkill      = "skill"
)

// PlanPriority is one skill, occupation or sector that a local skills improvement plan lists as in
// demand. A person reads the plan and records the code.
type PlanPriority struct {
	Source     string
	Plan       string // identifier of the plan
	Title      string // title of the plan's document
	RegionCode string // national statistics code of the area that the plan covers
	Kind       string // what is in demand: occupation, sector or skill
	Code       string // SOC 2020 code of 1 to 4 digits, sector slug or skill slug
	Page       string // page of the plan's document; "" = not given
	Published  Date
	Link       string // address of the plan's web page
}

func (Ward) record()         {}
func (Headline) record()     {}
func (PlanPriority) record() {}
