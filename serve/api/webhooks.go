package api

// WebhookEndpoint is where a partner is told what happens.
type WebhookEndpoint struct {
	ID             string         `json:"id" example:"whe_01JD3V5Q2ZK8M6T0X4YB7NRCWE" doc:"Identifier of the endpoint."`
	URL            string         `json:"url" example:"https://example.com/hooks" doc:"Where messages go, as it is stored: host in lower case, without a default port."`
	EventTypes     []string       `json:"event_types" nullable:"false" enum:"application.created,click.recorded,outcome.recorded,opportunity.published" doc:"What it is told of, sorted."`
	Description    string         `json:"description" maxLength:"200" example:"Production" doc:"What you call it; may be empty."`
	Enabled        bool           `json:"enabled" doc:"Whether messages are sent. Change it with PATCH; enabling forgets earlier failures."`
	DisabledReason *string        `json:"disabled_reason" pattern:"^(partner|gone|failing)$" doc:"partner, gone or failing: why it is disabled: you switched it off, it answered 410, or nothing arrived for five days. null while it is enabled."`
	DisabledAt     MaybeTimestamp `json:"disabled_at" doc:"Since when it is disabled; null while it is enabled."`
	FailingSince   MaybeTimestamp `json:"failing_since" doc:"The first failed attempt after the last good one; null when the last one was good."`
	CreatedAt      Timestamp      `json:"created_at" doc:"When it was made."`
}

// WebhookCreated is a new endpoint with its signing secret.
type WebhookCreated struct {
	WebhookEndpoint
	Secret string `json:"secret" pattern:"^whsec_" doc:"The signing secret, shown this once. Keep it: with it you verify webhook-signature."`
}

// WebhookSecret is the new signing secret of an endpoint.
type WebhookSecret struct {
	Secret string `json:"secret" pattern:"^whsec_" doc:"The new signing secret, shown this once."`
}

// WebhookDelivery is one event on its way to one endpoint.
type WebhookDelivery struct {
	ID            string           `json:"id" example:"whd_01JD3V5Q2ZK8M6T0X4YB7NRCWE" doc:"Identifier of the delivery."`
	EventID       string           `json:"event_id" doc:"Identifier of the event, the same as in webhook-id and in /v1/events."`
	EventType     string           `json:"event_type" enum:"application.created,click.recorded,outcome.recorded,opportunity.published,webhook.test" doc:"What happened; webhook.test is a message that you asked for."`
	Status        string           `json:"status" enum:"pending,delivered,failed,cancelled" doc:"How far it is. cancelled: the endpoint was disabled or answered 410, or a redelivery took its place."`
	CreatedAt     Timestamp        `json:"created_at" doc:"When it was made."`
	NextAttemptAt MaybeTimestamp   `json:"next_attempt_at" doc:"When the next attempt is due, while pending; else null."`
	EndedAt       MaybeTimestamp   `json:"ended_at" doc:"When it ended; null while pending. It is kept for 30 days after that."`
	Attempts      []WebhookAttempt `json:"attempts" nullable:"false" doc:"What was tried, the first one first."`
}

// WebhookAttempt is one try of a delivery.
type WebhookAttempt struct {
	Number     int       `json:"number" minimum:"1" doc:"Number of the attempt, from 1."`
	StartedAt  Timestamp `json:"started_at" doc:"When it began."`
	TookMS     int64     `json:"took_ms" minimum:"0" doc:"How long it took, in milliseconds."`
	HTTPStatus *int      `json:"http_status" doc:"The status that your endpoint answered; null without an answer."`
	Fault      *string   `json:"fault" pattern:"^(status|redirect|timeout|name_not_found|address_refused|connection_refused|tls|network)$" doc:"Why it failed: status (not 2xx), redirect, timeout, name_not_found, address_refused (not public), connection_refused, tls or network. null when it was good."`
}

// WebhookMeta is the metadata of answers about webhooks. No snapshot stands
// behind them.
type WebhookMeta struct {
	Generated Timestamp `json:"generated" doc:"When this response was built."`
}

// WebhookListMeta is the metadata of the list of endpoints.
type WebhookListMeta struct {
	WebhookMeta
	Returned int `json:"returned" minimum:"0" doc:"Number of endpoints."`
}

// WebhookPageMeta is the metadata of a page of deliveries.
type WebhookPageMeta struct {
	WebhookMeta
	Returned   int     `json:"returned" minimum:"0" doc:"Number of deliveries in this page."`
	Limit      int     `json:"limit" minimum:"1" maximum:"50" doc:"The page size applied. It is lower than the one you asked for when that was above the maximum."`
	NextCursor *string `json:"next_cursor" doc:"Send it back unchanged as cursor for the next page. null on the last page."`
}

// WebhookEndpointResponse answers with one endpoint.
type WebhookEndpointResponse struct {
	Data WebhookEndpoint `json:"data" doc:"The endpoint."`
	Meta WebhookMeta     `json:"meta" doc:"About this response."`
}

// WebhookCreatedResponse answers with a new endpoint.
type WebhookCreatedResponse struct {
	Data WebhookCreated `json:"data" doc:"The endpoint, with its secret."`
	Meta WebhookMeta    `json:"meta" doc:"About this response."`
}

// WebhookEndpointsResponse answers with every endpoint of a partner.
type WebhookEndpointsResponse struct {
	Data []WebhookEndpoint `json:"data" nullable:"false" doc:"Every endpoint of your partner, at most 20, the oldest first."`
	Meta WebhookListMeta   `json:"meta" doc:"About this response."`
}

// WebhookSecretResponse answers with a new secret.
type WebhookSecretResponse struct {
	Data WebhookSecret `json:"data" doc:"The secret."`
	Meta WebhookMeta   `json:"meta" doc:"About this response."`
}

// WebhookDeliveryResponse answers with one delivery.
type WebhookDeliveryResponse struct {
	Data WebhookDelivery `json:"data" doc:"The delivery."`
	Meta WebhookMeta     `json:"meta" doc:"About this response."`
}

// WebhookDeliveriesResponse answers with a page of deliveries.
type WebhookDeliveriesResponse struct {
	Data []WebhookDelivery `json:"data" nullable:"false" doc:"The deliveries, the newest first."`
	Meta WebhookPageMeta   `json:"meta" doc:"About this response."`
}

// NewWebhook is the body that makes an endpoint.
type NewWebhook struct {
	URL         string   `json:"url" maxLength:"2048" example:"https://example.com/hooks" doc:"Where to send. https only, a public host, no user name, password or fragment; redirects are not followed."`
	EventTypes  []string `json:"event_types,omitempty" nullable:"false" minItems:"1" enum:"application.created,click.recorded,outcome.recorded,opportunity.published" doc:"What to be told of. Left out: everything."`
	Description *string  `json:"description,omitempty" nullable:"false" maxLength:"200" example:"Production" doc:"What you call it."`
}

// WebhookChange is the body that changes an endpoint. What is left out stays.
type WebhookChange struct {
	URL         *string  `json:"url,omitempty" nullable:"false" maxLength:"2048" doc:"Where to send, as when it was made."`
	EventTypes  []string `json:"event_types,omitempty" nullable:"false" minItems:"1" enum:"application.created,click.recorded,outcome.recorded,opportunity.published" doc:"What to be told of, all of it."`
	Description *string  `json:"description,omitempty" nullable:"false" maxLength:"200" doc:"What you call it."`
	Enabled     *bool    `json:"enabled,omitempty" nullable:"false" doc:"Whether messages are sent."`
}

// WebhookRotation is the body of a rotation of the secret.
type WebhookRotation struct {
	GraceSeconds *int64 `json:"grace_seconds,omitempty" nullable:"false" minimum:"0" maximum:"604800" default:"86400" doc:"For how long messages are signed with the old secret too. Left out: 24 hours."`
}

// WebhookMessage is the body that is pushed to an endpoint.
type WebhookMessage struct {
	ID        string    `json:"id" example:"ev-1" doc:"Identifier of the event, the same in every attempt, in webhook-id and in /v1/events."`
	Type      string    `json:"type" enum:"application.created,click.recorded,outcome.recorded,opportunity.published,webhook.test" doc:"What happened; webhook.test is a message that you asked for."`
	Timestamp Timestamp `json:"timestamp" doc:"When it happened."`
	Data      EventData `json:"data" doc:"What it concerns. No event names a person."`
}
