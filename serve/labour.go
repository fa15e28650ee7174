package serve

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labour/serve/api"
	"labour/serve/prefixsearch"
)

// The parameters of the endpoints that read a snapshot, beside those of their questions. Each
// struct decodes its parameters, checks them and documents them.

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
	api.SkillsUnmetQuery
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
	api.SkillsGapsQuery
	Limit int `query:"limit" minimum:"1" default:"500" doc:"Most rows. Above 5000 it is lowered to 5000, and meta.limit says so."`
}

type courseDemandInput struct {
	InFormat
	InSnapshot
	Where
	api.CourseDemandQuery
	Limit int `query:"limit" minimum:"1" default:"500" doc:"Most rows. Above 5000 it is lowered to 5000, and meta.limit says so."`
}

type evidenceInput struct {
	InFormat
	InSnapshot
	Where
	api.EvidenceQuery
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
	api.RegionsQuery
	Limit int `query:"limit" minimum:"1" default:"500" doc:"Most rows. Above 5000 it is lowered to 5000, and meta.limit says so."`
}

type jobsInput struct {
	InFormat
	api.JobsQuery
	Cursor string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged, with the same filters. It stays valid for at least 24 hours after newer data was published, and keeps giving pages of the data it began with."`
	Limit  int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 100 it is lowered to 100, and meta.limit says so."`
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
	maxWhole     = 100_000 // of a page: more skills than any snapshot has
	sourcesLimit = 500
)

func skillsUnmet(c *call, in *skillsUnmetInput) listQuery[api.SkillsUnmetRow] {
	q := in.SkillsUnmetQuery
	if q.Limit = min(in.Limit, maxPaged); c.taken.Whole {
		q.Limit = maxWhole
	}
	if in.By == "soc2020" || in.By == "SOC 2020" { // as the specification calls soc
		q.By = api.BySOC
	}
	if in.By != "" && in.Skill == "" {
		c.add(invalidParameter, "by", "by breaks one skill down: give skill too.")
	}
	l := pagesOf(in.InFormat, in.InSnapshot, in.Cursor, q.Limit, &q, &q.After, api.Snapshot.SkillsUnmet)
	l.empty = "Fewer than 5 counted adverts, or adverts of fewer than 3 employers, match these filters, so no figures are shown. Leave out a filter, or ask for a longer window."
	if in.Skill != "" {
		l.empty = "No matching advert asks for this skill, or fewer than 5 counted adverts, or adverts of fewer than 3 employers, match. Leave out a filter, or ask for a longer window."
	}
	l.check = func(s api.Snapshot) {
		oneOf(c, s, unknownPlace, "place", in.Place, api.Places)
		oneOf(c, s, invalidParameter, "sector", in.Sector, api.Sectors)
		oneOf(c, s, invalidParameter, "skill", in.Skill, api.Skills)
		oneOf(c, s, invalidParameter, "soc", in.SOC, api.Occupations)
	}
	return l
}

func skillsGaps(c *call, in *skillsGapsInput) listQuery[api.SkillsGapsRow] {
	q := in.SkillsGapsQuery
	q.Country, q.Limit = in.Where.Country, min(in.Limit, maxUnpaged)
	l := rowsOf(in.InFormat, in.InSnapshot, q.Limit, &q, api.Snapshot.SkillsGaps)
	l.check = func(s api.Snapshot) { q.Region = area(c, s, in.Where) }
	return l
}

func courseDemand(c *call, in *courseDemandInput) listQuery[api.CourseDemandRow] {
	q := in.CourseDemandQuery
	q.Country, q.Limit = in.Where.Country, min(in.Limit, maxUnpaged)
	l := rowsOf(in.InFormat, in.InSnapshot, q.Limit, &q, api.Snapshot.CourseDemand)
	l.check = func(s api.Snapshot) { q.Region = area(c, s, in.Where) }
	return l
}

func evidence(c *call, in *evidenceInput) listQuery[api.EvidenceRow] {
	q := in.EvidenceQuery
	q.Country, q.Limit = in.Where.Country, min(in.Limit, maxPaged)
	l := pagesOf(in.InFormat, in.InSnapshot, in.Cursor, q.Limit, &q, &q.After, api.Snapshot.Evidence)
	l.check = func(s api.Snapshot) { q.Region = area(c, s, in.Where) }
	return l
}

// sources depends on the time of the call too: of it `stale` is made.
func sources(c *call, in *sourcesInput) listQuery[api.SourcesRow] {
	l := rowsOf(in.InFormat, in.InSnapshot, sourcesLimit, &api.SourcesQuery{}, api.Snapshot.Sources)
	l.ofTheMoment, l.adjust = true, func(r *api.SourcesRow) { r.Stale = r.StaleAt(c.at) }
	return l
}

func regions(c *call, in *regionsInput) listQuery[api.RegionsRow] {
	searchable(c, "name", in.Name)
	q := in.RegionsQuery
	q.Limit = min(in.Limit, maxUnpaged)
	return rowsOf(in.InFormat, in.InSnapshot, q.Limit, &q, api.Snapshot.Regions)
}

// oneOf notes a fault when a value is not in a vocabulary, with the nearest.
func oneOf(c *call, s api.Snapshot, code code, parameter, value string, v api.Vocabulary) {
	if value == "" {
		return
	}
	known := s.Values(v)
	if _, found := slices.BinarySearch(known, value); !found {
		near := Nearest(value, s.Named(v), 3)
		message := fmt.Sprintf("There is no %s %s.", parameter, quote(value))
		if len(near) > 0 {
			message += " The nearest: " + strings.Join(near, ", ") + "."
		}
		c.add(code, parameter, message, near...)
	}
}

// searchable notes a fault when a search holds no word: it would find everything.
func searchable(c *call, parameter, value string) {
	if value != "" && len(prefixsearch.SearchOf(value)) == 0 {
		c.add(invalidParameter, parameter, parameter+" has no letter or digit to search for. Give a word, or leave the parameter out.")
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
