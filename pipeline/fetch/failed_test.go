package fetch

import (
	"slices"
	"testing"

	"labour/pipeline/report"
	"labour/sources"
)

// TestFailedSources holds which sources make a run end with the status of a part that failed: those that
// could not be fetched, in part or whole, and those read now whose archived bytes are damaged. What is
// taken over from the snapshot before was not read, and old damage in it is not this run's.
func TestFailedSources(t *testing.T) {
	damaged := map[sources.FaultCode]int64{sources.FaultDamaged: 1}
	fault := []sources.Fault{{Code: sources.FaultSchema}}
	for _, c := range []struct {
		name    string
		fetched []report.FetchResult
		read    []report.SourceEntry
		want    []string
	}{
		{"nothing", []report.FetchResult{{Source: "a"}}, []report.SourceEntry{{Source: "a"}}, nil},
		{"an error of fetching", []report.FetchResult{{Source: "b", Err: "no answer"}, {Source: "a"}}, nil, []string{"b"}},
		{"a part that failed", []report.FetchResult{{Source: "a", Faults: fault}}, nil, []string{"a"}},
		{"damaged", nil, []report.SourceEntry{{Source: "a", Faults: damaged}}, []string{"a"}},
		{"damaged before, and taken over", nil, []report.SourceEntry{{Source: "a", Faults: damaged, TakenOver: true}}, nil},
		{"another fault of reading", nil,
			[]report.SourceEntry{{Source: "a", Faults: map[sources.FaultCode]int64{sources.FaultSchema: 9}}}, nil},
		{"one source twice, in order", []report.FetchResult{{Source: "b", Err: "x"}, {Source: "a", Err: "x"}},
			[]report.SourceEntry{{Source: "b", Faults: damaged}}, []string{"a", "b"}},
	} {
		r := &report.Report{}
		for i := range c.read {
			r.Sources = append(r.Sources, &c.read[i])
		}
		if got := FailedSources(c.fetched, r); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
