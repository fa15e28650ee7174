package coding

import (
	"path/filepath"
	"testing"

	"labour/pipeline/coding/occupation"
	"labour/pipeline/coding/place"
	"labour/sources"
)

func TestNotesKeepWhatWasNotCodedWell(t *testing.T) {
	var n Notes
	british := place.Coding{Country: place.CountryUK}
	for _, x := range []struct {
		title string
		coded CodedAdvert
	}{
		{"Kratom", CodedAdvert{Place: british}},
		{"Kratom", CodedAdvert{Place: british}},
		{"Abroad", CodedAdvert{Place: place.Coding{Country: place.CountryAbroad}}},
		{"Assistant Manager", CodedAdvert{Place: british, SOC: "12", Title: occupation.Coding{SOC: "12", Confidence: 0.4},
			Readable: true}},
		{"Nurse", CodedAdvert{Place: british, SOC: "2237", Sector: "health-and-science",
			Title: occupation.Coding{SOC: "2237", Confidence: 1}, Readable: true, Skills: make([]SkillLevel, 3)}},
		{"Coded by the publisher", CodedAdvert{Place: british, SOC: "2237", Sector: "health-and-science", Readable: true}},
	} {
		n.Add(&sources.Advert{Title: x.title, Locations: []sources.Location{{Text: "Nowhere"}}}, &x.coded)
	}
	path := filepath.Join(t.TempDir(), "coding", "notes.json")
	if err := n.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	got, err := ReadNotes(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Places) != 1 || got.Places[0] != (UncodedPlace{Text: "Nowhere", Why: place.NoCouncilPlaceUnknown,
		Adverts: 5}) {
		t.Errorf("places %+v", got.Places)
	}
	if len(got.Uncoded) != 1 || got.Uncoded[0] != (UncodedTitle{Title: "Kratom", Adverts: 2}) {
		t.Errorf("uncoded %+v", got.Uncoded)
	}
	if len(got.Doubted) != 1 || got.Doubted[0].Title != "Assistant Manager" {
		t.Errorf("doubted %+v", got.Doubted)
	}
	if none, err := ReadNotes(path + ".none"); err != nil || len(none.Sectors) > 0 {
		t.Errorf("before any run: %+v, %v", none, err)
	}
	if s := got.Sectors["health-and-science"]; s != (SectorCounts{Adverts: 2, Skills: 3}) {
		t.Errorf("health %+v", s)
	}
	if s := got.Sectors[""]; s.NoText != 2 {
		t.Errorf("not known %+v", s)
	}
}
