package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"labour/serve/api"
)

const (
	// maxJobs is the largest number of rows on one page of jobs.
	maxJobs = 100
	// maxEvents is the largest number of rows on one page of events.
	maxEvents = 200
)

type noInput struct{}

func (c *call) snapshotMeta(s api.Snapshot) api.SnapshotMeta {
	return api.SnapshotMeta{AsOf: api.DateOf(s.AsOf()), Generated: api.TimestampOf(c.at), Snapshot: s.ID()}
}

// residentsMeta returns the "meta" object of a response with counts of people. place is the slug of
// the counted place; "" means the whole platform.
func (c *call) residentsMeta(s api.Snapshot, place string) api.ResidentsMeta {
	return api.ResidentsMeta{SnapshotMeta: c.snapshotMeta(s), PeopleAsOf: api.NullableDateOf(s.PeopleAsOf()),
		People: s.AboutPeople(place)}
}

func (a *handler) jobs(c *call, in *jobsInput) error {
	q := in.JobsQuery
	q.Limit = min(in.Limit, maxJobs)
	c.searchable("q", q.Search)
	s, err := a.open(c, "", in.Cursor, &q.After)
	if err != nil {
		return err
	}
	c.oneOf(s, unknownPlace, "borough", q.Borough, api.Places)
	c.oneOf(s, invalidParameter, "sector", q.Sector, api.Sectors)
	c.oneOf(s, invalidParameter, "soc", q.SOC, api.Occupations)
	if err := c.inputError(); err != nil {
		return err
	}
	format := c.formatOf(in.FormatInput)
	if c.sendUnchanged(s, q.Limit) {
		return nil
	}
	page, err := runQuery(a, c, s.Jobs, q)
	if err != nil {
		return err
	}
	next, err := nextCursor(a, c, s, page)
	if err != nil {
		return err
	}
	meta := c.metaOfPage(s, len(page.Rows), q.Limit, next)
	return sendRows(c, format, page, meta, api.ListResponse[api.JobsRow, api.Meta]{Data: listOf(page.Rows), Meta: meta})
}

func (a *handler) pathways(c *call, _ *noInput) error {
	s, err := a.openIn(c, SnapshotInput{}, AreaInput{}, nil)
	if err != nil || c.sendUnchanged(s, 0) {
		return err
	}
	list, err := runQuery(a, c, func(ctx context.Context, _ noInput) ([]api.PathwaysRow, error) { return s.Pathways(ctx) },
		noInput{})
	if err != nil {
		return err
	}
	meta := api.CountMeta{SnapshotMeta: c.snapshotMeta(s), Returned: len(list)}
	return c.send(http.StatusOK, api.ListResponse[api.PathwaysRow, api.CountMeta]{Data: listOf(list), Meta: meta})
}

func (a *handler) candidates(c *call, _ *noInput) error {
	s, err := a.openIn(c, SnapshotInput{}, AreaInput{}, nil)
	if err != nil || c.sendUnchanged(s, 0) {
		return err
	}
	count := func(ctx context.Context, _ noInput) (api.Candidates, error) { return s.Candidates(ctx) }
	counts, err := runQuery(a, c, count, noInput{})
	if err != nil {
		return err
	}
	return c.send(http.StatusOK,
		api.ObjectResponse[api.Candidates, api.ResidentsMeta]{Data: counts, Meta: c.residentsMeta(s, "")})
}

func (a *handler) s106(c *call, in *s106Input) error {
	s, err := a.open(c, "", "", nil)
	if err != nil {
		return err
	}
	c.oneOf(s, unknownPlace, "borough", in.Borough, api.Places)
	if err := c.inputError(); err != nil || c.sendUnchanged(s, 0) {
		return err
	}
	counts, err := runQuery(a, c, s.S106, in.Borough)
	if err != nil {
		return err
	}
	return c.send(http.StatusOK,
		api.ObjectResponse[api.S106, api.ResidentsMeta]{Data: counts, Meta: c.residentsMeta(s, in.Borough)})
}

// events handles /v1/events. A partner sees its own events, and the clicks and opportunities that
// belong to no partner.
func (a *handler) events(c *call, in *eventsInput) error {
	q := api.EventsQuery{Partner: c.key.PartnerName, Type: in.Type, Page: in.Page, Limit: min(in.Limit, maxEvents)}
	if in.Since != "" {
		since, err := time.Parse(time.RFC3339, in.Since)
		if err != nil {
			c.add(invalidParameter, "since", "since must be a time that exists, such as 2026-11-20T06:00:00Z.")
		}
		wholeSecond := since.Truncate(time.Second) // the times of events have no fractions
		q.Since = &wholeSecond
	}
	s, err := a.openIn(c, SnapshotInput{}, AreaInput{}, nil)
	if err != nil || c.sendUnchanged(s, q.Limit, q.Partner, s.DigestOfEvents(q.Partner)) {
		return err
	}
	page, err := runQuery(a, c, s.Events, q)
	if err != nil {
		return err
	}
	meta := api.EventsMeta{SnapshotMeta: c.snapshotMeta(s), Page: q.Page, Limit: q.Limit, Returned: len(page.Rows),
		Total: page.Total}
	if page.PartnerEventsMissing {
		meta.Note = "This server does not have the events of partners: yours are missing here. Ask the operator which " +
			"server has them."
	}
	return c.send(http.StatusOK, api.ListResponse[api.EventsRow, api.EventsMeta]{Data: listOf(page.Rows), Meta: meta})
}

// complianceExport handles /v1/compliance-export. The endpoint is a preview: it sends fixed example
// figures and reads no data.
func (a *handler) complianceExport(c *call, _ *noInput) error {
	request, err := complianceRequest(c)
	if err != nil {
		return err
	}
	c.response.header["Cache-Control"] = []string{noStore}
	return c.send(http.StatusOK, api.NewCompliancePreview(request, api.TimestampOf(c.at)))
}

// longestScheme is the maximum length of the name of a reporting scheme, in characters. An example
// of a name is "social-value-2026".
const longestScheme = 100

func complianceRequest(c *call) (r api.ComplianceRequest, err error) {
	fields, err := readBody(c, "scheme", "period_start", "period_end")
	if err != nil {
		return r, err
	}
	r.Scheme = textField(c, fields, "scheme")
	if n := utf8.RuneCountInString(r.Scheme); n > longestScheme || n > 0 && strings.TrimSpace(r.Scheme) == "" {
		c.add(invalidParameter, "scheme", "scheme must be a name of 1 to 100 characters, not only spaces.")
	}
	start, end := dateField(c, fields, "period_start"), dateField(c, fields, "period_end")
	if !start.IsZero() && !end.IsZero() && end.Before(start) {
		c.add(invalidParameter, "period_end", "period_end is before period_start.")
	}
	r.PeriodStart, r.PeriodEnd = api.DateOf(start), api.DateOf(end)
	return r, c.inputError()
}

// textField returns a required text field of a request body. If the field is missing, empty or not
// a JSON string, textField records an error in c and returns "".
func textField(c *call, fields map[string]json.RawMessage, name string) string {
	var text *string
	switch raw, given := fields[name]; {
	case !given:
		c.add(invalidParameter, name, name+" is missing.")
		return ""
	case json.Unmarshal(raw, &text) != nil || text == nil || *text == "":
		c.add(invalidParameter, name, name+" must be a text that is not empty.")
		return ""
	case strings.ContainsRune(*text, 0):
		c.add(invalidParameter, name, hasNull(name))
		return ""
	}
	return *text
}

// dateField returns a required date field of a request body, such as "2026-10-31". If the field is
// missing or not a date, dateField records an error in c and returns the zero time.
func dateField(c *call, fields map[string]json.RawMessage, name string) time.Time {
	text := textField(c, fields, name)
	if text == "" {
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		c.add(invalidParameter, name, name+" must be a day that exists, such as 2026-10-31.")
	}
	return day
}
