package serve

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labour/serve/api"
	"labour/serve/prefixsearch"
)

// FormatInput holds the query parameter format, which selects JSON, CSV or Parquet for a list.
type FormatInput struct {
	Format string `query:"format" enum:"json,csv,parquet" default:"json" doc:"How the answer is written. csv and parquet hold the same rows, cell by cell, with the statements to show in a last column, or in the row's own column where it has one; the other fields of the envelope are in the header, and for parquet in the file's metadata too. A count of people is two columns there: the number (in csv <5 for 1 to 4), and next to it NAME_status (number, under_5 or not_published). Percentages are DOUBLE and days DATE in parquet. Without format the header Accept decides: text/csv and application/vnd.apache.parquet are understood. In csv a text that a spreadsheet would read as a formula begins with an extra apostrophe; remove one leading apostrophe to get the value. Errors are JSON in every format."`
}

// SnapshotInput holds the query parameter snapshot. Its value is the id of an earlier snapshot,
// such as 2026-11-20.1.
type SnapshotInput struct {
	Snapshot string `query:"snapshot" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[0-9]{1,6}$" patternDescription:"the id of a snapshot, such as 2026-11-20.1" doc:"Id of an earlier snapshot, which answers as long as the operator keeps it and has not withdrawn it; meta.snapshot of every answer is such an id. Without it, the current snapshot answers. The first call for an earlier one may take some seconds."`
}

type skillsUnmetInput struct {
	FormatInput
	SnapshotInput
	api.SkillsUnmetQuery
	Cursor string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged, with the same filters. It stays valid for at least 24 hours after newer data was published, and keeps giving pages of the data it began with."`
	Limit  int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 200 it is lowered to 200, and meta.limit says so."`
}

// AreaInput holds the query parameters country (such as GB) and region (such as E12000007).
type AreaInput struct {
	Country string `query:"country" letters:"upper" pattern:"^[A-Za-z]{2}$" patternDescription:"two letters" default:"GB" doc:"ISO 3166-1 alpha-2 country code, in any letter case. Regions cover the United Kingdom only. A country without data gives an empty list."`
	Region  string `query:"region" maxLength:"100" example:"E12000007" doc:"Any code that /v1/labour/regions lists, the code of a borough of /v1/labour/places, K02000001 for the United Kingdom, or the slug of a local skills improvement plan area. Without it, national figures. Only with country GB. A code that was replaced is answered with its successor, whose answer also lists the rows published under its former codes. The code of an area that was split is answered with the rows published under it. meta.note names the successors. An unknown one is 400; one without figures gives an empty list."`
}

type skillsGapsInput struct {
	FormatInput
	SnapshotInput
	AreaInput
	api.SkillsGapsQuery
	Limit int `query:"limit" minimum:"1" default:"500" doc:"Most rows. Above 5000 it is lowered to 5000, and meta.limit says so."`
}

type courseDemandInput struct {
	FormatInput
	SnapshotInput
	AreaInput
	api.CourseDemandQuery
	Limit int `query:"limit" minimum:"1" default:"500" doc:"Most rows. Above 5000 it is lowered to 5000, and meta.limit says so."`
}

type evidenceInput struct {
	FormatInput
	SnapshotInput
	AreaInput
	api.EvidenceQuery
	Cursor string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged, with the same filters. It stays valid for at least 24 hours after newer data was published, and keeps giving pages of the data it began with."`
	Limit  int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 200 it is lowered to 200, and meta.limit says so."`
}

type sourcesInput struct {
	FormatInput
	SnapshotInput
}

type regionsInput struct {
	FormatInput
	SnapshotInput
	api.RegionsQuery
	Limit int `query:"limit" minimum:"1" default:"500" doc:"Most rows. Above 5000 it is lowered to 5000, and meta.limit says so."`
}

type jobsInput struct {
	FormatInput
	api.JobsQuery
	Cursor string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged, with the same filters. It stays valid for at least 24 hours after newer data was published, and keeps giving pages of the data it began with."`
	Limit  int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 100 it is lowered to 100, and meta.limit says so."`
}

type s106Input struct {
	Borough string `query:"borough" maxLength:"100" example:"camden" doc:"Slug of a borough or of another served area. An unknown one is 400. Without it, the whole platform."`
}

type eventsInput struct {
	Page  int    `query:"page" minimum:"1" maximum:"1000000" default:"1" doc:"Page, from 1."`
	Limit int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 200 it is lowered to 200, and meta.limit says so."`
	Since string `query:"since" pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$" patternDescription:"a time such as 2026-11-20T06:00:00Z (write + as %2B)" example:"2026-11-20T06:00:00Z" doc:"Only events at this time or later, to the second, the oldest first. Without it all of them, the newest first."`
	Type  string `query:"type" enum:"application.created,click.recorded,outcome.recorded,opportunity.published" doc:"Type of event; without it, all types."`
}

// MaxPageRows and the constants below limit the number of rows in one response.
const (
	// MaxPageRows is the largest number of rows on one page of a list.
	MaxPageRows = 200
	// MaxListRows is the largest number of rows in a list without pages.
	MaxListRows = 5000
	// maxWhole is the largest number of rows in a file with all unmet skills. No snapshot has so many.
	maxWhole = 100_000
	// sourcesLimit is the largest number of rows in the list of data sources.
	sourcesLimit = 500
)

func (a *handler) skillsUnmet(c *call, in *skillsUnmetInput) error {
	q := in.SkillsUnmetQuery
	if q.Limit = min(in.Limit, MaxPageRows); c.file != nil && c.file.AllRows {
		q.Limit = maxWhole
	}
	if q.By != "" && q.Skill == "" {
		c.add(invalidParameter, "by", "by breaks one skill down: give skill too.")
	}
	s, err := a.open(c, in.Snapshot, in.Cursor, &q.After)
	if err != nil {
		return err
	}
	c.oneOf(s, unknownPlace, "place", q.Place, api.Places)
	c.oneOf(s, invalidParameter, "sector", q.Sector, api.Sectors)
	c.oneOf(s, invalidParameter, "skill", q.Skill, api.Skills)
	c.oneOf(s, invalidParameter, "soc", q.SOC, api.Occupations)
	if err := c.inputError(); err != nil {
		return err
	}
	format := c.formatOf(in.FormatInput)
	if c.sendUnchanged(s, q.Limit) {
		return nil
	}
	page, err := runQuery(a, c, s.SkillsUnmet, q)
	if err != nil {
		return err
	}
	next, err := nextCursor(a, c, s, page)
	if err != nil {
		return err
	}
	if len(page.Rows) == 0 && in.Cursor == "" {
		c.note = whyEmpty(q, page.TooFewAdverts)
	}
	meta := api.PeopleMeta{Meta: c.metaOfPage(s, len(page.Rows), q.Limit, next),
		PeopleAsOf: api.NullableDateOf(s.PeopleAsOf()), AdvertsPlaced: page.Placed}
	if page.People != nil {
		meta.People = *page.People
	}
	return sendLabour(c, format, page, meta)
}

// whyEmpty returns a note that tells a client why a list of unmet skills is empty. tooFew means
// that too few adverts or employers match the filters. Otherwise enough adverts match, but none of
// them asks for a skill or for the requested skill.
func whyEmpty(q api.SkillsUnmetQuery, tooFew bool) string {
	const advice = " Leave out a filter, or ask for a longer window."
	if tooFew && (q.By == "" || q.By == api.ByLevel) {
		return "Fewer than 5 counted adverts, or adverts of fewer than 3 employers, match these filters, so no figures " +
			"are shown." + advice
	}
	if tooFew {
		return "In each " + string(q.By) + " fewer than 5 counted adverts, or adverts of fewer than 3 employers, match, " +
			"so no figures are shown." + advice
	}
	note := "Enough adverts match to show figures, but none of them asks for a skill"
	if q.Skill != "" {
		note = "Enough adverts match to show figures, but none of them asks for this skill"
	}
	if q.Level != 0 {
		note += " at this level"
	}
	return note + "." + advice
}

func (a *handler) skillsGaps(c *call, in *skillsGapsInput) error {
	q := in.SkillsGapsQuery
	q.Country, q.Limit = in.AreaInput.Country, min(in.Limit, MaxListRows)
	s, err := a.openIn(c, in.SnapshotInput, in.AreaInput, &q.Region)
	if err != nil {
		return err
	}
	return sendList(a, c, in.FormatInput, s, q.Limit, s.SkillsGaps, q)
}

func (a *handler) courseDemand(c *call, in *courseDemandInput) error {
	q := in.CourseDemandQuery
	q.Country, q.Limit = in.AreaInput.Country, min(in.Limit, MaxListRows)
	s, err := a.openIn(c, in.SnapshotInput, in.AreaInput, &q.Region)
	if err != nil {
		return err
	}
	run := func(ctx context.Context, q api.CourseDemandQuery) (api.Page[api.CourseDemandRow], error) {
		page, err := s.CourseDemand(ctx, q)
		c.noteCorrected(correctedTraining(s, page.Rows))
		return page, err
	}
	return sendList(a, c, in.FormatInput, s, q.Limit, run, q)
}

func (a *handler) evidence(c *call, in *evidenceInput) error {
	q := in.EvidenceQuery
	q.Country, q.Limit = in.AreaInput.Country, min(in.Limit, MaxPageRows)
	s, err := a.open(c, in.Snapshot, in.Cursor, &q.After)
	if err != nil {
		return err
	}
	q.Region = c.area(s, in.AreaInput)
	if err := c.inputError(); err != nil {
		return err
	}
	format := c.formatOf(in.FormatInput)
	if c.sendUnchanged(s, q.Limit) {
		return nil
	}
	page, err := runQuery(a, c, s.Evidence, q)
	if err != nil {
		return err
	}
	c.noteCorrected(correctedEvidence(s, page.Rows))
	next, err := nextCursor(a, c, s, page)
	if err != nil {
		return err
	}
	return sendLabour(c, format, page, c.metaOfPage(s, len(page.Rows), q.Limit, next))
}

// sources sends the list of data sources. A source can become stale at any time. The entity tag
// (ETag) therefore includes the number of stale parts of each source.
func (a *handler) sources(c *call, in *sourcesInput) error {
	s, err := a.openIn(c, in.SnapshotInput, AreaInput{}, nil)
	if err != nil {
		return err
	}
	format := c.formatOf(in.FormatInput)
	page, err := runQuery(a, c, s.Sources, api.SourcesQuery{At: c.at})
	if err != nil {
		return err
	}
	page.Rows = listOf(page.Rows)
	stale := make([]string, len(page.Rows))
	for i := range page.Rows {
		stale[i] = strconv.Itoa(page.Rows[i].PartsStale)
	}
	if c.sendUnchanged(s, sourcesLimit, stale...) {
		return nil
	}
	return sendLabour(c, format, page, c.meta(s, len(page.Rows), sourcesLimit, page.More))
}

func (a *handler) regions(c *call, in *regionsInput) error {
	q := in.RegionsQuery
	q.Limit = min(in.Limit, MaxListRows)
	c.searchable("name", q.Name)
	s, err := a.openIn(c, in.SnapshotInput, AreaInput{}, nil)
	if err != nil {
		return err
	}
	return sendList(a, c, in.FormatInput, s, q.Limit, s.Regions, q)
}

// openIn returns the snapshot for a list that is sent without pages; in selects the snapshot. If
// region is not nil, openIn sets *region to the code of the region that the parameters in where
// select. The error lists all invalid parameters of the request.
func (a *handler) openIn(c *call, in SnapshotInput, where AreaInput, region *string) (api.Snapshot, error) {
	s, err := a.open(c, in.Snapshot, "", nil)
	if err != nil {
		return nil, err
	}
	if region != nil {
		*region = c.area(s, where)
	}
	return s, c.inputError()
}

// sendList sends all rows of a list, without pages. run is the method of the snapshot s that
// returns the rows for the query q. limit is the largest number of rows that the client accepts.
func sendList[Q, R any](a *handler, c *call, in FormatInput, s api.Snapshot, limit int,
	run func(context.Context, Q) (api.Page[R], error), q Q) error {
	format := c.formatOf(in)
	if c.sendUnchanged(s, limit) {
		return nil
	}
	page, err := runQuery(a, c, run, q)
	if err != nil {
		return err
	}
	return sendLabour(c, format, page, c.meta(s, len(page.Rows), limit, page.More))
}

// oneOf checks that the value of a query parameter is one of the known values in the vocabulary v.
// If not, it records an error that has the given code and suggests similar values. An empty value
// is allowed.
func (c *call) oneOf(s api.Snapshot, code code, parameter, value string, v api.Vocabulary) {
	if value == "" {
		return
	}
	known := s.Values(v)
	if _, found := slices.BinarySearch(known, value); !found {
		near := MostSimilarValues(value, s.NamedValues(v), 3)
		message := fmt.Sprintf("There is no %s %s.", parameter, quote(value))
		if len(near) > 0 {
			message += " The nearest: " + strings.Join(near, ", ") + "."
		}
		c.add(code, parameter, message, near...)
	}
}

// searchable records an error if a search text has no letters or digits. Such a text would match
// everything. An empty text is allowed.
func (c *call) searchable(parameter, value string) {
	if value != "" && len(prefixsearch.ParseSearch(value)) == 0 {
		c.add(invalidParameter, parameter,
			parameter+" has no letter or digit to search for. Give a word, or leave the parameter out.")
	}
}
