package api

import (
	"labour/snapshots/figure"
)

// ListResponse is the JSON response of an endpoint outside /v1/labour that returns a list, such as
// jobs.
type ListResponse[R any, M any] struct {
	Data []R `json:"data" nullable:"false" doc:"The rows."`
	Meta M   `json:"meta" doc:"About this response."`
}

// ObjectResponse is the JSON response of an endpoint that returns one object.
type ObjectResponse[D any, M any] struct {
	Data D `json:"data" doc:"The object."`
	Meta M `json:"meta" doc:"About this response."`
}

// SnapshotMeta is the "meta" object of a response: the date of its data and the id of the snapshot.
type SnapshotMeta struct {
	AsOf      Date      `json:"as_of" doc:"The date the data describes."`
	Generated Timestamp `json:"generated" doc:"When this response was built."`
	Snapshot  string    `json:"snapshot" example:"2026-11-20.1" doc:"The snapshot that answered."`
}

// CountMeta is the "meta" object of a list without pages. It has the number of rows.
type CountMeta struct {
	SnapshotMeta
	Returned int `json:"returned" minimum:"0" doc:"Number of rows."`
}

// ResidentsMeta is the "meta" object of a response with counts of residents.
type ResidentsMeta struct {
	SnapshotMeta
	PeopleAsOf NullableDate `json:"people_as_of" doc:"The last day of the quarter that the counts of people describe; null when there are none. They change once a quarter, because the difference between two days would be a handful of people."`
	People     People       `json:"people" doc:"Period, rounding and availability of the figures about people, with the reason when published is false."`
}

// EventsMeta is the "meta" object of one page of events.
type EventsMeta struct {
	SnapshotMeta
	Page     int    `json:"page" minimum:"1" doc:"The page, from 1."`
	Limit    int    `json:"limit" minimum:"1" maximum:"200" doc:"The page size applied. It is lower than the one you asked for when that was above the maximum."`
	Returned int    `json:"returned" minimum:"0" doc:"Number of rows in this page."`
	Total    int64  `json:"total" minimum:"0" doc:"The count of all events matching the same filters including since."`
	Note     string `json:"note,omitempty" doc:"Present only when your partner's own events are missing from this answer, because the server that answered does not have them."`
}

// JobsRow is one live advert for a job, an apprenticeship or training.
type JobsRow struct {
	ID                   string       `json:"id" example:"platform:ad-1002" doc:"Stable identifier: the key of the source that delivered the advert, a colon, and that source's own id. Of several adverts for the same vacancy, one has a row."`
	Type                 string       `json:"type" enum:"job,apprenticeship,training" doc:"Type of advert."`
	Title                string       `json:"title" example:"Care worker" doc:"Title as the employer shows it."`
	Employer             string       `json:"employer" example:"Example Care Ltd" doc:"The employer's name as shown."`
	Borough              *string      `json:"borough" example:"camden" doc:"Slug of the borough where the work is; of several boroughs, the first one by slug in the place that was asked for. null when the work is in no served borough."`
	BoroughName          *string      `json:"borough_name" example:"Camden" doc:"Name of the borough."`
	Sector               *string      `json:"sector" example:"care-services" doc:"Sector slug; null when it is not known."`
	SOC                  *string      `json:"soc" example:"6135" doc:"Occupation, SOC 2020 unit group; the minor or sub-major group, of 3 or 2 digits, when the advert does not tell the unit group; null when it is not known."`
	SalaryText           *string      `json:"salary_text" example:"£12.60 an hour" doc:"The pay, as shown; null when it is not stated."`
	PostedAt             Timestamp    `json:"posted_at" doc:"When it was first posted; midnight UTC where only the day is known."`
	FirstSeenAt          Timestamp    `json:"first_seen_at" doc:"When the service first showed it. Adverts posted on the same day are ordered by this time, newest first."`
	ClosesOn             NullableDate `json:"closes_on" doc:"Last day to apply; null when it is not stated."`
	Link                 *string      `json:"link" example:"https://works.example/jobs/1002" doc:"The advert's page; null when it has none."`
	SourceKey            string       `json:"source_key" example:"platform" doc:"Key of the source under whose terms the advert is shown."`
	AttributionStatement string       `json:"attribution_statement" example:"Source: Example Works." doc:"Text that must be displayed, word for word, with this advert."`
}

// PathwaysRow is one careers pathway: a route into work in steps, in the JSON of /v1/pathways.
type PathwaysRow struct {
	ID        string     `json:"id" example:"pw-1" doc:"Stable identifier."`
	Slug      string     `json:"slug" example:"into-care" doc:"The pathway's name in addresses."`
	Title     string     `json:"title" example:"Into care" doc:"Title."`
	Summary   string     `json:"summary" doc:"Description of the pathway; may be empty."`
	Sector    string     `json:"sector" example:"care-services" doc:"Sector slug."`
	Steps     []Step     `json:"steps" nullable:"false" doc:"The steps, in order."`
	Standards []Standard `json:"apprenticeship_standards" nullable:"false" doc:"Apprenticeship standards on the way, by code."`
	UpdatedOn Date       `json:"updated_on" doc:"The day of the last change."`
}

// Step is one step of a careers pathway.
type Step struct {
	Order       int     `json:"order" minimum:"1" doc:"Number of the step."`
	Title       string  `json:"title" doc:"Title of the step."`
	Description string  `json:"description" doc:"Description of the step; may be empty."`
	SOC         *string `json:"soc" example:"6135" doc:"Occupation that the step leads to, SOC 2020 unit group; null when it leads to none."`
	Level       *int    `json:"level" minimum:"1" maximum:"8" doc:"Level of the step's qualification; null when it has none."`
}

// Standard is an apprenticeship standard (an official description of an apprenticeship).
type Standard struct {
	Code  string `json:"code" example:"ST0005" doc:"Code of the standard."`
	Title string `json:"title" example:"Adult care worker" doc:"Title of the standard."`
	Level int    `json:"level" minimum:"2" maximum:"7" doc:"Level of the standard."`
}

// Candidates holds counts of residents registered with the platform: the total, and by borough,
// level and sector. A breakdown leaves out people whose borough, level or sector is not recorded.
type Candidates struct {
	Residents      Count                 `json:"residents" doc:"Number of registered residents. When it is shown as less than 10, every other count here is null. When it is shown as 10 to 19, each count that would be shown as less than 10 is null."`
	SeekingWork    Count                 `json:"seeking_work" doc:"Residents who are looking for work."`
	ByBorough      []CandidatesOfBorough `json:"by_borough" nullable:"false" doc:"By borough, every served one."`
	ByLevel        []CandidatesOfLevel   `json:"by_level" nullable:"false" doc:"By the highest level of any skill on record, every level."`
	BySectorSought []CandidatesOfSector  `json:"by_sector_sought" nullable:"false" doc:"By the sector in which they seek work, every sector."`
}

// CandidatesOfBorough is the number of registered residents of one borough.
type CandidatesOfBorough struct {
	Borough     string `json:"borough" example:"camden" doc:"Place slug."`
	BoroughName string `json:"borough_name" example:"Camden" doc:"Name of the borough."`
	Residents   Count  `json:"residents" doc:"Residents."`
}

// CandidatesOfLevel is the number of registered residents whose highest recorded level of any skill
// is Level, 1 to 5.
type CandidatesOfLevel struct {
	Level     int    `json:"level" minimum:"1" maximum:"5" doc:"Level."`
	LevelName string `json:"level_name" example:"working" doc:"Name of the level."`
	Residents Count  `json:"residents" doc:"Residents."`
}

// CandidatesOfSector is the number of registered residents who seek work in one sector.
type CandidatesOfSector struct {
	Sector     string `json:"sector" example:"digital" doc:"Sector slug."`
	SectorName string `json:"sector_name" example:"Digital" doc:"Name of the sector."`
	Residents  Count  `json:"residents" doc:"Residents."`
}

// S106 holds the headline counts of section 106 agreements (obligations of property developers to a
// council).
type S106 struct {
	Developments           int64 `json:"developments" minimum:"0" doc:"Sites with obligations."`
	Obligations            int64 `json:"obligations" minimum:"0" doc:"Obligations of the sites."`
	JobsCreated            Count `json:"jobs_created" doc:"Jobs created, rounded like a count of people because it bounds the number of people employed; see meta.people."`
	ApprenticeshipsStarted Count `json:"apprenticeships_started" doc:"Apprenticeships started, a count of people; see meta.people."`
	LocalPeopleEmployed    Count `json:"local_people_employed" doc:"Local people employed, a count of people; see meta.people."`
	TrainingPlaces         int64 `json:"training_places" minimum:"0" doc:"Training places."`
	ContributionsGBP       int64 `json:"contributions_gbp" minimum:"0" doc:"Contributions in whole pounds."`
}

// EventsRow is one event of the platform, such as an application or a recorded outcome.
type EventsRow struct {
	ID         string    `json:"id" example:"ev-1" doc:"Stable identifier, the same as in webhooks."`
	Type       string    `json:"type" enum:"application.created,click.recorded,outcome.recorded,opportunity.published" doc:"Type of event."`
	OccurredAt Timestamp `json:"occurred_at" doc:"When it happened."`
	Data       EventData `json:"data" doc:"Details of the event, the same as in webhooks. No event names a person."`
}

// EventData describes what an event is about, such as the advert and the borough. Fields that are
// not known are left out.
type EventData struct {
	Advert  *string `json:"advert,omitempty" nullable:"false" example:"ad-1002" doc:"The platform's id of the advert that it concerns. The advert's row in /v1/jobs, if it has one, has the id platform: and then this one, such as platform:ad-1002."`
	Borough *string `json:"borough,omitempty" nullable:"false" example:"camden" doc:"Slug of the borough that it concerns."`
	Outcome *string `json:"outcome,omitempty" nullable:"false" enum:"pending,hired,turned_down,withdrawn" doc:"The outcome that was recorded."`
}

// ComplianceRequest is the JSON body of a request for a compliance export: a reporting scheme and a
// period.
type ComplianceRequest struct {
	Scheme      string `json:"scheme" minLength:"1" maxLength:"100" example:"social-value-2026" doc:"Name of the reporting scheme, as you call it."`
	PeriodStart Date   `json:"period_start" doc:"First day of the period."`
	PeriodEnd   Date   `json:"period_end" doc:"Last day of the period, not before the first."`
}

// ComplianceExport is the response to a request for a compliance export. It is a preview with fixed
// example figures.
type ComplianceExport struct {
	Preview bool           `json:"preview" enum:"true" doc:"Always true: the figures are not live."`
	Notice  string         `json:"notice" doc:"A sentence that states this."`
	Data    ComplianceData `json:"data" doc:"The summary."`
	Meta    ComplianceMeta `json:"meta" doc:"About this response."`
}

// ComplianceMeta is the "meta" object of the response to a request for a compliance export.
type ComplianceMeta struct {
	Generated Timestamp `json:"generated" doc:"When this response was built."`
}

// ComplianceData repeats the values of a request for a compliance export and holds its figures.
type ComplianceData struct {
	ComplianceRequest
	S106
}

// ComplianceNotice is a text in every compliance export. It states that the figures are not live.
const ComplianceNotice = "These are fixed preview figures for building against. They are not live and describe no " +
	"place, employer or person."

// NewCompliancePreview returns the response to the request r for a compliance export. All its
// figures are fixed examples. generated is the time of the response.
func NewCompliancePreview(r ComplianceRequest, generated Timestamp) ComplianceExport {
	return ComplianceExport{Preview: true, Notice: ComplianceNotice, Meta: ComplianceMeta{generated},
		Data: ComplianceData{r, S106{
			Developments: 12, Obligations: 48, JobsCreated: Count{figure.CountOf(320)},
			ApprenticeshipsStarted: Count{figure.CountOf(45)}, LocalPeopleEmployed: Count{figure.CountOf(210)},
			TrainingPlaces: 160, ContributionsGBP: 1_250_000,
		}}}
}

// WebhookEndpoint is a URL of a partner to which the server sends events.
type WebhookEndpoint struct {
	ID             string            `json:"id" example:"whe_01JD3V5Q2ZK8M6T0X4YB7NRCWE" doc:"Identifier of the endpoint."`
	URL            string            `json:"url" example:"https://example.com/hooks" doc:"Address that messages are sent to, as stored: host in lower case, without a default port."`
	EventTypes     []string          `json:"event_types" nullable:"false" enum:"application.created,click.recorded,outcome.recorded,opportunity.published" doc:"Types of events that are sent to it, sorted."`
	Description    string            `json:"description" maxLength:"200" example:"Production" doc:"Your description of the endpoint; may be empty."`
	Enabled        bool              `json:"enabled" doc:"Whether messages are sent. Change it with PATCH; enabling forgets earlier failures."`
	DisabledReason *string           `json:"disabled_reason" pattern:"^(partner|gone|failing)$" doc:"Why the endpoint is disabled. partner: you disabled it. gone: it answered 410. failing: every attempt failed for five days. null while it is enabled."`
	DisabledAt     NullableTimestamp `json:"disabled_at" doc:"Since when it is disabled; null while it is enabled."`
	FailingSince   NullableTimestamp `json:"failing_since" doc:"The first failed attempt of the present series. A good attempt ends it. After two days without an attempt the next failure begins a new series; until then the old time stays. null when the last attempt was good."`
	CreatedAt      Timestamp         `json:"created_at" doc:"When it was made."`
}

// WebhookCreated is a new webhook endpoint and its signing secret.
type WebhookCreated struct {
	WebhookEndpoint
	Secret string `json:"secret" pattern:"^whsec_" doc:"The signing secret, shown this once. Keep it: with it you verify webhook-signature."`
}

// WebhookSecret holds the new signing secret of a webhook endpoint.
type WebhookSecret struct {
	Secret string `json:"secret" pattern:"^whsec_" doc:"The new signing secret, shown this once."`
}

// WebhookDelivery is the delivery of one event to one webhook endpoint.
type WebhookDelivery struct {
	ID            string            `json:"id" example:"whd_01JD3V5Q2ZK8M6T0X4YB7NRCWE" doc:"Identifier of the delivery."`
	EventID       string            `json:"event_id" doc:"Identifier of the event, the same as in webhook-id and in /v1/events."`
	EventType     string            `json:"event_type" enum:"application.created,click.recorded,outcome.recorded,opportunity.published,webhook.test" doc:"Type of event; webhook.test is a message that you asked for."`
	Status        string            `json:"status" enum:"pending,delivered,failed,cancelled" doc:"State of the delivery. cancelled: the endpoint was disabled or answered 410, or a redelivery took its place."`
	CreatedAt     Timestamp         `json:"created_at" doc:"When it was made."`
	NextAttemptAt NullableTimestamp `json:"next_attempt_at" doc:"When the next attempt is due, while pending; else null."`
	EndedAt       NullableTimestamp `json:"ended_at" doc:"When it ended; null while pending. It is kept for 30 days after that."`
	Attempts      []WebhookAttempt  `json:"attempts" nullable:"false" doc:"The attempts, in order."`
}

// WebhookAttempt is one attempt to deliver an event to a webhook endpoint.
type WebhookAttempt struct {
	Number     int       `json:"number" minimum:"1" doc:"Number of the attempt, from 1."`
	StartedAt  Timestamp `json:"started_at" doc:"When it began."`
	TookMS     int64     `json:"took_ms" minimum:"0" doc:"How long it took, in milliseconds."`
	HTTPStatus *int      `json:"http_status" doc:"The status that your endpoint answered; null without an answer."`
	Fault      *string   `json:"fault" pattern:"^(status|redirect|timeout|address_refused|connection_refused|tls|network)$" doc:"Why it failed: status (not 2xx), redirect, timeout, address_refused (the host's name has no public address), connection_refused, tls or network. null when it was good."`
}

// WebhookMeta is the "meta" object of a response about webhooks.
type WebhookMeta struct {
	Generated Timestamp `json:"generated" doc:"When this response was built."`
}

// WebhookListMeta is the "meta" object of a list of webhook endpoints.
type WebhookListMeta struct {
	WebhookMeta
	Returned int `json:"returned" minimum:"0" doc:"Number of endpoints."`
}

// WebhookPageMeta is the "meta" object of one page of webhook deliveries.
type WebhookPageMeta struct {
	WebhookMeta
	Returned   int     `json:"returned" minimum:"0" doc:"Number of deliveries in this page."`
	Limit      int     `json:"limit" minimum:"1" maximum:"50" doc:"The page size applied. It is lower than the one you asked for when that was above the maximum."`
	NextCursor *string `json:"next_cursor" doc:"Send it back unchanged as cursor for the next page. null on the last page."`
}

// WebhookEndpointResponse is a response with one webhook endpoint.
type WebhookEndpointResponse struct {
	Data WebhookEndpoint `json:"data" doc:"The endpoint."`
	Meta WebhookMeta     `json:"meta" doc:"About this response."`
}

// WebhookCreatedResponse is the response to the creation of a webhook endpoint.
type WebhookCreatedResponse struct {
	Data WebhookCreated `json:"data" doc:"The endpoint, with its secret."`
	Meta WebhookMeta    `json:"meta" doc:"About this response."`
}

// WebhookEndpointsResponse is a response with all webhook endpoints of a partner.
type WebhookEndpointsResponse struct {
	Data []WebhookEndpoint `json:"data" nullable:"false" doc:"Every endpoint of your partner, at most 20, the oldest first."`
	Meta WebhookListMeta   `json:"meta" doc:"About this response."`
}

// WebhookSecretResponse is the response to the rotation of a signing secret.
type WebhookSecretResponse struct {
	Data WebhookSecret `json:"data" doc:"The secret."`
	Meta WebhookMeta   `json:"meta" doc:"About this response."`
}

// WebhookDeliveryResponse is a response with one delivery of an event to a webhook endpoint.
type WebhookDeliveryResponse struct {
	Data WebhookDelivery `json:"data" doc:"The delivery."`
	Meta WebhookMeta     `json:"meta" doc:"About this response."`
}

// WebhookDeliveriesResponse is a response with one page of webhook deliveries.
type WebhookDeliveriesResponse struct {
	Data []WebhookDelivery `json:"data" nullable:"false" doc:"The deliveries, the newest first."`
	Meta WebhookPageMeta   `json:"meta" doc:"About this response."`
}

// NewWebhook is the body of a request that creates a webhook endpoint.
type NewWebhook struct {
	URL         string   `json:"url" maxLength:"2048" example:"https://example.com/hooks" doc:"Address to send messages to. https only, a public host, no user name, password or fragment; redirects are not followed."`
	EventTypes  []string `json:"event_types,omitempty" nullable:"false" minItems:"1" enum:"application.created,click.recorded,outcome.recorded,opportunity.published" doc:"Types of events to send. Without it, all types."`
	Description *string  `json:"description,omitempty" nullable:"false" maxLength:"200" example:"Production" doc:"Your description of the endpoint."`
}

// WebhookChange is the body of a request that changes a webhook endpoint. Fields that are missing
// in the request keep their values.
type WebhookChange struct {
	URL         *string  `json:"url,omitempty" nullable:"false" maxLength:"2048" doc:"Address to send messages to, under the same rules as for a new endpoint."`
	EventTypes  []string `json:"event_types,omitempty" nullable:"false" minItems:"1" enum:"application.created,click.recorded,outcome.recorded,opportunity.published" doc:"Types of events to send, in place of all earlier ones."`
	Description *string  `json:"description,omitempty" nullable:"false" maxLength:"200" doc:"Your description of the endpoint."`
	Enabled     *bool    `json:"enabled,omitempty" nullable:"false" doc:"Whether messages are sent."`
}

// WebhookRotation is the body of a request that rotates the secret of a webhook endpoint.
type WebhookRotation struct {
	GraceSeconds *int64 `json:"grace_seconds,omitempty" nullable:"false" minimum:"0" maximum:"604800" default:"86400" doc:"How long messages are signed with the old secret too. Without it, 24 hours. A later rotation with a shorter time ends it earlier."`
}

// WebhookMessage is the JSON message with one event that the server sends to a webhook endpoint.
type WebhookMessage struct {
	ID        string    `json:"id" example:"ev-1" doc:"Identifier of the event, the same in every attempt, in webhook-id and in /v1/events."`
	Type      string    `json:"type" enum:"application.created,click.recorded,outcome.recorded,opportunity.published,webhook.test" doc:"Type of event; webhook.test is a message that you asked for."`
	Timestamp Timestamp `json:"timestamp" doc:"When it happened."`
	Data      EventData `json:"data" doc:"Details of the event. No event names a person."`
}
