// Package metrics measures a running server for Prometheus. It counts calls, errors and queries with
// their durations. It also measures the age of the data and the number of pending webhook deliveries.
// Only this package depends on Prometheus.
//
// No label contains a value chosen by a caller. Routes are the patterns of the API, and methods and
// error codes are from fixed lists. No key or partner is named.
package metrics

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"labour/serve/api"
)

// Metrics holds the Prometheus metrics of a server. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	log      *slog.Logger

	inFlight      prometheus.Gauge
	requests      *prometheus.CounterVec
	duration      *prometheus.HistogramVec
	errors        *prometheus.CounterVec
	queries       prometheus.Gauge
	queryDuration prometheus.Histogram
	interruptions prometheus.Counter
	refusals      prometheus.Counter
}

// seconds returns the upper bounds of the histogram buckets for durations, in seconds. The largest
// bound, 10 s, is twice the default time limit of a query.
func seconds() []float64 {
	return []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
}

// New returns metrics with all counters at zero. It reads values from state each time that
// Prometheus requests the metrics, and writes errors to log.
func New(state MeasuredState, log *slog.Logger) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(), log: log,
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "labour_http_requests_in_flight",
			Help: "Calls that are being answered."}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "labour_http_requests_total",
			Help: "Calls answered, by route (empty for paths that do not exist), method and status."},
			[]string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "labour_http_request_duration_seconds",
			Help: "Time from the arrival of a call to its last byte.", Buckets: seconds()}, []string{"route"}),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "labour_http_errors_total",
			Help: "Calls that ended in an error, by its code; rate_limited and quota_exceeded are the ceilings."},
			[]string{"code"}),
		queries: prometheus.NewGauge(prometheus.GaugeOpts{Name: "labour_queries_in_flight", Help: "Queries that run."}),
		queryDuration: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "labour_query_duration_seconds",
			Help: "Time of a query on the snapshot.", Buckets: seconds()}),
		interruptions: prometheus.NewCounter(prometheus.CounterOpts{Name: "labour_queries_interrupted_total",
			Help: "Queries that were stopped: at their deadline, or since nobody waited any more."}),
		refusals: prometheus.NewCounter(prometheus.CounterOpts{Name: "labour_queries_refused_total",
			Help: "Queries that got no turn."}),
	}
	m.registry.MustRegister(m.inFlight, m.requests, m.duration, m.errors, m.queries, m.queryDuration, m.interruptions,
		m.refusals,
		stateCollector{state, log}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler returns the HTTP handler that sends all metrics to Prometheus. If a metric cannot be
// read, the handler leaves it out and sends the others.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError,
		Timeout:  readingTimeout,
		ErrorLog: slog.NewLogLogger(m.log.Handler(), slog.LevelError)})
}

// CountRequestsInFlight wraps the handler next. The wrapper measures how many requests are in
// progress.
func (m *Metrics) CountRequestsInFlight(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerInFlight(m.inFlight, next)
}

// RecordRequest records a completed HTTP request and its duration. route is the path pattern; it is
// empty for an unknown path. code is the error code of the response; it is empty if there is none.
func (m *Metrics) RecordRequest(route, method string, status int, code string, took time.Duration) {
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(route).Observe(took.Seconds())
	if code != "" {
		m.errors.WithLabelValues(code).Inc()
	}
}

// RecordQueryStart records that a database query has started.
func (m *Metrics) RecordQueryStart() { m.queries.Inc() }

// RecordQueryEnd records that a database query has ended, and its duration. wasInterrupted means
// that the query was stopped, at its time limit or because the client disconnected.
func (m *Metrics) RecordQueryEnd(duration time.Duration, wasInterrupted bool) {
	m.queries.Dec()
	m.queryDuration.Observe(duration.Seconds())
	if wasInterrupted {
		m.interruptions.Inc()
	}
}

// RecordQueryRefused records that a query was refused before it started, because it waited too long
// for its turn or its client disconnected.
func (m *Metrics) RecordQueryRefused() { m.refusals.Inc() }

// readingTimeout is the time limit for one request from Prometheus for the metrics.
const readingTimeout = 10 * time.Second

// MeasuredState provides the values that are measured each time Prometheus requests the metrics.
type MeasuredState struct {
	Snapshots api.Snapshots // source of the published snapshots, to measure the age of their data
	// PendingDeliveries returns how many webhook deliveries wait for their first or next attempt.
	PendingDeliveries func(context.Context) (int64, error)
	Now               func() time.Time
}

// stateCollector is a Prometheus collector. It reads its values each time Prometheus requests them.
// The data determine which metrics it sends, so it does not describe them in advance.
type stateCollector struct {
	MeasuredState
	log *slog.Logger
}

// Describe sends no descriptions of metrics. Prometheus then does not check which metrics Collect
// returns.
func (stateCollector) Describe(chan<- *prometheus.Desc) {}

// gauge is a function that sends the current value v of one metric to Prometheus.
type gauge func(name, help string, v float64, labels prometheus.Labels)

// Collect reads the current values from the state and sends them to out.
func (c stateCollector) Collect(out chan<- prometheus.Metric) {
	ctx, stop := context.WithTimeout(context.Background(), readingTimeout)
	defer stop()
	set := func(name, help string, v float64, labels prometheus.Labels) {
		out <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, labels), prometheus.GaugeValue, v)
	}
	if n, err := c.PendingDeliveries(ctx); err == nil {
		set("labour_webhook_backlog", "Deliveries of webhooks that wait for their first or next attempt.", float64(n), nil)
	} else {
		c.log.Error("the backlog of webhooks could not be measured", "error", err)
	}
	err := c.snapshot(ctx, set)
	set("labour_snapshot_mounted", "1 while a snapshot is loaded, else 0.",
		truth(!errors.Is(err, api.ErrNoSnapshot)), nil)
	if err != nil && !errors.Is(err, api.ErrNoSnapshot) {
		c.log.Error("the snapshot could not be measured", "error", err)
	}
}

func (c stateCollector) snapshot(ctx context.Context, set gauge) error {
	s, release, err := c.Snapshots.Acquire()
	if err != nil {
		return err
	}
	defer release()
	now := c.Now()
	set("labour_snapshot_info", "1 for the snapshot that answers.", 1,
		prometheus.Labels{"snapshot": s.ID()})
	set("labour_snapshot_age_seconds", "Time since the beginning, in UTC, of the day that the snapshot describes.",
		now.Sub(s.AsOf()).Seconds(), nil)
	page, err := s.Sources(ctx, api.SourcesQuery{At: now})
	if err != nil {
		return err
	}
	for _, r := range page.Rows {
		source := prometheus.Labels{"source": r.Key}
		if r.LastSuccessAt.T != nil {
			set("labour_source_last_success_timestamp_seconds",
				"When a part of the source was last received whole, the newest of them; left out for never.",
				float64(r.LastSuccessAt.T.Unix()), source)
		}
		set("labour_source_stale",
			"1 when half of the parts of the source were never received, or longer ago than twice its cadence.",
			truth(r.Stale), source)
	}
	return nil
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
