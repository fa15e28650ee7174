package web

import (
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
)

// Months and quarters after the last receipt of the platform's feed are not received. While the feed is received,
// they have too few adverts.
func TestMonthsAfterTheLastReceipt(t *testing.T) {
	received := time.Date(2027, 1, 2, 5, 0, 0, 0, time.UTC)
	for _, stale := range []bool{true, false} {
		s := recorded(&fixed{asOf: dayOf("2027-04-06"), quarters: []api.Quarter{{From: dayOf("2026-01-01")}}})
		s.sources = []api.SourcesRow{{Key: api.PlatformKey, Stale: stale,
			LastSuccessAt: api.NullableTimestamp{T: &received}}}
		v := visit(s, "/changes")
		if m := moversOf(v, filter{}); !m.Few || m.NotReceived != stale {
			t.Errorf("late %v: %+v", stale, m)
		}
		january := "2027-01"
		rows := []bucketRow{{SkillsUnmetRow: api.SkillsUnmetRow{Bucket: &january}}}
		months := monthsOf(rows, s.asOf, lastAdvertsDay(v, filter{}))
		soFar, points := "", 4
		if stale {
			soFar, points = "to 2 Jan", 1
		}
		if months[0].NotReceived || months[1].NotReceived != stale || months[0].SoFar != soFar {
			t.Errorf("late %v: %+v", stale, months)
		}
		until := lastAdvertsDay(v, filter{})
		if line := trendPoints(v, filter{}, &skillView{Rows: rows}, "month", until); len(line) != points {
			t.Errorf("late %v: the line has the points %+v", stale, line)
		}
		if last := months[len(months)-1]; stale && last.SoFar != "" {
			t.Errorf("a month that was not received is described as known in part: %+v", last)
		}
		if span := spanOf("month", until, s.asOf); strings.Contains(span, "to 2 January 2027") != stale {
			t.Errorf("late %v: the note speaks of the time %s", stale, span)
		}
		if day := lastAdvertsDay(v, filter{Source: "employer_boards"}); !day.Equal(s.asOf) {
			t.Errorf("late %v: adverts of another source were received to %s", stale, day)
		}
	}
}

// TestAdvertsOfLateParts: a feed whose adverts are late has none after their last delivery, although its other
// files were received today.
func TestAdvertsOfLateParts(t *testing.T) {
	today, september := dayOf("2027-04-06"), dayOf("2026-09-02")
	s := recorded(&fixed{asOf: today})
	row := api.SourcesRow{Key: api.PlatformKey, Cadence: api.Daily}
	row.SetFreshness([]snapshots.FreshnessRow{{Part: "adverts.ndjson", LastSuccessAt: &september},
		{Part: "index.json", LastSuccessAt: &today}}, today.AddDate(0, 0, 1))
	s.sources = []api.SourcesRow{row}
	if day := lastAdvertsDay(visit(s, "/changes"), filter{}); !day.Equal(september) {
		t.Errorf("the adverts are to %s, want %s", day, september)
	}
}
