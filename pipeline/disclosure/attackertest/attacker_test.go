package attackertest

import (
	"path/filepath"
	"strings"
	"testing"

	"labour/pipeline/disclosure/synthtest"
)

// hand is a world of two boroughs and two sectors: 9 people in camden and digital, 2 in
// camden and care, 3 in hackney and care.
func hand(tokens map[synthtest.Cell]string, exact bool) Figures {
	w := synthtest.World{Places: []string{"camden", "hackney"}, Sectors: []string{"care", "digital"}, Newest: 2026*12 + 8}
	var people []synthtest.Person
	for _, g := range []struct {
		place, sector string
		n             int
	}{{"camden", "digital", 9}, {"camden", "care", 2}, {"hackney", "care", 3}} {
		for range g.n {
			people = append(people, synthtest.Person{Place: g.place, Sector: g.sector})
		}
	}
	return Figures{Name: "hand", World: w, Adverts: w.All(), Tokens: tokens, Exact: exact, People: people}
}

func window(dim, place, value string) synthtest.Cell {
	return synthtest.Cell{Dim: dim, Place: place, Value: value, Window: 24}
}

// TestWhatCanBeWorkedOutIsFound: exact numbers leave a group of 3 by subtraction, and
// rounded ones do where every one of them is at its end.
func TestWhatCanBeWorkedOutIsFound(t *testing.T) {
	small := window("", "hackney", "")
	for name, c := range map[string]struct {
		tokens map[synthtest.Cell]string
		exact  bool
		pinned int
	}{
		"subtraction of exact numbers":   {map[synthtest.Cell]string{window("", "", ""): "14", window("", "camden", ""): "11", small: "<5"}, true, 1},
		"subtraction of rounded numbers": {map[synthtest.Cell]string{window("", "", ""): "15", window("", "camden", ""): "10", small: "<5"}, false, 0},
		"nothing but the group":          {map[synthtest.Cell]string{small: "<5"}, false, 0},
		"a table of a row and a column":  {map[synthtest.Cell]string{window("sector", "", "care"): "5", window("sector", "camden", "care"): "2", small: "<5", window("sector", "hackney", "digital"): "0"}, true, 2},
	} {
		f := hand(c.tokens, c.exact)
		cells, err := f.Cells()
		if err != nil {
			t.Fatal(name, err)
		}
		if v := cells.Tighten(); v.Pinned != c.pinned {
			t.Errorf("%s: tightening says %v %q, want %d", name, v, v.Leaks, c.pinned)
		}
		atoms, err := f.Atoms()
		if err != nil {
			t.Fatal(name, err)
		}
		s := FindSolver(filepath.Join("..", "..", ".."))
		if s == nil {
			t.Log("no python3 with highspy; .ci/run installs it into bin/venv")
			continue
		}
		for _, integer := range []bool{false, true} {
			s.Integer = integer
			v, err := s.Solve(atoms)
			if err != nil || v.Pinned != c.pinned {
				t.Errorf("%s: the solver says %v %q, %v, want %d", name, v, v.Leaks, err, c.pinned)
			}
		}
	}
}

// TestFiguresThatAreNotTrueAreRefused: a number that is not of the people is a fault of
// what is attacked, and not what an attacker knows.
func TestFiguresThatAreNotTrueAreRefused(t *testing.T) {
	_, err := hand(map[synthtest.Cell]string{window("", "", ""): "20"}, false).Atoms()
	if err == nil || !strings.Contains(err.Error(), "14 people is printed as 18 to 22") {
		t.Errorf("14 people printed as 20: %v", err)
	}
	if _, err := hand(map[synthtest.Cell]string{window("", "", ""): "14"}, false).Cells(); err == nil {
		t.Error("a number that is no multiple of 5 was taken")
	}
}

// TestMonthsNeverRise: a count that was 1 to 4 in a month, and is 3 now that a later
// month is known, is found over both releases.
func TestMonthsNeverRise(t *testing.T) {
	w := synthtest.World{Places: []string{"camden"}, Newest: 2026*12 + 8}
	all := synthtest.Cell{Window: 3}
	person := synthtest.Person{Place: "camden"}
	release := func(newest int, token string, ages ...int) Figures {
		f := Figures{Name: "release", World: w, Adverts: w.All(), Tokens: map[synthtest.Cell]string{all: token}, Exact: true}
		f.World.Newest = newest
		for _, age := range ages {
			p := person
			p.Age = age
			f.People = append(f.People, p)
		}
		return f
	}
	s, err := Series{"series", []Figures{release(w.Newest, "<5", 0, 0, 0), release(w.Newest+1, "8", 0, 0, 0, 0, 0, 1, 1, 1)}}.Atoms()
	if err != nil {
		t.Fatal(err)
	}
	if v := s.Tighten(); v.Small != 1 || v.Pinned != 0 {
		t.Errorf("%v, want one group that is not pinned", v)
	}
	if s, err = (Series{"series", []Figures{release(w.Newest, "<5", 0, 0, 0, 0), release(w.Newest+3, "4", 3, 3, 3, 3)}}.Atoms()); err == nil {
		t.Errorf("a window that has no people was taken for 4: %v", s.Rows)
	}
}
