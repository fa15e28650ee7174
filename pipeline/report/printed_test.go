package report

import (
	"maps"
	"testing"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/sources"
)

// The report counts printed figures of people by their form. Carried ones are copied, and hidden ones are
// subtracted. If all are withdrawn, no rule withholds any.
func TestPrintedFiguresOfPeopleAreCounted(t *testing.T) {
	made := New(sources.Date{})
	made.AddPeople(disclosure.ValueTally{Numbers: 7, UnderFive: 3, WithinSmallGroup: 2})
	carried := New(sources.Date{})
	carried.CopyPeople(made)
	for name, r := range map[string]*Report{"made": made, "carried": carried} {
		if !maps.Equal(r.People, map[string]int64{"number": 7, "under_5": 3}) || r.Withheld[WithheldInSmallGroups] != 2 {
			t.Errorf("%s are %v, withheld %v", name, r.People, r.Withheld)
		}
	}
	carried.SubtractPeople(disclosure.ValueTally{})
	carried.SubtractPeople(disclosure.ValueTally{Numbers: 4, UnderFive: 1})
	if !maps.Equal(carried.People, map[string]int64{"number": 3, "under_5": 2}) || made.People["number"] != 7 {
		t.Errorf("left are %v of %v", carried.People, made.People)
	}
	withdrawn := New(sources.Date{})
	withdrawn.PeopleWithdrawn = []snapshots.PeopleWithdrawal{{Skill: "python"}}
	withdrawn.CopyPeople(made)
	if withdrawn.Withheld[WithheldInSmallGroups] != 2 {
		t.Error("the withdrawal of one skill leaves what is withheld of others")
	}
	withdrawn.PeopleWithdrawn = []snapshots.PeopleWithdrawal{{}}
	withdrawn.CopyPeople(made)
	if withdrawn.Withheld[WithheldInSmallGroups] != 0 {
		t.Errorf("all are withdrawn, and %v is withheld", withdrawn.Withheld)
	}
}

// As many numbers as small groups are subtracted too, and nothing leaves no entry.
func TestSubtractedFiguresOfPeople(t *testing.T) {
	r := New(sources.Date{})
	r.SubtractPeople(disclosure.ValueTally{WithinSmallGroup: 5})
	if len(r.People) != 0 {
		t.Errorf("nothing is subtracted, and there is %v", r.People)
	}
	r.AddPeople(disclosure.ValueTally{Numbers: 7, UnderFive: 3})
	r.SubtractPeople(disclosure.ValueTally{Numbers: 2, UnderFive: 2})
	if !maps.Equal(r.People, map[string]int64{"number": 5, "under_5": 1}) {
		t.Errorf("left are %v", r.People)
	}
	r.PeopleWithdrawn = []snapshots.PeopleWithdrawal{{}}
	r.AddPeople(disclosure.ValueTally{WithinSmallGroup: 5})
	if r.Withheld[WithheldInSmallGroups] != 0 {
		t.Errorf("all are withdrawn, and %v is withheld", r.Withheld)
	}
}

// The results of fetches are entered as they are.
func TestFetchesAreEntered(t *testing.T) {
	r := New(sources.Date{})
	r.SetFetchResults([]FetchResult{{Source: "a", Err: "no answer"}, {Source: "b"}})
	if len(r.Fetched) != 2 || r.Fetched[0].Err != "no answer" || r.Fetched[1].Source != "b" {
		t.Errorf("entered are %+v", r.Fetched)
	}
}
