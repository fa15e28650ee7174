package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"labour/pipeline/options"
	"labour/pipeline/previous"
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
		if row.Dimension == snapshots.CandidatesByBorough && row.ResidentsStatus != "" {
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
	if _, err := s.runOnly(options.OnlyPlatform); !errors.Is(err, previous.ErrWholeRunNeeded) {
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

// TestPeopleComeBackWithTheirPlace gives a borough a wrong code for two days, and leaves it out for one:
// its figures are not shown then, the report names it, and they are those of before when it is back.
func TestPeopleComeBackWithTheirPlace(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	s.residents("hackney", 30, "")
	s.drift = "served_areas: [{slug: both, name: Both, boroughs: [camden, hackney]}]\n"
	right := s.feed["boroughs.ndjson"]
	camden, _, _ := strings.Cut(right, "\n")
	made := s.run()
	want := s.peopleFiles(made)
	for _, wrong := range []string{strings.Replace(right, "E09000012", "E09000033", 1), camden + "\n"} {
		s.feed["boroughs.ndjson"] = wrong
		if wrong == camden+"\n" {
			s.drift = ""
		}
		first, second := s.run(), s.run()
		for _, r := range []Result{first, second} {
			if got := s.peopleOf(r); got != ":3 camden:4 hackney:0 both:0" {
				t.Errorf("%s: %s", r.ID, got)
			}
			if remarks := strings.Join(r.Report.Remarks, "\n"); !strings.Contains(remarks,
				"figures of people are not shown for both, hackney") {
				t.Errorf("%s: remarks %q", r.ID, remarks)
			}
		}
		if s.peopleFiles(first) != s.peopleFiles(second) {
			t.Errorf("%s: other files than those of %s", second.ID, first.ID)
		}
		s.notMade(second.ID)
		s.feed["boroughs.ndjson"] = right
		s.drift = "served_areas: [{slug: both, name: Both, boroughs: [camden, hackney]}]\n"
		back := s.run()
		if s.peopleFiles(back) != want {
			t.Errorf("%s: the figures are not those that were made: %s", back.ID, s.peopleOf(back))
		}
		if m := s.manifest(back); m.People.FirstSnapshot != made.ID {
			t.Errorf("made by %s", m.People.FirstSnapshot)
		}
	}
}
