package snapshots

import (
	"time"

	"labour/snapshots/figure"
)

// One struct per table, for everybody who writes or reads rows in Go. The tag
// `col` names the column; a pointer is a nullable column. The column as_of is in
// none of them: it is the same in every row of a snapshot, and the writer adds
// it. The meaning and the unit of each field are in the table's schema.

// AdvertsRow is a row of the table adverts.
type AdvertsRow struct {
	Skill    string    `col:"skill"`
	Level    int8      `col:"level"`
	AreaKind string    `col:"area_kind"`
	Place    string    `col:"place"`
	Sector   string    `col:"sector"`
	SOC      string    `col:"soc"`
	Source   string    `col:"source"`
	Month    time.Time `col:"month"`
	Adverts  int32     `col:"adverts"`
}

// AdvertsTotalRow is a row of the table adverts_total.
type AdvertsTotalRow struct {
	AreaKind  string    `col:"area_kind"`
	Place     string    `col:"place"`
	Sector    string    `col:"sector"`
	SOC       string    `col:"soc"`
	Source    string    `col:"source"`
	Month     time.Time `col:"month"`
	Adverts   int32     `col:"adverts"`
	Employer1 int32     `col:"employer_1"`
	Employer2 *int32    `col:"employer_2"`
	Employer3 *int32    `col:"employer_3"`
}

// CourseDemandRow is a row of the table course_demand.
type CourseDemandRow struct {
	SourceKey           string         `col:"source_key"`
	Metric              string         `col:"metric"`
	Country             string         `col:"country"`
	RegionCode          string         `col:"region_code"`
	RegionName          string         `col:"region_name"`
	RegionKind          string         `col:"region_kind"`
	SubjectArea         string         `col:"subject_area"`
	PeriodEnd           time.Time      `col:"period_end"`
	Value               *int64         `col:"value"`
	ValueStatus         figure.Status  `col:"value_status"`
	PreviousValue       *int64         `col:"previous_value"`
	PreviousValueStatus figure.Status  `col:"previous_value_status"`
	ChangePct           *figure.Tenths `col:"change_pct"`
}

// CorrectionsRow is a row of the table corrections.
type CorrectionsRow struct {
	SourceKey string    `col:"source_key"`
	Kind      string    `col:"kind"`
	Record    string    `col:"record"`
	Field     string    `col:"field"`
	Old       *string   `col:"old"`
	New       *string   `col:"new"`
	Reason    string    `col:"reason"`
	DecidedBy string    `col:"decided_by"`
	DecidedOn time.Time `col:"decided_on"`
	Outcome   string    `col:"outcome"`
}

// EvidenceRow is a row of the table evidence.
type EvidenceRow struct {
	ID          string    `col:"id"`
	PublishedOn time.Time `col:"published_on"`
	Title       string    `col:"title"`
	Statement   string    `col:"statement"`
	Kind        string    `col:"kind"`
	Signal      string    `col:"signal"`
	SOC         *string   `col:"soc"`
	RegionCode  *string   `col:"region_code"`
	Country     string    `col:"country"`
	SourceKey   string    `col:"source_key"`
	Licence     string    `col:"licence"`
	Link        string    `col:"link"`
}

// LevelsRow is a row of the table levels.
type LevelsRow struct {
	Level int8   `col:"level"`
	Name  string `col:"name"`
}

// OccupationsRow is a row of the table occupations.
type OccupationsRow struct {
	SOC  string `col:"soc"`
	Name string `col:"name"`
}

// OutlinesRow is a row of the table outlines. Package outline reads and writes Outline.
type OutlinesRow struct {
	Place     string `col:"place"`
	Code      string `col:"code"`
	Outline   string `col:"outline"`
	SourceKey string `col:"source_key"`
}

// PeopleRow is a row of the table people. Use SetTurnedDown, so that the number
// and its status cannot disagree.
type PeopleRow struct {
	Signature              string         `col:"signature"`
	Place                  string         `col:"place"`
	Value                  string         `col:"value"`
	WindowMonths           int8           `col:"window_months"`
	Skill                  string         `col:"skill"`
	PeopleTurnedDown       *int32         `col:"people_turned_down"`
	PeopleTurnedDownStatus figure.Status  `col:"people_turned_down_status"`
	HiredWithSkillPct      *figure.Tenths `col:"hired_with_skill_pct"`
	TurnedDownWithSkillPct *figure.Tenths `col:"turned_down_with_skill_pct"`
}

// SetTurnedDown puts a printed count into its two columns.
func (r *PeopleRow) SetTurnedDown(c figure.Count) {
	r.PeopleTurnedDown, r.PeopleTurnedDownStatus = nil, c.Status()
	if n, ok := c.Number(); ok {
		v := int32(n)
		r.PeopleTurnedDown = &v
	}
}

// PlaceMembersRow is a row of the table place_members.
type PlaceMembersRow struct {
	Area    string `col:"area"`
	Borough string `col:"borough"`
}

// PlacesRow is a row of the table places.
type PlacesRow struct {
	Place    string `col:"place"`
	Name     string `col:"name"`
	AreaKind string `col:"area_kind"`
	Code     string `col:"code"`
}

// RegionsRow is a row of the table regions.
type RegionsRow struct {
	Code       string  `col:"code"`
	Name       string  `col:"name"`
	NameWelsh  *string `col:"name_welsh"`
	Kind       string  `col:"kind"`
	NationCode *string `col:"nation_code"`
	Slug       *string `col:"slug"`
	// FormerCodes are separated by commas; nil when the area never had another code.
	FormerCodes *string `col:"former_codes"`
	SourceKey   string  `col:"source_key"`
}

// ResidentsRow is a row of the table residents.
type ResidentsRow struct {
	Place               string         `col:"place"`
	Skill               string         `col:"skill"`
	PeopleBelowSharePct *figure.Tenths `col:"people_below_share_pct"`
}

// SectorsRow is a row of the table sectors.
type SectorsRow struct {
	Sector string `col:"sector"`
	Name   string `col:"name"`
}

// SkillsRow is a row of the table skills.
type SkillsRow struct {
	Skill          string `col:"skill"`
	Name           string `col:"name"`
	ReferenceLevel int8   `col:"reference_level"`
}

// SkillsGapsRow is a row of the table skills_gaps.
type SkillsGapsRow struct {
	SOC                string         `col:"soc"`
	Occupation         string         `col:"occupation"`
	Classification     string         `col:"classification"`
	Country            string         `col:"country"`
	RegionCode         string         `col:"region_code"`
	SourcesAgreeing    int32          `col:"sources_agreeing"`
	PointingSources    string         `col:"pointing_sources"`
	BaseYear           *int32         `col:"base_year"`
	HorizonYear        *int32         `col:"horizon_year"`
	ProjectedChangePct *figure.Tenths `col:"projected_change_pct"`
	ProjectedOpenings  *int64         `col:"projected_openings"`
	SourceKey          string         `col:"source_key"`
}

// SourcesRow is a row of the table sources.
type SourcesRow struct {
	Key                  string     `col:"key"`
	Publisher            string     `col:"publisher"`
	Title                string     `col:"title"`
	Kind                 string     `col:"kind"`
	Licence              string     `col:"licence"`
	Link                 string     `col:"link"`
	AttributionStatement string     `col:"attribution_statement"`
	Cadence              string     `col:"cadence"`
	LastSuccessAt        *time.Time `col:"last_success_at"`
	AdvertsCounted       bool       `col:"adverts_counted"`
	Rows                 int64      `col:"rows"`
}
