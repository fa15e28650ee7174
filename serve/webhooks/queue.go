package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"labour/serve/state"
)

// What the queue allows.
const (
	queueName  = "webhooks"
	maxWorkers = 50
	// maxPerEndpoint keeps one slow endpoint from taking all workers.
	maxPerEndpoint = 8
	// maxFaults is how often a job may fail by a fault on our side, or lose its
	// server. The attempts that an endpoint fails are not among them.
	maxFaults = 1000
	// jobSlack is how long a job may take beside its attempt.
	jobSlack = 30 * time.Second
	// pruneInterval is how often the log is pruned.
	pruneInterval = 6 * time.Hour
)

// Retention is how long the log of a delivery is kept after its end, and for how
// long it can be delivered again.
const Retention = 30 * 24 * time.Hour

// job drives one delivery. The queue holds no more than its id: what was tried
// and what comes next is in the log of deliveries, and the queue wakes it up.
type job struct {
	Delivery string `json:"delivery"`
}

// Kind is the queue's name for the job.
func (job) Kind() string { return "webhook_delivery" }

// InsertOpts is where the job goes.
func (job) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueName, MaxAttempts: maxFaults}
}

// newQueue brings the queue's tables up to date and makes its client, on the
// connections of the state database, so that jobs are written in the same
// transactions.
func newQueue(ctx context.Context, s *Service) (*river.Client[*sql.Tx], error) {
	var driver riverdriver.Driver[*sql.Tx] = riversqlite.New(s.db.DB)
	if s.db.Kind == state.Postgres {
		driver = riverdatabasesql.New(s.db.DB)
	}
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: s.log})
	if err != nil {
		return nil, err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := s.db.KeepOut(ctx, tx, "the migration of the queue"); err != nil {
			return err
		}
		if s.db.Kind == state.Postgres {
			// Not in this transaction, which only keeps other servers out: one step
			// uses what the step before it added to an enumeration.
			_, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
			return err
		}
		_, err := migrator.MigrateTx(ctx, tx, rivermigrate.DirectionUp, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, &worker{service: s}); err != nil {
		return nil, err
	}
	if err := river.AddWorkerSafely(workers, &pruner{service: s}); err != nil {
		return nil, err
	}
	prune := func() (river.JobArgs, *river.InsertOpts) { return pruning{}, nil }
	return river.NewClient(driver, &river.Config{
		Logger: s.log, Workers: workers, Queues: map[string]river.QueueConfig{queueName: {MaxWorkers: maxWorkers}},
		PeriodicJobs: []*river.PeriodicJob{river.NewPeriodicJob(river.PeriodicInterval(pruneInterval), prune,
			&river.PeriodicJobOpts{RunOnStart: true})},
		FetchPollInterval: s.tuning.poll, JobTimeout: min(s.tuning.timeout+jobSlack, s.tuning.rescueAfter/2),
		RescueStuckJobsAfter: s.tuning.rescueAfter,
	})
}

// worker is asked by the queue whenever a delivery is due.
type worker struct {
	river.WorkerDefaults[job]
	service *Service
}

// Work makes the next attempt of a delivery. An attempt that fails is no error
// of the job: it sleeps until the next one.
func (w *worker) Work(ctx context.Context, j *river.Job[job]) error {
	sleep, err := w.service.deliver(ctx, j.Args.Delivery)
	if err == nil && sleep > 0 {
		return river.JobSnooze(sleep)
	}
	return err
}

// NextRetry is when a job goes on that failed by a fault on our side, or whose
// server was killed: soon, and later while it lasts.
func (w *worker) NextRetry(j *river.Job[job]) time.Time {
	const first, longest = time.Second, 10 * time.Minute
	return w.service.now().Add(min(first<<min(max(j.Attempt-1, 0), 20), longest))
}

// pruning is the job that prunes; of several servers one does it.
type pruning struct{}

// Kind is the queue's name for the job.
func (pruning) Kind() string { return "webhook_prune" }

// InsertOpts is where the job goes. It is not tried again: the next one comes.
func (pruning) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueName, MaxAttempts: 1}
}

type pruner struct {
	river.WorkerDefaults[pruning]
	service *Service
}

// Work forgets what is older than Retention.
func (p *pruner) Work(ctx context.Context, _ *river.Job[pruning]) error {
	return p.service.Prune(ctx, p.service.now().Add(-Retention))
}

// enqueue adds the jobs of new deliveries.
func (s *Service) enqueue(ctx context.Context, tx *sql.Tx, deliveries []string) error {
	if len(deliveries) == 0 {
		return nil
	}
	jobs := make([]river.InsertManyParams, len(deliveries))
	for i, id := range deliveries {
		jobs[i].Args = job{Delivery: id}
	}
	made, err := s.queue.InsertManyTx(ctx, tx, jobs)
	if err == nil && len(made) != len(jobs) {
		err = errors.New("the queue did not take every job")
	}
	return err
}
