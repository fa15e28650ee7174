package coding

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/coding/place"
	"labour/sources"
)

// TestNotesAreBounded: texts and titles beyond the largest number are not noted, and those that are
// noted go on to be counted.
func TestNotesAreBounded(t *testing.T) {
	uk := place.Coding{Country: place.CountryUK}
	add := func(n *Notes, text string) {
		n.Add(&sources.Advert{Title: text, Locations: []sources.Location{{Text: text}}}, &CodedAdvert{Place: uk})
	}
	var n Notes
	add(&n, "first")
	for i := len(n.places); i < maxNotedPlaces-1; i++ {
		n.places[UncodedPlace{Text: fmt.Sprint(i)}] = 1
	}
	for i := len(n.titles); i < maxNotedTitles-1; i++ {
		n.titles[fmt.Sprint(i)] = &UncodedTitle{}
	}
	for _, text := range []string{"last", "one more", "first", "last"} {
		add(&n, text)
	}
	if len(n.places) != maxNotedPlaces || len(n.titles) != maxNotedTitles {
		t.Errorf("%d places and %d titles are noted, want %d and %d", len(n.places), len(n.titles),
			maxNotedPlaces, maxNotedTitles)
	}
	for _, text := range []string{"first", "last"} {
		if got := n.places[UncodedPlace{Text: text, Why: place.NoCouncilPlaceUnknown}]; got != 2 ||
			n.titles[text].Adverts != 2 {
			t.Errorf("%s is noted %d and %d times, want 2", text, got, n.titles[text].Adverts)
		}
	}
	if n.titles["one more"] != nil {
		t.Error("a title beyond the largest number is noted")
	}
}

// TestOrderOfNotes: the most frequent come first, then they are in the order of the reason and the
// text; at most 500 titles of each kind are written.
func TestOrderOfNotes(t *testing.T) {
	n := Notes{places: map[UncodedPlace]int{}, titles: map[string]*UncodedTitle{}}
	for i, why := range []place.NoCouncilReason{"a", "b"} {
		for _, text := range []string{"x", "y"} {
			n.places[UncodedPlace{Text: text, Why: why}] = 1
			n.places[UncodedPlace{Text: text + text, Why: why}] = 2 + i
		}
	}
	for i := range maxListedTitles + 1 {
		n.titles[fmt.Sprint("u", i)] = &UncodedTitle{Title: fmt.Sprint("u", i), Adverts: i / 2}
		n.titles[fmt.Sprint("d", i)] = &UncodedTitle{Title: fmt.Sprint("d", i), SOC: "22", Adverts: i / 2}
	}
	path := filepath.Join(t.TempDir(), "new", "notes.json")
	if err := n.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	got, err := ReadNotes(path)
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, p := range got.Places {
		places = append(places, fmt.Sprint(p.Adverts, p.Why, p.Text))
	}
	if want := []string{"3bxx", "3byy", "2axx", "2ayy", "1ax", "1ay", "1bx", "1by"}; !slices.Equal(places, want) {
		t.Errorf("the places are %v, want %v", places, want)
	}
	for kind, list := range map[string][]UncodedTitle{"u": got.Uncoded, "d": got.Doubted} {
		if len(list) != maxListedTitles {
			t.Fatalf("%d titles are written, want %d", len(list), maxListedTitles)
		}
		first, second, third := list[0].Title, list[1].Title, list[2].Title // 250, 249 and 249 times
		if first != kind+"500" || second != kind+"498" || third != kind+"499" {
			t.Errorf("the first titles are %s, %s and %s", first, second, third)
		}
	}
}

// TestNotesThatCannotBeWrittenOrRead are errors that say so.
func TestNotesThatCannotBeWrittenOrRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := new(Notes).WriteFile(filepath.Join(file, "notes.json")); err == nil ||
		!strings.HasPrefix(err.Error(), "write the notes on coding: ") {
		t.Errorf("a file in place of the folder: %v", err)
	}
	if err := new(Notes).WriteFile(filepath.Dir(file)); err == nil ||
		!strings.HasPrefix(err.Error(), "write the notes on coding: ") {
		t.Errorf("a folder in place of the file: %v", err)
	}
	for _, path := range []string{file, filepath.Dir(file)} {
		n, err := ReadNotes(path)
		if n != nil || err == nil || !strings.HasPrefix(err.Error(), "read the notes on coding: ") {
			t.Errorf("%s: %+v, %v", path, n, err)
		}
	}
}
