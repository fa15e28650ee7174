package report

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

// No file of a snapshot counts faulty records about people: it has a share of many. Those of
// adverts and of whole files stay, and the run's own report has all.
func TestFaultsOfRecordsAboutPeople(t *testing.T) {
	for records, pct := range map[int]int64{100: 0, 997: 0, 20: 0, 2_000: 0, 27: 0} {
		faultsOf(t, records, 3, pct)
	}
	faultsOf(t, 900, 100, 10)
	faultsOf(t, 900, 99, 0)
}

func faultsOf(t *testing.T, records, faulty int, pct int64) {
	t.Helper()
	r := New(sources.Date{Year: 2026, Month: 11, Day: 20})
	s := r.EnsureSource(platform.Key)
	for range records {
		s.AddRecord(sources.Resident{})
	}
	for range faulty {
		s.AddFault(sources.Fault{Source: platform.Key, Object: "residents.ndjson", Where: "line 7",
			Code: sources.FaultSchema})
	}
	s.AddFault(sources.Fault{Source: platform.Key, Object: "adverts.ndjson", Where: "line 1", Code: sources.FaultSchema})
	s.AddFault(sources.Fault{Source: platform.Key, Object: "residents.ndjson", Code: sources.FaultFileMissing})
	text, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var sealed Report
	if err := json.Unmarshal(text, &sealed); err != nil {
		t.Fatal(err)
	}
	got := sealed.Sources[0]
	if got.Faults[sources.FaultSchema] != 1 || got.Faults[sources.FaultFileMissing] != 1 || len(got.Samples) != 2 {
		t.Errorf("the sealed report has %v and %+v", got.Faults, got.Samples)
	}
	if got.PeopleFaultyPct != pct {
		t.Errorf("%d of %d are faulty: %d per cent", faulty, records+faulty, got.PeopleFaultyPct)
	}
	if s.Faults[sources.FaultSchema] != int64(faulty)+1 {
		t.Errorf("the run counts %v", s.Faults)
	}
}

// An application whose advert or resident is missing is read and faulty: the share is of all lines.
func TestShareOfApplicationsWithoutAnother(t *testing.T) {
	for _, c := range []struct{ read, missing, refused, want int }{
		{1000, 260, 0, 26}, {1000, 1000, 0, 100}, {900, 200, 100, 30}, {999, 600, 0, 50}, {19, 19, 0, 0}, {20, 20, 0, 100},
	} {
		r := New(sources.Date{})
		s := r.EnsureSource(platform.Key)
		for range c.read {
			s.AddRecord(sources.Application{})
		}
		one := sources.Fault{Source: platform.Key, Object: "applications.ndjson", Where: "line 7"}
		for code, n := range map[sources.FaultCode]int{sources.FaultUnknownReference: c.missing,
			sources.FaultSchema: c.refused} {
			one.Code = code
			for range n {
				s.AddFault(one)
			}
		}
		public := encoded(t, r).Sources[0]
		if public.PeopleFaultyPct != int64(c.want) || len(public.Faults) != 0 || len(public.Samples) != 0 {
			t.Errorf("%+v: the sealed report has %+v", c, public)
		}
		if n := s.Faults[sources.FaultUnknownReference]; n != int64(c.missing) {
			t.Errorf("%+v: the run's own report has %d", c, n)
		}
	}
}

// The share of skills that nobody knows is of the skills that one kind of record names, and of few records
// as 0, 50 or 100 per cent. Their number is only in the run's own report.
func TestShareOfUnknownSkills(t *testing.T) {
	type skills struct{ records, named, unknown int }
	for _, c := range []struct {
		residents, applications skills
		want                    int64
	}{
		{skills{1000, 4, 1}, skills{1000, 10, 3}, 30}, {skills{1000, 4, 1}, skills{}, 25}, {skills{999, 4, 1}, skills{}, 0},
		{skills{20, 4, 2}, skills{}, 50}, {skills{19, 4, 4}, skills{}, 0}, {skills{20, 4, 4}, skills{5000, 2, 0}, 100},
		{skills{5000, 0, 0}, skills{}, 0},
	} {
		r := New(sources.Date{})
		s := r.EnsureSource(platform.Key)
		for kind, of := range map[platform.RecordKind]skills{platform.KindResidents: c.residents,
			platform.KindApplications: c.applications} {
			for range of.records {
				s.AddSkills(kind, of.named, of.unknown)
			}
		}
		unknown := int64(c.residents.records*c.residents.unknown + c.applications.records*c.applications.unknown)
		if got := encoded(t, r).Sources[0].PeopleUnknownSkillsPct; got != c.want || s.UnknownSkills() != unknown {
			t.Errorf("%+v: %d per cent and %d", c, got, s.UnknownSkills())
		}
	}
}

// The share of faulty lines of a kind that is not about people is stated of however few lines.
func TestShareOfFaultyLinesByKind(t *testing.T) {
	r := New(sources.Date{})
	s := r.EnsureSource(platform.Key)
	s.AddRecord(sources.S106Development{})
	for range 3 {
		s.AddRecord(sources.Advert{})
	}
	for object, n := range map[string]int{"s106.ndjson": 2, "adverts.ndjson": 1, "residents.ndjson": 1} {
		for range n {
			s.AddFault(sources.Fault{Source: platform.Key, Object: object, Where: "line 1", Code: sources.FaultSchema})
		}
	}
	s.AddFault(sources.Fault{Source: platform.Key, Object: "pathways.ndjson", Code: sources.FaultTruncated})
	s.AddFault(sources.Fault{Source: platform.Key, Where: "advert a", Code: sources.FaultUnknownReference})
	got := encoded(t, r).Sources[0].FaultyPctByKind
	if want := map[platform.RecordKind]int64{platform.KindS106: 66, platform.KindAdverts: 25}; !maps.Equal(got, want) {
		t.Errorf("the shares are %v, want %v", got, want)
	}
}

// TestRowsOfTablesAreCounted by the table.
func TestRowsOfTablesAreCounted(t *testing.T) {
	r := New(sources.Date{Year: 2026, Month: 11, Day: 20})
	r.AddTableRowCounts([]snapshots.TableFile{{Name: "people", Rows: 7}, {Name: "jobs", Rows: 0}})
	r.AddTableRowCounts([]snapshots.TableFile{{Name: "demand", Rows: 3}})
	if want := map[string]int64{"people": 7, "jobs": 0, "demand": 3}; !maps.Equal(r.Tables, want) {
		t.Errorf("%v, want %v", r.Tables, want)
	}
}

// Empty remarks are left out, and the others come after those that the report has.
func TestEmptyRemarksAreLeftOut(t *testing.T) {
	r := Report{Remarks: []string{"a"}}
	if added := r.AddRemarks("", "b", "", "c"); !slices.Equal(added, []string{"b", "c"}) ||
		!slices.Equal(r.Remarks, []string{"a", "b", "c"}) {
		t.Errorf("added are %q, the remarks %q", added, r.Remarks)
	}
	if added := r.AddRemarks(""); len(added) != 0 || len(r.Remarks) != 3 {
		t.Errorf("added are %q, the remarks %q", added, r.Remarks)
	}
}
