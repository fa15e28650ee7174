package web

import (
	"errors"
	"fmt"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// rounded is a snapshot with the registered residents of two boroughs, and of an area of both.
func rounded() *recording {
	s := recorded(planSnapshot())
	count := func(n int64) api.Count { return api.Count{Count: figure.CountOf(n)} }
	s.people.Protection = "rounded"
	s.counted = api.Candidates{Residents: count(400), ByBorough: []api.CandidatesOfBorough{
		{Borough: "camden", BoroughName: "Camden", Residents: count(100)},
		{Borough: "hackney", BoroughName: "Hackney", Residents: count(150)}, {Borough: "none", BoroughName: "None"}}}
	s.areas = []api.PlacesRow{{Slug: "camden", Name: "Camden"},
		{Slug: "east", Name: "East", Boroughs: api.Keys{"camden", "hackney", "elsewhere"}}}
	return s
}

// TestResidentsOfPlaces: an area has the sum of its boroughs, and a place whose number is not published has none.
func TestResidentsOfPlaces(t *testing.T) {
	s := rounded()
	v := visit(s, "/places")
	want := counts{"camden": {"Camden", 100}, "hackney": {"Hackney", 150}, "east": {"East", 250}}
	if got := registeredIn(v); fmt.Sprint(got) != fmt.Sprint(want) || s.queries() != "places Limit=5000" {
		t.Errorf("%v, want %v", got, want)
	}
	if registeredIn(v); s.queries() != "" {
		t.Error("the places are asked for again")
	}
	v = visit(s, "/places")
	v.err = errors.New("first")
	if got := registeredIn(v); got != nil || s.queries() != "" {
		t.Errorf("after a fault %v are registered", got)
	}
	s.err = errors.New("broken")
	v = visit(s, "/places")
	if registeredIn(v); v.err == nil {
		t.Error("the fault is lost")
	}
}

// TestPagesWarnOfTheirPlaces: of the place of the page as here, and of two by their names. All places together, and
// a place with 250 residents or more, have no warning.
func TestPagesWarnOfTheirPlaces(t *testing.T) {
	const because = "; because counts are rounded, a share of residents can be off by up to 9 points."
	for _, c := range []struct{ place, other, want string }{
		{"", "", ""}, {"camden", "", "Few residents are registered here" + because},
		{"camden", "camden", "Few residents are registered here" + because}, {"east", "", ""},
		{"camden", "hackney", "Few residents are registered in Camden, Hackney" + because},
		{"camden", "east", "Few residents are registered in Camden" + because},
		{"east", "hackney", "Few residents are registered in Hackney" + because}, {"unknown", "", ""},
	} {
		v := visit(rounded(), "/places")
		if v.aboutPeople(c.place, c.other); v.stamp.Few != c.want || !v.stamp.People {
			t.Errorf("%q and %q: %q, want %q", c.place, c.other, v.stamp.Few, c.want)
		}
	}
	v := visit(rounded(), "/places")
	share := figure.Tenths(500)
	with, without := boroughRow("hackney", 1, 2, 0), boroughRow("camden", 1, 2, 0)
	with.PeopleBelow.Tenths = &share
	if got := fewAmong(v, []bucketRow{with, without}); got != "Few residents are registered in Hackney"+because {
		t.Errorf("among the rows: %q", got)
	}
}

// TestTheWarningNamesFourPlaces, and tells the number of more.
func TestTheWarningNamesFourPlaces(t *testing.T) {
	few := []registeredCount{{"A", 100}, {"B", 100}, {"C", 100}, {"D", 100}}
	const because = "; because counts are rounded, a share of residents can be off by up to 9 points."
	if got := warning(few, ""); got != "Few residents are registered in A, B, C, D"+because {
		t.Error(got)
	}
	if got := warning(append(few, registeredCount{"E", 100}), ""); got !=
		"Few residents are registered in 5 of these places"+
			because {
		t.Error(got)
	}
	for n, want := range map[int64]bool{249: true, 250: false} {
		if got := (registeredCount{Count: n}).isSmall(); got != want {
			t.Errorf("%d residents are few: %v", n, got)
		}
	}
	// 800/w rounded up is 9 from w = 89 on, and 10 below.
	for n, want := range map[int64]int64{0: 100, 5: 100, 8: 100, 10: 80, 85: 10, 90: 9, 800: 1, 805: 1} {
		if got := (registeredCount{Count: n}).points(); got != want {
			t.Errorf("of %d residents: %d points, want %d", n, got, want)
		}
	}
}
