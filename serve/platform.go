package serve

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/access"
	"labour/serve/labourdata"
	"labour/serve/wire"
)

// The largest `limit` of jobs and of events.
const (
	maxJobs   = 100
	maxEvents = 200
)

// platformTag groups the endpoints beside the labour data.
const platformTag = "Jobs, pathways and the platform"

// platformRoutes registers the endpoints beside the labour data.
func (a *api) platformRoutes() {
	platform(a, access.JobsRead, "jobs", "Live jobs", "Live jobs, apprenticeships and training, each once, from sources whose terms permit showing them, with the statement to show beside each. Order: posted_at descending, then id descending. Paged.", a.jobs)
	platform(a, access.PathwaysRead, "pathways", "Careers pathways", "Published careers pathways with steps and apprenticeship standards. Not paged. Order: slug.", a.pathways)
	platform(a, access.CandidatesRead, "candidates", "Resident statistics", "One summary object of anonymous resident statistics; counts only, small groups suppressed. Not paged.", a.candidates)
	platform(a, access.S106Read, "s106", "Section 106 headline counts", "One summary object of headline counts for a borough or the whole platform. Not paged.", a.s106)
	platform(a, access.EventsRead, "events", "Events", "What happened: the events of the key's partner, and those that are everybody's. Paged by page and limit. With since the oldest comes first, without it the newest. To be told of events, use webhooks instead of polling.", a.events)
	a.complianceRoute()
}

// shown is an answer of an endpoint beside the labour data, with its headers.
type shown[B any] struct {
	Status       int
	ETag         string `header:"ETag" doc:"Weak entity tag of the snapshot and the query. Send it as If-None-Match; 304 means that nothing changed, and counts as a call."`
	CacheControl string `header:"Cache-Control" doc:"How the answer may be kept."`
	Body         B
}

// platform registers one endpoint.
func platform[I, B any](a *api, scope access.Scope, name, summary, description string, f func(context.Context, *I) (*shown[B], error)) {
	op := huma.Operation{
		Method: http.MethodGet, Path: "/v1/" + name, OperationID: name, Tags: []string{platformTag},
		Summary: summary, Description: description + " Scope: " + string(scope) + ".",
		SkipValidateParams: true, // checkParameters does it, from the same schemas
		Middlewares:        huma.Middlewares{a.requireScope(scope), a.checkParameters},
		Responses: responses(http.StatusNotModified, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden,
			http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusGatewayTimeout),
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*shown[B], error) {
		out, err := f(ctx, in)
		if err != nil {
			return nil, problemOf(callOf(ctx), err)
		}
		return out, nil
	})
}

// respond asks for a body, unless the caller holds the same one already. more is what
// the answer depends on beside the snapshot and the parameters.
func respond[B any](ctx context.Context, a *api, s labourdata.Snapshot, limit int, ask func(context.Context) (B, error), more ...string) (*shown[B], error) {
	c := callOf(ctx)
	out := &shown[B]{Status: http.StatusOK, CacheControl: revalidate, ETag: etag(c, s.ID(), limit, more...)}
	if matches(c.match, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	var err error
	out.Body, err = query(ctx, a, ask)
	return out, err
}

func snapshotMeta(c *call, s labourdata.Snapshot) wire.SnapshotMeta {
	return wire.SnapshotMeta{AsOf: wire.DateOf(s.AsOf()), Generated: wire.TimestampOf(c.at), Snapshot: s.ID()}
}

func (a *api) jobs(ctx context.Context, in *jobsInput) (*shown[wire.List[wire.JobsRow, wire.Meta]], error) {
	c := callOf(ctx)
	q := labourdata.JobsQuery{Borough: in.Borough, Type: in.Type, Sector: in.Sector, SOC: in.SOC, Words: strings.Fields(in.Q), Limit: min(in.Limit, maxJobs)}
	var after labourdata.JobsPosition
	s, release, err := a.resume(c, in.Cursor, &after)
	if err != nil {
		return nil, err
	}
	defer release()
	if in.Cursor != "" {
		q.After = &after
	}
	oneOf(c, s, unknownPlace, "borough", in.Borough, labourdata.Places)
	oneOf(c, s, invalidParameter, "sector", in.Sector, labourdata.Sectors)
	if err := c.refused(); err != nil {
		return nil, err
	}
	paging := question[labourdata.JobsRow, wire.JobsRow]{snapshot: s, position: func(r labourdata.JobsRow) any {
		return labourdata.JobsPosition{PostedAt: r.PostedAt, ID: r.ID}
	}}
	return respond(ctx, a, s, q.Limit, func(ctx context.Context) (out wire.List[wire.JobsRow, wire.Meta], err error) {
		page, err := s.Jobs(ctx, q)
		if err != nil {
			return out, err
		}
		out.Data = make([]wire.JobsRow, len(page.Rows))
		for i, r := range page.Rows {
			out.Data[i] = wire.FromJobs(r)
		}
		next, err := nextCursor(a, c, paging, page)
		out.Meta = wire.Meta{AsOf: wire.DateOf(s.AsOf()), Generated: wire.TimestampOf(c.at), Snapshot: s.ID(),
			Returned: len(page.Rows), Limit: q.Limit, NextCursor: next}
		return out, err
	})
}

func (a *api) pathways(ctx context.Context, _ *noInput) (*shown[wire.List[wire.PathwaysRow, wire.CountMeta]], error) {
	c := callOf(ctx)
	if err := c.refused(); err != nil {
		return nil, err
	}
	s, release, err := a.live.Acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	return respond(ctx, a, s, 0, func(ctx context.Context) (out wire.List[wire.PathwaysRow, wire.CountMeta], err error) {
		list, err := s.Pathways(ctx)
		out.Data = make([]wire.PathwaysRow, len(list))
		for i, p := range list {
			out.Data[i] = wire.FromPathway(p)
		}
		out.Meta = wire.CountMeta{SnapshotMeta: snapshotMeta(c, s), Returned: len(list)}
		return out, err
	})
}

func (a *api) candidates(ctx context.Context, _ *noInput) (*shown[wire.One[wire.Candidates, wire.ResidentsMeta]], error) {
	c := callOf(ctx)
	if err := c.refused(); err != nil {
		return nil, err
	}
	s, release, err := a.live.Acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	return respond(ctx, a, s, 0, func(ctx context.Context) (out wire.One[wire.Candidates, wire.ResidentsMeta], err error) {
		counts, err := s.Candidates(ctx)
		out.Data = wire.FromCandidates(counts)
		out.Meta = wire.ResidentsMeta{SnapshotMeta: snapshotMeta(c, s), PeopleAsOf: wire.MaybeDateOf(s.PeopleAsOf())}
		return out, err
	})
}

func (a *api) s106(ctx context.Context, in *s106Input) (*shown[wire.One[wire.S106, wire.ResidentsMeta]], error) {
	c := callOf(ctx)
	s, release, err := a.live.Acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	oneOf(c, s, unknownPlace, "borough", in.Borough, labourdata.Places)
	if err := c.refused(); err != nil {
		return nil, err
	}
	return respond(ctx, a, s, 0, func(ctx context.Context) (out wire.One[wire.S106, wire.ResidentsMeta], err error) {
		counts, err := s.S106(ctx, in.Borough)
		out.Data = wire.FromS106(counts)
		out.Meta = wire.ResidentsMeta{SnapshotMeta: snapshotMeta(c, s), PeopleAsOf: wire.MaybeDateOf(s.PeopleAsOf())}
		return out, err
	})
}

// events shows a key its own partner's events and nobody else's.
func (a *api) events(ctx context.Context, in *eventsInput) (*shown[wire.List[wire.EventsRow, wire.EventsMeta]], error) {
	c := callOf(ctx)
	q := labourdata.EventsQuery{Partner: c.key.PartnerName, Type: in.Type, Page: in.Page, Limit: min(in.Limit, maxEvents)}
	if in.Since != "" {
		since, err := time.Parse(time.RFC3339, in.Since)
		if err != nil {
			c.add(invalidParameter, "since", "since must be a time that exists, such as 2026-11-20T06:00:00Z.")
		}
		q.Since = &since
	}
	if err := c.refused(); err != nil {
		return nil, err
	}
	s, release, err := a.live.Acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	return respond(ctx, a, s, q.Limit, func(ctx context.Context) (out wire.List[wire.EventsRow, wire.EventsMeta], err error) {
		page, err := s.Events(ctx, q)
		out.Data = make([]wire.EventsRow, len(page.Rows))
		for i, r := range page.Rows {
			out.Data[i] = wire.FromEvent(r)
		}
		out.Meta = wire.EventsMeta{SnapshotMeta: snapshotMeta(c, s), Page: q.Page, Limit: q.Limit, Returned: len(page.Rows), Total: page.Total}
		return out, err
	}, q.Partner)
}
