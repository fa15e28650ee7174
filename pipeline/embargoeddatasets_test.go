package pipeline

import (
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// embargoedRowsOf reads an embargoed dataset of the snapshot that a run has made.
func embargoedRowsOf[T any](s *small, r Result, name string) []T {
	s.t.Helper()
	store, err := store.Open(s.data)
	if err != nil {
		s.t.Fatal(err)
	}
	rows, err := parquetio.ReadAll[T](snapshots.JoinPath(store.SnapshotDir(r.ID), snapshots.EmbargoedFileName(name)))
	if err != nil {
		s.t.Fatal(err)
	}
	return rows
}

// TestDemandCountsWhatMayBeShared: "Counts from shareable sources only". Five adverts
// are live throughout; each of the others is live on some days, or on none.
func TestDemandCountsWhatMayBeShared(t *testing.T) {
	s := newSmall(t)
	chef := func(id, change string) string {
		if !strings.Contains(change, "posted_on") {
			change += `,"posted_on":"2026-10-05"`
		}
		return advertLine(id, `"soc":"5434"`+change)
	}
	var adverts []string
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		adverts = append(adverts, chef(id, `,"posted_on":"2026-10-01"`))
	}
	adverts = append(adverts,
		chef("closed", `,"closes_on":"2026-10-20"`),
		chef("closes-later", `,"closes_on":"2027-01-01","posted_on":"2026-11-10"`),
		chef("unlisted", `,"unlisted":true`), chef("board", `,"imported_from":"employer_board"`),
		chef("job-board", `,"imported_from":"job_board"`),
		chef("tomorrow", `,"posted_on":"2026-11-20"`),
		chef("twice-1", `,"requisition":"R1","posted_on":"2026-10-10","closes_on":"2026-10-12"`),
		strings.Replace(chef("twice-2", `,"requisition":"R1","posted_on":"2026-10-11","closes_on":"2026-10-15"`),
			`"employer":"Employer twice-2","title":"Chef twice-2"`,
			`"employer":"Employer twice-1","title":"Chef twice-1"`, 1))
	s.feed["adverts.ndjson"] = strings.Join(adverts, "")
	want := map[string]int32{}
	add := func(from, to string) {
		first, err := time.Parse(time.DateOnly, from)
		if err != nil {
			t.Fatal(err)
		}
		for day := first; day.Format(time.DateOnly) <= to; day = day.AddDate(0, 0, 1) {
			want[day.Format(time.DateOnly)]++
		}
	}
	for range 5 {
		add("2026-10-01", "2026-11-19")
	}
	add("2026-10-05", "2026-10-20")
	add("2026-11-10", "2026-11-19")
	add("2026-10-10", "2026-10-15") // one vacancy, live from its first advert to its last
	got := map[string]int32{}
	r := s.run()
	for _, row := range embargoedRowsOf[snapshots.DemandRow](s, r, "demand") {
		if row.SOC != "5434" || row.Occupation == "" || row.SourceKeys != "platform" {
			t.Errorf("%+v", row)
		}
		got[row.Day.Format(time.DateOnly)] = row.Vacancies
	}
	if len(got) != len(want) {
		t.Errorf("%d days, want %d", len(got), len(want))
	}
	for day, n := range want {
		if got[day] != n {
			t.Errorf("%s: %d vacancies, want %d", day, got[day], n)
		}
	}
	if rows := embargoedRowsOf[snapshots.TrendsRow](s, r, "trends"); len(rows) != 0 {
		t.Errorf("a trend without a year before: %+v", rows)
	}
}
