package api

import "time"

// SkillsUnmetRow ranks one skill, or with `by` one bucket of a skill.
type SkillsUnmetRow struct {
	Rank           int     `json:"rank" minimum:"1" doc:"Position in the whole list for these filters, not in the page."`
	Skill          string  `json:"skill" example:"excel" doc:"Skill slug."`
	SkillName      string  `json:"skill_name" example:"Excel and spreadsheets" doc:"Name of the skill."`
	Level          int     `json:"level" minimum:"1" maximum:"5" doc:"Level usually asked: the most frequent one over the counted adverts, the lower one on a tie."`
	LevelName      string  `json:"level_name" example:"Working" doc:"Name of the level."`
	SourceKey      string  `json:"source_key" example:"platform" doc:"Key of a source in sources."`
	AdvertsShare   Share   `json:"adverts_share_pct" doc:"Adverts asking for the skill / adverts that match the filters × 100, always with one decimal."`
	PeopleBelow    Percent `json:"people_below_share_pct" doc:"Residents of the place (of all places without place) whose recorded level is below this row's level, or who have no record of the skill, / residents × 100; null where it is not published."`
	TurnedDown     Count   `json:"people_turned_down" doc:"Distinct people turned down for the skill, each counted once per skill, at their most recent such event."`
	HiredWith      Percent `json:"hired_with_skill_pct" doc:"Share of hired applicants who had the skill at the level the role asked."`
	TurnedDownWith Percent `json:"turned_down_with_skill_pct" doc:"Share of turned-down applicants who had it at that level."`
	Difference     Percent `json:"difference_pct_points" doc:"hired_with_skill_pct - turned_down_with_skill_pct, from the values shown. A large positive value means the skill is part of why people get these jobs."`
	Score          Score   `json:"score" doc:"adverts_share_pct × people_below_share_pct / 100, from the values shown, exact, with four decimals. It reads as how many of every 100 advert-person pairings are an advert asking for the skill and a person who does not yet meet it."`
	Bucket         *string `json:"bucket,omitempty" nullable:"false" doc:"With by: place slug, sector slug, SOC 2020 code, level or month (YYYY-MM) of the row."`
	BucketName     *string `json:"bucket_name,omitempty" nullable:"false" doc:"With by: name of the bucket."`
	AreaKind       *string `json:"area_kind,omitempty" nullable:"false" enum:"borough,area" doc:"With by=place: borough, or area for a union of boroughs. Areas overlap boroughs and stand behind them: do not add the two."`
}

// CourseDemandRow is one count of people in training.
type CourseDemandRow struct {
	SourceKey   string     `json:"source_key" example:"dfe_apprenticeships" doc:"Key of a source in sources."`
	Metric      string     `json:"metric" enum:"apprenticeship_starts,further_education_enrolments,skills_bootcamp_starts" doc:"Measure kind."`
	RegionCode  string     `json:"region_code" example:"E12000007" doc:"Official national-statistics region code."`
	RegionName  string     `json:"region_name" example:"London" doc:"Name of the region."`
	SubjectArea string     `json:"subject_area" example:"Health, Public Services and Care" doc:"Subject area name; Total for all of them."`
	IsTotal     bool       `json:"is_total" doc:"Whether the row is the sum over all subject areas, which must not be added to them."`
	PeriodEnd   Date       `json:"period_end" doc:"End of the period the value covers."`
	Value       Count      `json:"value" doc:"The count."`
	YearOnYear  YearOnYear `json:"year_on_year" doc:"The same figure one year before, and the change."`
}

// YearOnYear compares a value with the one a year before.
type YearOnYear struct {
	PreviousValue Count   `json:"previous_value" doc:"The count of the same period one year before."`
	Change        Percent `json:"change_pct" doc:"Change on the previous value. null when either value is not a number or the previous one is 0, so that a change never reveals a hidden value."`
}

// SkillsGapsRow is one projection for one occupation.
type SkillsGapsRow struct {
	SOC               string  `json:"soc" example:"2136" doc:"Occupation code in the classification."`
	Occupation        string  `json:"occupation" example:"Programmers and software development professionals" doc:"Name of the occupation."`
	Classification    string  `json:"classification" enum:"SOC2020,SOC2018-US" doc:"SOC2020, or SOC2018-US for country=US; never mixed."`
	Country           string  `json:"country" example:"GB" doc:"ISO 3166-1 alpha-2 country code."`
	RegionCode        *string `json:"region_code" doc:"Official region code; null = the whole country."`
	SourcesAgreeing   int     `json:"sources_agreeing" minimum:"0" doc:"Distinct published sources that point to a gap for the occupation. A news headline is never counted."`
	PointingSources   Keys    `json:"pointing_sources" nullable:"false" doc:"Keys of those sources, sorted."`
	BaseYear          *int    `json:"base_year" doc:"First year of the projection."`
	HorizonYear       *int    `json:"horizon_year" doc:"Last year of the projection."`
	ProjectedChange   Percent `json:"projected_change_pct" doc:"Projected change of employment over the period."`
	ProjectedOpenings *int64  `json:"projected_openings" doc:"Projected openings over the period; null where the source gives none."`
	SourceKey         string  `json:"source_key" doc:"Key of the source of the projection, in sources."`
}

// EvidenceRow is one piece of published evidence.
type EvidenceRow struct {
	ID          string  `json:"id" doc:"Stable identifier."`
	PublishedOn Date    `json:"published_on" doc:"Date of publication."`
	Title       string  `json:"title" doc:"Title of the publication."`
	Statement   string  `json:"statement" doc:"What it says."`
	Kind        string  `json:"kind" enum:"statistic,projection,report,news" doc:"Kind of publication."`
	Signal      string  `json:"signal" enum:"gap,no_gap,none" doc:"Whether it points to a skills gap."`
	SOC         *string `json:"soc" doc:"Occupation code; null when it concerns no single occupation."`
	RegionCode  *string `json:"region_code" doc:"Official region code; null = the whole country."`
	Country     string  `json:"country" example:"GB" doc:"ISO 3166-1 alpha-2 country code."`
	SourceKey   string  `json:"source_key" doc:"Key of a source in sources."`
	Licence     string  `json:"licence" doc:"Licence of the source."`
	Link        string  `json:"link" doc:"Where it can be read."`
}

// SourcesRow describes one receivable source.
type SourcesRow struct {
	Key                  string         `json:"key" example:"platform" doc:"Source key."`
	SourceKey            string         `json:"source_key" example:"platform" doc:"The same as key, so that rows of all endpoints can be joined by one name."`
	Publisher            string         `json:"publisher" doc:"Publisher name."`
	Title                string         `json:"title" doc:"What is published."`
	Kind                 string         `json:"kind" enum:"platform,employer_boards,apprenticeships,statistics,projections,geography,news,plans" doc:"Kind of source. news and plans are those of the embargoed datasets signals and priorities."`
	Licence              string         `json:"licence" doc:"Licence text."`
	Link                 string         `json:"link" doc:"A link to the source."`
	AttributionStatement string         `json:"attribution_statement" doc:"Text that must be displayed with any figure from the source."`
	Cadence              Cadence        `json:"cadence" enum:"daily,weekly,monthly,quarterly,annual" doc:"How often it is expected to publish."`
	LastSuccessAt        MaybeTimestamp `json:"last_success_at" doc:"When it was last received whole; null = never."`
	Stale                bool           `json:"stale" doc:"True when it was never received, or last received longer ago than twice its cadence, at the time of the call."`
	AdvertsCounted       bool           `json:"adverts_counted" doc:"Whether its adverts are counted in skills not met."`
	Rows                 int64          `json:"rows" minimum:"0" doc:"Records read from it for this snapshot, but for those about people: the difference of two days would be a handful of them."`
}

// Cadence is how often a source is expected to publish.
type Cadence string

// The cadences.
const (
	Daily     Cadence = "daily"
	Weekly    Cadence = "weekly"
	Monthly   Cadence = "monthly"
	Quarterly Cadence = "quarterly"
	Annual    Cadence = "annual"
)

// After is the time so many cadences after t, by the calendar. A cadence that is
// not known is taken as daily, the strictest.
func (c Cadence) After(t time.Time, times int) time.Time {
	switch c {
	case Weekly:
		return t.AddDate(0, 0, 7*times)
	case Monthly:
		return t.AddDate(0, times, 0)
	case Quarterly:
		return t.AddDate(0, 3*times, 0)
	case Annual:
		return t.AddDate(times, 0, 0)
	}
	return t.AddDate(0, 0, times)
}

// StaleAt reports whether there was never a success, or the last one is older than
// twice the cadence. Stale holds it at the time of a call.
func (r SourcesRow) StaleAt(now time.Time) bool {
	return r.LastSuccessAt.T == nil || r.Cadence.After(*r.LastSuccessAt.T, 2).Before(now)
}

// RegionsRow is one region with its official code.
type RegionsRow struct {
	Code       string  `json:"code" example:"E30000234" doc:"Official national-statistics code."`
	Name       string  `json:"name" example:"London" doc:"Official name."`
	NameWelsh  *string `json:"name_welsh" doc:"Welsh name; null when there is none."`
	Kind       string  `json:"kind" enum:"travel_to_work_area,council,lsip,itl1,itl2,itl3,nation,region" doc:"Kind of geography."`
	NationCode *string `json:"nation_code" doc:"Code of the nation; null when the region crosses nations."`
	Slug       *string `json:"slug" doc:"Slug of a local skills improvement plan area; null for other kinds."`
	SourceKey  string  `json:"source_key" doc:"Key of a source in sources."`
}

// Health is the answer of /healthz.
type Health struct {
	Status string `json:"status" enum:"ok" doc:"The process answers."`
}

// Readiness is the answer of /readyz.
type Readiness struct {
	Status   string `json:"status" enum:"ready" doc:"A snapshot is loaded and answers."`
	Snapshot string `json:"snapshot" example:"2026-11-20.1" doc:"Its id."`
	AsOf     Date   `json:"as_of" doc:"The date its data describes."`
}
