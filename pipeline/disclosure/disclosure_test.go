package disclosure

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/snapshots/figure"
)

func cell(signature, place, value string, window int, n int64) Truth {
	return Truth{Cell: Cell{Signature: signature, Place: place, Value: value, Window: window}, TurnedDownFor: n}
}

func TestNothingBelowAHiddenParent(t *testing.T) {
	tests := []struct {
		name                string
		total, place, value int64
		child               int64
		want                string
	}{
		{"all numbers", 40, 20, 20, 10, "10"},
		{"small child", 40, 20, 20, 3, "<5"},
		{"empty child", 40, 20, 20, 0, "0"},
		{"small place", 40, 4, 20, 2, "null"},
		{"small value", 40, 20, 3, 3, "null"},
		{"small total", 4, 4, 4, 4, "null"},
		{"zero below a small place", 40, 4, 20, 0, "null"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Mask([]Truth{
				cell(snapshots.SigPlaceSector, "camden", "digital", 12, tt.child),
				cell(snapshots.SigNone, "", "", 12, tt.total),
				cell(snapshots.SigPlace, "camden", "", 12, tt.place),
				cell(snapshots.SigSector, "", "digital", 12, tt.value),
			})
			if token := got[0].TurnedDown.String(); token != tt.want {
				t.Errorf("prints %s, want %s", token, tt.want)
			}
		})
	}
}

func TestACellWithoutItsParentsIsNotPublished(t *testing.T) {
	got := Mask([]Truth{cell(snapshots.SigPlace, "camden", "", 12, 50)})
	if token := got[0].TurnedDown.String(); token != "null" {
		t.Errorf("prints %s, want null", token)
	}
}

func TestShares(t *testing.T) {
	show := func(s *figure.Tenths) string {
		if s == nil {
			return "null"
		}
		return string(figure.AppendTenths(nil, *s))
	}
	for _, tt := range []struct {
		with, without int64
		want          string
	}{
		{5, 5, "50.0"}, {6, 3, "null"}, {9, 1, "null"}, {0, 10, "0.0"}, {10, 0, "100.0"}, {0, 9, "null"},
		{100, 199, "33.0"}, {100, 200, "33.3"}, {4, 300, "null"}, {-1, 20, "null"},
	} {
		if got := show(applicantShare(tt.with, tt.without)); got != tt.want {
			t.Errorf("applicants %d with, %d without: %s, want %s", tt.with, tt.without, got, tt.want)
		}
	}
	for _, tt := range []struct {
		below, residents int64
		want             string
	}{
		{50, 99, "null"}, {50, 100, "50.0"}, {33, 100, "35.0"}, {32, 100, "30.0"}, {333, 500, "67.0"},
		{1234, 5000, "24.7"}, {4998, 5000, "null"}, {5000, 5000, "100.0"}, {3, 5000, "null"}, {0, 200, "0.0"},
	} {
		if got := show(ResidentShare(tt.below, tt.residents)); got != tt.want {
			t.Errorf("%d of %d residents: %s, want %s", tt.below, tt.residents, got, tt.want)
		}
	}
}

// Whatever the truth, no number from 1 to 4 is printed, no number is other than
// the truth, and nothing is shown below a parent that is not a number.
func TestRulesHoldOnRandomCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var cells []Truth
		add := func(signature, place, value string) {
			n := rapid.Int64Range(0, 12).Draw(t, fmt.Sprint(signature, place, value))
			c := cell(signature, place, value, 12, n)
			c.TurnedDownWith, c.TurnedDownWithout = rapid.Int64Range(0, 400).Draw(t, "with"), rapid.Int64Range(0, 12).Draw(t, "without")
			cells = append(cells, c)
		}
		add(snapshots.SigNone, "", "")
		for _, p := range []string{"a", "b"} {
			add(snapshots.SigPlace, p, "")
			for _, v := range []string{"x", "y"} {
				add(snapshots.SigPlaceSector, p, v)
			}
		}
		add(snapshots.SigSector, "", "x")
		add(snapshots.SigSector, "", "y")
		printed := Mask(cells)
		token := map[Cell]figure.Count{}
		for _, p := range printed {
			token[p.Cell] = p.TurnedDown
		}
		for i, p := range printed {
			n, number := p.TurnedDown.Number()
			switch {
			case number && (n != cells[i].TurnedDownFor || n > 0 && n < 5):
				t.Fatalf("%+v prints %d for %d", p.Cell, n, cells[i].TurnedDownFor)
			case p.TurnedDown.Status() == figure.Small && (cells[i].TurnedDownFor < 1 || cells[i].TurnedDownFor > 4):
				t.Fatalf("%+v prints <5 for %d", p.Cell, cells[i].TurnedDownFor)
			case p.TurnedDownWith != nil && !number:
				t.Fatalf("%+v prints a turned-down share beside %v", p.Cell, p.TurnedDown)
			}
			for _, parent := range parentsIn(p.Cell) {
				if _, ok := token[parent].Number(); !ok && p.TurnedDown.Status() != figure.NotPublished {
					t.Fatalf("%+v prints %v below %v", p.Cell, p.TurnedDown, token[parent])
				}
			}
		}
	})
}

// parentsIn are the cells with one filter dropped, where there are no areas.
func parentsIn(c Cell) []Cell {
	none, place := Cell{Signature: snapshots.SigNone, Window: c.Window}, Cell{Signature: snapshots.SigPlace, Place: c.Place, Window: c.Window}
	switch {
	case c.Signature == snapshots.SigNone:
		return nil
	case c.Place == "" || c.Value == "":
		return []Cell{none}
	}
	return []Cell{place, {Signature: c.Signature[len("place_"):], Value: c.Value, Window: c.Window}}
}
