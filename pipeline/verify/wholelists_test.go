package verify_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// cellOf is a cell of adverts of a month and a place, with up to three employers.
func cellOf(t *testing.T, month, place string, adverts int32, employers ...int32) snapshots.AdvertsTotalRow {
	t.Helper()
	from, err := time.Parse("2006-01", month)
	if err != nil {
		t.Fatal(err)
	}
	row := snapshots.AdvertsTotalRow{AreaKind: "all", Place: place, SOC: "2134", Source: "platform", Month: from,
		Adverts: adverts, Employer1: employers[0]}
	if len(employers) > 1 {
		row.Employer2 = &employers[1]
	}
	if len(employers) > 2 {
		row.Employer3 = &employers[2]
	}
	return row
}

// TestListsOfTheCountry holds which lists of the whole country must be there: of a snapshot without
// lists, each of them is reported.
func TestListsOfTheCountry(t *testing.T) {
	enough := func(month string) []snapshots.AdvertsTotalRow {
		return []snapshots.AdvertsTotalRow{cellOf(t, month, "", 5, 1, 2, 3)}
	}
	const day, december, october = "2026-11-20", "2026-12-20", "2026-10-20"
	for name, c := range map[string]struct {
		asOf  string
		cells []snapshots.AdvertsTotalRow
		want  string // months of each list and the first month of a quarter, sorted as text
	}{
		"this month":                 {day, enough("2026-11"), "12, 24, 3, 3 from 2026-10-01, 6"},
		"three months before":        {day, enough("2026-08"), "12, 24, 3 from 2026-07-01, 6"},
		"six months before":          {day, enough("2026-05"), "12, 24, 3 from 2026-04-01"},
		"twelve months before":       {day, enough("2025-11"), "24, 3 from 2025-10-01"},
		"23 months before":           {day, enough("2024-12"), "24"},
		"24 months before":           {day, enough("2024-11"), ""},
		"next month":                 {day, enough("2026-12"), ""},
		"a quarter 23 months before": {december, enough("2025-01"), "24, 3 from 2025-01-01"},
		"a quarter 24 months before": {october, enough("2024-11"), "24"},
		"four adverts":               {day, []snapshots.AdvertsTotalRow{cellOf(t, "2026-11", "", 4, 1, 2, 3)}, ""},
		"two employers of two cells": {day, []snapshots.AdvertsTotalRow{cellOf(t, "2026-10", "", 5, 1, 2),
			cellOf(t, "2026-11", "", 5, 1, 2)}, ""},
		"one place": {day, []snapshots.AdvertsTotalRow{cellOf(t, "2026-11", "camden", 9, 1, 2, 3)}, ""},
	} {
		content := snaptest.Content{PlatformName: "Works"}
		content.BeforeSeal = func(w *store.Writer) error {
			return errors.Join(edit("lists", func([]snapshots.FilterCombinationsRow) []snapshots.FilterCombinationsRow {
				return nil
			})(w), edit("adverts_total", func([]snapshots.AdvertsTotalRow) []snapshots.AdvertsTotalRow {
				return c.cells
			})(w))
		}
		root := t.TempDir()
		r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, c.asOf, content)))
		if got := missingLists(r); got != c.want {
			t.Errorf("%s: the missing lists are %q, want %q", name, got, c.want)
		}
	}
}

// missingLists returns the months of the reported lists of the country, all of 5 adverts of 3 employers.
func missingLists(r verify.Report) string {
	var months []string
	for _, f := range r.Faults {
		if text, ok := strings.CutSuffix(f.Text, ", and no list"); ok && f.Check == "lists" {
			text = strings.TrimPrefix(text, "the country has 5 adverts of 3 employers in ")
			months = append(months, strings.Replace(text, " months", "", 1))
		}
	}
	slices.Sort(months)
	return strings.Join(months, ", ")
}
