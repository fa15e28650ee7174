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

type task struct {
	delivery, event, endpoint string
	url, body                 string
	attempts                  int
	disabled                  bool // whether the endpoint is disabled
}

// deliver makes the next attempt of a delivery, if it is due. The error is a failure on our side,
// or means that the attempt was cut off.
func (s *Service) deliver(ctx context.Context, id string) (err error) {
	defer state.Wrap(&err, "delivery %s", id)
	t, err := s.task(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err != nil:
		return err
	case t.disabled:
		return s.end(ctx, s.db, id, StatusCancelled)
	}
	secrets, err := s.live(ctx, t.endpoint)
	if err != nil {
		return err
	}
	o, err := s.send(ctx, t, secrets)
	if err != nil {
		return err
	}
	if o.fault != None && ctx.Err() != nil { // cut off by the end of this server, not by the endpoint
		return ctx.Err()
	}
	return s.record(context.WithoutCancel(ctx), t, o)
}

// task returns the work for a delivery. The error is ErrNotFound for a delivery whose endpoint was
// deleted, that has ended (a server was killed directly after its last attempt), or that is not
// due.
func (s *Service) task(ctx context.Context, id string) (t task, err error) {
	err = s.db.QueryRowContext(ctx, statement("task"), id, StatusPending, state.Unix(s.now())).Scan(&t.delivery, &t.event,
		&t.endpoint, &t.attempts, &t.url, &t.disabled, &t.body)
	return t, state.Missing(err, ErrNotFound)
}

// record writes an attempt and its consequences in one transaction.
func (s *Service) record(ctx context.Context, t task, o outcome) (err error) {
	number := t.attempts + 1
	defer state.Wrap(&err, "record attempt %d", number)
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		known, err := s.insertAttempt(ctx, tx, t.delivery, number, o)
		if err != nil || !known {
			return err
		}
		return s.follow(ctx, tx, t, number, o)
	})
}

func (s *Service) follow(ctx context.Context, tx *sql.Tx, t task, number int, o outcome) (err error) {
	switch {
	case o.fault == None:
		return errors.Join(s.end(ctx, tx, t.delivery, StatusDelivered),
			state.Do(ctx, tx, state.NewStep(statement("end_failing"), t.endpoint)))
	case o.status == http.StatusGone:
		return errors.Join(s.end(ctx, tx, t.delivery, StatusCancelled), s.disable(ctx, tx, t.endpoint, DisabledGone))
	}
	if sleep, again := wait(s.tuning.retries, number, o.asked, rand.Float64()); again {
		err = state.Do(ctx, tx, state.NewStep(statement("set_next_attempt"), state.Unix(s.now().Add(sleep)), t.delivery))
	} else {
		err = s.end(ctx, tx, t.delivery, StatusFailed)
	}
	return errors.Join(err, s.failing(ctx, tx, t.endpoint))
}

// insertAttempt counts the attempt. It returns false if the delivery no longer exists, or was ended
// in the meantime.
func (s *Service) insertAttempt(ctx context.Context, tx *sql.Tx, delivery string, number int, o outcome) (bool, error) {
	if n, err := state.Change(ctx, tx, statement("count_attempt"), number, delivery, StatusPending); err != nil || n == 0 {
		return false, err
	}
	status := sql.NullInt64{Int64: int64(o.status), Valid: o.status != 0}
	_, err := tx.ExecContext(ctx, statement("add_attempt"), delivery, number, state.Unix(o.at), o.took.Milliseconds(),
		status, o.fault)
	return true, err
}

func (s *Service) end(ctx context.Context, in state.Asker, delivery, as string) error {
	return state.Do(ctx, in, state.NewStep(statement("end_delivery"), as, state.Unix(s.now()), delivery, StatusPending))
}

// failing records a failed attempt, and disables the endpoint if its attempts have failed for
// disableAfter.
func (s *Service) failing(ctx context.Context, tx *sql.Tx, endpoint string) error {
	now, since := s.now(), int64(0)
	err := tx.QueryRowContext(ctx, statement("begin_failing"), state.Unix(now), endpoint).Scan(&since)
	if err != nil || now.Sub(state.FromUnix(since)) < s.tuning.disableAfter {
		return err
	}
	return s.disable(ctx, tx, endpoint, DisabledFailing)
}

// disable stops an endpoint. When its pending deliveries are due they are cancelled, or sent if the
// partner has enabled the endpoint again by then.
func (s *Service) disable(ctx context.Context, tx *sql.Tx, endpoint, why string) error {
	n, err := state.Change(ctx, tx, statement("disable_endpoint"), state.Unix(s.now()), why, endpoint)
	if err == nil && n > 0 {
		s.log.Warn("a webhook endpoint was disabled", "endpoint", endpoint, "reason", why)
	}
	return err
}

// The rules for retries.
const (
	// disableAfter: "disable the endpoint after 5 days of failure".
	disableAfter = 5 * 24 * time.Hour
	// longestWait is the upper limit of Retry-After, so that an endpoint cannot delay messages for
	// ever.
	longestWait = 24 * time.Hour
	// jitter is the largest deviation of a wait from its plan, as a fraction.
	jitter = 0.2
	// lateness is the largest fraction by which a wait requested by the endpoint is lengthened, so
	// that its messages do not all arrive at once.
	lateness = 0.1
)

// retries returns the waiting times after the first, second, … failed attempt: "Retries back off
// with jitter over about 3 days". After the last one a delivery has failed.
func retries() []time.Duration {
	return []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 18 * time.Hour, 22 * time.Hour}
}

// wait returns the waiting time after a failed attempt, numbered from 1, and whether to try again.
// asked is the value of Retry-After, 0 for none. The result is at least that, up to longestWait.
// chance is a random number from 0 to 1.
func wait(plan []time.Duration, attempt int, asked time.Duration, chance float64) (time.Duration, bool) {
	if attempt > len(plan) {
		return 0, false
	}
	planned := float64(plan[attempt-1]) * (1 - jitter + 2*jitter*chance)
	least := float64(min(asked, longestWait)) * (1 + lateness*chance)
	return time.Duration(max(planned, least)), true
}
