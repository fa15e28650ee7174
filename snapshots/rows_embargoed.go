package snapshots

import (
	"time"

	"labour/snapshots/figure"
)

// DemandRow is a row of the embargoed dataset demand: the live vacancies of an occupation on a
// day.
type DemandRow struct {
	Day        time.Time `col:"day" doc:"the day, one of the 365 up to as_of"`
	SOC        string    `col:"soc" doc:"SOC 2020 unit group, 4 digits"`
	Occupation string    `col:"occupation" doc:"name of the unit group"`
	Vacancies  int32     `col:"vacancies" unit:"vacancies" doc:"vacancies that were live on the day, at least 5"`
	SourceKeys string    `col:"source_keys" doc:"keys of the sources of the figure, sorted, separated by commas"`
}

// TrendsRow is a row of the embargoed dataset trends. It compares the vacancies of an occupation in
// the last 91 days with those in 91 days a year earlier.
type TrendsRow struct {
	Digits            int8          `col:"digits" doc:"digits of the occupation's code, 1 to 4; ranks compare only groups with the same number of digits"`
	Direction         string        `col:"direction" doc:"growing, shrinking or steady"`
	Rank              int32         `col:"rank" doc:"rank within the direction, from 1; growing and steady by change_pct, the highest first, shrinking by change_pct, the lowest first; ties by vacancies, the most first, then by soc"`
	SOC               string        `col:"soc" doc:"SOC 2020 group of 1 to 4 digits"`
	Occupation        string        `col:"occupation" doc:"name of the group"`
	Vacancies         int32         `col:"vacancies" unit:"vacancies" doc:"vacancies posted in the window, at least 5"`
	PreviousVacancies int32         `col:"previous_vacancies" unit:"vacancies" doc:"vacancies posted in the window 364 days earlier, at least 20"`
	ChangePct         figure.Tenths `col:"change_pct" doc:"change on the window 364 days earlier, per cent"`
	WindowFrom        time.Time     `col:"window_from" doc:"first day of the window"`
	WindowTo          time.Time     `col:"window_to" doc:"last day of the window"`
	PreviousFrom      time.Time     `col:"previous_from" doc:"first day of the window 364 days earlier"`
	PreviousTo        time.Time     `col:"previous_to" doc:"last day of the window 364 days earlier"`
	SourceKeys        string        `col:"source_keys" doc:"keys of the sources of the figure, sorted, separated by commas"`
}

// OutlookRow is a row of the embargoed dataset outlook: the mean of all sources' projections for an
// occupation, for example over 24 months.
type OutlookRow struct {
	SOC                string        `col:"soc" doc:"occupation code in the classification, at the level published"`
	Occupation         string        `col:"occupation" doc:"name of the occupation"`
	Classification     string        `col:"classification" doc:"SOC2020, or SOC2018-US for country US; never mixed"`
	Country            string        `col:"country" doc:"ISO 3166-1 alpha-2"`
	RegionCode         string        `col:"region_code" doc:"national statistics code; empty = the country"`
	HorizonMonths      int16         `col:"horizon_months" unit:"months" doc:"months after as_of: 6, 12, 24, 36, 48 or 60"`
	Signal             string        `col:"signal" doc:"gap or no_gap, whichever more of the sources point to; none on a tie"`
	SourcesGap         int32         `col:"sources_gap" unit:"sources" doc:"distinct published sources that point to a gap; a news headline is never counted"`
	SourcesNoGap       int32         `col:"sources_no_gap" unit:"sources" doc:"distinct published sources that point to no gap"`
	ProjectedChangePct figure.Tenths `col:"projected_change_pct" doc:"change of employment from as_of to the horizon, per cent: the mean of the sources"`
	LowChangePct       figure.Tenths `col:"low_change_pct" doc:"the lowest of the sources, per cent"`
	HighChangePct      figure.Tenths `col:"high_change_pct" doc:"the highest of the sources, per cent"`
	ProjectedOpenings  *int64        `col:"projected_openings" unit:"openings" doc:"openings from as_of to the horizon: the mean of the sources that state them, spread evenly over their periods and rounded to hundreds; null = no source states them, or they are left out"`
	SourceKeys         string        `col:"source_keys" doc:"keys of the sources of the figure, sorted, separated by commas"`
}

// ReachRow is a row of the embargoed dataset reach. It counts the live vacancies within 5, 10 or 20
// km of a ward.
type ReachRow struct {
	WardCode                 string `col:"ward_code" doc:"national statistics code of the ward"`
	WardName                 string `col:"ward_name" doc:"name of the ward"`
	CouncilCode              string `col:"council_code" doc:"national statistics code of the ward's council"`
	WithinKM                 int16  `col:"within_km" unit:"kilometres" doc:"distance in kilometres: 5, 10 or 20; a longer one includes the shorter"`
	Vacancies                int32  `col:"vacancies" unit:"vacancies" doc:"vacancies live on as_of within the distance, at least 5"`
	VacanciesPlacedByCouncil int32  `col:"vacancies_placed_by_council" unit:"vacancies" doc:"vacancies among these for which only the council is known"`
	SourceKeys               string `col:"source_keys" doc:"keys of the sources of the figure, sorted, separated by commas"`
}

// SignalsRow is a row of the embargoed dataset signals: a sentence that the service itself wrote
// about a news publication.
type SignalsRow struct {
	ID          string    `col:"id" doc:"stable id: source key, a colon and the hash of the publisher's own id"`
	PublishedOn time.Time `col:"published_on" doc:"date of publication"`
	Topics      string    `col:"topics" doc:"topics from the service's own list, sorted, separated by commas"`
	Summary     string    `col:"summary" doc:"one sentence, written by the service"`
	SourceKey   string    `col:"source_key" doc:"key of the source"`
	Licence     string    `col:"licence" doc:"licence of the source"`
	Link        string    `col:"link" doc:"citation: where the publication can be read"`
}

// PrioritiesRow is a row of the embargoed dataset priorities: a skill, sector or occupation that a
// local plan lists as in demand.
type PrioritiesRow struct {
	RegionCode  string    `col:"region_code" doc:"national statistics code of the area of the plan"`
	Plan        string    `col:"plan" doc:"id of the plan"`
	Kind        string    `col:"kind" doc:"occupation, sector or skill"`
	Code        string    `col:"code" doc:"SOC 2020 code of 1 to 4 digits, sector slug or skill slug"`
	Name        string    `col:"name" doc:"name of the occupation, sector or skill in the service's lists"`
	Summary     string    `col:"summary" doc:"one sentence, written by the service"`
	Page        *string   `col:"page" doc:"page of the plan; null = the plan has no pages"`
	PublishedOn time.Time `col:"published_on" doc:"date of the plan"`
	SourceKey   string    `col:"source_key" doc:"key of the source"`
	Licence     string    `col:"licence" doc:"licence of the source"`
	Link        string    `col:"link" doc:"citation: where the plan can be read"`
}
