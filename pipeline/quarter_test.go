package pipeline

import (
	"context"
	"strings"
	"testing"
	"time"

	"labour/sources"
)

// TestQuarterWaitsForTheFeed: figures of a quarter are made of an extract that is known to hold it
// whole, whenever that comes. A feed that is down on the first days, or that was exported before the
// quarter ended, leaves the quarter before in print, and then the figures are those of a feed that
// never failed.
func TestQuarterWaitsForTheFeed(t *testing.T) {
	january := func(d int) time.Time { return time.Date(2027, 1, d, 0, 10, 0, 0, time.UTC) }
	world := func() *small {
		s := newSmall(t)
		s.turnedDown(40)
		s.run() // 19 November: the quarter to September
		s.turnedDown(90)
		return s
	}
	to := func(s *small, r Result) string { return s.manifest(r).People.To.String() }

	right := world()
	right.clock = january(2)
	r := right.run()
	if got := to(right, r); got != "2026-12-31" {
		t.Fatalf("on 2 January the figures are to %s", got)
	}
	want := shownPeople(right, r)

	early := world()
	early.clock = january(1) // exported at once: 24 hours have not passed
	if got := to(early, early.run()); got != "2026-09-30" {
		t.Errorf("on 1 January the figures are to %s", got)
	}
	early.clock = january(1).Add(8 * time.Hour)
	const late = "known to contain everything to 2026-12-31"
	for day, want := range []bool{false, true} { // a light run keeps the date of 1 January
		early.clock = january(1 + 4*day).Add(8 * time.Hour)
		r := early.light()
		if overdue := strings.Contains(strings.Join(r.Report.Remarks, " "), late); overdue != want {
			t.Errorf("a light run on %s: remarks %q", early.clock, r.Report.Remarks)
		}
	}

	down := world()
	down.clock = january(1)
	down.turnedDown(50) // what the feed gave on 1 January is not the last word
	down.run()
	down.turnedDown(90)
	feed := *down.last
	for day := 3; day <= 4; day++ { // the last day without a remark, and the first with one
		o, c := feed, *feed.Config
		c.Platform.FeedAddress = t.TempDir() + "/gone"
		o.Config, o.AsOf, o.Now = &c, sources.DateOf(january(day)), func() time.Time { return january(day) }
		r, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := to(down, r); got != "2026-09-30" {
			t.Errorf("on %d January, with a feed that is down, the figures are to %s", day, got)
		}
		overdue := strings.Contains(strings.Join(r.Report.Remarks, " "), late)
		if overdue != (day > 3) {
			t.Errorf("on %d January: remarks %q", day, r.Report.Remarks)
		}
	}
	for name, s := range map[string]*small{"exported early": early, "down for days": down} {
		s.clock = january(6)
		r := s.run()
		if got := to(s, r); got != "2026-12-31" {
			t.Errorf("%s: on 6 January the figures are to %s", name, got)
		}
		if got := shownPeople(s, r); got != want {
			t.Errorf("%s: other figures than of a feed that never failed:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestPastDayHasTheQuarterOfThatDay builds days before and after the figures of a quarter could be made:
// what was not known by the end of a day is not printed for it, whatever is in print by now, and what was
// known is the figures that are in print.
func TestPastDayHasTheQuarterOfThatDay(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	first := s.run() // 19 November: the quarter to September
	s.turnedDown(90)
	var made Result
	for day := range 4 {
		s.clock = time.Date(2027, 1, 1+day, 0, 10, 0, 0, time.UTC)
		r := s.run()
		if day == 1 { // the first extract that is known to hold the quarter
			made = r
		}
	}
	for day, want := range map[int]Result{1: first, 2: made, 3: made} {
		o := *s.last
		o.AsOf, o.Now = sources.Date{Year: 2027, Month: 1, Day: day}, func() time.Time { return s.clock }
		built, err := Build(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		r := Result{ID: built.ID, Report: built.Report}
		if s.peopleFiles(r) != s.peopleFiles(want) {
			t.Errorf("as_of %d January: the figures are to %s and not those of %s", day, s.manifest(r).People.To, want.ID)
		}
		s.notMade(r.ID)
	}
}
