package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/access"
	"labour/serve/webhooks"
)

// webhookRoute is one operation of the management of webhooks.
type webhookRoute struct {
	method, path, id string // the path below endpointsPath
	status           int
	handle           func(context.Context, *asked) (any, error)
	// checks says that handle has faults of its own to add to those of the parameters.
	checks bool
	query  []*huma.Param
}

// webhookRoutes registers the management of webhooks.
func (a *handler) webhookRoutes() {
	least := 1.0
	page := []*huma.Param{{Name: "cursor", In: "query", Schema: &huma.Schema{Type: huma.TypeString}, Description: "meta.next_cursor of the page before, unchanged."},
		{Name: "limit", In: "query", Description: "Page size. Above 50 it is lowered to 50, and meta.limit says so.",
			Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &least, Default: initialDeliveries}}}
	for _, r := range []webhookRoute{
		{http.MethodPost, "", "create-webhook-endpoint", http.StatusCreated, a.createWebhook, true, nil},
		{http.MethodGet, "", "list-webhook-endpoints", http.StatusOK, a.listWebhooks, false, nil},
		{http.MethodGet, "/{id}", "get-webhook-endpoint", http.StatusOK, a.getWebhook, false, nil},
		{http.MethodPatch, "/{id}", "change-webhook-endpoint", http.StatusOK, a.patchWebhook, true, nil},
		{http.MethodDelete, "/{id}", "delete-webhook-endpoint", http.StatusNoContent, a.deleteWebhook, false, nil},
		{http.MethodPost, "/{id}/rotate-secret", "rotate-webhook-secret", http.StatusOK, a.rotateWebhook, true, nil},
		{http.MethodPost, "/{id}/test", "test-webhook-endpoint", http.StatusAccepted, a.testWebhook, false, nil},
		{http.MethodGet, "/{id}/deliveries", "list-webhook-deliveries", http.StatusOK, a.webhookDeliveries, true, page},
		{http.MethodPost, "/{id}/deliveries/{delivery}/redeliver", "redeliver-webhook", http.StatusAccepted, a.redeliverWebhook, false, nil},
	} {
		op := a.needing(access.WebhooksManage, huma.Operation{Method: r.method, Path: endpointsPath + r.path, OperationID: r.id, Parameters: r.query})
		if !r.checks {
			op.Middlewares = append(op.Middlewares, a.refuseFaults)
		}
		a.handle(&op, r.status, r.handle)
	}
}

// The sizes of a page of deliveries. The service hands out one more than the
// largest, which says whether another page follows.
const (
	initialDeliveries = 25
	maxDeliveries     = 50
)

// webhookBody reads what a partner says of a new endpoint, or of a change. All
// faults are reported at once: of the parameters, of the form and of the content.
func (a *handler) webhookBody(q *asked, fresh bool) (webhooks.Change, error) {
	known := []string{"url", "event_types", "description"}
	if !fresh {
		known = append(known, "enabled")
	}
	fields, err := readBody(q.huma, q.call, known...)
	if err != nil {
		return webhooks.Change{}, err
	}
	change := webhooks.Change{
		URL:         bodyValue[string](q.call, fields, "url", "a text"),
		Description: bodyValue[string](q.call, fields, "description", "a text"),
		Enabled:     bodyValue[bool](q.call, fields, "enabled", "true or false"),
	}
	if types := bodyValue[[]webhooks.EventType](q.call, fields, "event_types", "a list of texts"); types != nil {
		change.EventTypes = *types
	}
	if _, given := fields["url"]; fresh && !given {
		q.add(invalidParameter, "url", "url is missing.")
	}
	addInvalid(q.call, a.Webhooks.Check(change))
	return change, q.refused()
}

// bodyValue is a field of the body when it is there and of its type; else nil,
// with a fault noted when it is there.
func bodyValue[T any](c *call, fields map[string]json.RawMessage, name, words string) *T {
	raw, given := fields[name]
	if !given {
		return nil
	}
	var value *T
	if err := json.Unmarshal(raw, &value); err != nil || value == nil {
		c.add(invalidParameter, name, fmt.Sprintf("%s must be %s.", name, words))
		return nil
	}
	return value
}

// graceOf reads the body of a rotation, which may be left out.
func graceOf(q *asked) (time.Duration, error) {
	grace := webhooks.DefaultGrace
	if q.request.ContentLength != 0 {
		fields, err := readBody(q.huma, q.call, "grace_seconds")
		if err != nil {
			return 0, err
		}
		const longest = int64(webhooks.MaxGrace / time.Second)
		words := fmt.Sprintf("a whole number from 0 to %d", longest)
		seconds := bodyValue[int64](q.call, fields, "grace_seconds", words)
		switch {
		case seconds == nil:
		case *seconds < 0 || *seconds > longest:
			q.add(invalidParameter, "grace_seconds", "grace_seconds must be "+words+".")
		default:
			grace = time.Duration(*seconds) * time.Second
		}
	}
	return grace, q.refused()
}

// addInvalid notes each value that the service cannot accept.
func addInvalid(c *call, err error) {
	switch e := err.(type) { //nolint:errorlint // it walks the tree itself
	case nil:
	case *webhooks.InvalidError:
		c.add(invalidParameter, e.Field, e.Field+": "+e.Problem+".")
		if e.Field == "event_types" {
			for _, t := range webhooks.EventTypes() {
				last := &c.faults[len(c.faults)-1]
				last.Allowed = append(last.Allowed, string(t))
			}
		}
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			addInvalid(c, one)
		}
	case interface{ Unwrap() error }:
		addInvalid(c, e.Unwrap())
	}
}
