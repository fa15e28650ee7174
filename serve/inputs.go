package serve

// The parameters of the endpoints that read a snapshot. Each struct is the one definition of
// its parameters: it decodes them, checks them and documents them.

// InFormat is how an answer of rows is written.
type InFormat struct {
	Format string `query:"format" enum:"json,csv,parquet" default:"json" doc:"How the answer is written. csv and parquet hold the same rows, cell by cell, with the statements to show in a last column; what the envelope says beside them is in the header, and for parquet in the file's metadata too. A count of people is two columns there: the number (in csv <5 for 1 to 4), and beside it NAME_status (number, under_5 or not_published). Percentages are DOUBLE and days DATE in parquet. Without format the header Accept is asked: text/csv and application/vnd.apache.parquet are understood. In csv a text that a spreadsheet would take for a formula has an apostrophe in front; take one apostrophe off the front of a text to have its value. Faults are JSON whatever the format."`
}

// InSnapshot is which publication answers.
type InSnapshot struct {
	Snapshot string `query:"snapshot" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[0-9]{1,6}$" patternDescription:"the id of a snapshot, such as 2026-11-20.1" doc:"Answers from an earlier publication, as long as the operator keeps it and has not withdrawn it; meta.snapshot of every answer is such an id. Without it, the current one. The first call for one may take some seconds."`
}

type skillsUnmetInput struct {
	InFormat
	InSnapshot
	Place  string `query:"place" maxLength:"100" example:"camden" doc:"Slug of a borough or of another served area. An unknown place is 400. Without it, all places."`
	Sector string `query:"sector" maxLength:"100" example:"digital" doc:"Sector slug (one of the apprenticeship routes). An unknown one is 400."`
	SOC    string `query:"soc" pattern:"^[0-9]{1,4}$" patternDescription:"1 to 4 digits of SOC 2020" example:"2136" doc:"Occupation code, SOC 2020; 1 to 3 digits select the whole group. Digits that are no group are 400."`
	Level  string `query:"level" enum:"1,2,3,4,5" doc:"Skill level that the advert asked."`
	Source string `query:"source" enum:"platform,employer_boards,find_an_apprenticeship" doc:"Where the advert was posted: on the platform, on an employer's own board, or in the national apprenticeship service."`
	Window int    `query:"window" enum:"3,6,12,24" default:"12" doc:"Calendar months, up to and including the month of as_of."`
	Skill  string `query:"skill" maxLength:"100" example:"excel" doc:"Skill slug. Alone it gives the skill's one row; with by it breaks the skill down. An unknown one is 400."`
	By     string `query:"by" enum:"place,sector,soc,soc2020,SOC 2020,level,month" doc:"Breaks one skill down: one row per bucket, with bucket and bucket_name. Needs skill. Rows are ordered by rank, months by the calendar. soc2020 and SOC 2020 mean soc."`
	Cursor string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged, with the same filters. It stays valid for at least 24 hours after newer data was published, and keeps giving pages of the data it began with."`
	Limit  int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 200 it is lowered to 200, and meta.limit says so."`
}

// Where is the country and region that a question is about.
type Where struct {
	Country string `query:"country" pattern:"^[A-Z]{2}$" patternDescription:"two capital letters" default:"GB" doc:"ISO 3166-1 alpha-2 country code. Regions cover the United Kingdom only. A country without data gives an empty list."`
	Region  string `query:"region" maxLength:"100" example:"E12000007" doc:"Any code that /v1/labour/regions lists, K02000001 for the United Kingdom, or the slug of a local skills improvement plan area. Without it, national figures. Only with country GB. An unknown one is 400; one without figures gives an empty list."`
}

type skillsGapsInput struct {
	InFormat
	InSnapshot
	Where
	SOC     string `query:"soc" pattern:"^[0-9][0-9-]{0,6}$" patternDescription:"the beginning of an occupation code, such as 2136 (SOC 2020) or 15-1252 (United States)" doc:"Beginning of an occupation code in the country's classification."`
	Horizon int    `query:"horizon" minimum:"2000" maximum:"2100" example:"2035" doc:"Last year of the projection."`
	Limit   int    `query:"limit" minimum:"1" default:"500" doc:"Most rows. Above 5000 it is lowered to 5000, and meta.limit says so."`
}

type courseDemandInput struct {
	InFormat
	InSnapshot
	Where
	Metric      string `query:"metric" enum:"apprenticeship_starts,further_education_enrolments,skills_bootcamp_starts" doc:"Measure kind; all of them without it."`
	SubjectArea string `query:"subject_area" maxLength:"200" example:"Health, Public Services and Care" doc:"Name of a subject area, in any letter case; all of them without it."`
	Limit       int    `query:"limit" minimum:"1" default:"500" doc:"Most rows. Above 5000 it is lowered to 5000, and meta.limit says so."`
}

type evidenceInput struct {
	InFormat
	InSnapshot
	Where
	SOC    string `query:"soc" pattern:"^[0-9][0-9-]{0,6}$" patternDescription:"the beginning of an occupation code, such as 2136 (SOC 2020) or 15-1252 (United States)" doc:"Beginning of an occupation code."`
	Kind   string `query:"kind" enum:"statistic,projection,report,news" doc:"Kind of publication; all of them without it."`
	Cursor string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged, with the same filters. It stays valid for at least 24 hours after newer data was published, and keeps giving pages of the data it began with."`
	Limit  int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 200 it is lowered to 200, and meta.limit says so."`
}

type sourcesInput struct {
	InFormat
	InSnapshot
}

type regionsInput struct {
	InFormat
	InSnapshot
	Kind  string `query:"kind" enum:"travel_to_work_area,council,lsip,itl,itl1,itl2,itl3,region,nation" default:"travel_to_work_area" doc:"Kind of geography: travel-to-work area, council, local skills improvement plan area, ITL region (itl for all three levels), region of England, nation."`
	Name  string `query:"name" maxLength:"100" example:"lond" doc:"Search by name, English or Welsh, whatever the letter case and accents: every word must be the beginning of a word of the name."`
	Limit int    `query:"limit" minimum:"1" default:"500" doc:"Most rows. Above 5000 it is lowered to 5000, and meta.limit says so."`
}

type jobsInput struct {
	InFormat
	Borough string `query:"borough" maxLength:"100" example:"camden" doc:"Slug of a borough or of another served area. An unknown one is 400. Without it, all."`
	Type    string `query:"type" enum:"job,apprenticeship,training" doc:"What is advertised; all without it."`
	Sector  string `query:"sector" maxLength:"100" example:"digital" doc:"Sector slug (one of the apprenticeship routes). An unknown one is 400."`
	SOC     string `query:"soc" pattern:"^[0-9]{1,4}$" patternDescription:"1 to 4 digits of SOC 2020" example:"2136" doc:"Occupation code, SOC 2020; 1 to 3 digits select the whole group."`
	Q       string `query:"q" maxLength:"100" example:"care assist" doc:"Search in title and employer, whatever the letter case and accents: every word must be the beginning of a word there."`
	Cursor  string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged, with the same filters. It stays valid for at least 24 hours after newer data was published, and keeps giving pages of the data it began with."`
	Limit   int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 100 it is lowered to 100, and meta.limit says so."`
}

type noInput struct{}

type s106Input struct {
	Borough string `query:"borough" maxLength:"100" example:"camden" doc:"Slug of a borough or of another served area. An unknown one is 400. Without it, the whole platform."`
}

type eventsInput struct {
	Page  int    `query:"page" minimum:"1" default:"1" doc:"Page, from 1."`
	Limit int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 200 it is lowered to 200, and meta.limit says so."`
	Since string `query:"since" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$" patternDescription:"a time such as 2026-11-20T06:00:00Z (write + as %2B)" example:"2026-11-20T06:00:00Z" doc:"Only events at this time or later, the oldest first. Without it all of them, the newest first."`
	Type  string `query:"type" enum:"application.created,click.recorded,outcome.recorded,opportunity.published" doc:"What happened; all without it."`
}
