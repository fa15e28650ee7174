package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"labour/pipeline/counting"
	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/sources"
	"labour/sources/platform"
)

// encoded is the report as it is published.
func encoded(t *testing.T, r *Report) (public Report) {
	t.Helper()
	b, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &public); err != nil {
		t.Fatal(err)
	}
	return public
}

// Sources are sorted by key and samples by code, whatever the order of reading.
func TestReportsAreSorted(t *testing.T) {
	r := New(sources.Date{Year: 2026, Month: 11, Day: 20})
	for _, key := range []string{"c", "a", "b"} {
		r.AddFaults([]sources.Fault{{Source: key, Where: "2", Code: sources.FaultBadValue},
			{Source: key, Where: "1", Code: sources.FaultSchema}, {Source: key, Where: "1", Code: sources.FaultBadValue}})
	}
	var got []string
	for _, s := range encoded(t, r).Sources {
		for _, f := range s.Samples {
			got = append(got, fmt.Sprint(s.Source, f.Code, f.Where))
		}
	}
	want := []string{"abad_value2", "abad_value1", "aschema1", "bbad_value2", "bbad_value1", "bschema1", "cbad_value2",
		"cbad_value1", "cschema1"}
	if !slices.Equal(got, want) {
		t.Errorf("the samples are %q, want %q", got, want)
	}
	rules := counting.ExclusionRules()
	if len(r.Rules) != len(rules) || r.Rules[string(rules[0].Reason)] != rules[0].Sentence {
		t.Errorf("the rules are %v", r.Rules)
	}
}

// The number of faulty records about people is not published, but for its share of at least 1,000.
// Faults of whole files are.
func TestFaultsOfPeopleAreNotPublished(t *testing.T) {
	single := sources.Fault{Source: platform.Key, Object: "residents.ndjson", Where: "line 1", Code: sources.FaultSchema}
	for _, c := range []struct{ good, faulty, want int64 }{
		{989, 10, 0}, {990, 10, 1}, {981, 19, 1}, {980, 20, 2}, {0, 1000, 100}, {5000, 0, 0},
	} {
		r := New(sources.Date{})
		s := r.EnsureSource(platform.Key)
		for range c.good {
			s.AddRecord(sources.Resident{})
		}
		for range c.faulty {
			s.AddFault(single)
		}
		s.AddRecord(sources.Area{})
		public := encoded(t, r).Sources[0]
		if public.PeopleFaultyPct != c.want || len(public.Faults) != 0 || len(public.Samples) != 0 || public.Records != 1 {
			t.Errorf("%d good and %d faulty: %+v, want %d per cent", c.good, c.faulty, public, c.want)
		}
		if s.ReceivedRecords() != c.good+1 || s.Faults[sources.FaultSchema] != c.faulty {
			t.Errorf("%d good: %d received, faults %v", c.good, s.ReceivedRecords(), s.Faults)
		}
	}
	for name, c := range map[string]struct {
		fault sources.Fault
		shown bool
	}{
		"a resident":     {single, false},
		"an application": {sources.Fault{Source: platform.Key, Object: "applications.ndjson", Where: "1"}, false},
		"an event":       {sources.Fault{Source: platform.Key, Object: "events.ndjson", Where: "1"}, false},
		"an advert":      {sources.Fault{Source: platform.Key, Object: "adverts.ndjson", Where: "1"}, true},
		"a whole file":   {sources.Fault{Source: platform.Key, Object: "residents.ndjson"}, true},
		"another source": {sources.Fault{Source: "boards", Object: "residents.ndjson", Where: "1"}, true},
	} {
		r := New(sources.Date{})
		c.fault.Code = sources.FaultBadValue
		r.AddFaults([]sources.Fault{c.fault, c.fault})
		public := encoded(t, r).Sources[0]
		want := map[bool]map[sources.FaultCode]int64{true: {sources.FaultBadValue: 2}, false: {}}[c.shown]
		if !maps.Equal(public.Faults, want) || len(public.Samples) != int(want[sources.FaultBadValue]) {
			t.Errorf("a fault of %s: published are %v and %v, want %v", name, public.Faults, public.Samples, want)
		}
	}
}

// OnlySource built datasets and changed tables are entered. Unknown skills are counted.
func TestDatasetsAndChangesAreEntered(t *testing.T) {
	r := New(sources.Date{})
	r.AddEmbargoed([]snapshots.EmbargoedState{{Name: "demand", Rows: new(int64(7))}, {Name: "reach"},
		{Name: "trends", Rows: new(int64(0))}})
	if want := map[string]int64{"demand": 7, "trends": 0}; !maps.Equal(r.Embargoed, want) {
		t.Errorf("the datasets are %v, want %v", r.Embargoed, want)
	}
	added, same := diff.TableTotals{Table: "jobs", Added: 1}, diff.TableTotals{Table: "skills"}
	r.AddChanges([]diff.TableTotals{same, added})
	if len(r.Changes) != 1 || r.Changes[0].Table != "jobs" {
		t.Errorf("the changes are %+v, want those of jobs", r.Changes)
	}
	s := r.EnsureSource("boards")
	s.AddSkills(platform.KindResidents, 3, 1)
	s.AddSkills(platform.KindApplications, 1, 1)
	if s.UnknownSkills() != 2 || r.EnsureSource("boards") != s || len(r.Sources) != 1 {
		t.Errorf("%d unknown skills, want 2", s.UnknownSkills())
	}
}

// The rows of the embargoed datasets that were built are entered, and a report is read again from
// its folder.
func TestEmbargoedDatasetsAreEntered(t *testing.T) {
	r := &Report{Embargoed: map[string]int64{}}
	r.AddEmbargoed([]snapshots.EmbargoedState{{Name: "demand", Rows: new(int64(7))}, {Name: "trends"},
		{Name: "reach", Rows: new(int64(0))}})
	if want := map[string]int64{"demand": 7, "reach": 0}; !maps.Equal(r.Embargoed, want) {
		t.Errorf("entered are %v, want %v", r.Embargoed, want)
	}
	dir := t.TempDir()
	text := []byte(`{"only": "platform", "embargoed": {"demand": 7}}`)
	if err := os.WriteFile(filepath.Join(dir, snapshots.ReportFileName), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(dir); err != nil || got.OnlySource != "platform" || got.Embargoed["demand"] != 7 {
		t.Errorf("read is %+v, %v", got, err)
	}
}

// Each kind of records about people has a share of faulty ones of its own, since some runs do not read
// all kinds. The largest is shown, that of few records only as 0, 50 or 100.
func TestSharesOfPeopleAndOfEvents(t *testing.T) {
	for _, c := range []struct{ people, faultyPeople, events, faultyEvents, want int }{
		{2000, 0, 600, 400, 40}, {0, 0, 600, 400, 40}, {700, 300, 900, 100, 30}, {900, 100, 700, 300, 30},
		{600, 399, 600, 399, 0}, {400, 400, 2000, 0, 50},
		{0, 999, 2000, 0, 100}, {0, 19, 2000, 0, 0}, {0, 20, 2000, 0, 100}, {501, 498, 0, 0, 0},
	} {
		r := New(sources.Date{})
		s := r.EnsureSource(platform.Key)
		for range c.people {
			s.AddRecord(sources.Application{})
		}
		for range c.events {
			s.AddRecord(sources.Event{})
		}
		fault := sources.Fault{Source: platform.Key, Where: "line 1", Code: sources.FaultSchema}
		for object, n := range map[string]int{"applications.ndjson": c.faultyPeople, "events.ndjson": c.faultyEvents} {
			fault.Object = object
			for range n {
				s.AddFault(fault)
			}
		}
		public := encoded(t, r).Sources[0]
		if public.PeopleFaultyPct != int64(c.want) || len(public.Faults) != 0 ||
			s.ReceivedRecords() != int64(c.people+c.events) {
			t.Errorf("%+v: %d per cent of %d, faults %v", c, public.PeopleFaultyPct, s.ReceivedRecords(), public.Faults)
		}
	}
}
