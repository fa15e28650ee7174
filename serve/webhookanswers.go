package serve

import (
	"labour/serve/webhooks"
	"labour/serve/wire"
)

// webhookEndpoint is an endpoint as a partner sees it.
func webhookEndpoint(e webhooks.Endpoint) wire.WebhookEndpoint {
	out := wire.WebhookEndpoint{ID: e.ID, URL: e.URL, EventTypes: make([]string, len(e.EventTypes)), Description: e.Description,
		Enabled: e.Disabled == webhooks.Enabled, DisabledAt: wire.MaybeTimestamp{T: e.DisabledAt},
		FailingSince: wire.MaybeTimestamp{T: e.FailingSince}, CreatedAt: wire.TimestampOf(e.CreatedAt)}
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
func webhookDelivery(d webhooks.Delivery) wire.WebhookDelivery {
	out := wire.WebhookDelivery{ID: d.ID, EventID: d.EventID, EventType: string(d.EventType), Status: string(d.Status),
		CreatedAt: wire.TimestampOf(d.CreatedAt), NextAttemptAt: wire.MaybeTimestamp{T: d.NextAt}, EndedAt: wire.MaybeTimestamp{T: d.EndedAt},
		Attempts: make([]wire.WebhookAttempt, len(d.Attempts))}
	for i, a := range d.Attempts {
		one := wire.WebhookAttempt{Number: a.Number, StartedAt: wire.TimestampOf(a.At), TookMS: a.Took.Milliseconds()}
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
