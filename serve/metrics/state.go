package metrics

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"labour/serve/api"
)

// readingTimeout bounds one reading.
const readingTimeout = 10 * time.Second

// State is what is looked at when somebody reads.
type State struct {
	Live api.Live
	// Backlog is how many deliveries of webhooks wait.
	Backlog func(context.Context) (int64, error)
	Now     func() time.Time
}

type stateCollector struct {
	State
	log *slog.Logger

	mounted, info, age, success, stale, backlog *prometheus.Desc
}

func newStateCollector(s State, log *slog.Logger) *stateCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &stateCollector{State: s, log: log,
		mounted: desc("labour_snapshot_mounted", "1 while a snapshot is loaded, else 0."),
		info:    desc("labour_snapshot_info", "1 for the snapshot that answers.", "snapshot"),
		age:     desc("labour_snapshot_age_seconds", "Time since the beginning, in UTC, of the day that the snapshot describes."),
		success: desc("labour_source_last_success_timestamp_seconds", "When the source was last fetched whole; left out for never.", "source"),
		stale:   desc("labour_source_stale", "1 when the source was never fetched, or longer ago than twice its cadence.", "source"),
		backlog: desc("labour_webhook_backlog", "Deliveries of webhooks that wait for their first or next attempt."),
	}
}

// Describe lists what Collect gives.
func (c *stateCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.mounted, c.info, c.age, c.success, c.stale, c.backlog} {
		out <- d
	}
}

// Collect reads the state.
func (c *stateCollector) Collect(out chan<- prometheus.Metric) {
	ctx, stop := context.WithTimeout(context.Background(), readingTimeout)
	defer stop()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	if n, err := c.Backlog(ctx); err == nil {
		gauge(c.backlog, float64(n))
	} else {
		c.log.Error("the backlog of webhooks could not be measured", "error", err)
	}
	err := c.snapshot(ctx, gauge)
	gauge(c.mounted, truth(!errors.Is(err, api.ErrNoSnapshot)))
	if err != nil && !errors.Is(err, api.ErrNoSnapshot) {
		c.log.Error("the snapshot could not be measured", "error", err)
	}
}

func (c *stateCollector) snapshot(ctx context.Context, gauge func(*prometheus.Desc, float64, ...string)) error {
	s, release, err := c.Live.Acquire()
	if err != nil {
		return err
	}
	defer release()
	now := c.Now()
	gauge(c.info, 1, s.ID())
	gauge(c.age, now.Sub(s.AsOf()).Seconds())
	page, err := s.Sources(ctx, api.SourcesQuery{})
	if err != nil {
		return err
	}
	for _, r := range page.Rows {
		if r.LastSuccessAt.T != nil {
			gauge(c.success, float64(r.LastSuccessAt.T.Unix()), r.Key)
		}
		gauge(c.stale, truth(r.StaleAt(now)), r.Key)
	}
	return nil
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
