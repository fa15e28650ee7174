package people

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/previous"
	"labour/pipeline/servedplaces"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// withoutIslington is the default content of a snapshot whose counts of people were made without
// that place.
func withoutIslington(t *testing.T) snaptest.Content {
	c := snaptest.DefaultContent(t, today)
	c.S106People = slices.DeleteFunc(c.S106People,
		func(r snapshots.S106PeopleRow) bool { return r.Place == "islington" })
	return c
}

// publishMaker publishes a snapshot with all places and without counts of people.
func publishMaker(t *testing.T, data string) *previous.Snapshot {
	t.Helper()
	c := snaptest.DefaultContent(t, today)
	snaptest.BuildSnapshot(t, data, today, snaptest.Content{PlatformName: "Works", Places: c.Places,
		PlaceMembers: c.PlaceMembers, Sources: c.Sources})
	maker, err := previous.OpenCurrent(data)
	if err != nil {
		t.Fatal(err)
	}
	return maker
}

// The remark lists the places that are no longer shown, compared with the snapshot that made the
// figures while the store has it. It also lists the places without counts in the snapshot that is
// copied from, which may have been made after they were added.
func TestPlacesThatAreNotShownAreRemarkedOn(t *testing.T) {
	data := t.TempDir()
	maker := publishMaker(t, data)
	whole, later := bare(t, snaptest.DefaultContent(t, today)), bare(t, withoutIslington(t))
	fewer := withoutIslington(t)
	fewer.Places = slices.DeleteFunc(fewer.Places, func(r snapshots.PlacesRow) bool { return r.Place == "islington" })
	from := bare(t, fewer)
	served, smaller := placesOf(t, maker), placesOf(t, from)
	const added = "figures of people are not shown for islington before the next quarter: added or changed after the " +
		"figures of the quarter were made"
	for _, c := range []struct {
		name   string
		from   *previous.Snapshot
		madeBy snapshots.ID
		served servedplaces.Places
		has    string
	}{
		{"the same places", whole, maker.ID, served, ""},
		{"a place less than the maker", from, maker.ID, smaller, "are not shown for islington: no longer served"},
		{"the maker is gone", from, "2026-01-01.1", smaller, ""},
		{"a place added", from, "2026-01-01.1", served, added},
		{"a place added before the one copied from", later, "2026-01-01.1", served, added},
		{"no place", from, maker.ID, servedplaces.Places{},
			"for camden, central-london, islington, westminster: no longer served"},
	} {
		c.from.People.FirstSnapshot = c.madeBy
		got, err := PlacesNotShownRemark(data, c.from, c.served)
		if err != nil || (got == "") != (c.has == "") || !strings.Contains(got, c.has) {
			t.Errorf("%s: the remark is %q, %v; want it with %q", c.name, got, err, c.has)
		}
	}
}

// A store that cannot be opened is an error. If all counts are withdrawn, no place was added.
func TestPlacesOfOtherSnapshots(t *testing.T) {
	data := t.TempDir()
	maker := publishMaker(t, data)
	from := bare(t, withoutIslington(t))
	served := placesOf(t, maker)
	file := filepath.Join(data, "a file")
	if err := os.MkdirAll(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(snapshots.SnapshotsDir(file), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := PlacesNotShownRemark(file, from, served)
	if err == nil || !strings.Contains(err.Error(), "is not a directory") {
		t.Errorf("a file in place of the snapshots: %v", err)
	}
	smaller := served
	smaller.PlaceRows = slices.DeleteFunc(slices.Clone(served.PlaceRows),
		func(r snapshots.PlacesRow) bool { return r.Place == "islington" })
	changed, err := ChangedPlaces(maker, smaller)
	if err != nil || len(changed) != 1 || !changed["islington"] {
		t.Errorf("changed are %v, %v; want islington", changed, err)
	}
	if slugs, err := uncountedPlaces(maker, served); err != nil || len(slugs) > 0 {
		t.Errorf("without counts: %q, %v", slugs, err)
	}
}

// TestUnknownSkillsAreNamed: a withdrawal of a misspelt skill withdraws nothing, and the report names it.
func TestUnknownSkillsAreNamed(t *testing.T) {
	slugs := []string{"excel", "personal-care"}
	known := []snapshots.PeopleWithdrawal{{Skill: "excel"}, {}}
	if got := UnknownSkillsRemark(known, slugs); got != "" {
		t.Errorf("of known skills: %q", got)
	}
	got := UnknownSkillsRemark(append(known, snapshots.PeopleWithdrawal{Skill: "personal-cares"}), slugs)
	if want := `"personal-cares" (the nearest skill is "personal-care")`; !strings.Contains(got, want) ||
		strings.Contains(got, `"excel"`) {
		t.Errorf("of an unknown skill: %q", got)
	}
}
