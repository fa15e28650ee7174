package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"labour/serve/state"
)

// Status is how far a delivery is.
type Status string

// The statuses. A cancelled delivery is one whose endpoint was disabled or
// answered 410, or that was replaced by a redelivery.
const (
	Pending   Status = "pending"
	Delivered Status = "delivered"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
)

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID        string // whd_ and a ULID
	EventID   string // also the webhook-id of the message
	EventType EventType
	Status    Status
	CreatedAt time.Time
	NextAt    *time.Time // when the next attempt is due, while pending
	EndedAt   *time.Time
	Attempts  []Attempt // the first one first
}

// Attempt is one try of a delivery. The answer's body is not kept.
type Attempt struct {
	Number     int // from 1
	At         time.Time
	Took       time.Duration // in milliseconds
	HTTPStatus int           // 0 when there was no answer
	Fault      Fault
}

// MaxDeliveries is the most deliveries of one page.
const MaxDeliveries = 100

func scanDelivery(scan func(...any) error) (d Delivery, err error) {
	err = scan(&d.ID, &d.EventID, &d.EventType, &d.Status, state.Into(&d.CreatedAt), state.Into(&d.NextAt), state.Into(&d.EndedAt))
	return d, err
}

// Deliveries is a page of an endpoint's log, the newest first: limit deliveries
// (1 to MaxDeliveries), those before the delivery of the id before when that is
// not empty. The error wraps ErrNotFound.
func (s *Service) Deliveries(ctx context.Context, partner, id, before string, limit int) (all []Delivery, err error) {
	defer state.Wrap(&err, "list the deliveries of %s", id)
	if _, err := s.Get(ctx, partner, id); err != nil {
		return nil, err
	}
	all, err = state.All(ctx, s.db, statement("deliveries"), scanDelivery, id, before, min(max(limit, 1), MaxDeliveries))
	if err == nil && len(all) > 0 {
		err = s.addAttempts(ctx, id, all)
	}
	return all, err
}

// attemptOf is an attempt with the id of its delivery.
type attemptOf struct {
	delivery string
	Attempt
}

// addAttempts reads the attempts of a page of deliveries, the newest first.
func (s *Service) addAttempts(ctx context.Context, endpoint string, page []Delivery) error {
	attempts, err := state.All(ctx, s.db, statement("attempts"), scanAttempt, endpoint, page[len(page)-1].ID, page[0].ID)
	places := map[string]int{}
	for i, d := range page {
		places[d.ID] = i
	}
	for _, a := range attempts {
		if i, ok := places[a.delivery]; ok {
			page[i].Attempts = append(page[i].Attempts, a.Attempt)
		}
	}
	return err
}

func scanAttempt(scan func(...any) error) (a attemptOf, err error) {
	var took int64
	var status sql.NullInt64
	err = scan(&a.delivery, &a.Number, state.Into(&a.At), &took, &status, &a.Fault)
	a.Took, a.HTTPStatus = time.Duration(took)*time.Millisecond, int(status.Int64)
	return a, err
}

// Redeliver sends the event of a delivery to its endpoint once more, with the
// same id. A delivery that still waits is cancelled, so that the new one takes
// its place. The error wraps ErrNotFound (also when the payload was pruned) or
// ErrDisabled.
func (s *Service) Redeliver(ctx context.Context, partner, id, delivery string) (d Delivery, err error) {
	defer state.Wrap(&err, "redeliver %s", delivery)
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := s.enabled(ctx, tx, partner, id); err != nil {
			return err
		}
		old, err := scanDelivery(tx.QueryRowContext(ctx, statement("repeatable_delivery"), delivery, id).Scan)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		if err := s.end(ctx, tx, delivery, Cancelled); err != nil {
			return err
		}
		d, err = s.insertDelivery(ctx, tx, id, old.EventID)
		d.EventType = old.EventType
		return err
	})
	s.notify()
	return d, err
}

// SendTest sends an endpoint a message of type webhook.test without data, in the
// same way as any other. The error wraps ErrNotFound, ErrDisabled or ErrTooManyTests.
func (s *Service) SendTest(ctx context.Context, partner, id string) (d Delivery, err error) {
	defer state.Wrap(&err, "test endpoint %s", id)
	event, err := s.newID("evt_")
	if err != nil {
		return d, err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := s.enabled(ctx, tx, partner, id); err != nil {
			return err
		}
		if err := s.mayTest(ctx, tx, id); err != nil {
			return err
		}
		if _, err := s.insertEvent(ctx, tx, Event{ID: event, Type: Test, At: s.now()}); err != nil {
			return err
		}
		d, err = s.insertDelivery(ctx, tx, id, event)
		d.EventType = Test
		return err
	})
	s.notify()
	return d, err
}

// maxTests is how many test messages an endpoint is sent in an hour.
const maxTests = 60

func (s *Service) mayTest(ctx context.Context, tx *sql.Tx, endpoint string) error {
	var n int
	err := tx.QueryRowContext(ctx, statement("count_tests"), endpoint, Test, state.Unix(s.now().Add(-time.Hour))).Scan(&n)
	if err == nil && n >= maxTests {
		err = ErrTooManyTests
	}
	return err
}

func (s *Service) enabled(ctx context.Context, tx *sql.Tx, partner, id string) error {
	e, err := s.get(ctx, tx, partner, id)
	if err == nil && e.Disabled != Enabled {
		return ErrDisabled
	}
	return err
}
