package serve

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/api"
	"labour/serve/webhooks"
	"labour/snapshots"
)

// example is a call that the document shows, and a test makes.
type example struct {
	call string          // path and query; {id} and {delivery} stand for themselves
	body json.RawMessage // nil = none
}

// exampleCalls are the examples by operation id, one for each.
func exampleCalls() map[string]example {
	const labour = "/v1/labour/"
	out := map[string]example{
		"skills-unmet":  {call: labour + "skills-unmet?place=camden&window=6&limit=10"},
		"skills-gaps":   {call: labour + "skills-gaps?soc=21&limit=20"},
		"course-demand": {call: labour + "course-demand?region=E12000007&metric=apprenticeship_starts"},
		"evidence":      {call: labour + "evidence?kind=report&limit=20"},
		"sources":       {call: labour + "sources?format=csv"},
		"regions":       {call: labour + "regions?kind=lsip&name=lond"},
		"jobs":          {call: "/v1/jobs?borough=camden&type=apprenticeship&q=care"},
		"pathways":      {call: "/v1/pathways"},
		"candidates":    {call: "/v1/candidates"},
		"s106":          {call: "/v1/s106?borough=camden"},
		"events":        {call: "/v1/events?since=2026-11-19T06:00:00Z&type=opportunity.published"},
		"compliance-export": {call: "/v1/compliance-export",
			body: json.RawMessage(`{"scheme":"social-value-2026","period_start":"2026-07-01","period_end":"2026-09-30"}`)},
		"create-webhook-endpoint": {call: endpointsPath,
			body: json.RawMessage(`{"url":"https://example.com/hooks","event_types":["opportunity.published"],"description":"Production"}`)},
		"list-webhook-endpoints":  {call: endpointsPath},
		"get-webhook-endpoint":    {call: endpointsPath + "/{id}"},
		"change-webhook-endpoint": {call: endpointsPath + "/{id}", body: json.RawMessage(`{"enabled":true}`)},
		"delete-webhook-endpoint": {call: endpointsPath + "/{id}"},
		"rotate-webhook-secret":   {call: endpointsPath + "/{id}/rotate-secret", body: json.RawMessage(`{"grace_seconds":3600}`)},
		"test-webhook-endpoint":   {call: endpointsPath + "/{id}/test"},
		"list-webhook-deliveries": {call: endpointsPath + "/{id}/deliveries?limit=10"},
		"redeliver-webhook":       {call: endpointsPath + "/{id}/deliveries/{delivery}/redeliver"},
		"openapi":                 {call: openAPIPath}, "health": {call: "/healthz"}, "readiness": {call: "/readyz"},
	}
	for _, d := range snapshots.HeldDatasets() {
		out[d.Name] = example{call: labour + d.Name}
	}
	return out
}

func showExample(op *huma.Operation) error {
	e, ok := exampleCalls()[op.OperationID]
	if !ok {
		return fmt.Errorf("operation %s has no example", op.OperationID)
	}
	op.Description += fmt.Sprintf("\n\nExample: `%s %s`", op.Method, e.call)
	if e.body == nil {
		return nil
	}
	if op.RequestBody == nil {
		return fmt.Errorf("the example of operation %s has a body, and the operation takes none", op.OperationID)
	}
	op.RequestBody.Content[typeJSON].Example = e.body
	return nil
}

func exampleEvents() map[webhooks.EventType]api.EventData {
	text := func(s string) *string { return &s }
	return map[webhooks.EventType]api.EventData{
		webhooks.ApplicationCreated:   {Advert: text("ad-1002"), Borough: text("camden")},
		webhooks.ClickRecorded:        {Advert: text("ad-1002"), Borough: text("camden")},
		webhooks.OutcomeRecorded:      {Advert: text("ad-1002"), Borough: text("camden"), Outcome: text("hired")},
		webhooks.OpportunityPublished: {Advert: text("ad-1003"), Borough: text("hackney")},
	}
}

// exampleErrors are the errors that the document shows, by status and code.
func exampleErrors() map[int][]api.Error {
	seconds := func(n int64) *int64 { return &n }
	of := func(c code, message string) api.Error {
		return api.Error{Code: string(c), Message: message, RequestID: "req_01JD3V5Q2ZK8M6T0X4YB7NRCWE"}
	}
	limited, spent := of(rateLimited, "This key has made its 100 calls of this hour. Wait for retry_after_seconds."), of(quotaExceeded, "This key has made its 10000 calls of this calendar month. Wait for the next month, or ask the operator for a larger plan.")
	limited.RetryAfterSeconds, spent.RetryAfterSeconds = seconds(1740), seconds(925200)
	none := of(unavailable, "No data is loaded yet. Try again later.")
	none.RetryAfterSeconds = seconds(30)
	place := of(unknownPlace, `There is no place "camdne". The nearest: camden, hackney, islington.`)
	place.Details = []api.Fault{{Parameter: "place", Message: place.Message, Nearest: []string{"camden", "hackney", "islington"}}}
	wrong := of(invalidParameter, "window must be one of 3, 6, 12, 24.")
	wrong.Details = []api.Fault{{Parameter: "window", Message: wrong.Message, Allowed: []string{"3", "6", "12", "24"}}}
	return map[int][]api.Error{
		http.StatusBadRequest:            {wrong, place, of(cursorExpired, "The data that this cursor belongs to is no longer kept. Start again without cursor.")},
		http.StatusUnauthorized:          {of(unauthorized, unauthorizedError().message)},
		http.StatusForbidden:             {of(insufficientScope, "This key lacks the scope jobs:read. Ask the operator for it."), of(datasetNotOpen, "The dataset demand is built but not open yet. It waits on: Counts from shareable sources only.")},
		http.StatusNotFound:              {of(notFound, errNotFound().message)},
		http.StatusMethodNotAllowed:      {of(methodNotAllowed, "This path does not take PUT. It takes GET, HEAD.")},
		http.StatusConflict:              {of(conflict, "An endpoint with this URL exists. Change that one, or give another URL.")},
		http.StatusRequestEntityTooLarge: {of(payloadTooLarge, "The body has more than 65536 bytes. Send less.")},
		http.StatusUnsupportedMediaType:  {of(unsupportedMediaType, "Send the body as JSON in UTF-8, not compressed, with Content-Type: application/json.")},
		http.StatusTooManyRequests:       {limited, spent},
		http.StatusInternalServerError:   {of(internal, "Something went wrong inside the service. Try again; if it stays, quote the request_id to the operator.")},
		http.StatusServiceUnavailable:    {none},
		http.StatusGatewayTimeout:        {of(timeout, "The answer took too long and was given up. Try again, or ask for less with more filters.")},
	}
}

func errorExamples(status int) map[string]*huma.Example {
	out := map[string]*huma.Example{}
	for _, e := range exampleErrors()[status] {
		out[e.Code] = &huma.Example{Value: api.ErrorBody{Error: e}}
	}
	return out
}
