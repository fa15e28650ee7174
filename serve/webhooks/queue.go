package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"labour/serve/state"
)

// maxWorkers limits the concurrent attempts of one server to deliver messages.
const (
	maxWorkers = 50
	// maxPerPartner limits the concurrent attempts of one server for all endpoints of one partner.
	maxPerPartner = 12
	// maxPerEndpoint limits the concurrent attempts of one server for one endpoint.
	maxPerEndpoint = 8
	// maxFailing is the lower limit on concurrent attempts for an endpoint whose last attempt
	// failed.
	maxFailing = 2
	// maxFailingPerPartner limits the concurrent attempts for one partner's failing endpoints
	// together. An endpoint is failing if its last attempt failed.
	maxFailingPerPartner = 4
	// claimPause is the shortest time between two checks for due deliveries.
	claimPause = 50 * time.Millisecond
	// faultPause is the wait before a delivery is attempted again if this server itself failed.
	faultPause = 5 * time.Second
	// pruneInterval is the time between two deletions of deliveries older than DeliveryRetention.
	pruneInterval = 6 * time.Hour
	// errorLogInterval is the shortest time between two log lines that the database failed. Without
	// it, the log would get such a line every second.
	errorLogInterval = time.Minute
)

// DeliveryRetention is how long a delivery is kept after it ended. A partner can request a
// redelivery in this time.
const DeliveryRetention = 30 * 24 * time.Hour

// waiting is a webhook endpoint that has due deliveries.
type waiting struct {
	endpoint, partner string
	failing           bool // whether the last attempt to reach the endpoint failed
}

// claim is a due delivery that this server attempts, together with its endpoint.
type claim struct {
	delivery string
	waiting
}

// workers records which attempts are running in this process.
type workers struct {
	sync.WaitGroup
	mu      sync.Mutex
	running map[claim]bool
}

// count counts running attempts: all of them, those for the endpoint e, those for its partner, and
// those for failing endpoints of the partner. An endpoint is failing if its last attempt failed.
func (w *workers) count(e waiting) (total, endpoint, partner, failing int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for r := range w.running {
		if r.endpoint == e.endpoint {
			endpoint++
		}
		if r.partner == e.partner {
			partner++
		}
		if r.partner == e.partner && r.failing {
			failing++
		}
	}
	return len(w.running), endpoint, partner, failing
}

// free returns the number of attempts that may start now for the endpoint e. The endpoints of a
// partner share the partner's limit evenly. neighbours is the number of the partner's endpoints
// with due deliveries, including e.
func (w *workers) free(e waiting, neighbours int) int {
	all, endpoint, partner, failing := w.count(e)
	most := min(maxPerEndpoint, max(1, maxPerPartner/neighbours)) - endpoint
	if e.failing {
		most = min(most, maxFailing-endpoint, maxFailingPerPartner-failing)
	}
	return max(0, min(most, maxPerPartner-partner, maxWorkers-all))
}

// reserve counts an attempt as running. If another attempt of the same delivery is already running,
// it returns false.
func (w *workers) reserve(c claim) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for r := range w.running {
		if r.delivery == c.delivery {
			return false
		}
	}
	w.running[c] = true
	return true
}

func (w *workers) release(c claim) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, c)
}

// Run sends messages to webhook endpoints until ctx ends. It also deletes deliveries older than
// DeliveryRetention. When ctx ends, Run waits some seconds for running attempts. It stops those
// that take longer and returns an error; they are repeated later. Call Run only once.
func (s *Service) Run(ctx context.Context) error {
	attempts, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	w := &workers{running: map[claim]bool{}}
	w.Go(func() {
		state.RunEvery(ctx, pruneInterval, func() {
			if err := s.PruneDeliveries(ctx, s.now().Add(-DeliveryRetention)); err != nil && ctx.Err() == nil {
				s.log.Error("prune the log of webhooks", "error", err)
			}
		})
	})
	var lastLog time.Time
	for ctx.Err() == nil {
		err := s.startDue(ctx, attempts, w)
		if err != nil && ctx.Err() == nil && time.Since(lastLog) >= errorLogInterval {
			s.log.Error("look for due webhook deliveries", "error", err)
			lastLog = time.Now()
		}
		s.waitForWork(ctx)
	}
	ended := make(chan struct{})
	go func() { w.Wait(); close(ended) }()
	select {
	case <-ended:
		return nil
	case <-time.After(s.tuning.grace):
		cut()
		<-ended
		return fmt.Errorf("end the running attempts within %v: %w", s.tuning.grace, context.DeadlineExceeded)
	}
}

// waitForWork returns when a delivery may be due. This is after a signal from notify, after the
// polling interval, or when ctx ends.
func (s *Service) waitForWork(ctx context.Context) {
	poll := time.NewTimer(s.tuning.poll)
	defer poll.Stop()
	select {
	case <-ctx.Done():
	case <-poll.C:
	case <-s.wake:
		select {
		case <-ctx.Done():
		case <-time.After(min(claimPause, s.tuning.poll)):
		}
	}
}

// startDue starts attempts of due deliveries, within the limits on concurrent attempts. attempts is
// the context of these attempts, which go on when ctx ends.
func (s *Service) startDue(ctx, attempts context.Context, w *workers) error {
	taken, err := s.takeDue(ctx, w)
	ours, claimed := s.claim(ctx, taken)
	for _, c := range taken {
		if !slices.Contains(ours, c) {
			w.release(c)
			continue
		}
		w.Go(func() {
			defer s.notify()
			defer w.release(c)
			s.work(attempts, c)
		})
	}
	return errors.Join(err, claimed)
}

// takeDue returns due deliveries that may be attempted now and counts their attempts as running.
// Endpoints with the fewest running attempts come first.
func (s *Service) takeDue(ctx context.Context, w *workers) (taken []claim, err error) {
	now := state.UnixSeconds(s.now())
	endpoints, err := state.QueryAll(ctx, s.db, statement("waiting_endpoints"), scanWaiting, StatusPending, now)
	if err != nil {
		return nil, err
	}
	neighbours, busy := map[string]int{}, map[string]int{}
	for _, e := range endpoints {
		neighbours[e.partner]++
		_, busy[e.endpoint], _, _ = w.count(e)
	}
	slices.SortStableFunc(endpoints, func(a, b waiting) int { return busy[a.endpoint] - busy[b.endpoint] })
	for _, e := range endpoints {
		free := w.free(e, neighbours[e.partner])
		if free == 0 {
			continue
		}
		due, err := state.QueryAll(ctx, s.db, statement("due_deliveries"), scanID, e.endpoint, StatusPending, now, free)
		if err != nil {
			return taken, err
		}
		for _, id := range due {
			if c := (claim{id, e}); w.reserve(c) {
				taken = append(taken, c)
			}
		}
	}
	return taken, nil
}

func scanWaiting(scan func(...any) error) (e waiting, err error) {
	err = scan(&e.endpoint, &e.partner, &e.failing)
	return e, err
}

// claim marks deliveries in the database so that no other server attempts them. It returns those
// that no other server had marked before.
func (s *Service) claim(ctx context.Context, wanted []claim) (ours []claim, err error) {
	if len(wanted) == 0 {
		return nil, nil
	}
	// In a fixed order, so that two servers never wait for each other.
	wanted = slices.SortedFunc(slices.Values(wanted),
		func(a, b claim) int { return strings.Compare(a.delivery, b.delivery) })
	now := s.now()
	defer state.WrapError(&err, "claim deliveries")
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		for _, c := range wanted {
			n, err := state.ExecCount(ctx, tx, statement("claim_delivery"), state.UnixSeconds(now.Add(s.tuning.rescueAfter)),
				c.delivery, StatusPending, state.UnixSeconds(now))
			if err != nil {
				return err
			}
			if n == 1 {
				ours = append(ours, c)
			}
		}
		return nil
	})
	return ours, err
}

// work makes the next attempt of a delivery. If this server itself fails, the delivery is attempted
// again after a pause.
func (s *Service) work(ctx context.Context, c claim) {
	err := s.deliver(ctx, c.delivery)
	if err == nil {
		return
	}
	pause := faultPause
	if errors.Is(err, context.Canceled) { // this server is stopping; another one may continue
		pause = 0
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.tuning.timeout)
	defer cancel()
	_, released := s.db.ExecContext(limit, statement("release_delivery"), state.UnixSeconds(s.now().Add(pause)),
		c.delivery)
	s.log.Error("attempt a webhook delivery", "error", errors.Join(err, released))
}
