package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"labour/serve/webhooks"
	"labour/serve/wire"
)

// Webhooks manages the endpoints of partners; *webhooks.Service is the real one.
// Only what belongs to the partner (its id) exists for it.
type Webhooks interface {
	Check(webhooks.Change) error
	Create(ctx context.Context, partner string, n webhooks.NewEndpoint) (webhooks.Endpoint, string, error)
	List(ctx context.Context, partner string) ([]webhooks.Endpoint, error)
	Get(ctx context.Context, partner, id string) (webhooks.Endpoint, error)
	Patch(ctx context.Context, partner, id string, c webhooks.Change) (webhooks.Endpoint, error)
	Delete(ctx context.Context, partner, id string) error
	RotateSecret(ctx context.Context, partner, id string, grace time.Duration) (string, error)
	SendTest(ctx context.Context, partner, id string) (webhooks.Delivery, error)
	Deliveries(ctx context.Context, partner, id, before string, limit int) ([]webhooks.Delivery, error)
	Redeliver(ctx context.Context, partner, id, delivery string) (webhooks.Delivery, error)
}

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
func (q *asked) meta() wire.WebhookMeta {
	return wire.WebhookMeta{Generated: wire.TimestampOf(q.at)}
}

// manage answers a call of an operation with status, or with the problem of the
// error. A nil answer has no body.
func (a *api) manage(status int, f func(context.Context, *asked) (any, error)) func(huma.Context) {
	return func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		q := &asked{call: callOf(r.Context()), huma: ctx, request: r, header: http.Header{}}
		answer, err := f(r.Context(), q)
		if err != nil {
			a.send(w, q.call, problemOf(q.call, webhookProblem(q.call, err)))
			return
		}
		for name, values := range q.header {
			w.Header()[name] = values
		}
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
	}
}

func (a *api) createWebhook(ctx context.Context, q *asked) (any, error) {
	change, err := a.webhookBody(q, true)
	if err != nil {
		return nil, err
	}
	n := webhooks.NewEndpoint{URL: *change.URL, EventTypes: change.EventTypes}
	if change.Description != nil {
		n.Description = *change.Description
	}
	e, secret, err := a.webhooks.Create(ctx, q.key.PartnerID, n)
	if err != nil {
		return nil, err
	}
	q.header.Set("Location", endpointsPath+"/"+e.ID)
	return wire.WebhookCreatedResponse{Data: wire.WebhookCreated{WebhookEndpoint: webhookEndpoint(e), Secret: secret}, Meta: q.meta()}, nil
}

func (a *api) listWebhooks(ctx context.Context, q *asked) (any, error) {
	if err := q.refused(); err != nil {
		return nil, err
	}
	list, err := a.webhooks.List(ctx, q.key.PartnerID)
	if err != nil {
		return nil, err
	}
	out := wire.WebhookEndpointsResponse{Data: make([]wire.WebhookEndpoint, len(list)), Meta: wire.WebhookListMeta{WebhookMeta: q.meta(), Returned: len(list)}}
	for i, e := range list {
		out.Data[i] = webhookEndpoint(e)
	}
	return out, nil
}

func (a *api) getWebhook(ctx context.Context, q *asked) (any, error) {
	if err := q.refused(); err != nil {
		return nil, err
	}
	e, err := a.webhooks.Get(ctx, q.key.PartnerID, q.id())
	return wire.WebhookEndpointResponse{Data: webhookEndpoint(e), Meta: q.meta()}, err
}

func (a *api) patchWebhook(ctx context.Context, q *asked) (any, error) {
	change, err := a.webhookBody(q, false)
	if err != nil {
		return nil, err
	}
	e, err := a.webhooks.Patch(ctx, q.key.PartnerID, q.id(), change)
	return wire.WebhookEndpointResponse{Data: webhookEndpoint(e), Meta: q.meta()}, err
}

func (a *api) deleteWebhook(ctx context.Context, q *asked) (any, error) {
	if err := q.refused(); err != nil {
		return nil, err
	}
	return nil, a.webhooks.Delete(ctx, q.key.PartnerID, q.id())
}

func (a *api) rotateWebhook(ctx context.Context, q *asked) (any, error) {
	grace, err := graceOf(q)
	if err != nil {
		return nil, err
	}
	secret, err := a.webhooks.RotateSecret(ctx, q.key.PartnerID, q.id(), grace)
	return wire.WebhookSecretResponse{Data: wire.WebhookSecret{Secret: secret}, Meta: q.meta()}, err
}

func (a *api) testWebhook(ctx context.Context, q *asked) (any, error) {
	if err := q.refused(); err != nil {
		return nil, err
	}
	d, err := a.webhooks.SendTest(ctx, q.key.PartnerID, q.id())
	return wire.WebhookDeliveryResponse{Data: webhookDelivery(d), Meta: q.meta()}, err
}

func (a *api) redeliverWebhook(ctx context.Context, q *asked) (any, error) {
	if err := q.refused(); err != nil {
		return nil, err
	}
	d, err := a.webhooks.Redeliver(ctx, q.key.PartnerID, q.id(), q.huma.Param("delivery"))
	return wire.WebhookDeliveryResponse{Data: webhookDelivery(d), Meta: q.meta()}, err
}

// deliveryPosition is where a page of the log ends.
type deliveryPosition struct{ Endpoint, Delivery string }

func (a *api) webhookDeliveries(ctx context.Context, q *asked) (any, error) {
	var after deliveryPosition
	if token := q.query.Get("cursor"); token != "" {
		if _, err := a.cursors.Open(token, q.route, &after); err != nil || after.Endpoint != q.id() {
			q.add(invalidCursor, "cursor", "This cursor was not issued here, or for another endpoint. Send meta.next_cursor back unchanged, or start again without cursor.")
		}
	}
	if err := q.refused(); err != nil {
		return nil, err
	}
	limit := pageSize(q.query.Get("limit"))
	list, err := a.webhooks.Deliveries(ctx, q.key.PartnerID, q.id(), after.Delivery, limit+1)
	if err != nil {
		return nil, err
	}
	meta := wire.WebhookPageMeta{WebhookMeta: q.meta(), Limit: limit}
	if len(list) > limit {
		list = list[:limit]
		token, err := a.cursors.Seal(q.route, "", deliveryPosition{q.id(), list[limit-1].ID})
		if err != nil {
			return nil, err
		}
		meta.NextCursor = &token
	}
	meta.Returned = len(list)
	out := wire.WebhookDeliveriesResponse{Data: make([]wire.WebhookDelivery, len(list)), Meta: meta}
	for i, d := range list {
		out.Data[i] = webhookDelivery(d)
	}
	return out, nil
}
