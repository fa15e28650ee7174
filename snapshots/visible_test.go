package snapshots

import (
	"slices"
	"testing"
)

// TestEventsOfPeopleAreTheirPartners: an application, an outcome, and any event that names an outcome
// is about a person, and is shown to its partner only.
func TestEventsOfPeopleAreTheirPartners(t *testing.T) {
	outcome := "hired"
	for name, c := range map[string]struct {
		row     EventsRow
		visible bool
	}{
		"click":                 {EventsRow{Type: "click.recorded"}, true},
		"advert":                {EventsRow{Type: "opportunity.published"}, true},
		"application":           {EventsRow{Type: "application.created"}, false},
		"outcome":               {EventsRow{Type: "outcome.recorded"}, false},
		"click with an outcome": {EventsRow{Type: "click.recorded", Outcome: &outcome}, false},
		"application of one":    {EventsRow{Type: "application.created", Partner: "North"}, true},
		"outcome of one":        {EventsRow{Type: "outcome.recorded", Partner: "North", Outcome: &outcome}, true},
	} {
		if got := c.row.IsVisible(); got != c.visible {
			t.Errorf("%s: visible %t", name, got)
		}
	}
}

// TestWithdrawalOfASkill: the figures of a skill are withdrawn with it or with all; all of them only
// with all.
func TestWithdrawalOfASkill(t *testing.T) {
	sql, all := PeopleWithdrawal{Skill: "sql", By: "a"}, PeopleWithdrawal{By: "b"}
	for name, c := range map[string]struct {
		recorded []PeopleWithdrawal
		skill    string
		by       string // empty = not withdrawn
	}{
		"none": {nil, "sql", ""}, "that skill": {[]PeopleWithdrawal{sql}, "sql", "a"},
		"another skill": {[]PeopleWithdrawal{sql}, "care", ""}, "all of one": {[]PeopleWithdrawal{sql}, "", ""},
		"all": {[]PeopleWithdrawal{sql, all}, "", "b"}, "each of all": {[]PeopleWithdrawal{all}, "care", "b"},
	} {
		if got, ok := WithdrawalOf(c.recorded, c.skill); got.By != c.by || ok != (c.by != "") {
			t.Errorf("%s: %+v, %t", name, got, ok)
		}
	}
}

// TestNamesOfFiles: only a file of its folder and ending is a table, or records a withdrawal.
func TestNamesOfFiles(t *testing.T) {
	for name, want := range map[string]string{"tables/people.parquet": "people", "people.parquet": "",
		"embargoed/people.parquet": "", "tables/people.csv": "", "tables/x/people.parquet": "",
		"x/tables/people.parquet": ""} {
		if got, ok := TableOfFile(name); got != want || ok != (want != "") {
			t.Errorf("%s is the table %q, %t", name, got, ok)
		}
	}
	for name, want := range map[string]ID{"2026-11-20.1.withdrawn.json": "2026-11-20.1", "2026-11-20.1.json": "",
		"2026-11-20.withdrawn.json": "", "2026-11-20.1": "", ".withdrawn.json": ""} {
		if got, ok := WithdrawnID(name); ok != (want != "") || ok && got != want {
			t.Errorf("%s withdraws %q, %t", name, got, ok)
		}
	}
}

// TestFilterWithoutPlace: the filter of a combination is what is left without its place.
func TestFilterWithoutPlace(t *testing.T) {
	for signature, want := range map[string]string{
		Unfiltered: Unfiltered, FilteredByPlace: Unfiltered, FilteredBySector: FilteredBySector,
		FilteredBySOC:            FilteredBySOC,
		FilteredByPlaceAndSector: FilteredBySector, FilteredByPlaceAndSOC: FilteredBySOC,
		FilteredByPlaceAndLevel:  FilteredByLevel,
		FilteredByPlaceAndSource: FilteredBySource} {
		if got := WithoutPlaceFilter(signature); got != want {
			t.Errorf("%s has the filter %s, not %s", signature, got, want)
		}
	}
}

// TestCreditedAreTheNamed: a table is credited to the sources that its rows name, in the order of the
// list of sources.
func TestCreditedAreTheNamed(t *testing.T) {
	table, _ := FindTable("skills_gaps")
	named := CreditsOfRows(table, []SkillsGapsRow{{SourceKey: "b", Occupation: "a"}, {SourceKey: "c"}, {SourceKey: "b"}})
	var keys []string
	for _, s := range table.CreditedSources(named, []SourcesRow{{Key: "a"}, {Key: "b"}, {Key: "c"}, {Key: "d"}}) {
		keys = append(keys, s.Key)
	}
	if !slices.Equal(keys, []string{"b", "c"}) {
		t.Errorf("credited are %v", keys)
	}
	named.Add("d,a")
	if !named["a"] || !named["d"] || named["d,a"] {
		t.Errorf("%v", named)
	}
}
