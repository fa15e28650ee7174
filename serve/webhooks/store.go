package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"labour/serve/api"
	"labour/serve/state"
)

func scanEndpoint(scan func(...any) error) (e api.WebhookEndpoint, err error) {
	err = scan(&e.ID, &e.URL, (*state.WordList[string])(&e.EventTypes), &e.Description, &e.Enabled, &e.CreatedAt,
		&e.FailingSince, &e.DisabledAt, &e.DisabledReason)
	return e, err
}

// CreateEndpoint makes a webhook endpoint. partner is the partner's id. It returns the endpoint and
// its signing secret. The secret cannot be read later. The error wraps an *InvalidFieldError,
// ErrDuplicateURL or ErrTooManyEndpoints.
func (s *Service) CreateEndpoint(ctx context.Context, partner string,
	n api.NewWebhook) (e api.WebhookEndpoint, secret string, err error) {
	defer state.WrapError(&err, "create an endpoint")
	if e, err = s.newEndpoint(n); err != nil {
		return e, "", err
	}
	if secret, err = newSecret(s.random); err != nil {
		return e, "", err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := s.insertEndpoint(ctx, tx, partner, e); err != nil {
			return err
		}
		return s.addSecret(ctx, tx, e.ID, secret)
	})
	return e, secret, err
}

// newEndpoint returns a webhook endpoint that is not stored yet. The error wraps an
// *InvalidFieldError for each invalid field.
func (s *Service) newEndpoint(n api.NewWebhook) (e api.WebhookEndpoint, err error) {
	e = api.WebhookEndpoint{EventTypes: EventTypes(), Enabled: true,
		CreatedAt: api.TimestampOf(state.FromUnixSeconds(s.now().Unix()))}
	if err := s.apply(&e, api.WebhookChange{URL: &n.URL, EventTypes: n.EventTypes,
		Description: n.Description}); err != nil {
		return e, err
	}
	e.ID, err = s.newID("whe_")
	return e, err
}

func (s *Service) insertEndpoint(ctx context.Context, tx *sql.Tx, partner string, e api.WebhookEndpoint) error {
	// One at a time per partner: otherwise two calls could both use the last free place.
	if err := s.db.AdvisoryLock(ctx, tx, "endpoints of "+partner); err != nil {
		return err
	}
	var n int
	if err := tx.QueryRowContext(ctx, statement("count_endpoints"), partner).Scan(&n); err != nil {
		return err
	}
	if n >= maxEndpoints {
		return ErrTooManyEndpoints
	}
	added, err := state.ExecCount(ctx, tx, statement("add_endpoint"), e.ID, partner, e.URL,
		state.WordList[string](e.EventTypes), e.Description, state.UnixSeconds(e.CreatedAt.Time()))
	if err == nil && added == 0 {
		err = ErrDuplicateURL
	}
	return err
}

// ListEndpoints returns all webhook endpoints of a partner, the oldest first.
func (s *Service) ListEndpoints(ctx context.Context, partner string) (_ []api.WebhookEndpoint, err error) {
	defer state.WrapError(&err, "list endpoints")
	return state.QueryAll(ctx, s.db, statement("endpoints"), scanEndpoint, partner)
}

// FindEndpoint returns the webhook endpoint with the given id. The error wraps ErrNotFound if the
// partner has no such endpoint.
func (s *Service) FindEndpoint(ctx context.Context, partner, id string) (api.WebhookEndpoint, error) {
	return s.get(ctx, s.db, partner, id)
}

func (s *Service) get(ctx context.Context, from state.Querier, partner, id string) (e api.WebhookEndpoint, err error) {
	defer state.WrapError(&err, "endpoint %s", id)
	e, err = scanEndpoint(from.QueryRowContext(ctx, statement("endpoint"), partner, id).Scan)
	return e, state.ReplaceNoRows(err, ErrNotFound)
}

// ChangeEndpoint changes a webhook endpoint and returns it. Fields of c that are nil stay
// unchanged. The error wraps an *InvalidFieldError, ErrNotFound or ErrDuplicateURL.
func (s *Service) ChangeEndpoint(ctx context.Context, partner, id string,
	c api.WebhookChange) (e api.WebhookEndpoint, err error) {
	defer state.WrapError(&err, "change endpoint %s", id)
	err = s.db.Transact(ctx, func(tx *sql.Tx) (err error) {
		if err := s.db.AdvisoryLock(ctx, tx, "endpoints of "+partner); err != nil {
			return err
		}
		if e, err = s.get(ctx, tx, partner, id); err != nil {
			return err
		}
		if err := s.apply(&e, c); err != nil {
			return err
		}
		if err := s.update(ctx, tx, partner, e, c.Enabled != nil); err != nil {
			return err
		}
		e, err = s.get(ctx, tx, partner, id)
		return err
	})
	return e, err
}

// update stores a changed webhook endpoint. If health is false, it does not store whether the
// endpoint is disabled or failing, because a concurrent attempt may change that.
func (s *Service) update(ctx context.Context, tx *sql.Tx, partner string, e api.WebhookEndpoint, health bool) error {
	changed, err := state.ExecCount(ctx, tx, statement("set_endpoint"), e.URL, state.WordList[string](e.EventTypes),
		e.Description, e.ID, partner)
	if err == nil && changed == 0 {
		return ErrDuplicateURL
	}
	if err != nil || !health {
		return err
	}
	return state.ExecAll(ctx, tx, state.NewBoundStatement(statement("set_health"),
		state.NullableUnixSeconds(e.FailingSince.T),
		state.NullableUnixSeconds(e.DisabledAt.T), e.DisabledReason, e.ID))
}

// CheckChange checks a change of a webhook endpoint and stores nothing. The error wraps an
// *InvalidFieldError for each invalid field.
func (s *Service) CheckChange(c api.WebhookChange) error { return s.apply(&api.WebhookEndpoint{}, c) }

func (s *Service) apply(e *api.WebhookEndpoint, c api.WebhookChange) error {
	var faults []error
	if c.URL != nil {
		address, err := s.guard.checkURL(*c.URL)
		faults = append(faults, err)
		e.URL = address
	}
	if c.EventTypes != nil {
		types, err := checkTypes(c.EventTypes)
		if err == nil && len(types) == 0 {
			err = &InvalidFieldError{"event_types", "name at least one type"}
		}
		faults = append(faults, err)
		e.EventTypes = types
	}
	if c.Description != nil {
		faults = append(faults, checkDescription(*c.Description))
		e.Description = *c.Description
	}
	switch {
	case c.Enabled == nil:
	case *c.Enabled:
		e.Enabled = true
		e.DisabledReason = nil
		e.DisabledAt = api.NullableTimestamp{}
		e.FailingSince = api.NullableTimestamp{}
	case e.Enabled:
		e.Enabled = false
		e.DisabledReason = new(DisabledByPartner)
		e.DisabledAt = api.NullableTimestamp{T: new(s.now())}
	}
	return errors.Join(faults...)
}

// DeleteEndpoint deletes a webhook endpoint with its secrets and deliveries. Pending messages are
// not sent. The error wraps ErrNotFound if the partner has no such endpoint.
func (s *Service) DeleteEndpoint(ctx context.Context, partner, id string) (err error) {
	defer state.WrapError(&err, "delete endpoint %s", id)
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		if _, err := s.get(ctx, tx, partner, id); err != nil {
			return err
		}
		// The deliveries first, because an attempt that is being recorded locks them.
		return state.ExecAll(ctx, tx, state.NewBoundStatement(statement("delete_deliveries"), id),
			state.NewBoundStatement(statement("delete_endpoint"), id))
	})
}

// RotateSecret gives a webhook endpoint a new signing secret and returns it. The secret cannot be
// read later. During the grace period (0 to MaxSigningGracePeriod), messages are also signed with
// the old secret. The error wraps an *InvalidFieldError or ErrNotFound.
func (s *Service) RotateSecret(ctx context.Context, partner, id string,
	grace time.Duration) (secret string, err error) {
	defer state.WrapError(&err, "rotate the secret of endpoint %s", id)
	if grace < 0 || grace > MaxSigningGracePeriod {
		return "", &InvalidFieldError{"grace", fmt.Sprintf("give a time from 0 to %v", MaxSigningGracePeriod)}
	}
	if secret, err = newSecret(s.random); err != nil {
		return "", err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := s.db.AdvisoryLock(ctx, tx, "endpoints of "+partner); err != nil {
			return err
		}
		if _, err := s.get(ctx, tx, partner, id); err != nil {
			return err
		}
		now := s.now()
		err := state.ExecAll(ctx, tx, state.NewBoundStatement(statement("end_secrets"), state.UnixSeconds(now.Add(grace)),
			id),
			state.NewBoundStatement(statement("forget_secrets"), id, state.UnixSeconds(now), maxSecrets-1))
		if err != nil {
			return err
		}
		return s.addSecret(ctx, tx, id, secret)
	})
	return secret, err
}

// StatusPending and the constants below are the statuses of a delivery.
const (
	// StatusPending means that the delivery waits for its first or next attempt.
	StatusPending = "pending"
	// StatusDelivered means that the endpoint responded with HTTP status 2xx.
	StatusDelivered = "delivered"
	// StatusFailed means that the last attempt failed and that no further one follows.
	StatusFailed = "failed"
	// StatusCancelled means that the endpoint was disabled or that a redelivery replaced this
	// delivery.
	StatusCancelled = "cancelled"
)

// MaxListedDeliveries is the largest number of deliveries that ListDeliveries returns.
const MaxListedDeliveries = 100

func scanDelivery(scan func(...any) error) (d api.WebhookDelivery, err error) {
	d.Attempts = []api.WebhookAttempt{}
	err = scan(&d.ID, &d.EventID, &d.EventType, &d.Status, &d.CreatedAt, &d.NextAttemptAt, &d.EndedAt)
	return d, err
}

// ListDeliveries returns up to limit deliveries of a webhook endpoint, the newest first. If
// beforeID is not empty, it returns only deliveries older than the one with that id. The error
// wraps ErrNotFound if the partner has no such endpoint.
func (s *Service) ListDeliveries(ctx context.Context, partner, id, beforeID string,
	limit int) (deliveries []api.WebhookDelivery, err error) {
	defer state.WrapError(&err, "list the deliveries of %s", id)
	if _, err := s.FindEndpoint(ctx, partner, id); err != nil {
		return nil, err
	}
	deliveries, err = state.QueryAll(ctx, s.db, statement("deliveries"), scanDelivery, id, beforeID,
		min(max(limit, 1), MaxListedDeliveries))
	if err == nil && len(deliveries) > 0 {
		err = s.addAttempts(ctx, id, deliveries)
	}
	return deliveries, err
}

type attemptOf struct {
	delivery string
	api.WebhookAttempt
}

// addAttempts adds the attempts to each delivery on a page, the oldest first.
func (s *Service) addAttempts(ctx context.Context, endpoint string, page []api.WebhookDelivery) error {
	attempts, err := state.QueryAll(ctx, s.db, statement("attempts"), scanAttempt, endpoint, page[len(page)-1].ID,
		page[0].ID)
	for _, a := range attempts {
		if i := slices.IndexFunc(page, func(d api.WebhookDelivery) bool { return d.ID == a.delivery }); i >= 0 {
			page[i].Attempts = append(page[i].Attempts, a.WebhookAttempt)
		}
	}
	return err
}

func scanAttempt(scan func(...any) error) (a attemptOf, err error) {
	err = scan(&a.delivery, &a.Number, &a.StartedAt, &a.TookMS, &a.HTTPStatus, &a.Fault)
	return a, err
}

// Redeliver sends the message of an earlier delivery again, with the same message id. It returns
// the new delivery and cancels the earlier one if that is pending. The error wraps
// ErrEndpointDisabled, or ErrNotFound if the partner has no such endpoint or the message is no
// longer stored.
func (s *Service) Redeliver(ctx context.Context, partner, id, delivery string) (d api.WebhookDelivery, err error) {
	defer state.WrapError(&err, "redeliver %s", delivery)
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := s.checkEnabled(ctx, tx, partner, id); err != nil {
			return err
		}
		old, err := scanDelivery(tx.QueryRowContext(ctx, statement("repeatable_delivery"), delivery, id).Scan)
		if err != nil {
			return state.ReplaceNoRows(err, ErrNotFound)
		}
		if err := s.end(ctx, tx, delivery, StatusCancelled); err != nil {
			return err
		}
		d, err = s.insertDelivery(ctx, tx, id, old.EventID)
		d.EventType = old.EventType
		return err
	})
	s.notify()
	return d, err
}

// SendTest sends a test message without data to an endpoint and returns its delivery. The error
// wraps ErrNotFound, ErrEndpointDisabled or ErrTooManyTests.
func (s *Service) SendTest(ctx context.Context, partner, id string) (d api.WebhookDelivery, err error) {
	defer state.WrapError(&err, "test endpoint %s", id)
	event, err := s.newID("evt_")
	if err != nil {
		return d, err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := s.checkEnabled(ctx, tx, partner, id); err != nil {
			return err
		}
		var lately int
		hourAgo := state.UnixSeconds(s.now().Add(-time.Hour))
		err := tx.QueryRowContext(ctx, statement("count_tests"), id, TestEventType, hourAgo).Scan(&lately)
		if err != nil {
			return err
		}
		if lately >= maxTests {
			return ErrTooManyTests
		}
		if _, err := s.insertEvent(ctx, tx, Event{ID: event, Type: TestEventType, At: s.now()}); err != nil {
			return err
		}
		d, err = s.insertDelivery(ctx, tx, id, event)
		d.EventType = TestEventType
		return err
	})
	s.notify()
	return d, err
}

// maxTests is the largest number of test messages that one endpoint may get in an hour.
const maxTests = 60

func (s *Service) checkEnabled(ctx context.Context, tx *sql.Tx, partner, id string) error {
	e, err := s.get(ctx, tx, partner, id)
	if err == nil && !e.Enabled {
		return ErrEndpointDisabled
	}
	return err
}
