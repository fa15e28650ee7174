package web

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/serve/web/changed"
	"labour/snapshots"
	"labour/snapshots/store"
)

// TestTheNextEditionFollowsAtTheUsualInterval: the newest date and the middle one of the last seven intervals, of two
// the longer. Several snapshots of a date are one. One date has no interval.
func TestTheNextEditionFollowsAtTheUsualInterval(t *testing.T) {
	for _, c := range []struct{ ids, want string }{
		{"", "0001-01-01"}, {"2026-11-20.1", "0001-01-01"}, {"2026-11-20.2 2026-11-20.1", "0001-01-01"},
		{"2026-11-20.1 2026-11-19.1", "2026-11-21"},
		{"2026-11-20.2 2026-11-20.1 2026-11-13.1", "2026-11-27"},
		{"2026-11-20.1 2026-11-19.1 2026-11-12.1", "2026-11-27"},              // 1 and 7
		{"2026-11-20.1 2026-11-19.1 2026-11-12.1 2026-11-11.1", "2026-11-21"}, // 1, 1 and 7
		{"2026-11-20.1 2026-11-19.1 2026-11-18.1 2026-11-17.1 2026-11-16.1 2026-11-14.1 " + // four of 1, three of 2,
			"2026-11-12.1 2026-11-10.1 2026-11-08.1 2026-11-06.1", "2026-11-21"}, // and older ones, which do not count
		{"2026-11-20.1 2026-11-19.1 2026-11-18.1 2026-11-17.1 2026-11-15.1 2026-11-13.1 " + // three of 1, four of 2,
			"2026-11-11.1 2026-11-09.1 2026-11-08.1 2026-11-07.1", "2026-11-22"}, // and older ones, which do not count
	} {
		var ids []snapshots.ID
		for id := range strings.FieldsSeq(c.ids) {
			ids = append(ids, snapshots.ID(id))
		}
		if got := nextEdition(ids).Format(time.DateOnly); got != c.want {
			t.Errorf("after %s the next is expected on %s, want %s", c.ids, got, c.want)
		}
	}
}

// TestAnEditionIsLateOnceItsDayIsOver, and the next figures about people are of the next quarter.
func TestAnEditionIsLateOnceItsDayIsOver(t *testing.T) {
	ids := []snapshots.ID{"2026-11-20.1", "2026-11-19.1"}
	s := recorded(&fixed{})
	site := siteOver(t)
	for _, c := range []struct {
		at       string
		ids      []snapshots.ID
		peopleTo string
		late     bool
		people   string
	}{
		{"2026-11-21T23:59:59Z", ids, "2026-09-30", false, "2026-12-31"},
		{"2026-11-22T00:00:00Z", ids, "2026-09-30", false, "2026-12-31"},
		{"2026-11-22T00:00:01Z", ids, "2026-06-30", true, "2026-09-30"},
		{"2027-01-20T00:00:01Z", ids, "2026-06-30", true, "2026-12-31"}, // those to September were never made
		{"2027-11-22T00:00:01Z", ids[:1], "", false, "0001-01-01"},
	} {
		v := visit(s, "/status")
		s.peopleTo = time.Time{}
		if c.peopleTo != "" {
			s.peopleTo = dayOf(c.peopleTo)
		}
		var err error
		if v.at, err = time.Parse(time.RFC3339, c.at); err != nil {
			t.Fatal(err)
		}
		n := site.nextOf(v, c.ids)
		if people := n.People.Format(time.DateOnly); n.Late != c.late || people != c.people ||
			n.Edition.IsZero() != (len(c.ids) < 2) {
			t.Errorf("%+v: %+v", c, n)
		}
	}
	s.people, s.peopleTo = api.People{Withdrawn: true}, dayOf("2026-09-30")
	if n := site.nextOf(visit(s, "/snapshots"), ids); !n.People.IsZero() || n.Edition.IsZero() {
		t.Errorf("without figures about people: %+v", n)
	}
	if n := site.nextOf(visit(nil, "/snapshots"), ids); !n.People.IsZero() || n.Edition.IsZero() {
		t.Errorf("without data: %+v", n)
	}
}

// siteOver returns a site over a new directory, which has the records of the given withdrawals.
func siteOver(t *testing.T, withdrawn ...store.Withdrawal) *Site {
	t.Helper()
	folder, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range withdrawn {
		b, err := json.Marshal(w)
		name := snapshots.WithdrawnFileName(snapshots.NewID(w.PeopleTo.AddDate(0, 0, 1), i+1))
		err = errors.Join(err, os.MkdirAll(folder.RootDir(), 0o700),
			os.WriteFile(filepath.Join(folder.RootDir(), name), b, 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	return &Site{Options: Options{Store: folder}}
}

// A quarter whose figures about people were made too early and withdrawn is not announced as the next, and is not
// overdue. A quarter that was withdrawn after it had ended is announced.
func TestQuartersMadeTooEarlyAreNotAnnounced(t *testing.T) {
	december := snapshots.Date{Time: dayOf("2026-12-31")}
	for at, people := range map[string]string{"2026-12-30": "2027-03-31", "2027-01-02": "2026-12-31"} {
		site := siteOver(t, store.Withdrawal{At: dayOf(at), Reason: "the clock was ahead", PeopleTo: &december})
		s := recorded(&fixed{asOf: dayOf("2027-01-20")})
		s.peopleTo = dayOf("2026-09-30")
		n := site.nextOf(visit(s, "/status"), nil)
		early := people == "2027-03-31"
		if n.People.Format(time.DateOnly) != people || n.LeftOut.Equal(december.Time) != early {
			t.Errorf("withdrawn on %s: %+v", at, n)
		}
		if got := overdue(visit(s, "/status"), n); got == early {
			t.Errorf("withdrawn on %s: overdue is %t", at, got)
		}
		for day, want := range map[string]bool{"2027-04-01": !early, "2027-04-03": !early, "2027-04-04": true} {
			s.asOf = dayOf(day)
			n := site.nextOf(visit(s, "/status"), nil)
			if got := overdue(visit(s, "/status"), n); got != want || n.LeftOut.Equal(december.Time) != early {
				t.Errorf("withdrawn on %s, on %s: overdue is %t, %+v", at, day, got, n)
			}
		}
	}
}

// TestFiguresAboutPeopleAreOverdue three days after the next quarter, on the day of the visit or, if the snapshot is
// of a later day, on that day. Data without people are never overdue.
func TestFiguresAboutPeopleAreOverdue(t *testing.T) {
	for _, c := range []struct {
		at, asOf, to string
		want         bool
	}{
		{"2027-01-03T23:59:59Z", "2026-11-20", "2026-09-30", false},
		{"2027-01-04T00:00:00Z", "2026-11-20", "2026-09-30", true},
		{"2026-11-20T09:00:00Z", "2027-01-04", "2026-09-30", true},
		{"2026-11-20T09:00:00Z", "2027-01-03", "2026-09-30", false},
		{"2027-01-04T09:00:00Z", "2026-11-20", "", false},
	} {
		s := recorded(&fixed{asOf: dayOf(c.asOf)})
		if c.to != "" {
			s.peopleTo = dayOf(c.to)
		}
		v := visit(s, "/status")
		v.at, _ = time.Parse(time.RFC3339, c.at)
		if got := overdue(v, siteOver(t).nextOf(v, nil)); got != c.want {
			t.Errorf("%+v: overdue is %t", c, got)
		}
	}
}

// TestAdvertsOfALateFeed: an edition whose feed was late counts adverts up to the last fetch, and an edition whose
// feed was fetched on its day or the day before counts up to its day.
func TestAdvertsOfALateFeed(t *testing.T) {
	manifest := func(asOf, fetched string) snapshots.Manifest {
		return snapshots.Manifest{AsOf: snapshots.Date{Time: dayOf(asOf)}, Inputs: []snapshots.ArchivedFetch{
			{Source: "platform", FetchedAt: dayOf(fetched)}, {Source: "employer_boards", FetchedAt: dayOf(asOf)}}}
	}
	before := manifest("2027-01-02", "2027-01-02")
	for _, c := range []struct{ fetched, want string }{
		{"2027-04-06", "The adverts are counted up to 6 April 2027; the edition before counted up to 2 January 2027."},
		{"2027-04-05", "The adverts are counted up to 6 April 2027; the edition before counted up to 2 January 2027."},
		{"2027-01-02", "The adverts are counted up to 2 January 2027, when the platform’s feed was last received; " +
			"the edition before counted up to 2 January 2027."},
	} {
		if got := newsOfAdverts(manifest("2027-04-06", c.fetched), &before); got != c.want {
			t.Errorf("fetched on %s: %q, want %q", c.fetched, got, c.want)
		}
	}
}

// TestNewsOfAnEdition: its dates, people, and the rows that differ in three of its tables.
func TestNewsOfAnEdition(t *testing.T) {
	day := func(text string) snapshots.Date { return snapshots.Date{Time: dayOf(text)} }
	totals := []changed.TableTotal{{Table: "skills", Kinds: map[string]int64{"added": 1}},
		{Table: "evidence", Kinds: map[string]int64{"added": 1, "changed": 2, "removed": 4}},
		{Table: "course_demand", Kinds: map[string]int64{"added": 1000, "changed": 200, "removed": 40}}}
	before := &snapshots.Manifest{AsOf: day("2026-11-19")}
	for _, c := range []struct {
		totals []changed.TableTotal
		before *snapshots.Manifest
		want   []string
	}{
		{nil, nil, []string{"The adverts are counted up to 20 November 2026.", "There are no figures about people yet."}},
		{totals[:1], before, []string{"The adverts are counted up to 20 November 2026; the edition before counted up to " +
			"19 November 2026.", "There are no figures about people yet.",
			"Figures of training, forecasts and evidence are the same."}},
		{totals, before, []string{"The adverts are counted up to 20 November 2026; the edition before counted up to " +
			"19 November 2026.", "There are no figures about people yet.",
			"Rows that differ: training 1,200 new or revised and 40 gone; evidence 3 new or revised and 4 gone."}},
	} {
		e := snapshotEntry{Manifest: snapshots.Manifest{AsOf: day("2026-11-20")}}
		if c.before != nil {
			e.Manifest.Previous = &snapshots.PreviousSnapshot{}
		}
		if got := newsOf(e, c.totals, c.before); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	september := day("2026-09-30")
	for want, skill := range map[string]string{"There are no figures about people: all of them were withdrawn.": "",
		"Figures about people are of the year to 30 September 2026.": "sql"} {
		m := snapshots.Manifest{PeopleAsOf: &september, PeopleWithdrawn: []snapshots.PeopleWithdrawal{{Skill: skill}}}
		if got := newsOfPeople(m, nil); got != want {
			t.Errorf("without people of %q: %q, want %q", skill, got, want)
		}
	}
}
