package serve

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labour/serve/api"
)

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

// The largest `limit` of paged and of unpaged endpoints, and the limit of the
// list of sources, which has no such parameter.
const (
	maxPaged     = 200
	maxUnpaged   = 5000
	sourcesLimit = 500
)

func skillsUnmet(c *call, in *skillsUnmetInput) listQuery[api.SkillsUnmetRow] {
	q := api.SkillsUnmetQuery{
		Place: in.Place, Sector: in.Sector, SOC: in.SOC, Source: in.Source, Window: in.Window,
		Skill: in.Skill, By: api.By(in.By), Limit: min(in.Limit, maxPaged),
	}
	if in.By == "soc2020" || in.By == "SOC 2020" { // as the specification calls soc
		q.By = api.BySOC
	}
	if in.Level != "" {
		q.Level, _ = strconv.Atoi(in.Level) // one of 1 to 5, checked
	}
	if in.By != "" && in.Skill == "" {
		c.add(invalidParameter, "by", "by breaks one skill down: give skill too.")
	}
	var after api.SkillsUnmetPosition
	if in.Cursor != "" {
		q.After = &after
	}
	empty := "Fewer than 5 counted adverts, or adverts of fewer than 3 employers, match these filters, so no figures are shown. Leave out a filter, or ask for a longer window."
	if in.Skill != "" {
		empty = "No matching advert asks for this skill, or fewer than 5 counted adverts, or adverts of fewer than 3 employers, match. Leave out a filter, or ask for a longer window."
	}
	return listQuery[api.SkillsUnmetRow]{
		empty:  empty,
		format: in.Format, limit: q.Limit, from: start{in.Cursor, &after, in.Snapshot}, position: func(r api.SkillsUnmetRow) any { return r.Position() },
		check: func(s api.Snapshot) {
			oneOf(c, s, unknownPlace, "place", in.Place, api.Places)
			oneOf(c, s, invalidParameter, "sector", in.Sector, api.Sectors)
			oneOf(c, s, invalidParameter, "skill", in.Skill, api.Skills)
			oneOf(c, s, invalidParameter, "soc", in.SOC, api.Occupations)
		},
		ask: asking(api.Snapshot.SkillsUnmet, &q),
	}
}

func skillsGaps(c *call, in *skillsGapsInput) listQuery[api.SkillsGapsRow] {
	q := api.SkillsGapsQuery{Country: in.Country, SOC: in.SOC, Horizon: in.Horizon, Limit: min(in.Limit, maxUnpaged)}
	return listQuery[api.SkillsGapsRow]{
		format: in.Format, limit: q.Limit, from: start{snapshot: in.Snapshot},
		check: func(s api.Snapshot) { q.Region = area(c, s, in.Where) },
		ask:   asking(api.Snapshot.SkillsGaps, &q),
	}
}

func courseDemand(c *call, in *courseDemandInput) listQuery[api.CourseDemandRow] {
	q := api.CourseDemandQuery{Country: in.Country, Metric: in.Metric, SubjectArea: in.SubjectArea, Limit: min(in.Limit, maxUnpaged)}
	return listQuery[api.CourseDemandRow]{
		format: in.Format, limit: q.Limit, from: start{snapshot: in.Snapshot},
		check: func(s api.Snapshot) { q.Region = area(c, s, in.Where) },
		ask:   asking(api.Snapshot.CourseDemand, &q),
	}
}

func evidence(c *call, in *evidenceInput) listQuery[api.EvidenceRow] {
	q := api.EvidenceQuery{Country: in.Country, SOC: in.SOC, Kind: in.Kind, Limit: min(in.Limit, maxPaged)}
	var after api.EvidencePosition
	if in.Cursor != "" {
		q.After = &after
	}
	return listQuery[api.EvidenceRow]{
		format: in.Format, limit: q.Limit, from: start{in.Cursor, &after, in.Snapshot},
		position: func(r api.EvidenceRow) any { return r.Position() },
		check:    func(s api.Snapshot) { q.Region = area(c, s, in.Where) },
		ask:      asking(api.Snapshot.Evidence, &q),
	}
}

// sources depends on the time of the call too: of it `stale` is made.
func sources(c *call, in *sourcesInput) listQuery[api.SourcesRow] {
	return listQuery[api.SourcesRow]{
		format: in.Format, limit: sourcesLimit, from: start{snapshot: in.Snapshot}, ofTheMoment: true,
		adjust: func(r *api.SourcesRow) { r.Stale = r.StaleAt(c.at) },
		ask:    asking(api.Snapshot.Sources, &api.SourcesQuery{}),
	}
}

func regions(_ *call, in *regionsInput) listQuery[api.RegionsRow] {
	q := api.RegionsQuery{Kind: in.Kind, Name: in.Name, Limit: min(in.Limit, maxUnpaged)}
	return listQuery[api.RegionsRow]{
		format: in.Format, limit: q.Limit, from: start{snapshot: in.Snapshot},
		ask: asking(api.Snapshot.Regions, &q),
	}
}

// oneOf notes a fault when a value is not in a vocabulary, with the nearest.
func oneOf(c *call, s api.Snapshot, code code, parameter, value string, v api.Vocabulary) {
	if value == "" {
		return
	}
	known := s.Values(v)
	if _, found := slices.BinarySearch(known, value); !found {
		near := nearestNamed(value, s.Named(v), 3)
		message := fmt.Sprintf("There is no %s %s.", parameter, quote(value))
		if len(near) > 0 {
			message += " The nearest: " + strings.Join(near, ", ") + "."
		}
		c.add(code, parameter, message, near...)
	}
}

// area checks country and region and resolves the region to its code.
func area(c *call, s api.Snapshot, in Where) string {
	country, region := in.Country, in.Region
	if !isCountry(country) {
		c.add(invalidParameter, "country", fmt.Sprintf("There is no country %s in ISO 3166-1.", quote(country)), nearest(country, countryCodes, 3)...)
	} else if region != "" && country != "GB" {
		c.add(invalidParameter, "region", "Regions cover the United Kingdom only. Leave out region, or country.")
	}
	if region == "" || country != "GB" {
		return ""
	}
	r, ok := s.ResolveRegion(country, region)
	if !ok {
		c.add(unknownRegion, "region", fmt.Sprintf("There is no region %s. It takes a national-statistics code or the slug of a local skills improvement plan area; /v1/labour/regions lists them.", quote(region)),
			nearest(region, s.Values(api.RegionNames), 3)...)
	}
	if ok && !slices.ContainsFunc(s.Values(api.RegionNames), func(name string) bool { return strings.EqualFold(name, region) }) {
		c.note = fmt.Sprintf("The code %s was replaced by %s, which answers.", strings.ToUpper(region), r.Code)
	}
	return r.Code
}

func quote(value string) string { return strconv.Quote(clip(value)) }

//go:embed countries.txt
var countryList string

// countryCodes are the officially assigned ISO 3166-1 alpha-2 codes.
var countryCodes = strings.Fields(countryList)

// isCountry reports whether a text is a country code, in upper case.
func isCountry(code string) bool {
	return slices.Contains(countryCodes, code)
}
