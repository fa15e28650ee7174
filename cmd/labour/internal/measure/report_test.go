package measure

import (
	"strings"
	"testing"
)

// TestBenchReportWithAndWithoutDuckDB sums the stages up that both have, and leaves the
// comparison out where the pipeline was measured alone.
func TestBenchReportWithAndWithoutDuckDB(t *testing.T) {
	ours := measured{PeakMB: 7, Stages: []stage{{"fetch platform", 100, 100}, {"read platform", 6, 9}, {"mask people", 50, 50}, {"seal x", 2, 3}, {"check x", 9, 9}}}
	theirs := measured{PeakMB: 5, Stages: []stage{{"DuckDB alone: read adverts", 2, 4}, {"DuckDB alone: residents", 30, 30}}}
	for _, c := range []struct {
		name   string
		duckdb *measured
		says   string
		never  string
	}{
		{"alone", nil, "takes 8.0 s, 12.0 s of a processor.", "DuckDB"},
		{"beside DuckDB", &theirs, "takes 8.0 s, 12.0 s of a processor: 4.00 times the time of DuckDB alone, 3.00 times its processor time.", "NaN"},
	} {
		r := runReport{Pipeline: ours, DuckDB: c.duckdb}
		r.compare()
		var out strings.Builder
		if err := r.write(&out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), c.says) || strings.Contains(out.String(), c.never) {
			t.Errorf("%s: printed\n%s\nwant %q and never %q", c.name, out.String(), c.says, c.never)
		}
	}
}
