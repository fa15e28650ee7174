package webhooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// EventType is the kind of thing that happened.
type EventType string

// The event types: "The service pushes webhook events to a partner's HTTPS
// endpoint for four kinds of thing: applications, clicks, recorded outcomes, and
// new opportunities."
const (
	ApplicationCreated   EventType = "application.created"
	ClickRecorded        EventType = "click.recorded"
	OutcomeRecorded      EventType = "outcome.recorded"
	OpportunityPublished EventType = "opportunity.published"
)

// Test is the type of the message that a partner asks for to try an endpoint.
// No endpoint subscribes to it.
const Test EventType = "webhook.test"

// EventTypes is every type that an endpoint can subscribe to, sorted.
func EventTypes() []EventType {
	return []EventType{ApplicationCreated, ClickRecorded, OutcomeRecorded, OpportunityPublished}
}

// Event is one thing that happened.
type Event struct {
	ID   string // the platform's; published once only. Up to 200 visible ASCII characters
	Type EventType
	// Partner is the name of the partner that the event belongs to, as its keys
	// have it; empty for every partner.
	Partner string
	At      time.Time // when it happened
	Data    Data
}

// Data is what a message tells of an event. It has no field that could name a
// person; what is not known is left out.
type Data struct {
	Advert  string `json:"advert,omitempty"`  // id of the advert that it concerns
	Borough string `json:"borough,omitempty"` // slug of the borough that it concerns
	Outcome string `json:"outcome,omitempty"` // pending, hired, turned_down or withdrawn
}

// message is the body of a delivery, in the contract's order.
type message struct {
	ID        string    `json:"id"`
	Type      EventType `json:"type"`
	Timestamp time.Time `json:"timestamp"` // in UTC, whole seconds
	Data      Data      `json:"data"`
}

// body is the bytes that are signed and sent, the same in every attempt.
func (e Event) body() (string, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(message{e.ID, e.Type, e.At.UTC().Truncate(time.Second), e.Data})
	return string(bytes.TrimSpace(b.Bytes())), err
}

// visible is what an id may hold, since it travels in a header.
var visible = regexp.MustCompile(`^[!-~]{1,200}$`)

// Validate tells why an event cannot be published: an id that cannot travel in a
// header, an unknown type or outcome, no time.
func (e Event) Validate() error {
	switch {
	case !visible.MatchString(e.ID):
		return fmt.Errorf("event %q: the id is not 1 to 200 visible ASCII characters", e.ID)
	case !slices.Contains(EventTypes(), e.Type):
		return fmt.Errorf("event %s: unknown type %q", e.ID, e.Type)
	case e.At.IsZero():
		return fmt.Errorf("event %s: the time is missing", e.ID)
	case !slices.Contains([]string{"", "pending", "hired", "turned_down", "withdrawn"}, e.Data.Outcome):
		return fmt.Errorf("event %s: unknown outcome %q", e.ID, e.Data.Outcome)
	}
	return nil
}
