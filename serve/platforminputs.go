package serve

// The parameters of the endpoints beside the labour data.

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
