package dashboard

import (
	"slices"
	"testing"
	"time"

	"labour/serve/partners/usage"
	"labour/serve/web/chart"
)

// TestColumnsOfAPeriod: each column has its calls, every second one here its time, and the total is
// that of all.
func TestColumnsOfAPeriod(t *testing.T) {
	var parts []usage.PeriodCount
	for hour := range 3 {
		parts = append(parts, usage.PeriodCount{Start: time.Date(2026, 11, 20, hour, 0, 0, 0, time.UTC),
			Calls: int64(10 + hour)})
	}
	columns, calls := columnsOf(parts, 2, "15:04")
	want := []chart.Column{{Label: "00:00", Value: 10}, {Value: 11}, {Label: "02:00", Value: 12}}
	if !slices.Equal(columns, want) || calls != 33 {
		t.Errorf("%+v with %d calls, want %+v with 33", columns, calls, want)
	}
}
