package serve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"labour/serve/access"
	"labour/serve/api"
	"labour/serve/webhooks"
)

// endpointsPath is the specification's path.
const endpointsPath = "/v1/webhooks/endpoints"

// asked is a call that is answered without a snapshot: it manages webhooks, or asks for
// the compliance export.
type asked struct {
	*call
	huma    huma.Context
	request *http.Request
	header  http.Header // of the answer
}

// id is the endpoint that the path names.
func (q *asked) id() string { return q.huma.Param("id") }

// meta is the metadata that every answer has.
func (q *asked) meta() api.WebhookMeta {
	return api.WebhookMeta{Generated: api.TimestampOf(q.at)}
}

// handle registers an operation that answers with a status of its own, or with the problem
// of the error. A nil answer has no body.
func (a *handler) handle(op *huma.Operation, status int, f func(context.Context, *asked) (any, error)) {
	op.DefaultStatus = status
	a.huma.OpenAPI().AddOperation(op)
	a.huma.Adapter().Handle(op, op.Middlewares.Handler(func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		q := &asked{call: callOf(r.Context()), huma: ctx, request: r, header: http.Header{}}
		limit, cancel := context.WithTimeout(r.Context(), a.QueryDeadline)
		answer, err := f(limit, q)
		cancel()
		if err != nil {
			var invalid *webhooks.InvalidError
			if errors.As(err, &invalid) {
				addInvalid(q.call, err)
				err = q.refused()
			}
			a.send(w, q.call, apiErrorOf(q.call, err))
			return
		}
		maps.Copy(w.Header(), q.header)
		w.Header().Set("Cache-Control", noStore)
		if answer == nil {
			w.WriteHeader(status)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if err := a.encode(w, answer); err != nil {
			q.cause = err
		}
	}))
}

func (a *handler) createWebhook(ctx context.Context, q *asked) (any, error) {
	change, err := a.webhookBody(q, true)
	if err != nil {
		return nil, err
	}
	e, secret, err := a.Webhooks.Create(ctx, q.key.PartnerID, api.NewWebhook{URL: *change.URL, EventTypes: change.EventTypes, Description: change.Description})
	if err != nil {
		return nil, err
	}
	q.header.Set("Location", endpointsPath+"/"+e.ID)
	return api.WebhookCreatedResponse{Data: api.WebhookCreated{WebhookEndpoint: e, Secret: secret}, Meta: q.meta()}, nil
}

func (a *handler) listWebhooks(ctx context.Context, q *asked) (any, error) {
	list, err := a.Webhooks.List(ctx, q.key.PartnerID)
	return api.WebhookEndpointsResponse{Data: append([]api.WebhookEndpoint{}, list...), Meta: api.WebhookListMeta{WebhookMeta: q.meta(), Returned: len(list)}}, err
}

func (a *handler) getWebhook(ctx context.Context, q *asked) (any, error) {
	e, err := a.Webhooks.Get(ctx, q.key.PartnerID, q.id())
	return api.WebhookEndpointResponse{Data: e, Meta: q.meta()}, err
}

func (a *handler) patchWebhook(ctx context.Context, q *asked) (any, error) {
	change, err := a.webhookBody(q, false)
	if err != nil {
		return nil, err
	}
	e, err := a.Webhooks.Patch(ctx, q.key.PartnerID, q.id(), change)
	return api.WebhookEndpointResponse{Data: e, Meta: q.meta()}, err
}

func (a *handler) deleteWebhook(ctx context.Context, q *asked) (any, error) {
	return nil, a.Webhooks.Delete(ctx, q.key.PartnerID, q.id())
}

func (a *handler) rotateWebhook(ctx context.Context, q *asked) (any, error) {
	grace, err := graceOf(q)
	if err != nil {
		return nil, err
	}
	secret, err := a.Webhooks.RotateSecret(ctx, q.key.PartnerID, q.id(), grace)
	return api.WebhookSecretResponse{Data: api.WebhookSecret{Secret: secret}, Meta: q.meta()}, err
}

func (a *handler) testWebhook(ctx context.Context, q *asked) (any, error) {
	d, err := a.Webhooks.SendTest(ctx, q.key.PartnerID, q.id())
	return api.WebhookDeliveryResponse{Data: d, Meta: q.meta()}, err
}

func (a *handler) redeliverWebhook(ctx context.Context, q *asked) (any, error) {
	d, err := a.Webhooks.Redeliver(ctx, q.key.PartnerID, q.id(), q.huma.Param("delivery"))
	return api.WebhookDeliveryResponse{Data: d, Meta: q.meta()}, err
}

// deliveryPosition is where a page of the log ends.
type deliveryPosition struct{ Endpoint, Delivery string }

func (a *handler) webhookDeliveries(ctx context.Context, q *asked) (any, error) {
	var after deliveryPosition
	if token := q.query.Get("cursor"); token != "" {
		if _, err := a.Cursors.Open(token, q.route, &after); err != nil || after.Endpoint != q.id() {
			q.add(invalidCursor, "cursor", "This cursor was not issued here, or for another endpoint. Send meta.next_cursor back unchanged, or start again without cursor.")
		}
	}
	if err := q.refused(); err != nil {
		return nil, err
	}
	limit := initialDeliveries
	if asked, err := strconv.Atoi(q.query.Get("limit")); err == nil { // checked
		limit = min(asked, maxDeliveries)
	}
	list, err := a.Webhooks.Deliveries(ctx, q.key.PartnerID, q.id(), after.Delivery, limit+1)
	if err != nil {
		return nil, err
	}
	meta := api.WebhookPageMeta{WebhookMeta: q.meta(), Limit: limit}
	if len(list) > limit {
		list = list[:limit]
		token, err := a.Cursors.Seal(q.route, "", deliveryPosition{q.id(), list[limit-1].ID})
		if err != nil {
			return nil, err
		}
		meta.NextCursor = &token
	}
	meta.Returned = len(list)
	return api.WebhookDeliveriesResponse{Data: append([]api.WebhookDelivery{}, list...), Meta: meta}, nil
}

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
func (a *handler) webhookBody(q *asked, fresh bool) (api.WebhookChange, error) {
	known := []string{"url", "event_types", "description"}
	if !fresh {
		known = append(known, "enabled")
	}
	fields, err := readBody(q.huma, q.call, known...)
	if err != nil {
		return api.WebhookChange{}, err
	}
	change := api.WebhookChange{
		URL:         bodyValue[string](q.call, fields, "url", "a text"),
		Description: bodyValue[string](q.call, fields, "description", "a text"),
		Enabled:     bodyValue[bool](q.call, fields, "enabled", "true or false"),
	}
	if types := bodyValue[[]string](q.call, fields, "event_types", "a list of texts"); types != nil {
		change.EventTypes = *types
	}
	if _, given := fields["url"]; fresh && !given {
		q.add(invalidParameter, "url", "url is missing.")
	}
	addInvalid(q.call, a.Webhooks.Check(change))
	return change, q.refused()
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
			c.faults[len(c.faults)-1].Allowed = webhooks.EventTypes()
		}
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			addInvalid(c, one)
		}
	case interface{ Unwrap() error }:
		addInvalid(c, e.Unwrap())
	}
}
