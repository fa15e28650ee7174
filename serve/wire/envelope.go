// Package wire is the JSON that a partner sees. Each type is the one definition
// of its fields: it encodes the answers, and the OpenAPI document is generated
// from it.
package wire

// AttributionNotice is the attribution rule, "included in every response".
const AttributionNotice = "Wherever a figure is shown, republished or passed on, show the attribution_statement of every source it came from, word for word. Anyone you give the data to takes on the same rule."

// Envelope is every labour response: "a JSON object with four parts".
type Envelope[R any, M any] struct {
	Data              []R      `json:"data" nullable:"false" doc:"The figures."`
	Sources           []Source `json:"sources" nullable:"false" doc:"Exactly the sources that the figures of this response came from, each once, ordered by key. Every source_key in data is among them. No rows, no sources."`
	AttributionNotice string   `json:"attribution_notice" doc:"The attribution rule, in every response."`
	Meta              M        `json:"meta" doc:"About this response."`
}

// Source is one entry of the envelope's sources.
type Source struct {
	Key                  string `json:"key" example:"platform" doc:"Source key; matches source_key in data rows."`
	Publisher            string `json:"publisher" example:"Office for National Statistics" doc:"Publisher name."`
	Licence              string `json:"licence" example:"Open Government Licence v3.0" doc:"Licence text."`
	Link                 string `json:"link" example:"https://www.ons.gov.uk/" doc:"A link to the source. The specification leaves the name of this field open; decided here."`
	AttributionStatement string `json:"attribution_statement" example:"Contains public sector information licensed under the Open Government Licence v3.0." doc:"Text that must be displayed, word for word, with any figure from the source."`
}

// Meta is the metadata of a labour response.
type Meta struct {
	AsOf       Date      `json:"as_of" doc:"The date the data describes."`
	Generated  Timestamp `json:"generated" doc:"When this response was built."`
	Snapshot   string    `json:"snapshot" example:"2026-11-20.1" doc:"The snapshot that answered. Decided here: it lets you say exactly which data a figure came from."`
	Returned   int       `json:"returned" minimum:"0" doc:"Number of rows in this page."`
	Limit      int       `json:"limit" minimum:"1" doc:"The page size applied. It is lower than the one you asked for when that was above the maximum."`
	NextCursor *string   `json:"next_cursor" doc:"Send it back unchanged as cursor, with the same filters, for the next page. null on the last page, and always null on unpaged endpoints."`
}

// PeopleMeta is Meta for skills not met, which also describes people.
type PeopleMeta struct {
	Meta
	PeopleAsOf MaybeDate `json:"people_as_of" doc:"The end of the quarter that the figures about people describe; null in data without people. Decided here: they are rebuilt once a quarter, adverts more often."`
}

// ErrorBody is the body of every error.
type ErrorBody struct {
	Error Error `json:"error"`
}

// Error says what went wrong and what to do.
type Error struct {
	Code              string  `json:"code" enum:"invalid_parameter,unknown_place,unknown_region,invalid_cursor,cursor_expired,unauthorized,insufficient_scope,dataset_not_open,not_found,method_not_allowed,conflict,payload_too_large,unsupported_media_type,rate_limited,quota_exceeded,internal,unavailable,timeout" doc:"Machine-readable code. rate_limited and quota_exceeded are from the specification; the others are decided here."`
	Message           string  `json:"message" doc:"Human-readable text: what to do. Do not match on it; it may be reworded."`
	RequestID         string  `json:"request_id" pattern:"^req_[0-9A-HJKMNP-TV-Z]{26}$" doc:"Request identifier, the same as in X-Request-Id. Quote it when you ask about an error."`
	RetryAfterSeconds *int64  `json:"retry_after_seconds,omitempty" nullable:"false" minimum:"1" doc:"Seconds to wait before calling again, the same as in Retry-After. On 429, and on 503 where it is known."`
	Details           []Fault `json:"details,omitempty" nullable:"false" doc:"Every fault of the request, all at once. Decided here."`
}

// Fault is one thing that is wrong with one parameter.
type Fault struct {
	Parameter string   `json:"parameter" doc:"Name of the parameter, or of the field of the body."`
	Message   string   `json:"message" doc:"What is wrong with it."`
	Allowed   []string `json:"allowed,omitempty" nullable:"false" doc:"The values it may have, when there are few."`
	Nearest   []string `json:"nearest,omitempty" nullable:"false" maxItems:"3" doc:"Up to three known names or values near the one given."`
}
