package serve

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/labourdata"
	"labour/serve/wire"
)

type healthReply struct {
	CacheControl string `header:"Cache-Control" doc:"no-store."`
	Body         wire.Health
}

type readyReply struct {
	CacheControl string `header:"Cache-Control" doc:"no-store."`
	Body         wire.Readiness
}

// noStore is the Cache-Control of what holds for this moment only.
const noStore = "no-store"

// healthRoutes registers what a supervisor asks. They need no key.
func (a *api) healthRoutes() {
	open := func(path, id, summary, description string, statuses ...int) huma.Operation {
		return huma.Operation{
			Method: http.MethodGet, Path: path, OperationID: id, Tags: []string{"Operation"}, Summary: summary,
			Description: description + " Needs no key.", Security: []map[string][]string{}, SkipValidateParams: true,
			Middlewares: huma.Middlewares{a.checkParameters, a.refuseFaults}, Responses: responses(append(statuses, http.StatusBadRequest, http.StatusInternalServerError)...),
		}
	}
	huma.Register(a.huma, open("/healthz", "health", "Does the process answer", "Answers whenever the process does."),
		func(context.Context, *struct{}) (*healthReply, error) {
			return &healthReply{CacheControl: noStore, Body: wire.Health{Status: "ok"}}, nil
		})
	huma.Register(a.huma, open("/readyz", "readiness", "Can it answer questions", "Asks the loaded snapshot a question. 503 when none is loaded or it does not answer.",
		http.StatusServiceUnavailable, http.StatusGatewayTimeout), a.ready)
	a.documentRoute()
}

// ready reads real data, so that it tells of a snapshot that is loaded and does
// not answer.
func (a *api) ready(ctx context.Context, _ *struct{}) (*readyReply, error) {
	s, release, err := a.live.Acquire()
	if err != nil {
		return nil, problemOf(callOf(ctx), err)
	}
	defer release()
	_, err = query(ctx, a, func(ctx context.Context) (labourdata.Page[labourdata.SourcesRow], error) {
		return s.Sources(ctx, labourdata.SourcesQuery{})
	})
	if err != nil {
		return nil, problemOf(callOf(ctx), err)
	}
	return &readyReply{CacheControl: noStore, Body: wire.Readiness{Status: "ready", Snapshot: s.ID(), AsOf: wire.DateOf(s.AsOf())}}, nil
}
