package serve

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"labour/serve/access"
)

// routes registers every operation. What an operation takes and gives is in its
// Go types; its words are here.
func (a *api) routes() error {
	labour(a, "skills-unmet", "Skills not met", "Skills adverts ask for that people do not yet meet, ranked, with people turned down and what hired applicants had. Computed on every call. "+
		"Figures about people are numbers without a filter, with one filter, and for place with one other (by counts as a filter); elsewhere they are null. Fewer than 5 counted adverts, or adverts of fewer than 3 employers, give an empty list. "+
		"Order: score descending, null last, then adverts_share_pct descending, then skill. Paged by rank.", a.skillsUnmet)
	labour(a, "skills-gaps", "Skills gaps", "Forecast skills gaps by occupation, with sources_agreeing. Not paged. Order: sources_agreeing descending, projected_change_pct descending with null last, soc.", a.skillsGaps)
	labour(a, "course-demand", "Course demand", "Apprenticeship starts, further education enrolments and skills bootcamps, with year-on-year change. Not paged. Order: period_end descending, metric, region_code, subject_area.", a.courseDemand)
	labour(a, "evidence", "Evidence", "Published evidence rows behind the figures, each with source, licence, link and date. Paged, newest first.", a.evidence)
	labour(a, "sources", "Sources", "Every receivable source, with licence, cadence and freshness. Not paged.", a.sources)
	labour(a, "regions", "Regions", "UK regions with official codes, searchable by name. Not paged. Order: name, code.", a.regions)
	a.heldDatasets()
	a.platformRoutes()
	a.webhookRoutes()
	a.healthRoutes()
	return a.readParameters()
}

// labour registers an endpoint of the labour data.
func labour[I, R, M any](a *api, name, summary, description string, f func(context.Context, *I) (*reply[R, M], error)) {
	op := huma.Operation{
		Method: http.MethodGet, Path: "/v1/labour/" + name, OperationID: name, Tags: []string{"Labour market data"},
		Summary: summary, Description: description + " Scope: " + string(access.LabourRead) + ".",
		SkipValidateParams: true, // parameters does it, from the same schemas
		Middlewares:        huma.Middlewares{a.requireScope(access.LabourRead), a.checkParameters},
		Responses: responses(http.StatusNotModified, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden,
			http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusGatewayTimeout),
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*reply[R, M], error) {
		out, err := f(ctx, in)
		if err != nil {
			return nil, problemOf(callOf(ctx), err)
		}
		return out, nil
	})
}

// requireScope refuses a key without the scope.
func (a *api) requireScope(s access.Scope) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		if c := callOf(ctx.Context()); !c.key.Has(s) {
			a.refuse(ctx, &problem{code: insufficientScope, message: fmt.Sprintf("This key lacks the scope %s. Ask the operator for it.", s)})
			return
		}
		next(ctx)
	}
}

// checkParameters notes the faults of the parameters in the call and lets the
// handler see only what is sound, so that it can add its own and all are
// reported at once.
func (a *api) checkParameters(ctx huma.Context, next func(huma.Context)) {
	c, u := callOf(ctx.Context()), ctx.URL()
	a.parameters[ctx.Operation().OperationID].check(c, u.RawQuery)
	next(checked{ctx, c.query})
}

// refuse sends a problem from a middleware.
func (a *api) refuse(ctx huma.Context, p *problem) {
	r, w := humago.Unwrap(ctx)
	a.send(w, callOf(r.Context()), p)
}

// readParameters reads the rules of the parameters of every operation.
func (a *api) readParameters() error {
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
