// Code generated from openapi.json by go test -update; DO NOT EDIT.

package labourmarket

import "time"

type AdvertsPlaced struct {
	InAreaOnlyPct *float64 `json:"in_area_only_pct"`
	InBoroughPct  *float64 `json:"in_borough_pct"`
	NotPlacedPct  *float64 `json:"not_placed_pct"`
}
type Candidates struct {
	ByBorough      []CandidatesOfBorough `json:"by_borough"`
	ByLevel        []CandidatesOfLevel   `json:"by_level"`
	BySectorSought []CandidatesOfSector  `json:"by_sector_sought"`
	Residents      Count                 `json:"residents"`
	SeekingWork    Count                 `json:"seeking_work"`
}
type CandidatesOfBorough struct {
	Borough     string `json:"borough"`
	BoroughName string `json:"borough_name"`
	Residents   Count  `json:"residents"`
}
type CandidatesOfLevel struct {
	Level     int64  `json:"level"`
	LevelName string `json:"level_name"`
	Residents Count  `json:"residents"`
}
type CandidatesOfSector struct {
	Residents  Count  `json:"residents"`
	Sector     string `json:"sector"`
	SectorName string `json:"sector_name"`
}
type CountMeta struct {
	AsOf      string    `json:"as_of"`
	Generated time.Time `json:"generated"`
	Returned  int64     `json:"returned"`
	Snapshot  string    `json:"snapshot"`
}
type CourseDemandRow struct {
	IsTotal     bool       `json:"is_total"`
	Metric      string     `json:"metric"`
	PeriodEnd   string     `json:"period_end"`
	RegionCode  string     `json:"region_code"`
	RegionName  string     `json:"region_name"`
	SourceKey   string     `json:"source_key"`
	SubjectArea string     `json:"subject_area"`
	Value       Count      `json:"value"`
	YearOnYear  YearOnYear `json:"year_on_year"`
}
type DemandRow struct {
	Day        string   `json:"day"`
	Occupation string   `json:"occupation"`
	SOC        string   `json:"soc"`
	SourceKeys []string `json:"source_keys"`
	Vacancies  int64    `json:"vacancies"`
}
type Error struct {
	Code              string  `json:"code"`
	Details           []Fault `json:"details"`
	Message           string  `json:"message"`
	RequestID         string  `json:"request_id"`
	RetryAfterSeconds int64   `json:"retry_after_seconds"`
}
type EventData struct {
	Advert  string `json:"advert"`
	Borough string `json:"borough"`
	Outcome string `json:"outcome"`
}
type EventsMeta struct {
	AsOf      string    `json:"as_of"`
	Generated time.Time `json:"generated"`
	Limit     int64     `json:"limit"`
	Note      string    `json:"note"`
	Page      int64     `json:"page"`
	Returned  int64     `json:"returned"`
	Snapshot  string    `json:"snapshot"`
	Total     int64     `json:"total"`
}
type EventsRow struct {
	Data       EventData `json:"data"`
	ID         string    `json:"id"`
	OccurredAt time.Time `json:"occurred_at"`
	Type       string    `json:"type"`
}
type EvidenceRow struct {
	Country     string  `json:"country"`
	ID          string  `json:"id"`
	Kind        string  `json:"kind"`
	Licence     string  `json:"licence"`
	Link        string  `json:"link"`
	PublishedOn string  `json:"published_on"`
	RegionCode  *string `json:"region_code"`
	Signal      string  `json:"signal"`
	SOC         *string `json:"soc"`
	SourceKey   string  `json:"source_key"`
	Statement   string  `json:"statement"`
	Title       string  `json:"title"`
}
type Fault struct {
	Allowed   []string `json:"allowed"`
	Message   string   `json:"message"`
	Nearest   []string `json:"nearest"`
	Parameter string   `json:"parameter"`
}
type JobsRow struct {
	AttributionStatement string    `json:"attribution_statement"`
	Borough              *string   `json:"borough"`
	BoroughName          *string   `json:"borough_name"`
	ClosesOn             *string   `json:"closes_on"`
	Employer             string    `json:"employer"`
	FirstSeenAt          time.Time `json:"first_seen_at"`
	ID                   string    `json:"id"`
	Link                 *string   `json:"link"`
	PostedAt             time.Time `json:"posted_at"`
	SalaryText           *string   `json:"salary_text"`
	Sector               *string   `json:"sector"`
	SOC                  *string   `json:"soc"`
	SourceKey            string    `json:"source_key"`
	Title                string    `json:"title"`
	Type                 string    `json:"type"`
}
type Meta struct {
	AsOf       string    `json:"as_of"`
	Generated  time.Time `json:"generated"`
	Limit      int64     `json:"limit"`
	NextCursor *string   `json:"next_cursor"`
	Note       string    `json:"note"`
	Returned   int64     `json:"returned"`
	Snapshot   string    `json:"snapshot"`
	Truncated  bool      `json:"truncated"`
}
type OutlookRow struct {
	Classification     string   `json:"classification"`
	Country            string   `json:"country"`
	HighChangePct      *float64 `json:"high_change_pct"`
	HorizonMonths      int64    `json:"horizon_months"`
	LowChangePct       *float64 `json:"low_change_pct"`
	Occupation         string   `json:"occupation"`
	ProjectedChangePct *float64 `json:"projected_change_pct"`
	ProjectedOpenings  *int64   `json:"projected_openings"`
	RegionCode         *string  `json:"region_code"`
	Signal             string   `json:"signal"`
	SOC                string   `json:"soc"`
	SourceKeys         []string `json:"source_keys"`
	SourcesGap         int64    `json:"sources_gap"`
	SourcesNoGap       int64    `json:"sources_no_gap"`
}
type PathwaysRow struct {
	ApprenticeshipStandards []Standard `json:"apprenticeship_standards"`
	ID                      string     `json:"id"`
	Sector                  string     `json:"sector"`
	Slug                    string     `json:"slug"`
	Steps                   []Step     `json:"steps"`
	Summary                 string     `json:"summary"`
	Title                   string     `json:"title"`
	UpdatedOn               string     `json:"updated_on"`
}
type People struct {
	AsOf       *string `json:"as_of"`
	Note       string  `json:"note"`
	Protection string  `json:"protection"`
	Published  bool    `json:"published"`
	RoundedTo  int64   `json:"rounded_to"`
}
type PeopleMeta struct {
	AdvertsPlaced AdvertsPlaced `json:"adverts_placed"`
	AsOf          string        `json:"as_of"`
	Generated     time.Time     `json:"generated"`
	Limit         int64         `json:"limit"`
	NextCursor    *string       `json:"next_cursor"`
	Note          string        `json:"note"`
	People        People        `json:"people"`
	PeopleAsOf    *string       `json:"people_as_of"`
	Returned      int64         `json:"returned"`
	Snapshot      string        `json:"snapshot"`
	Truncated     bool          `json:"truncated"`
}
type PrioritiesRow struct {
	Code        string  `json:"code"`
	Kind        string  `json:"kind"`
	Licence     string  `json:"licence"`
	Link        string  `json:"link"`
	Name        string  `json:"name"`
	Page        *string `json:"page"`
	Plan        string  `json:"plan"`
	PublishedOn string  `json:"published_on"`
	RegionCode  string  `json:"region_code"`
	SourceKey   string  `json:"source_key"`
	Summary     string  `json:"summary"`
}
type ReachRow struct {
	CouncilCode              string   `json:"council_code"`
	SourceKeys               []string `json:"source_keys"`
	Vacancies                int64    `json:"vacancies"`
	VacanciesPlacedByCouncil int64    `json:"vacancies_placed_by_council"`
	WardCode                 string   `json:"ward_code"`
	WardName                 string   `json:"ward_name"`
	WithinKm                 int64    `json:"within_km"`
}
type RegionsRow struct {
	Code       string  `json:"code"`
	Kind       string  `json:"kind"`
	Name       string  `json:"name"`
	NameWelsh  *string `json:"name_welsh"`
	NationCode *string `json:"nation_code"`
	Slug       *string `json:"slug"`
	SourceKey  string  `json:"source_key"`
}
type ResidentsMeta struct {
	AsOf       string    `json:"as_of"`
	Generated  time.Time `json:"generated"`
	PeopleAsOf *string   `json:"people_as_of"`
	Snapshot   string    `json:"snapshot"`
}
type S106 struct {
	ApprenticeshipsStarted Count `json:"apprenticeships_started"`
	ContributionsGBP       int64 `json:"contributions_gbp"`
	Developments           int64 `json:"developments"`
	JobsCreated            int64 `json:"jobs_created"`
	LocalPeopleEmployed    Count `json:"local_people_employed"`
	Obligations            int64 `json:"obligations"`
	TrainingPlaces         int64 `json:"training_places"`
}
type SignalsRow struct {
	ID          string   `json:"id"`
	Licence     string   `json:"licence"`
	Link        string   `json:"link"`
	PublishedOn string   `json:"published_on"`
	SourceKey   string   `json:"source_key"`
	Summary     string   `json:"summary"`
	Topics      []string `json:"topics"`
}
type SkillsGapsRow struct {
	BaseYear           *int64   `json:"base_year"`
	Classification     string   `json:"classification"`
	Country            string   `json:"country"`
	HorizonYear        *int64   `json:"horizon_year"`
	Occupation         string   `json:"occupation"`
	PointingSources    []string `json:"pointing_sources"`
	ProjectedChangePct *float64 `json:"projected_change_pct"`
	ProjectedOpenings  *int64   `json:"projected_openings"`
	RegionCode         *string  `json:"region_code"`
	SOC                string   `json:"soc"`
	SourceKey          string   `json:"source_key"`
	SourcesAgreeing    int64    `json:"sources_agreeing"`
}
type SkillsUnmetRow struct {
	AdvertsSharePct        float64  `json:"adverts_share_pct"`
	AreaKind               string   `json:"area_kind"`
	Bucket                 string   `json:"bucket"`
	BucketName             string   `json:"bucket_name"`
	DifferencePctPoints    *float64 `json:"difference_pct_points"`
	HiredWithSkillPct      *float64 `json:"hired_with_skill_pct"`
	Level                  int64    `json:"level"`
	LevelName              string   `json:"level_name"`
	PeopleBelowSharePct    *float64 `json:"people_below_share_pct"`
	PeopleTurnedDown       Count    `json:"people_turned_down"`
	Rank                   int64    `json:"rank"`
	Score                  *float64 `json:"score"`
	Skill                  string   `json:"skill"`
	SkillName              string   `json:"skill_name"`
	SourceKey              string   `json:"source_key"`
	TurnedDownWithSkillPct *float64 `json:"turned_down_with_skill_pct"`
}
type Source struct {
	AttributionStatement string `json:"attribution_statement"`
	Key                  string `json:"key"`
	Licence              string `json:"licence"`
	Link                 string `json:"link"`
	Publisher            string `json:"publisher"`
}
type SourcesRow struct {
	AdvertsCounted       bool       `json:"adverts_counted"`
	AttributionStatement string     `json:"attribution_statement"`
	Cadence              string     `json:"cadence"`
	Key                  string     `json:"key"`
	Kind                 string     `json:"kind"`
	LastSuccessAt        *time.Time `json:"last_success_at"`
	Licence              string     `json:"licence"`
	Link                 string     `json:"link"`
	Publisher            string     `json:"publisher"`
	Rows                 int64      `json:"rows"`
	SourceKey            string     `json:"source_key"`
	Stale                bool       `json:"stale"`
	Title                string     `json:"title"`
}
type Standard struct {
	Code  string `json:"code"`
	Level int64  `json:"level"`
	Title string `json:"title"`
}
type Step struct {
	Description string  `json:"description"`
	Level       *int64  `json:"level"`
	Order       int64   `json:"order"`
	SOC         *string `json:"soc"`
	Title       string  `json:"title"`
}
type TrendsRow struct {
	ChangePct         *float64 `json:"change_pct"`
	Digits            int64    `json:"digits"`
	Direction         string   `json:"direction"`
	Occupation        string   `json:"occupation"`
	PreviousFrom      string   `json:"previous_from"`
	PreviousTo        string   `json:"previous_to"`
	PreviousVacancies int64    `json:"previous_vacancies"`
	Rank              int64    `json:"rank"`
	SOC               string   `json:"soc"`
	SourceKeys        []string `json:"source_keys"`
	Vacancies         int64    `json:"vacancies"`
	WindowFrom        string   `json:"window_from"`
	WindowTo          string   `json:"window_to"`
}
type WebhookMessage struct {
	Data      EventData `json:"data"`
	ID        string    `json:"id"`
	Timestamp time.Time `json:"timestamp"`
	Type      string    `json:"type"`
}
type YearOnYear struct {
	ChangePct     *float64 `json:"change_pct"`
	PreviousValue Count    `json:"previous_value"`
}
