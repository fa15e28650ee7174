package measure

import (
	"strings"
	"testing"
)

// TestBenchReportWithAndWithoutDuckDB sums the stages up that both have, and leaves the
// comparison out where the pipeline was measured alone.
func TestBenchReportWithAndWithoutDuckDB(t *testing.T) {
	ours := measured{PeakMB: 7, Stages: []stage{{"fetch platform", 100, 100}, {"read platform", 6, 9}, {"sort people", 50, 50}, {"seal x", 2, 3}, {"check x", 9, 9}}}
	theirs := measured{PeakMB: 5, Stages: []stage{{"DuckDB alone: read adverts", 2, 4}, {"DuckDB alone: residents", 30, 30}}}
	for _, c := range []struct {
		name   string
		duckdb *measured
		says   string
		never  string
	}{
		{"alone", nil, "takes 8.0 s, 12.0 s of CPU time.", "DuckDB"},
		{"beside DuckDB", &theirs, "takes 8.0 s, 12.0 s of CPU time: 4.00 times the time of DuckDB alone, 3.00 times its CPU time.", "round"},
	} {
		one := round{Pipeline: ours, DuckDB: c.duckdb}
		one.compare()
		var out strings.Builder
		if err := newRunReport(madeWorld{}, []round{one}).write(&out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), c.says) || strings.Contains(out.String(), c.never) {
			t.Errorf("%s: printed\n%s\nwant %q and never %q", c.name, out.String(), c.says, c.never)
		}
	}
}

// TestBenchReportOfSeveralRounds prints the stages of each round and the median of each
// figure, which need not be of one round.
func TestBenchReportOfSeveralRounds(t *testing.T) {
	of := func(seconds, cpu float64) round {
		r := round{Pipeline: measured{Stages: []stage{{"read platform", seconds, cpu}}},
			DuckDB: &measured{Stages: []stage{{"DuckDB alone: read adverts", 2, 2}}}}
		r.compare()
		return r
	}
	var out strings.Builder
	if err := newRunReport(madeWorld{}, []round{of(9, 5), of(4, 6), of(6, 13)}).write(&out); err != nil {
		t.Fatal(err)
	}
	want := "takes 6.0 s, 6.0 s of CPU time: 3.00 times the time of DuckDB alone, 3.00 times its CPU time (medians of 3 rounds)."
	if !strings.Contains(out.String(), want) || strings.Count(out.String(), "read platform") != 3 {
		t.Errorf("printed\n%s\nwant the three rounds and %q", out.String(), want)
	}
}
