package webhooks

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"labour/serve/api"
	"labour/serve/state"
)

// Types of the events that are sent to the webhooks of partners.
const (
	ApplicationCreated   = "application.created"
	ClickRecorded        = "click.recorded"
	OutcomeRecorded      = "outcome.recorded"
	OpportunityPublished = "opportunity.published"
)

// Test is the type of the message that a partner requests to test an endpoint. No endpoint
// subscribes to it.
const Test = "webhook.test"

// EventTypes returns every type that an endpoint can subscribe to, sorted.
func EventTypes() []string {
	return []string{ApplicationCreated, ClickRecorded, OutcomeRecorded, OpportunityPublished}
}

// Event is one event to publish.
type Event struct {
	ID   string // the platform's id; an event is published once. Up to 200 visible ASCII characters
	Type string
	// Partner is the name of the partner of the event, as in its keys; empty for every partner.
	Partner string
	At      time.Time // when it happened
	Data    api.EventData
}

// body returns the bytes that are signed and sent, the same in every attempt.
func (e Event) body() (string, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(api.WebhookMessage{ID: e.ID, Type: e.Type, Timestamp: api.TimestampOf(e.At), Data: e.Data})
	return string(bytes.TrimSpace(b.Bytes())), err
}

// visible matches a valid id, which is sent in a header.
var visible = regexp.MustCompile(`^[!-~]{1,200}$`)

// Validate returns the reason why an event cannot be published: an id that cannot be
// sent in a header, an unknown type or outcome, no time.
func (e Event) Validate() error {
	switch {
	case !visible.MatchString(e.ID):
		return fmt.Errorf("event %q: the id is not 1 to 200 visible ASCII characters", e.ID)
	case !slices.Contains(EventTypes(), e.Type):
		return fmt.Errorf("event %s: unknown type %q", e.ID, e.Type)
	case e.At.IsZero():
		return fmt.Errorf("event %s: the time is missing", e.ID)
	case e.Data.Outcome != nil && !slices.Contains([]string{"pending", "hired", "turned_down", "withdrawn"},
		*e.Data.Outcome):
		return fmt.Errorf("event %s: unknown outcome %q", e.ID, *e.Data.Outcome)
	}
	return nil
}

// Limits of a transaction that publishes events. In SQLite it blocks all other writes.
const (
	batchSize       = 200 // events
	batchDeliveries = 200 // approximate; at least one event
	batchPause      = 25 * time.Millisecond
)

// Publish writes the events and a delivery for each endpoint that subscribed to them, and returns
// the number of new events. An event whose id was published before changes nothing, so an
// interrupted caller can publish everything again, and several servers may publish the same events
// at the same time. Endpoints that are made later get none of them. If one event is invalid, none
// is published.
func (s *Service) Publish(ctx context.Context, events []Event) (published int, err error) {
	defer state.Wrap(&err, "publish events")
	var faults []error
	for _, e := range events {
		faults = append(faults, e.Validate())
	}
	if err := errors.Join(faults...); err != nil {
		return 0, err
	}
	// In a fixed order, so that two servers never wait for each other.
	events = slices.Clone(events)
	slices.SortFunc(events, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
	for len(events) > 0 {
		done, fresh, err := s.publish(ctx, events[:min(batchSize, len(events))])
		if err != nil {
			return published, fmt.Errorf("from %s on: %w", events[0].ID, err)
		}
		published, events = published+fresh, events[done:]
		if fresh > 0 && len(events) > 0 { // let others write
			time.Sleep(batchPause)
		}
	}
	return published, nil
}

// publish writes events in one transaction until the number of deliveries reaches a limit. It
// returns how many events it has written, and how many of these are new.
func (s *Service) publish(ctx context.Context, events []Event) (done, fresh int, err error) {
	defer s.notify()
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		for deliveries := 0; done < len(events) && deliveries < batchDeliveries; done++ {
			e := events[done]
			isNew, err := s.insertEvent(ctx, tx, e)
			if err != nil {
				return err
			}
			if !isNew {
				continue
			}
			fresh++
			subscribers, err := state.All(ctx, tx, statement("subscribers"), scanID, e.Type, e.Partner)
			if err != nil {
				return err
			}
			for _, endpoint := range subscribers {
				if _, err := s.insertDelivery(ctx, tx, endpoint, e.ID); err != nil {
					return err
				}
			}
			deliveries += len(subscribers)
		}
		return nil
	})
	return done, fresh, err
}

// notify makes Run check for due deliveries soon.
func (s *Service) notify() {
	select {
	case s.wake <- struct{}{}:
	default: // it will check anyway
	}
}

// insertEvent inserts the event and reports whether it is new.
func (s *Service) insertEvent(ctx context.Context, tx *sql.Tx, e Event) (bool, error) {
	body, err := e.body()
	if err != nil {
		return false, err
	}
	n, err := state.Change(ctx, tx, statement("add_event"), e.ID, e.Type, body, state.Unix(s.now()))
	return n == 1, err
}

func (s *Service) insertDelivery(ctx context.Context, tx *sql.Tx, endpoint,
	event string) (d api.WebhookDelivery, err error) {
	id, err := s.newID("whd_")
	if err != nil {
		return d, err
	}
	now := s.now()
	err = state.Do(ctx, tx, state.NewStep(statement("add_delivery"), id, endpoint, event, StatusPending, state.Unix(now)))
	return api.WebhookDelivery{ID: id, EventID: event, Status: StatusPending, CreatedAt: api.TimestampOf(now),
		NextAttemptAt: api.MaybeTimestamp{T: &now}, Attempts: []api.WebhookAttempt{}}, err
}

// Prune deletes deliveries that ended before a time, with their attempts, and payloads that no
// delivery needs any more. The record that an event was published is kept for ever.
func (s *Service) Prune(ctx context.Context, before time.Time) (err error) {
	defer state.Wrap(&err, "prune deliveries")
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		return state.Do(ctx, tx, state.NewStep(statement("forget_deliveries"), StatusPending, state.Unix(before)),
			state.NewStep(statement("forget_tests"), Test, state.Unix(before)),
			state.NewStep(statement("forget_payloads"), state.Unix(before)))
	})
}
