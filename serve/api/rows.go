package api

import (
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// SkillsUnmetRow is one unmet skill with its rank and figures. If the request has the parameter by,
// the row is one part of a skill's figures, such as those of one place.
type SkillsUnmetRow struct {
	Rank           int     `json:"rank" minimum:"1" doc:"Position in the whole list for these filters, not in the page."`
	Skill          string  `json:"skill" example:"excel" doc:"Skill slug."`
	SkillName      string  `json:"skill_name" example:"Excel and spreadsheets" doc:"Name of the skill."`
	Level          int     `json:"level" minimum:"1" maximum:"5" doc:"Level usually asked of the skill, one per skill in the whole snapshot: the most frequent level over all counted adverts of 24 months that ask for the skill, the lower one on a tie. An advert that states no level counts at the usual level of the skill. With the parameter level it is that level; with by=level it is the bucket. A licence has one level, 1, held."`
	LevelName      string  `json:"level_name" example:"working" doc:"Name of the level."`
	SourceKey      string  `json:"source_key" example:"platform" doc:"Key of a source in sources."`
	AdvertsShare   Share   `json:"adverts_share_pct" doc:"Adverts asking for the skill / adverts that match the filters × 100, always with one decimal."`
	AdvertsBase    string  `json:"adverts_base" enum:"5-19,20-49,50-99,100-249,250-999,1000+" example:"250-999" doc:"Number of counted adverts that match the filters and, with by, are in the bucket, as a band. The exact number is not published; under 250 adverts, the shares of a whole list can narrow it down to a few numbers."`
	AdvertsMargin  Share   `json:"adverts_share_margin_pct" example:"6.0" doc:"Half of the 95 % interval of adverts_share_pct, in percentage points, for the lowest number of the band adverts_base. It is 0 when the share is 0, which does not make that share certain. It covers the chance of few adverts and the errors of coding that were measured on held-back labels; the manifest of the snapshot has their constants."`
	PeopleBelow    Percent `json:"people_below_share_pct" doc:"Residents of the place whose recorded level is below this row's level, or who have no record of the skill, / residents × 100; without the parameter place, residents of all places. It is computed from the counts as printed, where \"<5\" counts as 2.5. Where counts are rounded, it is 100 only if 97 or more are sure: for fewer than 265 residents it is at most the share of all but 2.5. null when it is not published."`
	TurnedDown     Count   `json:"people_turned_down" doc:"Distinct people who applied to counted adverts of the platform and were turned down for the skill. Each is counted once per skill, at the most recent such event. Where counts are rounded, small groups are not divided: it is null for a part of a group that is less than 10 or \"<5\", and, of a group of 10 or 15, for a part that would be less than 10."`
	HiredWith      Percent `json:"hired_with_skill_pct" doc:"Share of hired applicants who had the skill at the level the role asked, from the counts as printed, where \"<5\" counts as 2.5; of 20 or more only."`
	TurnedDownWith Percent `json:"turned_down_with_skill_pct" doc:"Share of turned-down applicants who had it at that level, from the counts as printed, where \"<5\" counts as 2.5; of 20 or more only."`
	Difference     Percent `json:"difference_pct_points" doc:"hired_with_skill_pct - turned_down_with_skill_pct, from the values shown. A large positive value means the skill is part of why people get these jobs."`
	Score          Score   `json:"score" doc:"adverts_share_pct × people_below_share_pct / 100, from the values shown, exact, with four decimals. It is the number of every 100 pairs of an advert and a person in which the advert asks for the skill and the person does not yet meet it."`
	Bucket         *string `json:"bucket,omitempty" nullable:"false" doc:"With by: place slug, sector slug, SOC 2020 code, level or month (YYYY-MM) of the row."`
	BucketName     *string `json:"bucket_name,omitempty" nullable:"false" doc:"With by: name of the bucket."`
	// numbers of adverts from which adverts_share_pct is computed, for significance tests; never
	// printed
	AdvertsSample figure.AdvertSample `json:"-"`
	AreaKind      *string             `json:"area_kind,omitempty" nullable:"false" enum:"borough,area" doc:"With by=place: borough, or area for a union of boroughs. Areas overlap boroughs and come after them; do not add the two."`
}

// CourseDemandRow is one count of people in training, for example of apprenticeship starts in a
// region.
type CourseDemandRow struct {
	SourceKey   string     `json:"source_key" example:"dfe_apprenticeships" doc:"Key of a source in sources."`
	Metric      string     `json:"metric" enum:"apprenticeship_starts,further_education_enrolments,skills_bootcamp_starts" doc:"Measure kind."`
	RegionCode  string     `json:"region_code" example:"E12000007" doc:"Official national-statistics region code. With region, the figures of councils that became part of it are listed too, each under its own former code; nothing is added up."`
	RegionName  string     `json:"region_name" example:"London" doc:"Name of the region."`
	SubjectArea string     `json:"subject_area" example:"Health, Public Services and Care" doc:"Subject area name; Total for all of them."`
	IsTotal     bool       `json:"is_total" doc:"Whether the row is the sum over all subject areas, which must not be added to them."`
	PeriodEnd   Date       `json:"period_end" doc:"End of the period the value covers."`
	Value       Count      `json:"value" doc:"The count."`
	YearOnYear  YearOnYear `json:"year_on_year" doc:"The same figure one year before, and the change."`
}

// FigureRecord returns the text by which the table corrections of a snapshot identifies the row's
// figure.
func (r CourseDemandRow) FigureRecord() string { return r.recordOf(r.PeriodEnd.Time()) }

// PreviousFigureRecord returns the text by which the table corrections of a snapshot identifies the
// figure of the same period one year before.
func (r CourseDemandRow) PreviousFigureRecord() string {
	return r.recordOf(r.PeriodEnd.Time().AddDate(-1, 0, 0))
}

// FigureRecords returns the records of both figures of the row: of its period, and of the year before.
func (r CourseDemandRow) FigureRecords() []string {
	return []string{r.FigureRecord(), r.PreviousFigureRecord()}
}

func (r CourseDemandRow) recordOf(periodEnd time.Time) string {
	return snapshots.FigureRecord{Metric: r.Metric, RegionCode: r.RegionCode,
		PeriodEnd: periodEnd.Format(time.DateOnly), SubjectArea: r.SubjectArea}.String()
}

// YearOnYear compares a count with that of the same period one year before.
type YearOnYear struct {
	PreviousValue Count   `json:"previous_value" doc:"The count of the same period one year before."`
	Change        Percent `json:"change_pct" doc:"Change on the previous value. null when either value is not a number or the previous one is 0, so that a change never reveals a hidden value."`
}

// SkillsGapsRow is the forecast skills gap of one occupation.
type SkillsGapsRow struct {
	SOC               string  `json:"soc" example:"2136" doc:"Occupation code in the classification."`
	Occupation        string  `json:"occupation" example:"Programmers and software development professionals" doc:"Name of the occupation."`
	Classification    string  `json:"classification" enum:"SOC2020,SOC2018-US" doc:"SOC2020, or SOC2018-US for country=US; never mixed."`
	Country           string  `json:"country" example:"GB" doc:"ISO 3166-1 alpha-2 country code."`
	RegionCode        *string `json:"region_code" doc:"Official region code; null = the whole country."`
	SourcesAgreeing   int     `json:"sources_agreeing" minimum:"0" doc:"Distinct published sources that point to a gap for the occupation in this area: sources about England and about the United Kingdom are counted apart. A news headline is never counted."`
	PointingSources   Keys    `json:"pointing_sources" nullable:"false" doc:"Keys of those sources, sorted."`
	BaseYear          *int    `json:"base_year" doc:"First year of the projection."`
	HorizonYear       *int    `json:"horizon_year" doc:"Last year of the projection."`
	ProjectedChange   Percent `json:"projected_change_pct" doc:"Projected change of employment over the period."`
	ProjectedOpenings *int64  `json:"projected_openings" doc:"Projected openings over the period; null where the source gives none, and where England's national skills bodies give fewer than 10,000."`
	SourceKey         string  `json:"source_key" doc:"Key of the source of the projection, in sources."`
}

// EvidenceRow is one published statistic, projection, report or news item about the labour market.
type EvidenceRow struct {
	ID          string  `json:"id" doc:"Stable identifier."`
	PublishedOn Date    `json:"published_on" doc:"Date of publication."`
	Title       string  `json:"title" doc:"Title of the publication."`
	Statement   string  `json:"statement" doc:"Statement of the publication."`
	Kind        string  `json:"kind" enum:"statistic,projection,report,news" doc:"Kind of publication."`
	Signal      string  `json:"signal" enum:"gap,no_gap,none" doc:"Whether it points to a skills gap."`
	SOC         *string `json:"soc" doc:"Occupation code; null when it concerns no single occupation."`
	RegionCode  *string `json:"region_code" doc:"Official region code; null = the whole country."`
	Country     string  `json:"country" example:"GB" doc:"ISO 3166-1 alpha-2 country code."`
	SourceKey   string  `json:"source_key" doc:"Key of a source in sources."`
	Licence     string  `json:"licence" doc:"Licence of the source."`
	Link        string  `json:"link" doc:"Address of the publication."`
}

// SourcesRow describes one source of data: its licence, cadence and freshness.
type SourcesRow struct {
	Key                  string            `json:"key" example:"platform" doc:"Source key."`
	SourceKey            string            `json:"source_key" example:"platform" doc:"The same as key, so that rows of all endpoints can be joined by one name."`
	Publisher            string            `json:"publisher" doc:"Publisher name."`
	Title                string            `json:"title" doc:"Title of the publication."`
	Kind                 string            `json:"kind" enum:"platform,employer_boards,apprenticeships,statistics,projections,geography,news,plans" doc:"Kind of source. news and plans are the sources of the embargoed datasets signals and priorities."`
	Licence              string            `json:"licence" doc:"Licence text."`
	Link                 string            `json:"link" doc:"A link to the source."`
	AttributionStatement string            `json:"attribution_statement" doc:"Text that must be displayed with any figure from the source."`
	Cadence              Cadence           `json:"cadence" enum:"daily,weekly,monthly,quarterly,annual" doc:"How often it is expected to publish."`
	LastSuccessAt        NullableTimestamp `json:"last_success_at" doc:"Newest time at which a part of the source, such as a board or a data set, was received completely; null = never. Where only the platform imports adverts of the source, it is that of the platform's feed."`
	Stale                bool              `json:"stale" doc:"Whether at least half of its parts are stale at the time of the call."`
	Parts                int               `json:"parts" minimum:"0" doc:"Number of its parts: boards, data sets or files."`
	PartsStale           int               `json:"parts_stale" minimum:"0" doc:"Number of stale parts at the time of the call. A part is stale if it was never received, or was last received longer ago than twice the cadence."`
	AdvertsCounted       bool              `json:"adverts_counted" doc:"Whether its adverts are counted in skills not met."`
	Rows                 int64             `json:"rows" minimum:"0" doc:"Number of records read from it for this snapshot, without the platform's residents, applications and events: their difference between two days would be a handful of people."`
	// newest time at which one of its stale parts was received; pages state it
	StaleReceivedAt NullableTimestamp `json:"-"`
}

// Cadence is how often a source is expected to publish.
type Cadence string

// Daily and the constants below state how often a source is expected to publish.
const (
	Daily     Cadence = "daily"
	Weekly    Cadence = "weekly"
	Monthly   Cadence = "monthly"
	Quarterly Cadence = "quarterly"
	Annual    Cadence = "annual"
)

// SetFreshness sets the fields of a source that describe how fresh its data is at the time now.
// parts are the source's rows of the snapshot's table freshness.
func (r *SourcesRow) SetFreshness(parts []snapshots.FreshnessRow, now time.Time) {
	f := snapshots.FreshnessOf(string(r.Cadence), parts, now)
	r.LastSuccessAt = NullableTimestamp{T: f.LastSuccessAt}
	r.Stale = f.IsStale()
	r.Parts = f.Parts
	r.PartsStale = f.Stale
	r.StaleReceivedAt = NullableTimestamp{T: f.StaleReceivedAt}
}

// RegionsRow is one region with its official code, in the list of regions.
type RegionsRow struct {
	Code       string  `json:"code" example:"E30000234" doc:"Official national-statistics code."`
	Name       string  `json:"name" example:"London" doc:"Official name."`
	NameWelsh  *string `json:"name_welsh" doc:"Welsh name; null when there is none."`
	Kind       string  `json:"kind" enum:"travel_to_work_area,council,lsip,itl1,itl2,itl3,nation,region" doc:"Kind of geography."`
	NationCode *string `json:"nation_code" doc:"Code of the nation; null when the region crosses nations."`
	Slug       *string `json:"slug" doc:"Slug of a local skills improvement plan area; null for other kinds."`
	SourceKey  string  `json:"source_key" doc:"Key of a source in sources."`
}

// Health is the response of /healthz, which tells whether the process runs.
type Health struct {
	Status string `json:"status" enum:"ok" doc:"The process answers."`
}

// Readiness is the response of /readyz, which tells whether the server can answer queries.
type Readiness struct {
	Status   string `json:"status" enum:"ready" doc:"A snapshot is loaded and answers."`
	Snapshot string `json:"snapshot" example:"2026-11-20.1" doc:"Its id."`
	AsOf     Date   `json:"as_of" doc:"The date its data describes."`
}

// The rows of the embargoed datasets, for when they are open. The specification does not define
// their fields. At is the row's number in the unfiltered list, which the cursor of the next page
// contains.

// DemandRow is the number of live vacancies of one occupation on one day (an embargoed dataset).
type DemandRow struct {
	At         EmbargoedPosition `json:"-"`
	Day        Date              `json:"day" doc:"The day."`
	SOC        string            `json:"soc" example:"2134" doc:"SOC 2020 unit group."`
	Occupation string            `json:"occupation" example:"Programmers and software development professionals" doc:"Name of the unit group."`
	Vacancies  int               `json:"vacancies" minimum:"5" example:"48" doc:"Vacancies that were live on the day, of sources that may be shared only. A vacancy is live from the day on which it was posted to its closing day. If its source stopped listing it earlier, or it has no closing day, it is live to the last day on which its source listed it. There is no row for fewer than 5 vacancies or for fewer than 3 employers."`
	SourceKeys Keys              `json:"source_keys" nullable:"false" example:"[\"find_an_apprenticeship\",\"platform\"]" doc:"Keys of the sources of the figure, sorted, each in sources."`
}

// TrendsRow compares the vacancies of one occupation with those of a year before (an embargoed
// dataset).
type TrendsRow struct {
	At                EmbargoedPosition `json:"-"`
	Digits            int               `json:"digits" minimum:"1" maximum:"4" example:"4" doc:"Number of digits of the occupation's code. Ranks are among codes with the same number of digits."`
	Direction         string            `json:"direction" enum:"growing,shrinking,steady" doc:"growing or shrinking: the change is at least 10 per cent and more than twice the square root of both counts together. steady: everything else."`
	Rank              int               `json:"rank" minimum:"1" doc:"From 1 in its direction: growing and steady by change_pct, the highest first; shrinking by change_pct, the lowest first. Ties by vacancies, then by soc."`
	SOC               string            `json:"soc" example:"2134" doc:"SOC 2020 group of 1 to 4 digits."`
	Occupation        string            `json:"occupation" example:"Programmers and software development professionals" doc:"Name of the group."`
	Vacancies         int               `json:"vacancies" minimum:"5" example:"63" doc:"Vacancies posted in the window, of sources that may be shared and were watched in both windows."`
	PreviousVacancies int               `json:"previous_vacancies" minimum:"20" example:"40" doc:"Vacancies posted in the window of the year before. There is no row for fewer than 20."`
	ChangePct         Percent           `json:"change_pct" doc:"Change on the window 364 days earlier."`
	WindowFrom        Date              `json:"window_from" doc:"First of the 91 days up to as_of."`
	WindowTo          Date              `json:"window_to" doc:"The last of them."`
	PreviousFrom      Date              `json:"previous_from" doc:"First day of the window before: 364 days earlier, so that both have the same weekdays and season."`
	PreviousTo        Date              `json:"previous_to" doc:"The last of them."`
	SourceKeys        Keys              `json:"source_keys" nullable:"false" example:"[\"platform\"]" doc:"Keys of the sources of the figure, sorted, each in sources."`
}

// OutlookRow is the employment outlook of one occupation, combined from several published
// projections (an embargoed dataset).
type OutlookRow struct {
	At                 EmbargoedPosition `json:"-"`
	SOC                string            `json:"soc" example:"21" doc:"Occupation code in the classification, at the level at which it was published."`
	Occupation         string            `json:"occupation" example:"Science, research, engineering and technology professionals" doc:"Name of the occupation."`
	Classification     string            `json:"classification" enum:"SOC2020,SOC2018-US" doc:"SOC2020, or SOC2018-US for country=US; never mixed."`
	Country            string            `json:"country" example:"GB" doc:"ISO 3166-1 alpha-2 country code."`
	RegionCode         *string           `json:"region_code" example:"E92000001" doc:"Official region code; null = the whole country."`
	HorizonMonths      int               `json:"horizon_months" enum:"6,12,24,36,48,60" doc:"Months after as_of."`
	Signal             string            `json:"signal" enum:"gap,no_gap,none" doc:"gap or no_gap: more of the published sources point to it than to the other; none: as many point to each."`
	SourcesGap         int               `json:"sources_gap" minimum:"0" example:"2" doc:"Distinct published sources that point to a gap. A news headline is never counted."`
	SourcesNoGap       int               `json:"sources_no_gap" minimum:"0" example:"0" doc:"Distinct published sources that point to no gap."`
	ProjectedChangePct Percent           `json:"projected_change_pct" doc:"Change of employment from as_of to the horizon: the mean of the sources, each taken as steady growth over its own period and never beyond."`
	LowChangePct       Percent           `json:"low_change_pct" doc:"The lowest of the sources."`
	HighChangePct      Percent           `json:"high_change_pct" doc:"The highest of the sources."`
	ProjectedOpenings  *int64            `json:"projected_openings" example:"5200" doc:"Openings from as_of to the horizon, rounded to hundreds: the mean of the sources that state them; null where none does."`
	SourceKeys         Keys              `json:"source_keys" nullable:"false" example:"[\"skills_england\"]" doc:"Keys of the sources of the figures, sorted, each in sources."`
}

// ReachRow is the number of live vacancies within a distance in kilometres of one ward (an
// embargoed dataset).
type ReachRow struct {
	At              EmbargoedPosition `json:"-"`
	WardCode        string            `json:"ward_code" example:"E05000128" doc:"National statistics code of the ward."`
	WardName        string            `json:"ward_name" example:"Belsize" doc:"Name of the ward."`
	CouncilCode     string            `json:"council_code" example:"E09000007" doc:"National statistics code of its council."`
	WithinKM        int               `json:"within_km" enum:"5,10,20" doc:"Distance from the ward's middle as the crow flies, in kilometres. A longer one includes the shorter."`
	Vacancies       int               `json:"vacancies" minimum:"5" example:"212" doc:"Vacancies live on as_of within the distance, of sources that may be shared only. There is no row for fewer than 5 vacancies or for fewer than 3 employers."`
	PlacedByCouncil int               `json:"vacancies_placed_by_council" minimum:"0" example:"150" doc:"Number of these vacancies for which only the council is known; they count as at its centre."`
	SourceKeys      Keys              `json:"source_keys" nullable:"false" example:"[\"ons_geography\",\"platform\"]" doc:"Keys of the sources of the figure, sorted, each in sources."`
}

// SignalsRow is a summary of one publication about the labour market (an embargoed dataset).
type SignalsRow struct {
	At          EmbargoedPosition `json:"-"`
	ID          string            `json:"id" example:"news_office:0a1b2c3d4e5f6071" doc:"Stable identifier."`
	PublishedOn Date              `json:"published_on" doc:"Date of publication."`
	Topics      Keys              `json:"topics" nullable:"false" example:"[\"pay\",\"vacancies\"]" doc:"Topics from the service's own list, sorted."`
	Summary     string            `json:"summary" example:"Office for Examples published on pay and vacancies on 12 November 2026." doc:"One sentence written by the service, without words of the publisher."`
	SourceKey   string            `json:"source_key" example:"news_office" doc:"Key of a source in sources."`
	Licence     string            `json:"licence" example:"Open Government Licence v3.0" doc:"Licence of the source."`
	Link        string            `json:"link" example:"https://office.example/releases/1" doc:"Citation: the address of the publication."`
}

// PrioritiesRow is a skill, occupation or sector that a local skills improvement plan lists as in
// demand (an embargoed dataset).
type PrioritiesRow struct {
	At          EmbargoedPosition `json:"-"`
	RegionCode  string            `json:"region_code" example:"E69000039" doc:"National statistics code of the area of the plan."`
	Plan        string            `json:"plan" example:"central_london" doc:"Id of the plan."`
	Kind        string            `json:"kind" enum:"occupation,sector,skill" doc:"Kind of entry."`
	Code        string            `json:"code" example:"2231" doc:"SOC 2020 code of 1 to 4 digits, sector slug or skill slug."`
	Name        string            `json:"name" example:"Midwifery nurses" doc:"Its name in the service's lists."`
	Summary     string            `json:"summary" example:"A plan (A chamber, 2025) lists Midwifery nurses (SOC 2020 2231) as in demand, page 14." doc:"One sentence written by the service."`
	Page        *string           `json:"page" example:"14" doc:"Page of the plan; null where it has none."`
	PublishedOn Date              `json:"published_on" doc:"Date of the plan."`
	SourceKey   string            `json:"source_key" example:"plan_central_london" doc:"Key of a source in sources."`
	Licence     string            `json:"licence" example:"Open Government Licence v3.0" doc:"Licence of the source."`
	Link        string            `json:"link" example:"https://chamber.example/plan" doc:"Citation: the address of the plan."`
}
