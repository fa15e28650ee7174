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
	s := r.SourceEntry(platform.Key)
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

// TestRowsOfTablesAreCounted by the table.
func TestRowsOfTablesAreCounted(t *testing.T) {
	r := New(sources.Date{Year: 2026, Month: 11, Day: 20})
	r.AddTables([]snapshots.TableFile{{Name: "people", Rows: 7}, {Name: "jobs", Rows: 0}})
	r.AddTables([]snapshots.TableFile{{Name: "demand", Rows: 3}})
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
