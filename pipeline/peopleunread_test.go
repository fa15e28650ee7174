package pipeline

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/sources"
)

// friday and monday are days after the figures of people were published on Thursday, 19 November:
// residents and applications are not read on Friday, and on Monday only to report what is wrong in them.
var (
	friday = time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	monday = time.Date(2026, 11, 23, 6, 0, 0, 0, time.UTC)
)

const oneSite = `{"id":"s-1","borough":"camden","obligations":9,"jobs_created":9,"apprenticeships_started":9,` +
	`"local_people_employed":9,"training_places":9,"contributions_gbp":9}` + "\n"

// clicks returns lines of the file of events: good ones, and lines that are no events.
func clicks(good, bad int) string {
	var out strings.Builder
	for i := range good {
		fmt.Fprintf(&out, `{"id":"ev-%d","type":"click.recorded","occurred_at":"2026-11-10T05:00:00Z",`+
			`"borough":"camden"}`+"\n", i)
	}
	return out.String() + strings.Repeat("{}\n", bad)
}

// sites returns the number of rows of s106 with an obligation.
func (s *small) sites(id snapshots.ID) (n int) {
	for _, row := range rowsOf[snapshots.S106Row](s, Result{ID: id}, "s106") {
		if row.Obligations > 0 {
			n++
		}
	}
	return n
}

// TestFaultsOfPeopleReachNoOtherTable: whether residents and applications are read, and what is wrong in
// them or in events, changes no other table, and every snapshot is made again as it was.
func TestFaultsOfPeopleReachNoOtherTable(t *testing.T) {
	for name, change := range map[string]func(*small){
		"residents that are none": func(s *small) { s.feed["residents.ndjson"] = strings.Repeat("x\n", 10_100) },
		"events that are none":    func(s *small) { s.feed["events.ndjson"] = clicks(0, 10_001) },
	} {
		s := newSmall(t)
		s.drift = "checks: {max_faulty_pct: 100}\n"
		s.feed["s106.ndjson"] = oneSite
		s.turnedDown(40)
		s.run()
		change(s)
		for _, s.clock = range []time.Time{friday, monday} {
			r, err := s.runOnly("")
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if n := s.sites(r.ID); n == 0 {
				t.Errorf("%s: s106 has no site on %s", name, s.clock.Weekday())
			}
			s.notMade(r.ID)
		}
	}
}

// TestDamagedPeopleChangeNoOtherTable: while figures of people are carried, an archived file of residents
// that is damaged changes no other table: the newest adverts are listed, also on the day on which
// residents are read to check them. The snapshots, and those of light runs, are made again from what
// they were read from.
func TestDamagedPeopleChangeNoOtherTable(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	s.run()
	s.feed["residents.ndjson"] += `{"id":"new","borough":"camden","seeking_work":true}` + "\n"
	s.feed["adverts.ndjson"] = strings.Replace(s.feed["adverts.ndjson"], "ad-0", "ad-99", 1)
	s.run()
	s.damage("residents.ndjson")
	for _, s.clock = range []time.Time{friday.AddDate(0, 0, 1), monday} {
		o := *s.last
		o.AsOf = sources.DateOf(s.clock)
		built, err := Build(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var jobs []string
		for _, j := range rowsOf[snapshots.JobsRow](s, Result{ID: built.ID}, "jobs") {
			jobs = append(jobs, j.ID)
		}
		if text := strings.Join(jobs, " "); !strings.Contains(text, "ad-99") || strings.Contains(text, "ad-0") {
			t.Errorf("%s: the jobs are %s", s.clock.Weekday(), text)
		}
		damaged := built.Report.EnsureSource("platform").Faults[sources.FaultDamaged]
		if want := s.clock == monday; (damaged > 0) != want {
			t.Errorf("%s: %d damaged files are reported, want some: %t", s.clock.Weekday(), damaged, want)
		}
		s.notMade(built.ID)
	}
	s.notMade(s.light().ID)
}

// TestShareOfFaultyEvents: the share of faulty events is judged by itself, so that it does not depend on
// whether residents are read.
func TestShareOfFaultyEvents(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(1000)
	s.run()
	s.feed["events.ndjson"] = clicks(700, 400)
	for _, s.clock = range []time.Time{friday, monday} {
		_, err := s.runOnly("")
		var refused *RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "36 % of its records about people are faulty") {
			t.Errorf("%s: %v", s.clock.Weekday(), err)
		}
	}
}

// TestTruncatedPeopleAreRefused: figures of people are not made from a file that breaks off, compressed
// or not. The report does not tell how many lines the file has.
func TestTruncatedPeopleAreRefused(t *testing.T) {
	for _, name := range []string{"residents.ndjson", "applications.ndjson", "events.ndjson"} {
		for form, cut := range map[string]func(string) string{
			"compressed": func(text string) string {
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
					t.Fatal(err)
				}
				return string(b.Bytes()[:b.Len()/2])
			},
			"plain": func(text string) string { return text[:len(text)-20] },
		} {
			s := newSmall(t)
			s.turnedDown(321)
			s.feed["events.ndjson"] = clicks(321, 0)
			s.feed[name] = cut(s.feed[name])
			r, err := s.runOnly("")
			var refused *RefusedError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), name+" breaks off") {
				t.Errorf("%s, %s: %v", name, form, err)
				continue
			}
			text, err := os.ReadFile(filepath.Join(s.store().SnapshotDir(r.ID), "report.json"))
			if err != nil || strings.Contains(string(text), `"line `) {
				t.Errorf("%s, %s: the report names a line (%v):\n%s", name, form, err, text)
			}
		}
	}
}

// TestFiguresOfAQuarterNeedItsFeed: if the fetch that completes a quarter is damaged, the figures stay
// those of the quarter before: they are not made from the older fetch that is read instead.
func TestFiguresOfAQuarterNeedItsFeed(t *testing.T) {
	s := newSmall(t)
	s.clock = time.Date(2026, 9, 20, 6, 0, 0, 0, time.UTC)
	s.turnedDown(40)
	s.run()
	s.clock = time.Date(2026, 10, 5, 6, 0, 0, 0, time.UTC)
	s.turnedDown(90)
	for name, lines := range s.feed {
		file := filepath.Join(s.last.Config.Platform.FeedAddress, name)
		if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Fetch(t.Context(), *s.last); err != nil {
		t.Fatal(err)
	}
	s.damage("residents.ndjson")
	o := *s.last
	o.AsOf = sources.DateOf(s.clock)
	built, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if p := s.manifest(Result{ID: built.ID}).People; p == nil || p.To.String() != "2026-06-30" {
		t.Errorf("the figures are %+v, want those to June", p)
	}
}
