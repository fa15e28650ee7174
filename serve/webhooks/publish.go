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

// ApplicationCreated and the constants below are the types of events to which a webhook endpoint
// can subscribe.
const (
	ApplicationCreated   = "application.created"
	ClickRecorded        = "click.recorded"
	OutcomeRecorded      = "outcome.recorded"
	OpportunityPublished = "opportunity.published"
)

// TestEventType is the event type of test messages. Endpoints cannot subscribe to it.
const TestEventType = "webhook.test"

// EventTypes returns all event types to which an endpoint can subscribe, sorted.
func EventTypes() []string {
	return []string{ApplicationCreated, ClickRecorded, OutcomeRecorded, OpportunityPublished}
}

// Event is an event of the platform, such as an application. It is sent to the endpoints that
// subscribe to its type.
type Event struct {
	ID   string // identifier from the platform, 1 to 200 visible ASCII characters
	Type string
	// Partner is the name of the only partner that receives the event; empty = every partner
	// receives it.
	Partner string
	At      time.Time // time at which the event happened
	Data    api.EventData
}

// body returns the JSON message of the event. Every attempt to deliver the event sends exactly
// these bytes, because they are signed.
func (e Event) body() (string, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(api.WebhookMessage{ID: e.ID, Type: e.Type, Timestamp: api.TimestampOf(e.At), Data: e.Data})
	return string(bytes.TrimSpace(b.Bytes())), err
}

// visible matches a valid event id: 1 to 200 visible ASCII characters. The id must fit in an HTTP
// header.
var visible = regexp.MustCompile(`^[!-~]{1,200}$`)

// Validate returns an error if the event cannot be published: if its id is invalid, its type or
// outcome is unknown, or its time is missing.
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

// batchSize, batchDeliveries and batchPause keep transactions that publish events short, because in
// SQLite a transaction blocks all other writes.
const (
	// batchSize is the largest number of events in one transaction.
	batchSize = 200
	// batchDeliveries is the number of deliveries after which a transaction ends, even if events of
	// its batch are left.
	batchDeliveries = 200
	// batchPause is the pause between two transactions.
	batchPause = 25 * time.Millisecond
)

// Publish stores events and a delivery for each endpoint that subscribes to them. It returns the
// number of new events. It skips an event whose id was published before, so callers may repeat a
// call. If one event is invalid, Publish stores nothing.
func (s *Service) Publish(ctx context.Context, events []Event) (published int, err error) {
	defer state.WrapError(&err, "publish events")
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

// publish stores events in one transaction and stops after batchDeliveries deliveries. done is the
// number of events that it has processed. newCount is the number of new events among them.
func (s *Service) publish(ctx context.Context, events []Event) (done, newCount int, err error) {
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
			newCount++
			subscribers, err := state.QueryAll(ctx, tx, statement("subscribers"), scanID, e.Type, e.Partner)
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
	return done, newCount, err
}

// notify wakes Run because a delivery may be due.
func (s *Service) notify() {
	select {
	case s.wake <- struct{}{}:
	default: // it will check anyway
	}
}

// insertEvent stores an event. It returns false if the id of the event was stored before.
func (s *Service) insertEvent(ctx context.Context, tx *sql.Tx, e Event) (bool, error) {
	body, err := e.body()
	if err != nil {
		return false, err
	}
	n, err := state.ExecCount(ctx, tx, statement("add_event"), e.ID, e.Type, body, state.UnixSeconds(s.now()))
	return n == 1, err
}

func (s *Service) insertDelivery(ctx context.Context, tx *sql.Tx, endpoint,
	event string) (d api.WebhookDelivery, err error) {
	id, err := s.newID("whd_")
	if err != nil {
		return d, err
	}
	now := s.now()
	err = state.ExecAll(ctx, tx, state.NewBoundStatement(statement("add_delivery"), id, endpoint, event, StatusPending,
		state.UnixSeconds(now)))
	return api.WebhookDelivery{ID: id, EventID: event, Status: StatusPending, CreatedAt: api.TimestampOf(now),
		NextAttemptAt: api.NullableTimestamp{T: &now}, Attempts: []api.WebhookAttempt{}}, err
}

// PruneDeliveries deletes deliveries that ended before cutoff, with their attempts and messages. It
// keeps the ids of events, so that no event is published twice.
func (s *Service) PruneDeliveries(ctx context.Context, cutoff time.Time) (err error) {
	defer state.WrapError(&err, "prune deliveries")
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		return state.ExecAll(ctx, tx, state.NewBoundStatement(statement("forget_deliveries"), StatusPending,
			state.UnixSeconds(cutoff)),
			state.NewBoundStatement(statement("forget_tests"), TestEventType, state.UnixSeconds(cutoff)),
			state.NewBoundStatement(statement("forget_payloads"), state.UnixSeconds(cutoff)))
	})
}
