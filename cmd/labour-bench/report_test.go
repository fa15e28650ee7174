package main

import (
	"strings"
	"testing"
)

// TestBenchReport sums the stages up between the fetched files and the sealed snapshot.
func TestBenchReport(t *testing.T) {
	m := pipelineResult{PeakMB: 7, People: map[string]int64{"number": 3, "under_5": 1},
		Stages: []stage{{"read platform", 6, 9}, {"sort people", 50, 50}, {"seal x", 2, 3}, {"check x", 9, 9}}}
	var out strings.Builder
	if err := printText(&out, "run", newRunReport(madeWorld{}, m)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"takes 8.0 s, 12.0 s of CPU time.", "Peak memory 7 MB",
		"People: 50.0 s, 75 % of the run. Of 4 printed figures, 3 are a number and 1 \"<5\"."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("printed\n%s\nwant %q", out.String(), want)
		}
	}
}
