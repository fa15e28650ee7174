package serve

import (
	"context"
	"net/http"
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
func (a *api) platformRoutes() error {
	err := listed(a, endpoint{access.JobsRead, platformTag, "/v1/jobs", "Live jobs", "Live jobs, apprenticeships and training, each once, from sources whose terms permit showing them, with the statement to show beside each. Order: posted_at descending, then id descending. Paged."},
		func(_ labourdata.Snapshot, rows []wire.JobsRow, _ []wire.Source, m wire.Meta) (wire.List[wire.JobsRow, wire.Meta], any) {
			return wire.List[wire.JobsRow, wire.Meta]{Data: rows, Meta: m}, m
		}, jobs)
	platform(a, access.PathwaysRead, "pathways", "Careers pathways", "Published careers pathways with steps and apprenticeship standards. Not paged. Order: slug.", a.pathways)
	platform(a, access.CandidatesRead, "candidates", "Resident statistics", "One summary object of anonymous resident statistics; counts only, small groups suppressed. Not paged.", a.candidates)
	platform(a, access.S106Read, "s106", "Section 106 headline counts", "One summary object of headline counts for a borough or the whole platform. Not paged.", a.s106)
	platform(a, access.EventsRead, "events", "Events", "What happened: the events of the key's partner, and those that are everybody's. Paged by page and limit. With since the oldest comes first, without it the newest. To be told of events, use webhooks instead of polling.", a.events)
	a.complianceRoute()
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
func platform[I, B any](a *api, scope access.Scope, name, summary, description string, f func(context.Context, *I) (*shown[B], error)) {
	op := a.reading(endpoint{scope, platformTag, "/v1/" + name, summary, description})
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*shown[B], error) {
		out, err := f(ctx, in)
		if err != nil {
			return nil, problemOf(callOf(ctx), err)
		}
		return out, nil
	})
}

// respond asks the current snapshot for a body, unless the caller holds the same one
// already. more is what the answer depends on beside the snapshot and the parameters.
func respond[B any](ctx context.Context, a *api, limit int, check func(labourdata.Snapshot), ask func(context.Context, labourdata.Snapshot) (B, error), more ...string) (*shown[B], error) {
	c := callOf(ctx)
	return within(ctx, a, start{}, check, func(s labourdata.Snapshot) (*shown[B], error) {
		out := &shown[B]{Status: http.StatusOK, CacheControl: revalidate, ETag: etag(c, s.ID(), limit, more...)}
		if matches(c.match, out.ETag) {
			out.Status = http.StatusNotModified
			return out, nil
		}
		var err error
		out.Body, err = query(ctx, a, func(ctx context.Context) (B, error) { return ask(ctx, s) })
		if err == nil && len(more) == 0 && a.kept != nil {
			_, err = a.encodeKept(c, s.ID(), out.ETag, time.Time{}, out.Body)
		}
		return out, err
	})
}

func snapshotMeta(ctx context.Context, s labourdata.Snapshot) wire.SnapshotMeta {
	return wire.SnapshotMeta{AsOf: wire.DateOf(s.AsOf()), Generated: wire.TimestampOf(callOf(ctx).at), Snapshot: s.ID()}
}

func residentsMeta(ctx context.Context, s labourdata.Snapshot) wire.ResidentsMeta {
	return wire.ResidentsMeta{SnapshotMeta: snapshotMeta(ctx, s), PeopleAsOf: wire.MaybeDateOf(s.PeopleAsOf())}
}

func jobs(c *call, in *jobsInput) listing[labourdata.JobsRow, wire.JobsRow] {
	q := labourdata.JobsQuery{Borough: in.Borough, Type: in.Type, Sector: in.Sector, SOC: in.SOC, Search: in.Q, Limit: min(in.Limit, maxJobs)}
	var after labourdata.JobsPosition
	if in.Cursor != "" {
		q.After = &after
	}
	return listing[labourdata.JobsRow, wire.JobsRow]{
		format: in.Format, limit: q.Limit, kept: true, from: start{in.Cursor, &after}, row: wire.FromJobs,
		position: func(r labourdata.JobsRow) any { return labourdata.JobsPosition{PostedAt: r.PostedAt, ID: r.ID} },
		check: func(s labourdata.Snapshot) {
			oneOf(c, s, unknownPlace, "borough", in.Borough, labourdata.Places)
			oneOf(c, s, invalidParameter, "sector", in.Sector, labourdata.Sectors)
		},
		ask: func(ctx context.Context, s labourdata.Snapshot) (labourdata.Page[labourdata.JobsRow], error) {
			return s.Jobs(ctx, q)
		},
	}
}

func (a *api) pathways(ctx context.Context, _ *noInput) (*shown[wire.List[wire.PathwaysRow, wire.CountMeta]], error) {
	return respond(ctx, a, 0, nil, func(ctx context.Context, s labourdata.Snapshot) (out wire.List[wire.PathwaysRow, wire.CountMeta], err error) {
		list, err := s.Pathways(ctx)
		out.Data = make([]wire.PathwaysRow, len(list))
		for i, p := range list {
			out.Data[i] = wire.FromPathway(p)
		}
		out.Meta = wire.CountMeta{SnapshotMeta: snapshotMeta(ctx, s), Returned: len(list)}
		return out, err
	})
}

func (a *api) candidates(ctx context.Context, _ *noInput) (*shown[wire.One[wire.Candidates, wire.ResidentsMeta]], error) {
	return respond(ctx, a, 0, nil, func(ctx context.Context, s labourdata.Snapshot) (out wire.One[wire.Candidates, wire.ResidentsMeta], err error) {
		counts, err := s.Candidates(ctx)
		out.Data, out.Meta = wire.FromCandidates(counts), residentsMeta(ctx, s)
		return out, err
	})
}

func (a *api) s106(ctx context.Context, in *s106Input) (*shown[wire.One[wire.S106, wire.ResidentsMeta]], error) {
	check := func(s labourdata.Snapshot) {
		oneOf(callOf(ctx), s, unknownPlace, "borough", in.Borough, labourdata.Places)
	}
	return respond(ctx, a, 0, check, func(ctx context.Context, s labourdata.Snapshot) (out wire.One[wire.S106, wire.ResidentsMeta], err error) {
		counts, err := s.S106(ctx, in.Borough)
		out.Data, out.Meta = wire.FromS106(counts), residentsMeta(ctx, s)
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
	return respond(ctx, a, q.Limit, nil, func(ctx context.Context, s labourdata.Snapshot) (out wire.List[wire.EventsRow, wire.EventsMeta], err error) {
		page, err := s.Events(ctx, q)
		out.Data = make([]wire.EventsRow, len(page.Rows))
		for i, r := range page.Rows {
			out.Data[i] = wire.FromEvent(r)
		}
		out.Meta = wire.EventsMeta{SnapshotMeta: snapshotMeta(ctx, s), Page: q.Page, Limit: q.Limit, Returned: len(page.Rows), Total: page.Total}
		return out, err
	}, q.Partner)
}
