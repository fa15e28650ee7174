package embargoed

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/sources"
)

// infos are sources by what their terms permit: all, no summary, and nothing that is known.
func infos() []sources.Info {
	return []sources.Info{
		{Key: "open", Licence: "Open Government Licence v3.0", Terms: sources.Terms{MaySummarise: true}},
		{Key: "no_summary", Licence: "Open Government Licence v3.0"},
		{Key: "unknown", Terms: sources.Terms{MaySummarise: true}},
	}
}

// datasetsWith are the datasets of a build in which one is open.
func datasetsWith(open string, in Inputs) *datasets {
	states := []snapshots.EmbargoedState{{Name: "demand"}, {Name: "outlook"}, {Name: "signals"}}
	for i := range states {
		states[i].Open = states[i].Name == open
	}
	return &datasets{Writer: &tablewriter.Writer{AsOf: asOf}, in: in, states: states}
}

// A dataset that was closed is closed in the next snapshot. One that was opened stays closed until
// it is built.
func TestClosingIsCarriedAndOpeningIsNot(t *testing.T) {
	rows := int64(3)
	before := []snapshots.EmbargoedState{{Name: "demand", Open: true, Rows: &rows}, {Name: "trends", Rows: &rows},
		{Name: "reach", Open: true, Rows: &rows}, {Name: "outlook", Open: true, Rows: &rows},
		{Name: "signals", DecidedBy: "before", Rows: &rows}}
	decided := []snapshots.EmbargoedState{{Name: "demand"}, {Name: "trends", Open: true}, {Name: "reach", Open: true},
		{Name: "signals", DecidedBy: "again"}}
	got := CarryStates(before, decided)
	open := map[string]bool{}
	for _, s := range got {
		open[s.Name] = s.Open
		if s.Rows == nil || *s.Rows != 3 {
			t.Errorf("%s lost its number of rows", s.Name)
		}
	}
	want := map[string]bool{"demand": false, "trends": false, "reach": true, "outlook": true, "signals": false}
	if !maps.Equal(open, want) || got[4].DecidedBy != "before" {
		t.Errorf("open are %v, want %v; signals was closed by %s", open, want, got[4].DecidedBy)
	}
	if !before[0].Open {
		t.Error("the states of the previous snapshot were changed")
	}
}

// A closed dataset has every source; an open one only those whose terms are known and permit a summary.
func TestOpenDatasetsHavePermittedPublishers(t *testing.T) {
	in := Inputs{SourceInfos: infos()}
	for open, want := range map[string][]string{"": {"no_summary", "open", "unknown"}, "signals": {"open"},
		"demand": {"no_summary", "open", "unknown"}} {
		got := slices.Sorted(maps.Keys(datasetsWith(open, in).publishers("signals")))
		if !slices.Equal(got, want) {
			t.Errorf("with %q open, signals may name %v", open, got)
		}
	}
}

// The outlook uses every projection while it is closed. Once open, it leaves out embargoed ones and those
// without a known licence.
func TestOpenOutlookHasNoEmbargoedProjection(t *testing.T) {
	in := Inputs{SourceInfos: infos(), Evidence: []sources.Evidence{{ID: "1", Source: "open"},
		{ID: "2", Source: "open", Embargoed: true}, {ID: "3", Source: "unknown"}, {ID: "4", Source: "missing"}}}
	for open, want := range map[string]string{"": "1234", "demand": "1234", "outlook": "1"} {
		var got string
		for _, e := range datasetsWith(open, in).projections() {
			got += e.ID
		}
		if got != want {
			t.Errorf("with %q open, the outlook uses %s, not %s", open, got, want)
		}
	}
}

// A listing is used from its first fetch, or from today if it never had one; other sources from any
// time. An open dataset leaves out sources without a known licence.
func TestSourcesOfTheDatasetsOfVacancies(t *testing.T) {
	first := time.Date(2026, 5, 1, 6, 0, 0, 0, time.UTC)
	in := Inputs{SourceInfos: infos(), FirstFetchTime: func(source string) (time.Time, error) {
		if source == "no_summary" {
			return time.Time{}, nil
		}
		return first, nil
	}}
	in.SourceInfos[0].ListsLiveOnly, in.SourceInfos[1].ListsLiveOnly = true, true
	rows, err := datasetsWith("demand", in).sourceRows()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]int{}
	for _, r := range rows {
		used[r.Dataset]++
		want := map[string]time.Time{"open": first, "no_summary": asOf}[r.SourceKey]
		if (r.Since == nil) != (r.SourceKey == "unknown") || r.Since != nil && !r.Since.Equal(want) {
			t.Errorf("%s is used in %s since %v, not %s", r.SourceKey, r.Dataset, r.Since, want)
		}
	}
	if !maps.Equal(used, map[string]int{"demand": 2, "trends": 3, "reach": 3}) {
		t.Errorf("the numbers of sources are %v", used)
	}
	broken := errors.New("unreadable")
	in.FirstFetchTime = func(string) (time.Time, error) { return time.Time{}, broken }
	if _, err := datasetsWith("demand", in).sourceRows(); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

// A council's middle is that of its outline. Texts that are no outline, and lines, have none.
func TestMiddlesOfCouncils(t *testing.T) {
	boundary := func(code, text string) sources.Boundary {
		return sources.Boundary{Code: code, GeoJSON: []byte(text)}
	}
	got := councilMiddles([]sources.Boundary{
		boundary("E09000007", `{"type":"Polygon","coordinates":[[[-1,52],[1,52],[1,54],[-1,54],[-1,52]]]}`),
		boundary("E09000001", `{"type":"LineString","coordinates":[[0,52],[1,53]]}`),
		boundary("E09000002", `no outline`), boundary("E09000003", `null`)})
	if len(got) != 1 || got["E09000007"] != (orb.Point{0, 53}) {
		t.Errorf("the middles are %+v", got)
	}
}
