package api

// The rows of the embargoed datasets, once they are open. Their fields are decided
// here. At is the position of a row, for the page after it.

// DemandRow is the live vacancies of one occupation on one day.
type DemandRow struct {
	At         HeldPosition `json:"-"`
	Day        Date         `json:"day" doc:"The day."`
	SOC        string       `json:"soc" example:"2134" doc:"SOC 2020 unit group."`
	Occupation string       `json:"occupation" example:"Programmers and software development professionals" doc:"Name of the unit group."`
	Vacancies  int          `json:"vacancies" minimum:"5" example:"48" doc:"Vacancies that were live on the day: from the day on which they were posted to their closing day, or without one to the last day on which their source showed them. Of sources that may be shared only. Fewer than 5, or of fewer than 3 employers, have no row."`
	SourceKeys Keys         `json:"source_keys" nullable:"false" example:"[\"find_an_apprenticeship\",\"platform\"]" doc:"Keys of the sources of the figure, sorted, each in sources."`
}

// TrendsRow compares the vacancies of one occupation with those of a year before.
type TrendsRow struct {
	At                HeldPosition `json:"-"`
	Digits            int          `json:"digits" minimum:"1" maximum:"4" example:"4" doc:"Digits of the occupation's code. Ranks are within groups of as many digits."`
	Direction         string       `json:"direction" enum:"growing,shrinking,steady" doc:"growing or shrinking: the change is at least 10 per cent and more than twice the square root of both counts together. steady: everything else."`
	Rank              int          `json:"rank" minimum:"1" doc:"From 1 in its direction: the largest change first, ties by vacancies, then by soc."`
	SOC               string       `json:"soc" example:"2134" doc:"SOC 2020 group of 1 to 4 digits."`
	Occupation        string       `json:"occupation" example:"Programmers and software development professionals" doc:"Name of the group."`
	Vacancies         int          `json:"vacancies" minimum:"5" example:"63" doc:"Vacancies posted in the window, of sources that may be shared and were watched in both windows."`
	PreviousVacancies int          `json:"previous_vacancies" minimum:"20" example:"40" doc:"Vacancies posted in the window of the year before. Fewer than 20 have no row."`
	ChangePct         Percent      `json:"change_pct" doc:"Change on the window before."`
	WindowFrom        Date         `json:"window_from" doc:"First of the 91 days up to as_of."`
	WindowTo          Date         `json:"window_to" doc:"The last of them."`
	PreviousFrom      Date         `json:"previous_from" doc:"First day of the window before: 364 days earlier, so that both have the same weekdays and season."`
	PreviousTo        Date         `json:"previous_to" doc:"The last of them."`
	SourceKeys        Keys         `json:"source_keys" nullable:"false" example:"[\"platform\"]" doc:"Keys of the sources of the figure, sorted, each in sources."`
}

// OutlookRow is what the projections of one occupation say together.
type OutlookRow struct {
	At                 HeldPosition `json:"-"`
	SOC                string       `json:"soc" example:"21" doc:"Occupation code in the classification, at the level at which it was published."`
	Occupation         string       `json:"occupation" example:"Science, research, engineering and technology professionals" doc:"Name of the occupation."`
	Classification     string       `json:"classification" enum:"SOC2020,SOC2018-US" doc:"SOC2020, or SOC2018-US for country=US; never mixed."`
	Country            string       `json:"country" example:"GB" doc:"ISO 3166-1 alpha-2 country code."`
	RegionCode         *string      `json:"region_code" example:"E92000001" doc:"Official region code; null = the whole country."`
	HorizonMonths      int          `json:"horizon_months" enum:"6,12,24,36,48,60" doc:"Months after as_of."`
	Signal             string       `json:"signal" enum:"gap,no_gap,none" doc:"What more of the published sources point to."`
	SourcesGap         int          `json:"sources_gap" minimum:"0" example:"2" doc:"Distinct published sources that point to a gap. A news headline is never counted."`
	SourcesNoGap       int          `json:"sources_no_gap" minimum:"0" example:"0" doc:"Distinct published sources that say that there is none."`
	ProjectedChangePct Percent      `json:"projected_change_pct" doc:"Change of employment from as_of to the horizon: the mean of the sources, each taken as steady growth over its own period and never beyond."`
	LowChangePct       Percent      `json:"low_change_pct" doc:"The lowest of the sources."`
	HighChangePct      Percent      `json:"high_change_pct" doc:"The highest of the sources."`
	ProjectedOpenings  *int64       `json:"projected_openings" example:"5200" doc:"Openings from as_of to the horizon in hundreds, the mean of the sources that state them; null where none does."`
	SourceKeys         Keys         `json:"source_keys" nullable:"false" example:"[\"skills_england\"]" doc:"Keys of the sources of the figures, sorted, each in sources."`
}

// ReachRow is the live work within a distance of one ward.
type ReachRow struct {
	At              HeldPosition `json:"-"`
	WardCode        string       `json:"ward_code" example:"E05000128" doc:"National statistics code of the ward."`
	WardName        string       `json:"ward_name" example:"Belsize" doc:"Name of the ward."`
	CouncilCode     string       `json:"council_code" example:"E09000007" doc:"National statistics code of its council."`
	WithinKM        int          `json:"within_km" enum:"5,10,20" doc:"Distance from the ward's middle as the crow flies, in kilometres. A longer one includes the shorter."`
	Vacancies       int          `json:"vacancies" minimum:"5" example:"212" doc:"Vacancies live on as_of within the distance, of sources that may be shared only. Fewer than 5, or of fewer than 3 employers, have no row."`
	PlacedByCouncil int          `json:"vacancies_placed_by_council" minimum:"0" example:"150" doc:"Those of them whose place is known as a council only, whose middle stands for it."`
	SourceKeys      Keys         `json:"source_keys" nullable:"false" example:"[\"ons_geography\",\"platform\"]" doc:"Keys of the sources of the figure, sorted, each in sources."`
}

// SignalsRow is one publication on the labour market, summarised.
type SignalsRow struct {
	At          HeldPosition `json:"-"`
	ID          string       `json:"id" example:"news_office:0a1b2c3d4e5f6071" doc:"Stable identifier."`
	PublishedOn Date         `json:"published_on" doc:"Date of publication."`
	Topics      Keys         `json:"topics" nullable:"false" example:"[\"pay\",\"vacancies\"]" doc:"What it is about, of the service's own list, sorted."`
	Summary     string       `json:"summary" example:"Office for Examples published on pay and vacancies on 12 November 2026." doc:"One sentence of the service's own; no word of the publisher's."`
	SourceKey   string       `json:"source_key" example:"news_office" doc:"Key of a source in sources."`
	Licence     string       `json:"licence" example:"Open Government Licence v3.0" doc:"Licence of the source."`
	Link        string       `json:"link" example:"https://office.example/releases/1" doc:"Citation: where it can be read."`
}

// PrioritiesRow is one thing that a plan lists as in demand.
type PrioritiesRow struct {
	At          HeldPosition `json:"-"`
	RegionCode  string       `json:"region_code" example:"E69000039" doc:"National statistics code of the area of the plan."`
	Plan        string       `json:"plan" example:"central_london" doc:"Id of the plan."`
	Kind        string       `json:"kind" enum:"occupation,sector,skill" doc:"What is listed."`
	Code        string       `json:"code" example:"2231" doc:"SOC 2020 code of 1 to 4 digits, sector slug or skill slug."`
	Name        string       `json:"name" example:"Midwifery nurses" doc:"Its name in the service's lists."`
	Summary     string       `json:"summary" example:"A plan (A chamber, 2025) lists Midwifery nurses (SOC 2020 2231) as in demand, page 14." doc:"One sentence of the service's own."`
	Page        *string      `json:"page" example:"14" doc:"Page of the plan; null where it has none."`
	PublishedOn Date         `json:"published_on" doc:"Date of the plan."`
	SourceKey   string       `json:"source_key" example:"plan_central_london" doc:"Key of a source in sources."`
	Licence     string       `json:"licence" example:"Open Government Licence v3.0" doc:"Licence of the source."`
	Link        string       `json:"link" example:"https://chamber.example/plan" doc:"Citation: where the plan can be read."`
}
