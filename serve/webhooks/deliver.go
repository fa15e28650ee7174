package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"labour/serve/state"
)

// task is a delivery that is due. It holds what the next attempt needs: ids, URL and JSON body.
type task struct {
	delivery, event, endpoint string
	url, body                 string
	attempts                  int
	// whether the endpoint is disabled, so that the delivery must be cancelled
	disabled bool
}

// deliver makes the next attempt of a delivery and stores the result. It does nothing if the
// delivery is not due. If the endpoint rejects the message, deliver returns no error. An error
// means that this server failed or is stopping.
func (s *Service) deliver(ctx context.Context, id string) (err error) {
	defer state.WrapError(&err, "delivery %s", id)
	t, err := s.task(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil:
		return err
	case t.disabled:
		return s.end(ctx, s.db, id, StatusCancelled)
	}
	secrets, err := s.validSecrets(ctx, t.endpoint)
	if err != nil {
		return err
	}
	o, err := s.send(ctx, t, secrets)
	if err != nil {
		return err
	}
	if o.fault != FaultNone && ctx.Err() != nil { // cut off by the end of this server, not by the endpoint
		return ctx.Err()
	}
	return s.record(context.WithoutCancel(ctx), t, o)
}

// task reads a due delivery from the database. The error is ErrNotFound if the delivery is not due,
// has ended or was deleted.
func (s *Service) task(ctx context.Context, id string) (t task, err error) {
	row := s.db.QueryRowContext(ctx, statement("task"), id, StatusPending, state.UnixSeconds(s.now()))
	err = row.Scan(&t.delivery, &t.event, &t.endpoint, &t.attempts, &t.url, &t.disabled, &t.body)
	return t, state.ReplaceNoRows(err, ErrNotFound)
}

// record stores o, the result of an attempt of the delivery t. It also updates the delivery and its
// endpoint.
func (s *Service) record(ctx context.Context, t task, o outcome) (err error) {
	number := t.attempts + 1
	defer state.WrapError(&err, "record attempt %d", number)
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		known, err := s.insertAttempt(ctx, tx, t.delivery, number, o)
		if err != nil || !known {
			return err
		}
		return s.updateAfterAttempt(ctx, tx, t, number, o)
	})
}

// updateAfterAttempt updates a delivery and its endpoint after an attempt: it ends the delivery or
// plans its next attempt. number is the number of the attempt, from 1. o is its result.
func (s *Service) updateAfterAttempt(ctx context.Context, tx *sql.Tx, t task, number int, o outcome) (err error) {
	switch {
	case o.fault == FaultNone:
		return errors.Join(s.end(ctx, tx, t.delivery, StatusDelivered),
			state.ExecAll(ctx, tx, state.NewBoundStatement(statement("end_failing"), t.endpoint)))
	case o.status == http.StatusGone:
		return errors.Join(s.end(ctx, tx, t.delivery, StatusCancelled),
			s.disable(ctx, tx, t.endpoint, DisabledByGoneResponse))
	}
	if sleep, again := wait(s.tuning.retries, number, o.retryAfter, rand.Float64()); again {
		err = state.ExecAll(ctx, tx, state.NewBoundStatement(statement("set_next_attempt"),
			state.UnixSeconds(s.now().Add(sleep)),
			t.delivery))
	} else {
		err = s.end(ctx, tx, t.delivery, StatusFailed)
	}
	return errors.Join(err, s.recordFailure(ctx, tx, t.endpoint))
}

// insertAttempt stores the result of an attempt of a delivery. number is the number of the attempt,
// from 1. If the delivery was deleted or has ended, insertAttempt stores nothing and returns false.
func (s *Service) insertAttempt(ctx context.Context, tx *sql.Tx, delivery string, number int, o outcome) (bool, error) {
	n, err := state.ExecCount(ctx, tx, statement("count_attempt"), number, delivery, StatusPending)
	if err != nil || n == 0 {
		return false, err
	}
	status := sql.NullInt64{Int64: int64(o.status), Valid: o.status != 0}
	_, err = tx.ExecContext(ctx, statement("add_attempt"), delivery, number, state.UnixSeconds(o.at),
		o.duration.Milliseconds(),
		status, o.fault)
	return true, err
}

func (s *Service) end(ctx context.Context, in state.Querier, delivery, as string) error {
	return state.ExecAll(ctx, in, state.NewBoundStatement(statement("end_delivery"), as, state.UnixSeconds(s.now()),
		delivery,
		StatusPending))
}

// recordFailure records that an attempt to reach an endpoint failed. If all attempts have failed
// for five days without a long pause (see idleAfter), it disables the endpoint.
func (s *Service) recordFailure(ctx context.Context, tx *sql.Tx, endpoint string) error {
	now, since := s.now(), int64(0)
	err := tx.QueryRowContext(ctx, statement("begin_failing"), endpoint, state.UnixSeconds(now),
		state.UnixSeconds(now.Add(-idleAfter))).Scan(&since)
	if err != nil || now.Sub(state.FromUnixSeconds(since)) < s.tuning.disableAfter {
		return err
	}
	return s.disable(ctx, tx, endpoint, DisabledByFailures)
}

// disable disables a webhook endpoint and stores the reason. When a pending delivery becomes due,
// it is cancelled if the endpoint is still disabled.
func (s *Service) disable(ctx context.Context, tx *sql.Tx, endpoint, reason string) error {
	n, err := state.ExecCount(ctx, tx, statement("disable_endpoint"), state.UnixSeconds(s.now()), reason, endpoint)
	if err == nil && n > 0 {
		s.log.Warn("a webhook endpoint was disabled", "endpoint", endpoint, "reason", reason)
	}
	return err
}

// Rules for repeating failed attempts.
const (
	// disableAfter is the time after which an endpoint is disabled if all attempts fail, as the
	// specification of the service requires.
	disableAfter = 5 * 24 * time.Hour
	// idleAfter is the longest time between two failures of one series. A later failure begins a
	// new series, so that one failure does not disable an endpoint that had no events for weeks.
	// The time is longer than every wait between two attempts of a delivery.
	idleAfter = 2 * 24 * time.Hour
	// longestWait limits the wait that an endpoint can request with the header Retry-After.
	longestWait = 24 * time.Hour
	// jitter is the largest random change of the wait between attempts, as a fraction of the wait.
	// 0.2 means up to 20 % shorter or longer.
	jitter = 0.2
	// lateness is the largest random addition to a wait that an endpoint requested, as a fraction
	// of the wait. 0.1 means up to 10 % longer. The addition spreads the messages over time.
	lateness = 0.1
)

// retries returns the planned waits between the attempts of a delivery. The first wait follows the
// first attempt, and the last wait is before the last attempt. They add up to about three days, as
// the specification of the service requires.
func retries() []time.Duration {
	return []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 18 * time.Hour, 22 * time.Hour}
}

// wait returns the wait after a failed attempt. It returns false if there is no further attempt.
// plan holds the planned wait after each attempt, as retries returns them. attempt counts from 1.
// retryAfter is the wait that the endpoint requested; 0 means none. chance is a random number from
// 0 to 1.
func wait(plan []time.Duration, attempt int, retryAfter time.Duration, chance float64) (time.Duration, bool) {
	if attempt > len(plan) {
		return 0, false
	}
	planned := float64(plan[attempt-1]) * (1 - jitter + 2*jitter*chance)
	minWait := float64(min(retryAfter, longestWait)) * (1 + lateness*chance)
	return time.Duration(max(planned, minWait)), true
}
