package metrics

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
)

var now = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

// live is a snapshot with two sources; its questions fail with err.
type live struct {
	api.Snapshot
	none bool
	err  error
	used int
}

func (l *live) Acquire() (api.Snapshot, func(), error) {
	if l.none {
		return nil, nil, api.ErrNoSnapshot
	}
	l.used++
	return l, func() { l.used-- }, nil
}

func (l *live) AcquireByID(context.Context, string, bool) (api.Snapshot, func(), error) {
	return l.Acquire()
}
func (l *live) IsOpen(string) bool { return !l.none }
func (l *live) ID() string         { return "2026-11-20.1" }
func (l *live) AsOf() time.Time    { return time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC) }
func (l *live) Sources(_ context.Context, q api.SourcesQuery) (api.Page[api.SourcesRow], error) {
	hourAgo := now.Add(-time.Hour)
	fresh, never := api.SourcesRow{Key: "platform", Cadence: "daily"}, api.SourcesRow{Key: "ons_geography"}
	fresh.SetFreshness([]snapshots.FreshnessRow{{LastSuccessAt: &hourAgo}}, q.At)
	never.SetFreshness([]snapshots.FreshnessRow{{}}, q.At)
	return api.Page[api.SourcesRow]{Rows: []api.SourcesRow{fresh, never}}, l.err
}

// reading is what the handler answers, without the comments.
func reading(t *testing.T, m *Metrics) map[string]string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	values := map[string]string{}
	for line := range strings.Lines(w.Body.String()) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			values[name] = value
		}
	}
	return values
}

func expect(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
}

func TestWhatIsMeasured(t *testing.T) {
	l := &live{}
	backlog := func(context.Context) (int64, error) { return 7, nil }
	var log bytes.Buffer
	m := New(MeasuredState{Snapshots: l, PendingDeliveries: backlog, Now: func() time.Time { return now }},
		slog.New(slog.NewTextHandler(&log, nil)))
	m.RecordRequest("/v1/labour/regions", "GET", 200, "", 3*time.Millisecond)
	m.RecordRequest("/v1/labour/regions", "GET", 200, "", 30*time.Millisecond)
	m.RecordRequest("/v1/jobs", "GET", 429, "rate_limited", time.Millisecond)
	m.RecordQueryStart()
	m.RecordQueryStart()
	m.RecordQueryEnd(20*time.Millisecond, true)
	m.RecordQueryRefused()
	handler := m.CountRequestsInFlight(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		expect(t, reading(t, m), map[string]string{"labour_http_requests_in_flight": "1"})
		io.WriteString(w, "ok")
	}))
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	expect(t, reading(t, m), map[string]string{
		`labour_http_requests_total{method="GET",route="/v1/labour/regions",status="200"}`:   "2",
		`labour_http_requests_total{method="GET",route="/v1/jobs",status="429"}`:             "1",
		`labour_http_request_duration_seconds_bucket{route="/v1/labour/regions",le="0.005"}`: "1",
		`labour_http_request_duration_seconds_count{route="/v1/labour/regions"}`:             "2",
		`labour_http_errors_total{code="rate_limited"}`:                                      "1",
		`labour_http_requests_in_flight`:                                                     "0",
		`labour_queries_in_flight`:                                                           "1",
		`labour_query_duration_seconds_count`:                                                "1",
		`labour_queries_interrupted_total`:                                                   "1",
		`labour_queries_refused_total`:                                                       "1",
		`labour_snapshot_mounted`:                                                            "1",
		`labour_snapshot_info{snapshot="2026-11-20.1"}`:                                      "1",
		`labour_snapshot_age_seconds`:                                                        "108000",
		`labour_source_stale{source="platform"}`:                                             "0",
		`labour_source_stale{source="ons_geography"}`:                                        "1",
		`labour_source_last_success_timestamp_seconds{source="platform"}`:                    "1.7952372e+09",
		`labour_source_last_success_timestamp_seconds{source="ons_geography"}`:               "",
		`labour_webhook_backlog`:                                                             "7",
	})
	if l.used != 0 || log.Len() > 0 {
		t.Errorf("the snapshot is used %d times, and the log says %s", l.used, &log)
	}
}

// Metrics that cannot be read are left out and logged; the others are there.
func TestWhatCannotBeRead(t *testing.T) {
	var log bytes.Buffer
	l := &live{none: true}
	m := New(MeasuredState{Snapshots: l, PendingDeliveries: func(context.Context) (int64, error) {
		return 0,
			errors.New("gone")
	},
		Now: func() time.Time { return now }},
		slog.New(slog.NewTextHandler(&log, nil)))
	expect(t, reading(t, m), map[string]string{"labour_snapshot_mounted": "0", "labour_webhook_backlog": "",
		"labour_snapshot_age_seconds": "", "labour_snapshot_info": "", "labour_queries_in_flight": "0"})
	if !strings.Contains(log.String(), "gone") || strings.Contains(log.String(), "the snapshot could not") {
		t.Errorf("the log says %s", &log)
	}
	l.none, l.err = false, errors.New("broken")
	expect(t, reading(t, m), map[string]string{"labour_snapshot_mounted": "1",
		"labour_source_stale{source=\"platform\"}": "", "labour_snapshot_age_seconds": "108000"})
	if !strings.Contains(log.String(), "broken") {
		t.Errorf("the log says %s", &log)
	}
}

// Durations are in seconds, in buckets from half a millisecond to ten seconds. A query that ended
// is not in flight, and one that was not interrupted is not counted as such. A call without an
// error has no error code.
func TestDurationsAreInSeconds(t *testing.T) {
	m := New(MeasuredState{Snapshots: &live{}, PendingDeliveries: func(context.Context) (int64, error) { return 0, nil },
		Now: func() time.Time { return now }}, slog.New(slog.DiscardHandler))
	m.RecordRequest("/v1/jobs", "GET", 200, "", 250*time.Millisecond)
	for _, upper := range []string{"0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5",
		"1",
		"2.5", "5", "10", "+Inf"} {
		if got := reading(t, m)[`labour_http_request_duration_seconds_bucket{route="/v1/jobs",le="`+upper+`"}`]; got == "" {
			t.Errorf("there is no bucket up to %s seconds", upper)
		}
	}
	m.RecordQueryStart()
	m.RecordQueryEnd(10*time.Second, false)
	got := reading(t, m)
	expect(t, got, map[string]string{
		`labour_http_request_duration_seconds_sum{route="/v1/jobs"}`:                "0.25",
		`labour_http_request_duration_seconds_bucket{route="/v1/jobs",le="0.0005"}`: "0",
		`labour_http_request_duration_seconds_bucket{route="/v1/jobs",le="0.1"}`:    "0",
		`labour_http_request_duration_seconds_bucket{route="/v1/jobs",le="0.25"}`:   "1",
		`labour_query_duration_seconds_sum`:                                         "10",
		`labour_query_duration_seconds_bucket{le="5"}`:                              "0",
		`labour_query_duration_seconds_bucket{le="10"}`:                             "1",
		`labour_queries_in_flight`:                                                  "0",
		`labour_queries_interrupted_total`:                                          "0",
		`labour_queries_refused_total`:                                              "0",
		`labour_http_errors_total{code=""}`:                                         "",
	})
	for _, name := range []string{"go_goroutines", "process_open_fds"} {
		if got[name] == "" {
			t.Errorf("%s is missing, want the metrics of the runtime and of the process", name)
		}
	}
}
