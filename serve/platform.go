package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/access"
	"labour/serve/api"
)

// The largest `limit` of jobs and of events.
const (
	maxJobs   = 100
	maxEvents = 200
)

// platformRoutes registers the endpoints beside the labour data.
func (a *handler) platformRoutes() error {
	err := listed(a, access.JobsRead, "/v1/jobs", func(_ api.Snapshot, p api.Page[api.JobsRow], m api.Meta) (api.List[api.JobsRow, api.Meta], any) {
		return api.List[api.JobsRow, api.Meta]{Data: p.Rows, Meta: m}, m
	}, jobs)
	platform(a, access.PathwaysRead, "/v1/pathways", a.pathways)
	platform(a, access.CandidatesRead, "/v1/candidates", a.candidates)
	platform(a, access.S106Read, "/v1/s106", a.s106)
	platform(a, access.EventsRead, "/v1/events", a.events)
	// The compliance export reads no data at all.
	op := a.needing(access.Developer, huma.Operation{Method: http.MethodPost, Path: "/v1/compliance-export", OperationID: "compliance-export"})
	a.handle(&op, http.StatusOK, func(_ context.Context, q *asked) (any, error) {
		request, err := complianceRequest(q.huma, q.call)
		return api.PreviewOf(request, api.TimestampOf(q.at)), err
	})
	return err
}

// shown is an answer of an endpoint that has JSON only, with its headers.
type shown[B any] struct {
	Status       int
	ETag         string `header:"ETag" doc:"Weak entity tag of the snapshot and the query. Send it as If-None-Match; 304 means that nothing changed, and counts as a call."`
	CacheControl string `header:"Cache-Control" doc:"How the answer may be kept."`
	Body         B
}

// platform registers an endpoint that has JSON only.
func platform[I, B any](a *handler, scope access.Scope, path string, f func(context.Context, *I) (*shown[B], error)) {
	huma.Register(a.huma, a.reading(scope, path), func(ctx context.Context, in *I) (*shown[B], error) {
		out, err := f(ctx, in)
		if err != nil {
			return nil, apiErrorOf(callOf(ctx), err)
		}
		return out, nil
	})
}

// respond asks the current snapshot for a body, unless the caller holds the same one
// already. more is what the answer depends on beside the snapshot and the parameters.
func respond[B any](ctx context.Context, a *handler, limit int, check func(api.Snapshot), ask func(context.Context, api.Snapshot) (B, error), more ...string) (*shown[B], error) {
	c := callOf(ctx)
	return within(ctx, a, start{}, check, func(s api.Snapshot) (*shown[B], error) {
		out := &shown[B]{Status: http.StatusOK, CacheControl: revalidate, ETag: etag(c, s.ID(), limit, more...)}
		if matches(c.match, out.ETag) {
			out.Status = http.StatusNotModified
			return out, nil
		}
		var err error
		out.Body, err = runLimited(ctx, a, func(ctx context.Context) (B, error) { return ask(ctx, s) })
		return out, err
	})
}

func snapshotMeta(ctx context.Context, s api.Snapshot) api.SnapshotMeta {
	return api.SnapshotMeta{AsOf: api.DateOf(s.AsOf()), Generated: api.TimestampOf(callOf(ctx).at), Snapshot: s.ID()}
}

func residentsMeta(ctx context.Context, s api.Snapshot) api.ResidentsMeta {
	return api.ResidentsMeta{SnapshotMeta: snapshotMeta(ctx, s), PeopleAsOf: api.MaybeDateOf(s.PeopleAsOf())}
}

func jobs(c *call, in *jobsInput) listQuery[api.JobsRow] {
	searchable(c, "q", in.Search)
	q := in.JobsQuery
	q.Limit = min(in.Limit, maxJobs)
	l := pagesOf(in.InFormat, InSnapshot{}, in.Cursor, q.Limit, &q, &q.After, api.Snapshot.Jobs)
	l.check = func(s api.Snapshot) {
		oneOf(c, s, unknownPlace, "borough", in.Borough, api.Places)
		oneOf(c, s, invalidParameter, "sector", in.Sector, api.Sectors)
		oneOf(c, s, invalidParameter, "soc", in.SOC, api.Occupations)
	}
	return l
}

func (a *handler) pathways(ctx context.Context, _ *noInput) (*shown[api.List[api.PathwaysRow, api.CountMeta]], error) {
	return respond(ctx, a, 0, nil, func(ctx context.Context, s api.Snapshot) (out api.List[api.PathwaysRow, api.CountMeta], err error) {
		list, err := s.Pathways(ctx)
		out.Data = append([]api.PathwaysRow{}, list...)
		out.Meta = api.CountMeta{SnapshotMeta: snapshotMeta(ctx, s), Returned: len(list)}
		return out, err
	})
}

func (a *handler) candidates(ctx context.Context, _ *noInput) (*shown[api.One[api.Candidates, api.ResidentsMeta]], error) {
	return respond(ctx, a, 0, nil, func(ctx context.Context, s api.Snapshot) (out api.One[api.Candidates, api.ResidentsMeta], err error) {
		out.Meta = residentsMeta(ctx, s)
		out.Data, err = s.Candidates(ctx)
		return out, err
	})
}

func (a *handler) s106(ctx context.Context, in *s106Input) (*shown[api.One[api.S106, api.ResidentsMeta]], error) {
	check := func(s api.Snapshot) {
		oneOf(callOf(ctx), s, unknownPlace, "borough", in.Borough, api.Places)
	}
	return respond(ctx, a, 0, check, func(ctx context.Context, s api.Snapshot) (out api.One[api.S106, api.ResidentsMeta], err error) {
		out.Meta = residentsMeta(ctx, s)
		out.Data, err = s.S106(ctx, in.Borough)
		return out, err
	})
}

// events shows a key its own partner's events and nobody else's.
func (a *handler) events(ctx context.Context, in *eventsInput) (*shown[api.List[api.EventsRow, api.EventsMeta]], error) {
	c := callOf(ctx)
	q := api.EventsQuery{Partner: c.key.PartnerName, Type: in.Type, Page: in.Page, Limit: min(in.Limit, maxEvents)}
	if in.Since != "" {
		since, err := time.Parse(time.RFC3339, in.Since)
		if err != nil {
			c.add(invalidParameter, "since", "since must be a time that exists, such as 2026-11-20T06:00:00Z.")
		}
		q.Since = &since
	}
	return respond(ctx, a, q.Limit, nil, func(ctx context.Context, s api.Snapshot) (out api.List[api.EventsRow, api.EventsMeta], err error) {
		page, err := s.Events(ctx, q)
		out.Data = append([]api.EventsRow{}, page.Rows...)
		out.Meta = api.EventsMeta{SnapshotMeta: snapshotMeta(ctx, s), Page: q.Page, Limit: q.Limit, Returned: len(page.Rows), Total: page.Total}
		if page.OwnMissing {
			out.Meta.Note = "This server does not have the events of partners: yours are missing here. Ask the operator which server has them."
		}
		return out, err
	}, q.Partner)
}

// longestScheme is the most characters of a scheme's name.
const longestScheme = 100

func complianceRequest(ctx huma.Context, c *call) (r api.ComplianceRequest, err error) {
	fields, err := readBody(ctx, c, "scheme", "period_start", "period_end")
	if err != nil {
		return r, err
	}
	r.Scheme = textField(c, fields, "scheme")
	if n := utf8.RuneCountInString(r.Scheme); n > longestScheme || n > 0 && strings.TrimSpace(r.Scheme) == "" {
		c.add(invalidParameter, "scheme", "scheme must be a name of 1 to 100 characters.")
	}
	start, end := dateField(c, fields, "period_start"), dateField(c, fields, "period_end")
	if !start.IsZero() && !end.IsZero() && end.Before(start) {
		c.add(invalidParameter, "period_end", "period_end is before period_start.")
	}
	r.PeriodStart, r.PeriodEnd = api.DateOf(start), api.DateOf(end)
	return r, c.refused()
}

// textField is a field that must be a text with something in it; empty with a
// fault noted when it is not.
func textField(c *call, fields map[string]json.RawMessage, name string) string {
	var text *string
	switch raw, given := fields[name]; {
	case !given:
		c.add(invalidParameter, name, name+" is missing.")
		return ""
	case json.Unmarshal(raw, &text) != nil || text == nil || *text == "":
		c.add(invalidParameter, name, name+" must be a text that is not empty.")
		return ""
	}
	return *text
}

// dateField is a field that must be a day; the zero time with a fault noted when
// it is not.
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
