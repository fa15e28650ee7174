package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"labour/snapshots"
)

// peopleOf lists the places that have figures of people, by table.
func (s *small) peopleOf(r Result) string {
	found := map[string]bool{}
	for _, row := range rowsOf[snapshots.PeopleRow](s, r, "people") {
		found["people "+row.Place] = true
	}
	for _, row := range rowsOf[snapshots.ResidentsRow](s, r, "residents") {
		found["residents "+row.Place] = true
	}
	for _, row := range rowsOf[snapshots.CandidatesRow](s, r, "candidates") {
		if row.Dimension == snapshots.CandidatesBorough && row.ResidentsStatus != "" {
			found["candidates "+row.Value] = true
		}
	}
	for _, row := range rowsOf[snapshots.S106PeopleRow](s, r, "s106_people") {
		if row.LocalPeopleEmployedStatus != "" {
			found["s106 "+row.Place] = true
		}
	}
	var of []string
	for _, place := range []string{"", "camden", "hackney", "both"} {
		n := 0
		for _, table := range []string{"people ", "residents ", "candidates ", "s106 "} {
			if found[table+place] {
				n++
			}
		}
		of = append(of, fmt.Sprintf("%s:%d", place, n))
	}
	return strings.Join(of, " ")
}

// TestPeopleAreNotCarriedToOtherPlaces changes what an area and a borough are made of within
// a quarter: the figures of those who lived there before are not theirs, and wait for the next one.
func TestPeopleAreNotCarriedToOtherPlaces(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	s.residents("hackney", 30, "")
	s.drift = "served_areas: [{slug: both, name: Both, boroughs: [camden]}]\n"
	check := func(what, want string) {
		t.Helper()
		if got := s.peopleOf(s.run()); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	all := ":3 camden:4 hackney:3 both:3"
	check("the first run of the quarter", all)
	check("the next", all)
	s.drift = "served_areas: [{slug: both, name: Both, boroughs: [camden, hackney]}]\n"
	if _, err := s.runOnly(OnlyPlatform); !errors.Is(err, ErrWholeRun) {
		t.Errorf("a light run with other boroughs in an area: %v", err)
	}
	check("another area", ":3 camden:4 hackney:3 both:0")
	s.feed["boroughs.ndjson"] = strings.Replace(s.feed["boroughs.ndjson"], "E09000012", "E09000033", 1)
	check("another council", ":3 camden:4 hackney:0 both:0")
	s.clock = s.clock.AddDate(0, 2, 0)
	check("the next quarter", all)
}

// TestAreaOfAnUnservedBorough: residents of a borough that is not served are in no area, as the
// adverts there are not.
func TestAreaOfAnUnservedBorough(t *testing.T) {
	s := newSmall(t)
	s.drift = "served_areas: [{slug: both, name: Both, boroughs: [camden, islington]}]\n"
	s.residents("islington", 400, "")
	s.residents("camden", 400, "")
	r := s.run()
	shares := map[string]string{}
	for _, row := range rowsOf[snapshots.ResidentsRow](s, r, "residents") {
		if row.PeopleBelowSharePct != nil && (row.Place == "camden" || row.Place == "both") {
			shares[fmt.Sprint(row.Skill, row.Level)+row.Place] = fmt.Sprint(*row.PeopleBelowSharePct)
		}
	}
	for key, share := range shares {
		if other := strings.Replace(key, "camden", "both", 1); shares[other] != share {
			t.Errorf("%s: %s, %s: %s", key, share, other, shares[other])
		}
	}
	for _, m := range rowsOf[snapshots.PlaceMembersRow](s, r, "place_members") {
		if m.Borough == "islington" {
			t.Error("a borough that is not served is a part of an area")
		}
	}
}
