package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/danielgtaylor/huma/v2/negotiation"

	"labour/serve/access"
	"labour/serve/api"
	"labour/serve/apidocs"
	"labour/serve/formats"
)

// routes registers every operation. What an operation takes and gives is in its
// Go types; its words are here.
func (a *handler) routes() error {
	err := errors.Join(a.labourRoutes(), a.heldRoutes(), a.platformRoutes())
	a.webhookRoutes()
	a.healthRoutes()
	for pattern, handler := range apidocs.Routes() {
		a.mux.Handle(pattern, handler)
	}
	return errors.Join(err, a.readParameters())
}

func (a *handler) labourRoutes() error {
	of := func(name, summary, description string) endpoint {
		return endpoint{access.LabourRead, "Labour market data", "/v1/labour/" + name, summary, description}
	}
	return errors.Join(
		listed(a, of("skills-unmet", "Skills not met", "Skills adverts ask for that people do not yet meet, ranked, with people turned down and what hired applicants had. Computed on every call. "+
			"Figures about people are numbers without a filter, with one filter, and for place with one other (by counts as a filter); elsewhere they are null. Fewer than 5 counted adverts, or adverts of fewer than 3 employers, give an empty list. "+
			"Order: score descending, null last, then adverts_share_pct descending, then skill. Paged by rank."), withPeople, skillsUnmet),
		listed(a, of("skills-gaps", "Skills gaps", "Forecast skills gaps by occupation, with sources_agreeing. Not paged. Order: sources_agreeing descending, projected_change_pct descending with null last, soc."), enveloped, skillsGaps),
		listed(a, of("course-demand", "Course demand", "Apprenticeship starts, further education enrolments and skills bootcamps, with year-on-year change. Not paged. Order: period_end descending, metric, region_code, subject_area."), enveloped, courseDemand),
		listed(a, of("evidence", "Evidence", "Published evidence rows behind the figures, each with source, licence, link and date. Paged, newest first."), enveloped, evidence),
		listed(a, of("sources", "Sources", "Every receivable source, with licence, cadence and freshness. Not paged."), enveloped, sources),
		listed(a, of("regions", "Regions", "UK regions with official codes, searchable by name. Not paged. Order: name, code."), enveloped, regions),
	)
}

// enveloped is the answer of a labour endpoint.
func enveloped[R any](_ api.Snapshot, p api.Page[R], m api.Meta) (api.Envelope[R, api.Meta], any) {
	return api.Envelope[R, api.Meta]{Data: p.Rows, Sources: p.Sources, AttributionNotice: api.AttributionNotice, Meta: m}, m
}

// withPeople is enveloped, with what the figures about people are and how
// exactly the places of adverts are known.
func withPeople[R any](s api.Snapshot, p api.Page[R], m api.Meta) (api.Envelope[R, api.PeopleMeta], any) {
	people := api.PeopleMeta{Meta: m, PeopleAsOf: api.MaybeDateOf(s.PeopleAsOf()), AdvertsPlaced: p.Placed}
	if p.People != nil {
		people.People = *p.People
	}
	return api.Envelope[R, api.PeopleMeta]{Data: p.Rows, Sources: p.Sources, AttributionNotice: api.AttributionNotice, Meta: people}, people
}

// endpoint is what the document says of an endpoint that reads a snapshot.
type endpoint struct {
	scope                           access.Scope
	tag, path, summary, description string
}

// reading is the operation of an endpoint that reads a snapshot.
func (a *handler) reading(e endpoint) huma.Operation {
	return huma.Operation{
		Method: http.MethodGet, Path: e.path, OperationID: path.Base(e.path), Tags: []string{e.tag},
		Summary: e.summary, Description: e.description + " Scope: " + string(e.scope) + ".",
		SkipValidateParams: true, // checkParameters does it, from the same schemas
		Middlewares:        huma.Middlewares{a.requireScope(e.scope), a.checkParameters},
		Responses:          responses(keyed(http.StatusNotModified, http.StatusBadRequest)...),
	}
}

// listed registers an endpoint of rows, in every format.
func listed[I, R, B any](a *handler, e endpoint, body func(api.Snapshot, api.Page[R], api.Meta) (B, any), f func(*call, *I) listQuery[R]) error {
	return listedAs(a, a.reading(e), body, f)
}

// listedAs is listed for an operation with a way of its own.
func listedAs[I, R, B any](a *handler, op huma.Operation, body func(api.Snapshot, api.Page[R], api.Meta) (B, any), f func(*call, *I) listQuery[R]) error {
	layout, err := formats.New[R]()
	if err != nil {
		return err
	}
	t := table[R, B]{layout, body}
	op.Responses["200"] = a.rowsResponse(reflect.TypeFor[B](), layout.Columns())
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*sent, error) {
		c := callOf(ctx)
		out, err := answer(ctx, a, t, f(c, in))
		if err != nil {
			return nil, apiErrorOf(c, err)
		}
		return out, nil
	})
	return nil
}

// requireScope refuses a key without the scope.
func (a *handler) requireScope(s access.Scope) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		c := callOf(ctx.Context())
		if !c.key.Has(s) {
			a.refuse(ctx, &apiError{code: insufficientScope, message: fmt.Sprintf("This key lacks the scope %s. Ask the operator for it.", s)})
			return
		}
		next(ctx)
	}
}

// checkParameters notes the faults of the parameters in the call and lets the
// handler see only what is sound, so that it can add its own and all are
// reported at once.
func (a *handler) checkParameters(ctx huma.Context, next func(huma.Context)) {
	c, u := callOf(ctx.Context()), ctx.URL()
	p := a.parameters[ctx.Operation().OperationID]
	p.check(c, u.RawQuery)
	if _, takes := p.rules["format"]; takes {
		ctx.AppendHeader("Vary", "Accept")
		accepted := negotiation.SelectQValue(ctx.Header("Accept"), []string{typeJSON, "text/csv", typeParquet})
		if format := map[string]string{"text/csv": inCSV, typeParquet: inParquet}[accepted]; format != "" && !u.Query().Has("format") {
			c.query.Set("format", format)
		}
	}
	next(checked{ctx, c.query})
}

// refuseFaults refuses a call whose parameters have faults, where the handler has
// none of its own to add.
func (a *handler) refuseFaults(ctx huma.Context, next func(huma.Context)) {
	c := callOf(ctx.Context())
	if err := c.refused(); err != nil {
		a.refuse(ctx, apiErrorOf(c, err))
		return
	}
	next(ctx)
}

// refuse sends a problem from a middleware.
func (a *handler) refuse(ctx huma.Context, p *apiError) {
	r, w := humago.Unwrap(ctx)
	a.send(w, callOf(r.Context()), p)
}

// readParameters reads the rules of the parameters of every operation.
func (a *handler) readParameters() error {
	for path, item := range a.huma.OpenAPI().Paths {
		for _, op := range operations(item) {
			p, err := newParameters(op)
			if err != nil {
				return fmt.Errorf("operation %s: %w", path, err)
			}
			a.parameters[op.OperationID] = p
		}
	}
	return nil
}

// operations are those of a path, whatever their methods.
func operations(item *huma.PathItem) []*huma.Operation {
	all := []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete}
	return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
}
