package serve

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/serve/api"
	"labour/snapshots"
)

// opened is a service whose snapshot has every embargoed dataset open.
func opened(t *testing.T) *service {
	t.Helper()
	s := newService(t, nil)
	s.live.now().open = map[string]bool{}
	for _, d := range snapshots.EmbargoedDatasets() {
		s.live.now().open[d.Name] = true
	}
	return s
}

// An open dataset answers in the envelope, page by page, with every row once.
func TestOpenDatasetsAnswerInTheEnvelope(t *testing.T) {
	s := opened(t)
	for _, d := range snapshots.EmbargoedDatasets() {
		whole := envelopeOf(t, s.get(t, "/v1/labour/"+d.Name))
		if len(whole.Data) != 3 || whole.Meta.Limit != 50 || whole.Meta.NextCursor != nil || len(whole.Sources) != 1 ||
			whole.AttributionNotice == "" {
			t.Errorf("%s: %+v", d.Name, whole)
		}
		var got []map[string]any
		target := "/v1/labour/" + d.Name + "?limit=2"
		for pages := 1; pages < 5; pages++ {
			e := envelopeOf(t, s.get(t, target))
			got = append(got, e.Data...)
			if e.Meta.NextCursor == nil {
				break
			}
			target = "/v1/labour/" + d.Name + "?limit=2&cursor=" + *e.Meta.NextCursor
		}
		if diff := cmp.Diff(whole.Data, got); diff != "" {
			t.Errorf("%s: %s", d.Name, diff)
		}
		for _, format := range []string{"csv", "parquet"} {
			if res := s.get(t, "/v1/labour/"+d.Name+"?format="+format); res.status != http.StatusOK ||
				len(res.body) == 0 {
				t.Errorf("%s as %s: %d", d.Name, format, res.status)
			}
		}
	}
}

func TestParametersReachTheEmbargoedDatasets(t *testing.T) {
	s := opened(t)
	for target, want := range map[string]api.EmbargoedQuery{
		"demand?soc=21&limit=900": {SOC: "21", Limit: 200},
		"trends":                  {Digits: 4, Limit: 50},
		"trends?digits=2&direction=growing&soc=2": {Digits: 2, Direction: "growing", SOC: "2", Limit: 50},
		"outlook": {Country: "GB", Limit: 50},
		"outlook?region=local-london&months=24&soc=21": {Country: "GB", Region: "E69000011", Months: 24,
			SOC: "21", Limit: 50},
		"outlook?country=US&soc=15-12": {Country: "US", SOC: "15-12", Limit: 50},
		"reach?ward=E05000128&council=E09000007&within_km=5": {Ward: "E05000128", Council: "E09000007", WithinKM: 5,
			Limit: 50},
		"signals?topic=vacancies":                    {Topic: "vacancies", Limit: 50},
		"priorities?region=local-london&kind=sector": {Region: "E69000011", Kind: "sector", Limit: 50},
	} {
		if res := s.get(t, "/v1/labour/"+target); res.status != http.StatusOK {
			t.Errorf("%s: %d %s", target, res.status, res.body)
			continue
		}
		if diff := cmp.Diff(any(want), s.live.now().last()); diff != "" {
			t.Errorf("%s: %s", target, diff)
		}
	}
	for target, code := range map[string]string{"demand?place=camden": "invalid_parameter",
		"priorities?region=nowhere": "unknown_region", "reach?within_km=7": "invalid_parameter",
		"outlook?country=US&region=local-london": "invalid_parameter", "trends?digits=5": "invalid_parameter",
		"signals?cursor=abc": "invalid_cursor"} {
		if e := errorOf(t, s.get(t, "/v1/labour/"+target)); e.Code != code {
			t.Errorf("%s: %+v", target, e)
		}
	}
}

// One open dataset opens no other, and a closed one is closed for every call: with
// faulty parameters, with a cursor of a time when it was open, and without a snapshot.
func TestClosedDatasetsAnswerNothing(t *testing.T) {
	s := opened(t)
	next := *envelopeOf(t, s.get(t, "/v1/labour/reach?limit=1")).Meta.NextCursor
	s.live.kept["2026-11-21.1"], s.live.current = newFakeSnapshot("2026-11-21.1"), "2026-11-21.1"
	s.live.now().open = map[string]bool{"demand": true}
	for _, d := range snapshots.EmbargoedDatasets() {
		for _, query := range []string{"", "?nonsense=1", "?limit=x", "?cursor=" + next, "?format=csv"} {
			res := s.get(t, "/v1/labour/"+d.Name+query)
			if d.Name == "demand" {
				if query == "" && res.status != http.StatusOK {
					t.Errorf("demand: %d", res.status)
				}
				continue
			}
			if e := errorOf(t, res); e.Code != "dataset_not_open" || !strings.Contains(e.Message, d.Condition) {
				t.Errorf("%s%s: %+v", d.Name, query, e)
			}
		}
	}
	s.live.kept, s.live.current = map[string]*fakeSnapshot{}, ""
	if e := errorOf(t, s.get(t, "/v1/labour/demand")); e.Code != "dataset_not_open" {
		t.Errorf("without a snapshot: %+v", e)
	}
	if n := s.live.stillOpen(); n != 0 {
		t.Errorf("%d snapshots were not released", n)
	}
}

// swapping is a live server that swaps to a snapshot without embargoed datasets as soon as
// the current one has been acquired.
type swapping struct{ *fakeLive }

func (l swapping) Acquire() (api.Snapshot, func(), error) {
	s, release, err := l.fakeLive.Acquire()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept["2026-11-21.1"], l.current = newFakeSnapshot("2026-11-21.1"), "2026-11-21.1"
	return s, release, err
}

// A call to an embargoed dataset asks one snapshot, whatever is promoted meanwhile.
func TestEmbargoedDatasetIsAnsweredFromTheSnapshotThatHasItOpen(t *testing.T) {
	var live *swapping
	s := newService(t, func(o *Options) {
		live = &swapping{o.Snapshots.(*fakeLive)}
		o.Snapshots = live
	})
	s.live.now().open = map[string]bool{"demand": true}
	if res := s.get(t, "/v1/labour/demand"); res.status != http.StatusOK {
		t.Errorf("status %d: %s", res.status, res.body)
	}
	if n := s.live.stillOpen(); n != 0 {
		t.Errorf("%d snapshots are still acquired", n)
	}
}
