package serve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"time"

	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/serve/webhooks"
)

// endpointsPath is the API path under which partners manage their webhook endpoints.
const endpointsPath = "/v1/webhooks/endpoints"

type deliveriesInput struct {
	Cursor string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged."`
	Limit  int    `query:"limit" minimum:"1" default:"25" doc:"Page size. Above 50 it is lowered to 50, and meta.limit says so."`
}

// webhookEndpoints returns the API operations with which partners manage webhooks.
func (a *handler) webhookEndpoints() []endpoint {
	one, deliveries := endpointsPath+"/{id}", endpointsPath+"/{id}/deliveries"
	created := webhookEndpoint[api.WebhookCreatedResponse](http.MethodPost, endpointsPath, "create-webhook-endpoint",
		a.createWebhook)
	created.status = http.StatusCreated
	tested := webhookEndpoint[api.WebhookDeliveryResponse](http.MethodPost, one+"/test",
		"test-webhook-endpoint", a.testWebhook)
	tested.status = http.StatusAccepted
	again := webhookEndpoint[api.WebhookDeliveryResponse](http.MethodPost, deliveries+"/{delivery}/redeliver",
		"redeliver-webhook", a.redeliverWebhook)
	again.status = http.StatusAccepted
	deleted := webhookEndpoint[any](http.MethodDelete, one, "delete-webhook-endpoint", a.deleteWebhook)
	deleted.status, deleted.answer = http.StatusNoContent, nil
	return []endpoint{
		created, tested, again, deleted,
		webhookEndpoint[api.WebhookEndpointsResponse](http.MethodGet, endpointsPath,
			"list-webhook-endpoints", a.listWebhooks),
		webhookEndpoint[api.WebhookEndpointResponse](http.MethodGet, one, "get-webhook-endpoint", a.getWebhook),
		webhookEndpoint[api.WebhookEndpointResponse](http.MethodPatch, one, "change-webhook-endpoint", a.patchWebhook),
		webhookEndpoint[api.WebhookSecretResponse](http.MethodPost, one+"/rotate-secret", "rotate-webhook-secret",
			a.rotateWebhook),
		webhookEndpoint[api.WebhookDeliveriesResponse](http.MethodGet, deliveries, "list-webhook-deliveries",
			a.webhookDeliveries),
	}
}

// webhookEndpoint returns an API operation with which partners manage webhooks. B is the type of
// its JSON response.
func webhookEndpoint[B, I any](method, path, id string, handle func(*call, *I) error) endpoint {
	e := in(method, path, id, func(c *call, input *I) error {
		c.response.header["Cache-Control"] = []string{noStore}
		err := handle(c, input)
		var invalid *webhooks.InvalidFieldError
		if errors.As(err, &invalid) {
			c.addInvalid(err)
			return c.inputError()
		}
		return err
	})
	e.scope, e.answer = access.ScopeWebhooksManage, reflect.TypeFor[B]()
	return e
}

// webhook returns the id of the webhook endpoint in the request path.
func (c *call) webhook() string { return c.request.PathValue("id") }

// webhookMeta returns the "meta" object of a response about webhooks.
func (c *call) webhookMeta() api.WebhookMeta {
	return api.WebhookMeta{Generated: api.TimestampOf(c.at)}
}

// limit returns the context of a request with a time limit, Options.QueryTimeout.
func (a *handler) limit(c *call) (context.Context, context.CancelFunc) {
	return context.WithTimeout(c.request.Context(), a.QueryTimeout)
}

func (a *handler) createWebhook(c *call, _ *noInput) error {
	change, err := a.webhookBody(c, true)
	if err != nil {
		return err
	}
	ctx, cancel := a.limit(c)
	defer cancel()
	e, secret, err := a.Webhooks.CreateEndpoint(ctx, c.key.PartnerID,
		api.NewWebhook{URL: *change.URL, EventTypes: change.EventTypes, Description: change.Description})
	if err != nil {
		return err
	}
	c.response.header["Location"] = []string{endpointsPath + "/" + e.ID}
	return c.send(http.StatusCreated,
		api.WebhookCreatedResponse{Data: api.WebhookCreated{WebhookEndpoint: e, Secret: secret}, Meta: c.webhookMeta()})
}

func (a *handler) listWebhooks(c *call, _ *noInput) error {
	if err := c.inputError(); err != nil {
		return err
	}
	ctx, cancel := a.limit(c)
	defer cancel()
	list, err := a.Webhooks.ListEndpoints(ctx, c.key.PartnerID)
	if err != nil {
		return err
	}
	meta := api.WebhookListMeta{WebhookMeta: c.webhookMeta(), Returned: len(list)}
	return c.send(http.StatusOK, api.WebhookEndpointsResponse{Data: listOf(list), Meta: meta})
}

func (a *handler) getWebhook(c *call, _ *noInput) error {
	if err := c.inputError(); err != nil {
		return err
	}
	ctx, cancel := a.limit(c)
	defer cancel()
	e, err := a.Webhooks.FindEndpoint(ctx, c.key.PartnerID, c.webhook())
	if err != nil {
		return err
	}
	return c.send(http.StatusOK, api.WebhookEndpointResponse{Data: e, Meta: c.webhookMeta()})
}

func (a *handler) patchWebhook(c *call, _ *noInput) error {
	change, err := a.webhookBody(c, false)
	if err != nil {
		return err
	}
	ctx, cancel := a.limit(c)
	defer cancel()
	e, err := a.Webhooks.ChangeEndpoint(ctx, c.key.PartnerID, c.webhook(), change)
	if err != nil {
		return err
	}
	return c.send(http.StatusOK, api.WebhookEndpointResponse{Data: e, Meta: c.webhookMeta()})
}

func (a *handler) deleteWebhook(c *call, _ *noInput) error {
	if err := c.inputError(); err != nil {
		return err
	}
	ctx, cancel := a.limit(c)
	defer cancel()
	if err := a.Webhooks.DeleteEndpoint(ctx, c.key.PartnerID, c.webhook()); err != nil {
		return err
	}
	c.response.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *handler) rotateWebhook(c *call, _ *noInput) error {
	grace, err := graceOf(c)
	if err != nil {
		return err
	}
	ctx, cancel := a.limit(c)
	defer cancel()
	secret, err := a.Webhooks.RotateSecret(ctx, c.key.PartnerID, c.webhook(), grace)
	if err != nil {
		return err
	}
	return c.send(http.StatusOK, api.WebhookSecretResponse{Data: api.WebhookSecret{Secret: secret},
		Meta: c.webhookMeta()})
}

func (a *handler) testWebhook(c *call, _ *noInput) error {
	if err := c.inputError(); err != nil {
		return err
	}
	ctx, cancel := a.limit(c)
	defer cancel()
	d, err := a.Webhooks.SendTest(ctx, c.key.PartnerID, c.webhook())
	if err != nil {
		return err
	}
	return c.send(http.StatusAccepted, api.WebhookDeliveryResponse{Data: d, Meta: c.webhookMeta()})
}

func (a *handler) redeliverWebhook(c *call, _ *noInput) error {
	if err := c.inputError(); err != nil {
		return err
	}
	ctx, cancel := a.limit(c)
	defer cancel()
	d, err := a.Webhooks.Redeliver(ctx, c.key.PartnerID, c.webhook(), c.request.PathValue("delivery"))
	if err != nil {
		return err
	}
	return c.send(http.StatusAccepted, api.WebhookDeliveryResponse{Data: d, Meta: c.webhookMeta()})
}

// deliveryPosition is the content of a cursor in the list of webhook deliveries. It identifies the
// last delivery on the previous page.
type deliveryPosition struct{ Endpoint, Delivery string }

func (a *handler) webhookDeliveries(c *call, in *deliveriesInput) error {
	var after deliveryPosition
	if in.Cursor != "" {
		if _, err := a.Cursors.Open(in.Cursor, c.route, &after); err != nil || after.Endpoint != c.webhook() {
			c.add(invalidCursor, "cursor", notOurs)
		}
	}
	if err := c.inputError(); err != nil {
		return err
	}
	limit := min(in.Limit, maxDeliveries)
	ctx, cancel := a.limit(c)
	defer cancel()
	list, err := a.Webhooks.ListDeliveries(ctx, c.key.PartnerID, c.webhook(), after.Delivery, limit+1)
	if err != nil {
		return err
	}
	meta := api.WebhookPageMeta{WebhookMeta: c.webhookMeta(), Limit: limit}
	if len(list) > limit {
		list = list[:limit]
		token, err := a.Cursors.Seal(c.route, "", deliveryPosition{c.webhook(), list[limit-1].ID})
		if err != nil {
			return err
		}
		meta.NextCursor = &token
	}
	meta.Returned = len(list)
	return c.send(http.StatusOK, api.WebhookDeliveriesResponse{Data: listOf(list), Meta: meta})
}

// maxDeliveries is the largest number of webhook deliveries on one page.
const maxDeliveries = 50

// webhookBody reads the request body that creates or changes a webhook endpoint. isNew means that
// it creates one. The error lists all invalid fields.
func (a *handler) webhookBody(c *call, isNew bool) (api.WebhookChange, error) {
	known := []string{"url", "event_types", "description"}
	if !isNew {
		known = append(known, "enabled")
	}
	fields, err := readBody(c, known...)
	if err != nil {
		return api.WebhookChange{}, err
	}
	change := api.WebhookChange{
		URL:         bodyValue[string](c, fields, "url", "a text"),
		Description: bodyValue[string](c, fields, "description", "a text"),
		Enabled:     bodyValue[bool](c, fields, "enabled", "true or false"),
	}
	if types := bodyValue[[]string](c, fields, "event_types", "a list of texts"); types != nil {
		change.EventTypes = *types
	}
	if _, given := fields["url"]; isNew && !given {
		c.add(invalidParameter, "url", "url is missing.")
	}
	c.addInvalid(a.Webhooks.CheckChange(change))
	return change, c.inputError()
}

// graceOf returns how long the old secret stays valid after a rotation: the value of the field
// grace_seconds, or webhooks.DefaultSigningGracePeriod if the request does not have it. The request
// body is optional.
func graceOf(c *call) (time.Duration, error) {
	grace := webhooks.DefaultSigningGracePeriod
	if c.request.ContentLength != 0 {
		fields, err := readBody(c, "grace_seconds")
		if err != nil {
			return 0, err
		}
		const longest = int64(webhooks.MaxSigningGracePeriod / time.Second)
		words := fmt.Sprintf("a whole number from 0 to %d", longest)
		// JSON has only one kind of number, and some clients write 3600 as 3600.0, which the schema
		// allows.
		seconds := bodyValue[float64](c, fields, "grace_seconds", words)
		switch {
		case seconds == nil:
		case *seconds != math.Trunc(*seconds), *seconds < 0, *seconds > float64(longest):
			c.add(invalidParameter, "grace_seconds", "grace_seconds must be "+words+".")
		default:
			grace = time.Duration(*seconds) * time.Second
		}
	}
	return grace, c.inputError()
}

// addInvalid records each *webhooks.InvalidFieldError in err as an invalid field of the request.
func (c *call) addInvalid(err error) {
	switch e := err.(type) { //nolint:errorlint // it walks the tree itself
	case nil:
	case *webhooks.InvalidFieldError:
		c.add(invalidParameter, e.Field, e.Field+": "+e.Problem+".")
		if e.Field == "event_types" {
			c.faults[len(c.faults)-1].Allowed = webhooks.EventTypes()
		}
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			c.addInvalid(one)
		}
	case interface{ Unwrap() error }:
		c.addInvalid(e.Unwrap())
	}
}
