package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/access"
	"labour/serve/api"
	"labour/serve/webhooks"
)

// webhooksTag groups the management of webhooks.
const webhooksTag = "Webhooks"

// listDeliveries is the id of the one operation of a query.
const listDeliveries = "list-webhook-deliveries"

// webhookRoute is one operation of the management of webhooks.
type webhookRoute struct {
	method, path, id     string // the path below endpointsPath
	summary, description string
	status               int
	body, answer         reflect.Type // nil = none
	optional             bool         // the body may be left out
	faults               []int        // beside those that every operation has
	handle               func(context.Context, *asked) (any, error)
}

// webhookRoutes registers the management of webhooks, and describes what is
// pushed to the endpoints.
func (a *handler) webhookRoutes() {
	const gone, clash, long, kind = http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType
	delivery := reflect.TypeFor[api.WebhookDeliveryResponse]()
	for _, r := range []webhookRoute{
		{method: http.MethodPost, id: "create-webhook-endpoint", summary: "Make an endpoint",
			description: "Makes an endpoint and shows its signing secret, this once. A partner has at most 20. 409 when there is one with the same URL.",
			status:      http.StatusCreated, body: reflect.TypeFor[api.NewWebhook](), answer: reflect.TypeFor[api.WebhookCreatedResponse](), faults: []int{clash, long, kind}, handle: a.createWebhook},
		{method: http.MethodGet, id: "list-webhook-endpoints", summary: "List the endpoints", description: "Not paged. Order: created_at.",
			status: http.StatusOK, answer: reflect.TypeFor[api.WebhookEndpointsResponse](), handle: a.listWebhooks},
		{method: http.MethodGet, path: "/{id}", id: "get-webhook-endpoint", summary: "One endpoint", description: "Shows an endpoint, without its secret.",
			status: http.StatusOK, answer: reflect.TypeFor[api.WebhookEndpointResponse](), faults: []int{gone}, handle: a.getWebhook},
		{method: http.MethodPatch, path: "/{id}", id: "change-webhook-endpoint", summary: "Change an endpoint", description: "Changes what is given; what is left out stays. Disabling cancels what waits.",
			status: http.StatusOK, body: reflect.TypeFor[api.WebhookChange](), answer: reflect.TypeFor[api.WebhookEndpointResponse](), faults: []int{gone, clash, long, kind}, handle: a.patchWebhook},
		{method: http.MethodDelete, path: "/{id}", id: "delete-webhook-endpoint", summary: "Delete an endpoint", description: "Deletes an endpoint with its secrets and its log. What waits for it is not sent.",
			status: http.StatusNoContent, faults: []int{gone}, handle: a.deleteWebhook},
		{method: http.MethodPost, path: "/{id}/rotate-secret", id: "rotate-webhook-secret", summary: "Rotate the signing secret",
			description: "Makes a new secret and shows it, this once. For the grace period messages carry a signature with the old one too.",
			status:      http.StatusOK, body: reflect.TypeFor[api.WebhookRotation](), optional: true, answer: reflect.TypeFor[api.WebhookSecretResponse](), faults: []int{gone, long, kind}, handle: a.rotateWebhook},
		{method: http.MethodPost, path: "/{id}/test", id: "test-webhook-endpoint", summary: "Send a test message", description: "Sends a message of type webhook.test with empty data, signed and tried again like any other. 409 when the endpoint is disabled.",
			status: http.StatusAccepted, answer: delivery, faults: []int{gone, clash}, handle: a.testWebhook},
		{method: http.MethodGet, path: "/{id}/deliveries", id: listDeliveries, summary: "The log of deliveries", description: "What was sent and what waits, with every attempt. Paged, the newest first.",
			status: http.StatusOK, answer: reflect.TypeFor[api.WebhookDeliveriesResponse](), faults: []int{gone}, handle: a.webhookDeliveries},
		{method: http.MethodPost, path: "/{id}/deliveries/{delivery}/redeliver", id: "redeliver-webhook", summary: "Deliver again", description: "Sends the event of a delivery once more, with the same webhook-id. A delivery that still waits is replaced. 409 when the endpoint is disabled.",
			status: http.StatusAccepted, answer: delivery, faults: []int{gone, clash}, handle: a.redeliverWebhook},
	} {
		a.webhookRoute(r)
	}
}

func (a *handler) webhookRoute(r webhookRoute) {
	faults := keyed(append(r.faults, http.StatusBadRequest)...)
	op := &huma.Operation{
		Method: r.method, Path: endpointsPath + r.path, OperationID: r.id, Tags: []string{webhooksTag}, Summary: r.summary,
		Description: r.description + " Scope: " + string(access.WebhooksManage) + ".",
		Middlewares: huma.Middlewares{a.requireScope(access.WebhooksManage), a.checkParameters},
		Parameters:  webhookParameters(r), Responses: responses(faults...),
	}
	if r.body != nil {
		op.RequestBody = a.requestBody(r.body, !r.optional)
	} else if r.id != listDeliveries { // the others have no faults to add
		op.Middlewares = append(op.Middlewares, a.refuseFaults)
	}
	good := &huma.Response{Description: http.StatusText(r.status)}
	if r.answer != nil {
		good.Content = a.content(r.answer)
	}
	if r.status == http.StatusCreated {
		good.Headers = map[string]*huma.Header{"Location": {Description: "Path of the new endpoint.", Schema: &huma.Schema{Type: huma.TypeString}}}
	}
	op.Responses[strconv.Itoa(r.status)] = good
	a.huma.OpenAPI().AddOperation(op)
	a.huma.Adapter().Handle(op, op.Middlewares.Handler(a.manage(r.status, r.handle)))
}

// requestBody is the body of a call. It has no other fields than those documented:
// readBody refuses them.
func (a *handler) requestBody(t reflect.Type, required bool) *huma.RequestBody {
	content := a.content(t)
	a.huma.OpenAPI().Components.Schemas.SchemaFromRef(content[typeJSON].Schema.Ref).AdditionalProperties = false
	return &huma.RequestBody{Required: required, Content: content}
}

// content is JSON of a type.
func (a *handler) content(t reflect.Type) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{typeJSON: {Schema: a.huma.OpenAPI().Components.Schemas.Schema(t, true, "")}}
}

// webhookParameters are those of the path, and of the log its page.
func webhookParameters(r webhookRoute) []*huma.Param {
	text := &huma.Schema{Type: huma.TypeString}
	var list []*huma.Param
	if r.path != "" {
		list = append(list, &huma.Param{Name: "id", In: "path", Required: true, Schema: text, Description: "Identifier of the endpoint. Only your own partner's endpoints exist."})
	}
	switch r.id {
	case "redeliver-webhook":
		list = append(list, &huma.Param{Name: "delivery", In: "path", Required: true, Schema: text, Description: "Identifier of the delivery."})
	case listDeliveries:
		least := 1.0
		list = append(list,
			&huma.Param{Name: "cursor", In: "query", Schema: text, Description: "meta.next_cursor of the page before, unchanged."},
			&huma.Param{Name: "limit", In: "query", Description: "Page size. Above 50 it is lowered to 50, and meta.limit says so.",
				Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &least, Default: initialDeliveries}})
	}
	return list
}

// The sizes of a page of deliveries. The service hands out one more than the
// largest, which says whether another page follows.
const (
	initialDeliveries = 25
	maxDeliveries     = 50
)

// pageSize is a checked limit, or the initial one when it was left out.
func pageSize(limit string) int {
	n, err := strconv.Atoi(limit)
	if err != nil {
		return initialDeliveries
	}
	return min(n, maxDeliveries)
}

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
