package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
)

// TestFirstRunWithoutACompleteFetch: the first run of a data directory makes no figures of people if a
// file of the feed could not be fetched. The snapshot says so and can be made again. The next run with
// every file makes the quarter of everybody.
func TestFirstRunWithoutACompleteFetch(t *testing.T) {
	for _, late := range []string{"applications-2.ndjson", "adverts-2.ndjson"} {
		s := newSmall(t)
		s.clock = october
		s.turnedDown(90)
		lines := strings.SplitAfter(s.feed["applications.ndjson"], "\n")
		second := map[string]string{"applications-2.ndjson": strings.Join(lines[40:], "")}[late]
		s.feed["applications.ndjson"] = strings.TrimSuffix(s.feed["applications.ndjson"], second)
		s.feed["index.json"] = fmt.Sprintf(`{"files":["boroughs.ndjson","adverts.ndjson","residents.ndjson",`+
			`"applications.ndjson",%q]}`, late)
		first := s.run()
		if !slices.Equal(first.FailedSources, []string{"platform"}) {
			t.Errorf("without %s failed are %v, want the platform", late, first.FailedSources)
		}
		s.hasNoPeople(first)
		if late == "applications-2.ndjson" {
			s.hasNoPeople(s.light())
			s.clock = s.clock.AddDate(0, 0, 1)
			s.hasNoPeople(s.run())
		}

		s.feed[late] = second
		r := s.run()
		if p := s.manifest(r).People; p == nil || p.To.String() != "2026-09-30" || p.FirstSnapshot != r.ID {
			t.Errorf("with %s the figures are %+v, want those to September", late, p)
		}
		if n := s.candidates(r)["all"]; n != "90" || shownPeople(s, r) == "" {
			t.Errorf("with %s %s people are candidates, want 90; turned down: %s", late, n, shownPeople(s, r))
		}
		if strings.Contains(strings.Join(r.Report.Remarks, ""), "no figures of people") {
			t.Errorf("with %s the remarks are %v", late, r.Report.Remarks)
		}
	}
}

// hasNoPeople checks a snapshot without figures of people, and that it can be made again.
func (s *small) hasNoPeople(r Result) {
	s.t.Helper()
	m := s.manifest(r)
	if m.People != nil || m.PeopleAsOf != nil {
		s.t.Errorf("%s has figures of people to %v: %+v", r.ID, m.PeopleAsOf, m.People)
	}
	for _, name := range snapshots.PeopleTables() {
		if table, _ := m.Table(name); table.Rows != 0 {
			s.t.Errorf("%s has %d rows of %s", r.ID, table.Rows, name)
		}
	}
	if adverts, _ := m.Table("adverts"); adverts.Rows == 0 {
		s.t.Errorf("%s has no adverts", r.ID)
	}
	if !strings.Contains(strings.Join(r.Report.Remarks, ""), "there are no figures of people yet") {
		s.t.Errorf("the remarks of %s are %v", r.ID, r.Report.Remarks)
	}
	s.notMade(r.ID)
}
