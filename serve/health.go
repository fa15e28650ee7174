package serve

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/api"
)

type healthReply struct {
	CacheControl string `header:"Cache-Control" doc:"no-store."`
	Body         api.Health
}

type readyReply struct {
	CacheControl string `header:"Cache-Control" doc:"no-store."`
	Body         api.Readiness
}

// noStore is the Cache-Control of what holds for this moment only.
const noStore = "no-store"

// healthRoutes registers what a supervisor asks. They need no key.
func (a *handler) healthRoutes() {
	open := func(path, id, summary, description string, statuses ...int) huma.Operation {
		return huma.Operation{
			Method: http.MethodGet, Path: path, OperationID: id, Tags: []string{"Operation"}, Summary: summary,
			Description: description + " Needs no key.", Security: []map[string][]string{}, SkipValidateParams: true,
			Middlewares: huma.Middlewares{a.checkParameters, a.refuseFaults}, Responses: responses(append(statuses, http.StatusBadRequest, http.StatusInternalServerError)...),
		}
	}
	huma.Register(a.huma, open("/healthz", "health", "Does the process answer", "Answers whenever the process does."),
		func(context.Context, *struct{}) (*healthReply, error) {
			return &healthReply{CacheControl: noStore, Body: api.Health{Status: "ok"}}, nil
		})
	huma.Register(a.huma, open("/readyz", "readiness", "Can it answer questions", "Asks the loaded snapshot a question. 503 when none is loaded or it does not answer.",
		http.StatusServiceUnavailable, http.StatusGatewayTimeout), a.ready)
	a.documentRoute()
}

// ready reads real data and asks the state database, so that it is 503 when calls
// would fail.
func (a *handler) ready(ctx context.Context, _ *struct{}) (*readyReply, error) {
	s, release, err := a.Live.Acquire()
	if err != nil {
		return nil, apiErrorOf(callOf(ctx), err)
	}
	defer release()
	// Not in the queue of queries: a server that is busy is ready.
	limit, cancel := context.WithTimeout(ctx, a.QueryDeadline)
	defer cancel()
	if _, err := s.Sources(limit, api.SourcesQuery{}); err != nil {
		return nil, apiErrorOf(callOf(ctx), err)
	}
	if err := a.CheckState(limit); err != nil {
		return nil, apiErrorOf(callOf(ctx), fmt.Errorf("%w: %w", errStateTimeout, err))
	}
	return &readyReply{CacheControl: noStore, Body: api.Readiness{Status: "ready", Snapshot: s.ID(), AsOf: api.DateOf(s.AsOf())}}, nil
}
