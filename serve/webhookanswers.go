package serve

import (
	"labour/serve/api"
	"labour/serve/webhooks"
)

// webhookEndpoint is an endpoint as a partner sees it.
func webhookEndpoint(e webhooks.Endpoint) api.WebhookEndpoint {
	out := api.WebhookEndpoint{ID: e.ID, URL: e.URL, EventTypes: make([]string, len(e.EventTypes)), Description: e.Description,
		Enabled: e.Disabled == webhooks.Enabled, DisabledAt: api.MaybeTimestamp{T: e.DisabledAt},
		FailingSince: api.MaybeTimestamp{T: e.FailingSince}, CreatedAt: api.TimestampOf(e.CreatedAt)}
	for i, t := range e.EventTypes {
		out.EventTypes[i] = string(t)
	}
	if !out.Enabled {
		reason := string(e.Disabled)
		out.DisabledReason = &reason
	}
	return out
}

// webhookDelivery is a delivery as a partner sees it.
func webhookDelivery(d webhooks.Delivery) api.WebhookDelivery {
	out := api.WebhookDelivery{ID: d.ID, EventID: d.EventID, EventType: string(d.EventType), Status: string(d.Status),
		CreatedAt: api.TimestampOf(d.CreatedAt), NextAttemptAt: api.MaybeTimestamp{T: d.NextAt}, EndedAt: api.MaybeTimestamp{T: d.EndedAt},
		Attempts: make([]api.WebhookAttempt, len(d.Attempts))}
	for i, a := range d.Attempts {
		one := api.WebhookAttempt{Number: a.Number, StartedAt: api.TimestampOf(a.At), TookMS: a.Took.Milliseconds()}
		if a.HTTPStatus != 0 {
			status := a.HTTPStatus
			one.HTTPStatus = &status
		}
		if a.Fault != webhooks.None {
			fault := string(a.Fault)
			one.Fault = &fault
		}
		out.Attempts[i] = one
	}
	return out
}
