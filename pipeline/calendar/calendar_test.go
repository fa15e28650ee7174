package calendar

import (
	"testing"
	"time"

	"labour/sources"
)

func date(t *testing.T, s string) sources.Date {
	t.Helper()
	d, err := sources.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func moment(t *testing.T, s string) time.Time {
	t.Helper()
	if s == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestYearToLastQuarter(t *testing.T) {
	for _, c := range []struct{ asOf, from, to string }{
		{"2026-10-01", "2025-10-01", "2026-09-30"},
		{"2026-11-26", "2025-10-01", "2026-09-30"},
		{"2026-12-31", "2025-10-01", "2026-09-30"},
		{"2027-01-01", "2026-01-01", "2026-12-31"},
		{"2027-03-31", "2026-01-01", "2026-12-31"},
		{"2027-04-01", "2026-04-01", "2027-03-31"},
		{"2027-06-30", "2026-04-01", "2027-03-31"},
		{"2027-07-01", "2026-07-01", "2027-06-30"},
		{"2027-09-30", "2026-07-01", "2027-06-30"},
		{"2028-02-29", "2027-01-01", "2027-12-31"},
		{"2028-05-31", "2027-04-01", "2028-03-31"}, // a leap year has 366 days
	} {
		year := YearToLastQuarter(date(t, c.asOf))
		from, to := year.From, year.To
		if from.String() != c.from || to.String() != c.to {
			t.Errorf("as_of %s: %s to %s, want %s to %s", c.asOf, from, to, c.from, c.to)
		}
	}
}

// TestYearToLastQuarterOfEveryDay holds each day of ten years against the definition: the period ends on the
// last day of a quarter before the day, at most 92 days before it, and is a year long.
func TestYearToLastQuarterOfEveryDay(t *testing.T) {
	for d := date(t, "2020-01-01"); d.Before(date(t, "2030-01-01")); d = d.AddDays(1) {
		year := YearToLastQuarter(d)
		from, to := year.From, year.To
		next := to.AddDays(1)
		if next.Day != 1 || (next.Month-1)%3 != 0 || !to.Before(d) || to.AddDays(92).Before(d) {
			t.Fatalf("as_of %s: the quarter ends on %s", d, to)
		}
		if from.Day != 1 || from.Month != next.Month || from.Year != next.Year-1 {
			t.Fatalf("as_of %s: %s to %s is no year", d, from, to)
		}
		if before := yearToQuarterBefore(to).To; !before.Before(to) || before.AddDays(93).Before(to) {
			t.Fatalf("before the quarter to %s comes the one to %s", to, before)
		}
	}
}

func TestYearToNewestCompleteQuarter(t *testing.T) {
	for _, c := range []struct{ asOf, completeUntil, fetched, to string }{
		// Without a statement, 24 hours after the end of the quarter.
		{"2027-01-01", "", "2027-01-01T00:05:00Z", "2026-09-30"},
		{"2027-01-01", "", "2027-01-01T23:59:59Z", "2026-09-30"},
		{"2027-01-02", "", "2027-01-02T00:00:00Z", "2026-12-31"},
		{"2027-01-02", "", "2027-01-02T00:05:00Z", "2026-12-31"},
		{"2027-01-05", "", "2026-12-31T00:05:00Z", "2026-09-30"}, // the feed is down since
		{"2027-01-05", "", "2026-09-30T12:00:00Z", "2026-06-30"},
		{"2026-11-20", "", "2026-11-20T00:05:00Z", "2026-09-30"},
		// With one, that decides alone.
		{"2027-01-01", "2027-01-01T00:00:00Z", "2027-01-01T00:05:00Z", "2026-12-31"},
		{"2027-01-01", "2026-12-31T23:59:59Z", "2027-01-01T00:05:00Z", "2026-09-30"},
		{"2027-01-20", "2026-12-31T12:00:00Z", "2027-01-20T00:05:00Z", "2026-09-30"},
		{"2027-01-20", "2026-03-31T12:00:00Z", "2027-01-20T00:05:00Z", "2025-12-31"},
		// Nothing that is not closed on the day.
		{"2026-12-31", "2027-02-01T00:00:00Z", "2027-02-01T00:05:00Z", "2026-09-30"},
	} {
		year := YearToNewestCompleteQuarter(date(t, c.asOf), moment(t, c.completeUntil), moment(t, c.fetched))
		from, to := year.From, year.To
		if to.String() != c.to {
			t.Errorf("as_of %s, complete until %q, fetched %s: to %s, want %s", c.asOf, c.completeUntil, c.fetched, to,
				c.to)
		}
		if want := YearToLastQuarter(to.AddDays(1)).From; from != want {
			t.Errorf("the quarter to %s begins on %s, want %s", to, from, want)
		}
	}
}

// TestLongestWindow: 24 calendar months. The month of the date is the last.
func TestLongestWindow(t *testing.T) {
	for asOf, from := range map[string]string{"2026-11-20": "2024-12-01", "2026-11-01": "2024-12-01",
		"2027-01-31": "2025-02-01", "2028-02-29": "2026-03-01"} {
		w := LongestWindow(date(t, asOf))
		if w.From.String() != from || w.To.String() != asOf {
			t.Errorf("the longest window to %s: %s to %s, want from %s", asOf, w.From, w.To, from)
		}
	}
}

func TestDue(t *testing.T) {
	for _, c := range []struct {
		level Cadence
		want  string
	}{
		{EveryMinute, "minute"},
		{EveryDay, "minute day"},
		{EveryQuarter, "minute day quarter"},
	} {
		got := ""
		for _, due := range []Cadence{EveryMinute, EveryDay, EveryQuarter} {
			if due.IsDueAt(c.level) {
				got += " " + due.String()
			}
		}
		if got != " "+c.want {
			t.Errorf("at a run of level %s these are due:%s", c.level, got)
		}
	}
}

func TestAgeInDays(t *testing.T) {
	for _, c := range []struct {
		had, asOf string
		want      int
	}{
		{"2026-11-20T23:59:59Z", "2026-11-20", 0},
		{"2026-11-20T23:59:59Z", "2026-11-21", 1},
		{"2026-11-20T00:00:00Z", "2026-11-21", 1},
		{"2028-02-28T06:00:00Z", "2028-03-01", 2},      // a leap year
		{"2026-11-20T06:00:00Z", "2026-11-19", 0},      // a date before it was had
		{"2026-11-21T00:30:00+01:00", "2026-11-21", 1}, // it is 20 November in UTC
	} {
		if got := AgeInDays(moment(t, c.had), date(t, c.asOf)); got != c.want {
			t.Errorf("had %s, as_of %s: %d days, want %d", c.had, c.asOf, got, c.want)
		}
	}
}

func TestLastShown(t *testing.T) {
	for _, c := range []struct{ fetched, asOf, want string }{
		{"2026-11-18T06:00:00Z", "2026-11-20", "2026-11-18"},
		{"2026-11-19T06:00:00Z", "2026-11-20", "2026-11-19"},
		{"2026-11-20T06:00:00Z", "2026-11-20", "2026-11-19"}, // closed on the day of the newest list
		{"2027-01-01T06:00:00Z", "2027-01-01", "2026-12-31"},
		{"2026-11-25T06:00:00Z", "2026-11-20", "2026-11-19"},
	} {
		if got := LastListedDay(moment(t, c.fetched), date(t, c.asOf)); got.String() != c.want {
			t.Errorf("fetched %s, as_of %s: %s, want %s", c.fetched, c.asOf, got, c.want)
		}
	}
}

// An output whose cadence was forgotten has none, and is not taken for one of every minute.
func TestCadence(t *testing.T) {
	for c, want := range map[Cadence]string{0: "Cadence(0)", EveryMinute: "minute", EveryDay: "day",
		EveryQuarter: "quarter"} {
		if got := c.String(); got != want {
			t.Errorf("%d is %s, want %s", c, got, want)
		}
	}
	if !EveryMinute.IsDueAt(EveryDay) || !EveryDay.IsDueAt(EveryDay) || EveryQuarter.IsDueAt(EveryDay) {
		t.Errorf("due at a whole run: %t %t %t", EveryMinute.IsDueAt(EveryDay), EveryDay.IsDueAt(EveryDay),
			EveryQuarter.IsDueAt(EveryDay))
	}
}

// A week goes from Monday to Sunday, also over the end of a year.
func TestWeeksBeginOnMonday(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"2026-11-23", "2026-11-29", true}, {"2026-11-22", "2026-11-23", false},
		{"2026-11-29", "2026-11-30", false}, {"2026-12-28", "2027-01-03", true},
		{"2027-01-03", "2027-01-04", false}, {"2026-11-24", "2025-11-18", false},
		{"2026-06-01", "2025-06-02", false}, // the week has the same number
	} {
		a, b := date(t, c.a), date(t, c.b)
		if IsSameWeek(a, b) != c.want || IsSameWeek(b, a) != c.want {
			t.Errorf("%s and %s: want %t", c.a, c.b, c.want)
		}
	}
}

// TestLevelsOfRuns: a light run builds only what is due each minute. A whole run builds the counts of
// people only if it has no snapshot to copy them from.
func TestLevelsOfRuns(t *testing.T) {
	for _, c := range []struct {
		isWhole, copiesPeople bool
		want                  Cadence
	}{{false, true, EveryMinute}, {true, true, EveryDay}, {true, false, EveryQuarter}} {
		if got := RunLevel(c.isWhole, c.copiesPeople); got != c.want {
			t.Errorf("whole %v, copied %v: the level is %s, want %s", c.isWhole, c.copiesPeople, got, c.want)
		}
	}
}

// TestPeriodOfNoTime: only the period without days is none.
func TestPeriodOfNoTime(t *testing.T) {
	day := date(t, "2026-11-20")
	if !(Period{}).IsZero() || (Period{From: day, To: day}).IsZero() {
		t.Error("one day is a period, and no day is none")
	}
}
