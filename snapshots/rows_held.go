package snapshots

import (
	"strings"
	"time"

	"labour/snapshots/figure"
)

// DemandRow is a row of the held dataset demand.
type DemandRow struct {
	Day        time.Time `col:"day" doc:"the day, one of the 365 up to as_of"`
	SOC        string    `col:"soc" doc:"SOC 2020 unit group, 4 digits"`
	Occupation string    `col:"occupation" doc:"name of the unit group"`
	Vacancies  int32     `col:"vacancies" unit:"vacancies" doc:"vacancies that were live on the day, at least 5"`
	SourceKeys string    `col:"source_keys" doc:"keys of the sources of the figure, sorted, separated by commas"`
}

// TrendsRow is a row of the held dataset trends.
type TrendsRow struct {
	Digits            int8          `col:"digits" doc:"digits of the occupation's code, 1 to 4; ranks are within groups of as many digits"`
	Direction         string        `col:"direction" doc:"growing, shrinking or steady"`
	Rank              int32         `col:"rank" doc:"from 1 in its direction: the largest change first; ties by vacancies, the most first, then by soc"`
	SOC               string        `col:"soc" doc:"SOC 2020 group of 1 to 4 digits"`
	Occupation        string        `col:"occupation" doc:"name of the group"`
	Vacancies         int32         `col:"vacancies" unit:"vacancies" doc:"vacancies posted in the window, at least 5"`
	PreviousVacancies int32         `col:"previous_vacancies" unit:"vacancies" doc:"vacancies posted in the window before, at least 20"`
	ChangePct         figure.Tenths `col:"change_pct" doc:"change on the window before, per cent"`
	WindowFrom        time.Time     `col:"window_from" doc:"first day of the window"`
	WindowTo          time.Time     `col:"window_to" doc:"last day of the window"`
	PreviousFrom      time.Time     `col:"previous_from" doc:"first day of the window before"`
	PreviousTo        time.Time     `col:"previous_to" doc:"last day of the window before"`
	SourceKeys        string        `col:"source_keys" doc:"keys of the sources of the figure, sorted, separated by commas"`
}

// OutlookRow is a row of the held dataset outlook.
type OutlookRow struct {
	SOC                string        `col:"soc" doc:"occupation code in the classification, at the level published"`
	Occupation         string        `col:"occupation" doc:"name of the occupation"`
	Classification     string        `col:"classification" doc:"SOC2020, or SOC2018-US for country US; never mixed"`
	Country            string        `col:"country" doc:"ISO 3166-1 alpha-2"`
	RegionCode         string        `col:"region_code" doc:"national statistics code; empty = the country"`
	HorizonMonths      int16         `col:"horizon_months" unit:"months" doc:"months after as_of: 6, 12, 24, 36, 48 or 60"`
	Signal             string        `col:"signal" doc:"gap, no_gap, or none: what more of the sources point to"`
	SourcesGap         int32         `col:"sources_gap" unit:"sources" doc:"distinct published sources that point to a gap; a news headline is never counted"`
	SourcesNoGap       int32         `col:"sources_no_gap" unit:"sources" doc:"distinct published sources that say that there is none"`
	ProjectedChangePct figure.Tenths `col:"projected_change_pct" doc:"change of employment from as_of to the horizon, per cent: the mean of the sources"`
	LowChangePct       figure.Tenths `col:"low_change_pct" doc:"the lowest of the sources, per cent"`
	HighChangePct      figure.Tenths `col:"high_change_pct" doc:"the highest of the sources, per cent"`
	ProjectedOpenings  *int64        `col:"projected_openings" unit:"openings" doc:"openings from as_of to the horizon, the mean of the sources that state them, evenly over their periods; null = none states them"`
	SourceKeys         string        `col:"source_keys" doc:"keys of the sources of the figure, sorted, separated by commas"`
}

// ReachRow is a row of the held dataset reach.
type ReachRow struct {
	WardCode                 string `col:"ward_code" doc:"national statistics code of the ward"`
	WardName                 string `col:"ward_name" doc:"name of the ward"`
	CouncilCode              string `col:"council_code" doc:"national statistics code of the ward's council"`
	WithinKM                 int16  `col:"within_km" unit:"kilometres" doc:"distance in kilometres: 5, 10 or 20; a longer one includes the shorter"`
	Vacancies                int32  `col:"vacancies" unit:"vacancies" doc:"vacancies live on as_of within the distance, at least 5"`
	VacanciesPlacedByCouncil int32  `col:"vacancies_placed_by_council" unit:"vacancies" doc:"those of them whose place is known as a council only"`
	SourceKeys               string `col:"source_keys" doc:"keys of the sources of the figure, sorted, separated by commas"`
}

// SignalsRow is a row of the held dataset signals.
type SignalsRow struct {
	ID          string    `col:"id" doc:"stable id: source key, a colon and the hash of the publisher's own id"`
	PublishedOn time.Time `col:"published_on" doc:"date of publication"`
	Topics      string    `col:"topics" doc:"topics of the service's own list, sorted, separated by commas"`
	Summary     string    `col:"summary" doc:"one sentence of the service's own"`
	SourceKey   string    `col:"source_key" doc:"key of the source"`
	Licence     string    `col:"licence" doc:"licence of the source"`
	Link        string    `col:"link" doc:"citation: where the publication can be read"`
}

// PrioritiesRow is a row of the held dataset priorities.
type PrioritiesRow struct {
	RegionCode  string    `col:"region_code" doc:"national statistics code of the area of the plan"`
	Plan        string    `col:"plan" doc:"id of the plan"`
	Kind        string    `col:"kind" doc:"occupation, sector or skill"`
	Code        string    `col:"code" doc:"SOC 2020 code of 1 to 4 digits, sector slug or skill slug"`
	Name        string    `col:"name" doc:"name of the occupation, sector or skill in the service's lists"`
	Summary     string    `col:"summary" doc:"one sentence of the service's own"`
	Page        *string   `col:"page" doc:"page of the plan; null = not paged"`
	PublishedOn time.Time `col:"published_on" doc:"date of the plan"`
	SourceKey   string    `col:"source_key" doc:"key of the source"`
	Licence     string    `col:"licence" doc:"licence of the source"`
	Link        string    `col:"link" doc:"citation: where the plan can be read"`
}

// The roll-ups: the adverts of the tables adverts and adverts_total of the last 24 months
// as small integers, added up and put in the orders in which questions about skills read
// them. Nothing is in them that those two tables do not say. Package rollups makes them.

// IsRollup reports whether a table follows from other tables of the same snapshot: what
// differs in it from one snapshot to the next differs in those too.
func IsRollup(table string) bool { return strings.HasPrefix(table, "rollup_") }

// RollupCodesRow is a row of the table rollup_codes.
type RollupCodesRow struct {
	Dimension string `col:"dimension" doc:"place, sector, skill or source"`
	Code      int16  `col:"code" doc:"the number; 0 = the whole country (a place) or not known (a sector)"`
	Value     string `col:"value" doc:"place, sector or skill slug, or key of a source of adverts; empty for number 0"`
}

// RollupMonthsRow is a row of the table rollup_months.
type RollupMonthsRow struct {
	SkillCode  int16 `col:"skill_code" doc:"number of the skill in rollup_codes"`
	PlaceCode  int16 `col:"place_code" doc:"number of the place in rollup_codes"`
	SOCCode    int32 `col:"soc_code" doc:"the SOC 2020 code filled up to four digits with zeros, and then the number of its own digits: 2134 is 21344 and 213 is 21303; 0 = not known"`
	SectorCode int16 `col:"sector_code" doc:"number of the sector in rollup_codes"`
	SourceCode int16 `col:"source_code" doc:"number of the source in rollup_codes"`
	MonthsBack int8  `col:"months_back" unit:"months" doc:"calendar months from the month of the adverts to the one of as_of, 0 to 23"`
	Level      int8  `col:"level" doc:"level asked, 1 to 5; 0 = not stated"`
	Adverts    int32 `col:"adverts" unit:"adverts" doc:"adverts in the cell, at least 1"`
}

// RollupSkillsRow is a row of the table rollup_skills.
type RollupSkillsRow struct {
	PlaceCode    int16 `col:"place_code" doc:"number of the place in rollup_codes"`
	SOCCode      int32 `col:"soc_code" doc:"the SOC 2020 code filled up to four digits with zeros, and then the number of its own digits: 2134 is 21344 and 213 is 21303; 0 = not known; -1 = all occupations of the sector"`
	SectorCode   int16 `col:"sector_code" doc:"number of the sector in rollup_codes; -1 = everything of the place"`
	SourceCode   int16 `col:"source_code" doc:"number of the source in rollup_codes"`
	WindowMonths int8  `col:"window_months" unit:"months" doc:"the shortest of 3, 6, 12 and 24 months up to as_of that holds the adverts"`
	SkillCode    int16 `col:"skill_code" doc:"number of the skill in rollup_codes"`
	Level        int8  `col:"level" doc:"level asked, 1 to 5; 0 = not stated"`
	Adverts      int32 `col:"adverts" unit:"adverts" doc:"adverts in the cell, at least 1"`
}

// RollupTotalsRow is a row of the table rollup_totals.
type RollupTotalsRow struct {
	PlaceCode  int16  `col:"place_code" doc:"number of the place in rollup_codes"`
	SOCCode    int32  `col:"soc_code" doc:"the SOC 2020 code filled up to four digits with zeros, and then the number of its own digits: 2134 is 21344 and 213 is 21303; 0 = not known; -1 = all occupations of the sector"`
	SectorCode int16  `col:"sector_code" doc:"number of the sector in rollup_codes; -1 = everything of the place"`
	SourceCode int16  `col:"source_code" doc:"number of the source in rollup_codes"`
	MonthsBack int8   `col:"months_back" unit:"months" doc:"calendar months from the month of the adverts to the one of as_of, 0 to 23"`
	Adverts    int32  `col:"adverts" unit:"adverts" doc:"adverts in the cell, at least 1"`
	InCouncil  int32  `col:"in_council" unit:"adverts" doc:"adverts of the cell whose council is known"`
	InArea     int32  `col:"in_area" unit:"adverts" doc:"adverts of the cell that are only known to be in a wider area"`
	Employer1  int32  `col:"employer_1" doc:"number of an employer with an advert in the cell, as in adverts_total; the three smallest"`
	Employer2  *int32 `col:"employer_2" doc:"number of an employer with an advert in the cell, as in adverts_total; the three smallest"`
	Employer3  *int32 `col:"employer_3" doc:"number of an employer with an advert in the cell, as in adverts_total; the three smallest"`
}
