package diff

import (
	"slices"
	"testing"

	"labour/snapshots"
)

// TestComparedFiles holds that the embargoed datasets are compared too, and that the lists and rankings are
// not.
func TestComparedFiles(t *testing.T) {
	var names []string
	for _, f := range files() {
		names = append(names, f.table.Name)
	}
	for name, want := range map[string]bool{"adverts": true, "people": true, "demand": true, "reach": true,
		"signals": true, "lists": false, "rankings": false} {
		if slices.Contains(names, name) != want {
			t.Errorf("%s is compared: %v, want %v", name, !want, want)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("the tables are compared in the order %v", names)
	}
}

// TestSamePeriod holds that two snapshots without figures of people have the same period, but a snapshot without
// them and one with them do not.
func TestSamePeriod(t *testing.T) {
	date := func(text string) *snapshots.Date {
		d, err := snapshots.ParseDate(text)
		if err != nil {
			t.Fatal(err)
		}
		return &d
	}
	for _, c := range []struct {
		a, b *snapshots.Date
		want bool
	}{
		{nil, nil, true}, {nil, date("2026-09-30"), false}, {date("2026-09-30"), nil, false},
		{date("2026-09-30"), date("2026-09-30"), true}, {date("2026-09-30"), date("2026-12-31"), false},
	} {
		if got := samePeriod(c.a, c.b); got != c.want {
			t.Errorf("%v and %v are the same period: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
