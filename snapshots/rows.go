package snapshots

import (
	"time"

	"labour/snapshots/figure"
)

// One struct per table, for all code that writes or reads rows. The tag `col` names the column, and
// `doc` gives its meaning, unit and range, as FieldsOf describes. None has the column as_of: it is
// the same in every row of a snapshot, and the writer adds it.

// AdvertsRow is a row of the table adverts. It counts the adverts in one cell (combination of
// filters) that require a skill.
type AdvertsRow struct {
	Skill    string    `col:"skill" doc:"skill slug"`
	Level    int8      `col:"level" doc:"level asked for, 1 to 5; if the advert states none, the reference_level of the skill"`
	AreaKind string    `col:"area_kind" doc:"all, borough or area; rows of different kinds must not be added"`
	Place    string    `col:"place" doc:"place slug; empty for area_kind all"`
	Sector   string    `col:"sector" doc:"sector slug; empty = not known"`
	SOC      string    `col:"soc" doc:"SOC 2020 unit group, 4 digits; the minor or sub-major group, 3 or 2 digits, if the advert does not tell the unit group; empty = not known"`
	Source   string    `col:"source" doc:"key of the source where the advert was first posted"`
	Month    time.Time `col:"month" doc:"first day of the calendar month in which the advert was posted; a vacancy that is advertised again counts in a later month too, if its last advert of that month was posted at least 14 days after its last advert of the months before"`
	Adverts  int32     `col:"adverts" unit:"adverts" doc:"adverts in the cell, at least 1"`
}

// AdvertsTotalRow is a row of the table adverts_total. It counts all adverts in one cell
// (combination of filters), whatever skills they require.
type AdvertsTotalRow struct {
	AreaKind  string    `col:"area_kind" doc:"all, borough or area; rows of different kinds must not be added"`
	Place     string    `col:"place" doc:"place slug; empty for area_kind all"`
	Sector    string    `col:"sector" doc:"sector slug; empty = not known"`
	SOC       string    `col:"soc" doc:"SOC 2020 unit group, 4 digits; the minor or sub-major group, 3 or 2 digits, if the advert does not tell the unit group; empty = not known"`
	Source    string    `col:"source" doc:"key of the source where the advert was first posted"`
	Month     time.Time `col:"month" doc:"first day of the calendar month in which the advert was posted; a vacancy that is advertised again counts in a later month too, if its last advert of that month was posted at least 14 days after its last advert of the months before"`
	Adverts   int32     `col:"adverts" unit:"adverts" doc:"adverts in the cell, at least 1"`
	InCouncil int32     `col:"in_council" unit:"adverts" doc:"adverts of the cell whose council is known"`
	InArea    int32     `col:"in_area" unit:"adverts" doc:"adverts of the cell that are only known to be in a wider area: London, a county, a region, a nation, or one of a few councils"`
	Employer1 int32     `col:"employer_1" doc:"number of an employer with an advert in the cell, from 1 in the order of the employers' names; a cell has up to three different ones, so that a union of cells shows whether at least three employers remain"`
	Employer2 *int32    `col:"employer_2" doc:"number of an employer with an advert in the cell, from 1 in the order of the employers' names; a cell has up to three different ones, so that a union of cells shows whether at least three employers remain"`
	Employer3 *int32    `col:"employer_3" doc:"number of an employer with an advert in the cell, from 1 in the order of the employers' names; a cell has up to three different ones, so that a union of cells shows whether at least three employers remain"`
}

// CourseDemandRow is a row of the table course_demand: an official number of starts or enrolments
// on courses, with the number of the year before.
type CourseDemandRow struct {
	SourceKey           string         `col:"source_key" doc:"key of the source"`
	Metric              string         `col:"metric" doc:"apprenticeship_starts, further_education_enrolments or skills_bootcamp_starts"`
	Country             string         `col:"country" doc:"ISO 3166-1 alpha-2"`
	RegionCode          string         `col:"region_code" doc:"national statistics code of the region, as published; of a council that was only recoded, its current code"`
	RegionName          string         `col:"region_name" doc:"name of the region"`
	RegionKind          string         `col:"region_kind" doc:"nation, region, council or lsip"`
	SubjectArea         string         `col:"subject_area" doc:"subject area name; Total for all"`
	PeriodEnd           time.Time      `col:"period_end" doc:"end of the period the value covers"`
	Value               *int64         `col:"value" unit:"starts or enrolments, as the column metric says" doc:"the count; 0 or at least 5"`
	ValueStatus         figure.Status  `col:"value_status" doc:"number, under_5 (a count from 1 to 4), or empty (suppressed or not published)"`
	PreviousValue       *int64         `col:"previous_value" unit:"starts or enrolments, as the column metric says" doc:"the count of the same period one year before"`
	PreviousValueStatus figure.Status  `col:"previous_value_status" doc:"number, under_5 (a count from 1 to 4), or empty (suppressed or not published)"`
	ChangePct           *figure.Tenths `col:"change_pct" doc:"change on the previous value, per cent; null when either is not a number, the previous one is 0, or the change is over 99,999.9"`
}

// CorrectionsRow is a row of the table corrections: the operator's correction of one field in a
// publisher's record.
type CorrectionsRow struct {
	SourceKey string    `col:"source_key" doc:"key of the source"`
	Kind      string    `col:"kind" doc:"statistic or area"`
	Record    string    `col:"record" doc:"id of the record, or the values that identify it"`
	Field     string    `col:"field" doc:"name of the corrected field"`
	Old       *string   `col:"old" doc:"value of the publisher; null if its records may not be shown, or if the figure is withdrawn"`
	New       *string   `col:"new" doc:"correct value; the text null withdraws the figure; null if the publisher's records may not be shown"`
	Reason    string    `col:"reason" doc:"why it was corrected"`
	DecidedBy string    `col:"decided_by" doc:"who decided it"`
	DecidedOn time.Time `col:"decided_on" doc:"when it was decided"`
	Outcome   string    `col:"outcome" doc:"applied; mended (the publisher's value differs from the stated old value, and is used); no_record (no such record was read)"`
}

// WithdrawsFigure reports whether the correction withdraws a published statistic by replacing the
// publisher's figure with null. A withdrawn figure must not be published again.
func (r CorrectionsRow) WithdrawsFigure() bool {
	isFigure := r.Kind == "statistic" && r.Field == "value"
	return isFigure && r.New != nil && *r.New == "null"
}

// EvidenceRow is a row of the table evidence: a published statement, statistic or news item on
// skills.
type EvidenceRow struct {
	ID          string    `col:"id" doc:"stable id: source key and the source's own id"`
	PublishedOn time.Time `col:"published_on" doc:"date of publication"`
	Title       string    `col:"title" doc:"title of the publication"`
	Statement   string    `col:"statement" doc:"text of the statement; counts of people follow the small-number rule"`
	Kind        string    `col:"kind" doc:"statistic, projection, report or news"`
	Signal      string    `col:"signal" doc:"gap, no_gap or none"`
	SOC         *string   `col:"soc" doc:"occupation code; null if it is about no occupation"`
	RegionCode  *string   `col:"region_code" doc:"national statistics code; null = the country"`
	Country     string    `col:"country" doc:"ISO 3166-1 alpha-2"`
	SourceKey   string    `col:"source_key" doc:"key of the source"`
	Licence     string    `col:"licence" doc:"licence of the source"`
	Link        string    `col:"link" doc:"address where it can be read"`
}

// LevelsRow is a row of the table levels: a level of skill, 1 to 5, with its name.
type LevelsRow struct {
	Level int8   `col:"level" doc:"1 to 5"`
	Name  string `col:"name" doc:"display name"`
}

// OccupationsRow is a row of the table occupations: a SOC 2020 code with its official name.
type OccupationsRow struct {
	SOC  string `col:"soc" doc:"SOC 2020 code of 1 to 4 digits"`
	Name string `col:"name" doc:"official name"`
}

// OutlinesRow is a row of the table outlines: the shape of a borough, for maps. Package outline
// formats and parses the field Outline.
type OutlinesRow struct {
	Place     string `col:"place" doc:"place slug of the borough"`
	Code      string `col:"code" doc:"national statistics code of its council"`
	Outline   string `col:"outline" doc:"MULTIPOLYGON in Well-Known Text: for each polygon the outer ring, then its holes; longitude and latitude in degrees of WGS 84, whole multiples of 0.00001"`
	SourceKey string `col:"source_key" doc:"key of the source"`
}

// PeopleRow is a row of the table people: counts and shares of applicants for one skill and
// combination of filters. SetTurnedDown sets the number and its status together, so that they
// cannot disagree.
type PeopleRow struct {
	Signature              string         `col:"signature" doc:"which filters the cell has: none, place, sector, soc, level, source, or place_ with one of them"`
	Place                  string         `col:"place" doc:"place slug; empty when the signature has no place"`
	Value                  string         `col:"value" doc:"the other filter's value: sector slug, SOC 2020 code of 1 to 4 digits, level or source key; empty when the signature has none"`
	Skill                  string         `col:"skill" doc:"skill slug"`
	PeopleTurnedDown       *int32         `col:"people_turned_down" unit:"people" doc:"distinct people turned down for the skill, each counted at the most recent such event in the twelve months; 0 or a multiple of 5, exact from 5 on if the manifest has protection plain"`
	PeopleTurnedDownStatus figure.Status  `col:"people_turned_down_status" doc:"number, under_5 (a count from 1 to 4), or empty (not published)"`
	HiredWithSkillPct      *figure.Tenths `col:"hired_with_skill_pct" doc:"share of hired applicants who had the skill at the level that the role asked for, whole per cent of printed counts; null = not published"`
	TurnedDownWithSkillPct *figure.Tenths `col:"turned_down_with_skill_pct" doc:"share of turned-down applicants who had the skill at the level that the role asked for, whole per cent of printed counts; null = not published"`
}

// SetTurnedDown sets the number of people turned down. It also sets the status, which states
// whether the count is a number, "<5" or not published.
func (r *PeopleRow) SetTurnedDown(c figure.Count) {
	r.PeopleTurnedDown, r.PeopleTurnedDownStatus = figure.ValueOf[int32](c), c.Status()
}

// Count returns the published count of people turned down. It returns an error if the number and
// its status contradict each other.
func (r PeopleRow) Count() (figure.Count, error) {
	return figure.ParseCount(r.PeopleTurnedDown, r.PeopleTurnedDownStatus)
}

// PlaceMembersRow is a row of the table place_members. It states that a borough belongs to a larger
// area that the service covers.
type PlaceMembersRow struct {
	Area    string `col:"area" doc:"place slug of the area"`
	Borough string `col:"borough" doc:"place slug of a borough in it"`
}

// PlacesRow is a row of the table places. It has the slug, name and code of a borough, or of an
// area of several boroughs, that the service covers.
type PlacesRow struct {
	Place    string `col:"place" doc:"place slug"`
	Name     string `col:"name" doc:"display name"`
	AreaKind string `col:"area_kind" doc:"borough, or area (a union of boroughs)"`
	Code     string `col:"code" doc:"national statistics code of a borough's council; empty for an area"`
}

// RegionsRow is a row of the table regions: an official area, such as a nation, region or council.
type RegionsRow struct {
	Code       string  `col:"code" doc:"official code"`
	Name       string  `col:"name" doc:"official name"`
	NameWelsh  *string `col:"name_welsh" doc:"Welsh name; null when there is none"`
	Kind       string  `col:"kind" doc:"nation, region, council, travel_to_work_area, lsip, itl1, itl2 or itl3"`
	NationCode *string `col:"nation_code" doc:"code of the nation; null if the area is in several nations"`
	Slug       *string `col:"slug" doc:"slug of a local skills improvement plan area; null for other kinds"`
	// FormerCodes are the earlier codes of the area and the codes of areas that became part of it,
	// separated by commas. It is nil if there are none.
	FormerCodes *string `col:"former_codes" doc:"earlier codes of the area, and codes of areas that became part of it, sorted, separated by commas; null when there are none"`
	SourceKey   string  `col:"source_key" doc:"key of the source"`
}

// ResidentsRow is a row of the table residents. It has the share of a place's residents whose level
// of a skill is below the row's level.
type ResidentsRow struct {
	Place               string         `col:"place" doc:"place slug; empty = all residents of the platform"`
	Skill               string         `col:"skill" doc:"skill slug"`
	Level               int8           `col:"level" doc:"1 to 5"`
	PeopleBelowSharePct *figure.Tenths `col:"people_below_share_pct" doc:"residents registered with the platform whose recorded level of the skill is below this one, or who have no record of it, per cent, from rounded counts; 100.0 only if it is at least 97 for certain; null = not published"`
}

// SectorsRow is a row of the table sectors: a sector's slug and name.
type SectorsRow struct {
	Sector string `col:"sector" doc:"sector slug"`
	Name   string `col:"name" doc:"display name"`
}

// SkillsRow is a row of the table skills: a skill with its name and its usual level, from 1 to 5.
type SkillsRow struct {
	Skill          string `col:"skill" doc:"skill slug"`
	Name           string `col:"name" doc:"display name"`
	ReferenceLevel int8   `col:"reference_level" doc:"usual level, 1 to 5, used for adverts that state none; 1 for a licence"`
	Level          int8   `col:"level" doc:"level that counted adverts of the last 24 months ask for most often, the lower one on a tie; reference_level if none asks for the skill"`
	Kind           string `col:"kind" doc:"group of the skill, such as technical or care; a licence has one level, 1 (held)"`
	Wordings       string `col:"wordings" doc:"wordings with which adverts ask for the skill, separated by |; {a,b} means a or b"`
}

// SkillsGapsRow is a row of the table skills_gaps: the change of employment that one source
// projects for an occupation.
type SkillsGapsRow struct {
	SOC                string         `col:"soc" doc:"occupation code in the classification"`
	Occupation         string         `col:"occupation" doc:"name of the occupation"`
	Classification     string         `col:"classification" doc:"SOC2020, or SOC2018-US for country US; never mixed"`
	Country            string         `col:"country" doc:"ISO 3166-1 alpha-2"`
	RegionCode         string         `col:"region_code" doc:"national statistics code; empty = the country"`
	SourcesAgreeing    int32          `col:"sources_agreeing" unit:"sources" doc:"distinct published sources that point to a gap for the occupation in this area; a news headline is never counted"`
	PointingSources    string         `col:"pointing_sources" doc:"keys of these sources, sorted, separated by commas"`
	BaseYear           *int32         `col:"base_year" unit:"calendar year" doc:"first year of the projection"`
	HorizonYear        *int32         `col:"horizon_year" unit:"calendar year" doc:"last year of the projection"`
	ProjectedChangePct *figure.Tenths `col:"projected_change_pct" doc:"projected change of employment, per cent"`
	ProjectedOpenings  *int64         `col:"projected_openings" unit:"openings" doc:"projected openings over the period; null = the source states none, or they are left out"`
	SourceKey          string         `col:"source_key" doc:"key of the source of the projection"`
}

// SourcesRow is a row of the table sources: a source with its publisher, licence and attribution
// statement.
type SourcesRow struct {
	Key                  string `col:"key" doc:"source key"`
	Publisher            string `col:"publisher" doc:"publisher"`
	Title                string `col:"title" doc:"title of the publication"`
	Kind                 string `col:"kind" doc:"platform, employer_boards, apprenticeships, statistics, projections or geography; news and plans for the sources of the embargoed datasets signals and priorities"`
	Licence              string `col:"licence" doc:"licence"`
	Link                 string `col:"link" doc:"link to the source"`
	AttributionStatement string `col:"attribution_statement" doc:"text that must be displayed with any figure from the source"`
	Cadence              string `col:"cadence" doc:"daily, weekly, monthly, quarterly or annual"`
	AdvertsCounted       bool   `col:"adverts_counted" doc:"whether its adverts are counted"`
	Rows                 int64  `col:"rows" unit:"records" doc:"records read from it for this snapshot, without residents, applications and events of the platform"`
}
