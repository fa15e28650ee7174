package snapshots

import (
	"time"

	"labour/snapshots/figure"
)

// DemandRow is a row of the held dataset demand.
type DemandRow struct {
	Day        time.Time `col:"day"`
	SOC        string    `col:"soc"`
	Occupation string    `col:"occupation"`
	Vacancies  int32     `col:"vacancies"`
	SourceKeys string    `col:"source_keys"`
}

// TrendsRow is a row of the held dataset trends.
type TrendsRow struct {
	Digits            int8          `col:"digits"`
	Direction         string        `col:"direction"`
	Rank              int32         `col:"rank"`
	SOC               string        `col:"soc"`
	Occupation        string        `col:"occupation"`
	Vacancies         int32         `col:"vacancies"`
	PreviousVacancies int32         `col:"previous_vacancies"`
	ChangePct         figure.Tenths `col:"change_pct"`
	WindowFrom        time.Time     `col:"window_from"`
	WindowTo          time.Time     `col:"window_to"`
	PreviousFrom      time.Time     `col:"previous_from"`
	PreviousTo        time.Time     `col:"previous_to"`
	SourceKeys        string        `col:"source_keys"`
}

// OutlookRow is a row of the held dataset outlook.
type OutlookRow struct {
	SOC                string        `col:"soc"`
	Occupation         string        `col:"occupation"`
	Classification     string        `col:"classification"`
	Country            string        `col:"country"`
	RegionCode         string        `col:"region_code"`
	HorizonMonths      int16         `col:"horizon_months"`
	Signal             string        `col:"signal"`
	SourcesGap         int32         `col:"sources_gap"`
	SourcesNoGap       int32         `col:"sources_no_gap"`
	ProjectedChangePct figure.Tenths `col:"projected_change_pct"`
	LowChangePct       figure.Tenths `col:"low_change_pct"`
	HighChangePct      figure.Tenths `col:"high_change_pct"`
	ProjectedOpenings  *int64        `col:"projected_openings"`
	SourceKeys         string        `col:"source_keys"`
}

// ReachRow is a row of the held dataset reach.
type ReachRow struct {
	WardCode                 string `col:"ward_code"`
	WardName                 string `col:"ward_name"`
	CouncilCode              string `col:"council_code"`
	WithinKM                 int16  `col:"within_km"`
	Vacancies                int32  `col:"vacancies"`
	VacanciesPlacedByCouncil int32  `col:"vacancies_placed_by_council"`
	SourceKeys               string `col:"source_keys"`
}

// SignalsRow is a row of the held dataset signals.
type SignalsRow struct {
	ID          string    `col:"id"`
	PublishedOn time.Time `col:"published_on"`
	Topics      string    `col:"topics"`
	Summary     string    `col:"summary"`
	SourceKey   string    `col:"source_key"`
	Licence     string    `col:"licence"`
	Link        string    `col:"link"`
}

// PrioritiesRow is a row of the held dataset priorities.
type PrioritiesRow struct {
	RegionCode  string    `col:"region_code"`
	Plan        string    `col:"plan"`
	Kind        string    `col:"kind"`
	Code        string    `col:"code"`
	Name        string    `col:"name"`
	Summary     string    `col:"summary"`
	Page        *string   `col:"page"`
	PublishedOn time.Time `col:"published_on"`
	SourceKey   string    `col:"source_key"`
	Licence     string    `col:"licence"`
	Link        string    `col:"link"`
}
