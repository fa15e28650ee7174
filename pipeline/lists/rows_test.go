package lists

import (
	"maps"
	"testing"
	"time"

	"labour/pipeline/coding/area"
	"labour/pipeline/config"
	"labour/pipeline/corrections"
	"labour/pipeline/servedplaces"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

var asOf = sources.Date{Year: 2026, Month: 11, Day: 20}

// Every configured source has a row with its records, and the platform one without a feed. A source whose
// adverts came with the feed has a row without records. Adverts are counted if the terms permit it.
func TestEverySourceHasARow(t *testing.T) {
	infos := []sources.Info{
		{Key: "boards", Publisher: "Acme", HasAdverts: true, Terms: sources.Terms{MayCount: true}},
		{Key: "closed", HasAdverts: true},
		{Key: "statistics", Terms: sources.Terms{MayCount: true}},
	}
	imported := []sources.Info{{Key: "imported", HasAdverts: true, Terms: sources.Terms{MayCount: true}}}
	records := map[string]int64{"boards": 7, "statistics": 2, "imported": 9, platform.Key: 3}
	rows := SourceRows(infos, imported, records, platform.Config{Name: "Camden Jobs"}, asOf)
	got := map[string]snapshots.SourcesRow{}
	for _, r := range rows {
		got[r.Key] = r
	}
	if len(rows) != 5 || len(got) != 5 {
		t.Fatalf("the rows are %+v", rows)
	}
	for key, want := range map[string]int64{"boards": 7, "closed": 0, "statistics": 2, "imported": 0, platform.Key: 3} {
		if r, ok := got[key]; !ok || r.Rows != want {
			t.Errorf("%s has %d records in the table, not %d", key, r.Rows, want)
		}
	}
	for key, want := range map[string]bool{"boards": true, "closed": false, "statistics": false, "imported": true} {
		if got[key].AdvertsCounted != want {
			t.Errorf("adverts of %s: counted %v", key, got[key].AdvertsCounted)
		}
	}
}

// A configured feed is not listed a second time.
func TestPlatformHasOneRow(t *testing.T) {
	feed := platform.Config{Name: "Camden Jobs"}
	rows := SourceRows([]sources.Info{platform.New(feed).Info()}, nil, map[string]int64{platform.Key: 3}, feed, asOf)
	if len(rows) != 1 || rows[0].Key != platform.Key || rows[0].Rows != 3 {
		t.Errorf("the rows are %+v", rows)
	}
}

// Of several editions of an area the newest is printed; a code may be that of areas of two kinds.
func TestNewestEditionOfAnAreaIsPrinted(t *testing.T) {
	change := sources.AreaCodeChange{Kind: "council", From: "E08000016", To: "E08000038", Edition: "2025"}
	in := NamesInputs{AreaHistory: area.NewHistory([]sources.AreaCodeChange{change}), Areas: []sources.Area{
		{Kind: "council", Code: "E08000038", Name: "Barnsley", Edition: "2025"},
		{Kind: "region", Code: "E12000007", Name: "London (2023)", Edition: "2023"},
		{Kind: "region", Code: "E12000007", Name: "London", Edition: "2025"},
		{Kind: "region", Code: "E12000007", Name: "London (2024)", Edition: "2024"},
		{Kind: "itl1", Code: "E12000007", Name: "London, ITL", Edition: "2021"},
	}}
	got := map[string]string{}
	for _, r := range in.regions() {
		got[r.Kind+" "+r.Code] = r.Name
		if former := r.FormerCodes; (former != nil) != (r.Kind == "council") || former != nil && *former != "E08000016" {
			t.Errorf("the former codes of %s are %v", r.Name, former)
		}
		if r.NameWelsh != nil || r.NationCode != nil || r.Slug != nil {
			t.Errorf("an unknown value must be null: %+v", r)
		}
	}
	want := map[string]string{"council E08000038": "Barnsley", "region E12000007": "London",
		"itl1 E12000007": "London, ITL"}
	if !maps.Equal(got, want) {
		t.Errorf("the areas are %v", got)
	}
}

// The values of a correction are printed only if its source's records may be published. A
// correction that was not applied is a fault that names its record.
func TestCorrectionsAreListed(t *testing.T) {
	correction := func(source string) corrections.Correction {
		return corrections.Correction{Source: source, Kind: "area", Record: "council E09000007", Field: "name", Old: "Camdem",
			New: "Camden", Reason: "misspelt", DecidedBy: "A. Analyst", DecidedDay: "2026-11-01"}
	}
	set := corrections.NewSet([]corrections.Correction{correction("open"), correction("closed"), correction("unknown")})
	set.Apply("open", sources.Area{Source: "open", Kind: "council", Code: "E09000007", Name: "Camdem"})
	infos := []sources.Info{{Key: "open", Terms: sources.Terms{MayRepublish: true}}, {Key: "closed"}}
	for _, r := range CorrectionRows(set, infos) {
		shown := r.Old != nil && r.New != nil && *r.Old == "Camdem" && *r.New == "Camden"
		if hidden := r.Old == nil && r.New == nil; shown != (r.SourceKey == "open") || hidden == shown {
			t.Errorf("%s: values %v and %v", r.SourceKey, r.Old, r.New)
		}
		if applied := r.Outcome == string(corrections.OutcomeApplied); applied != (r.SourceKey == "open") {
			t.Errorf("the outcome for %s is %s", r.SourceKey, r.Outcome)
		}
	}
	set.Apply("closed", sources.Area{Source: "closed", Kind: "council", Code: "E09000007", Name: "Camden"})
	faults := UnappliedCorrections(set)
	if len(faults) != 2 {
		t.Fatalf("the faults are %v", faults)
	}
	for i, reason := range []string{"mended: the source's value is not the stated old value, or no longer is",
		"no_record: no such record was read"} {
		want := "the correction of name is not applied (" + reason + "); look at it again and change or remove it"
		if faults[i].Detail != want {
			t.Errorf("%q, want %q", faults[i].Detail, want)
		}
	}
	for _, f := range faults {
		if f.Source == "open" || f.Where != "area council E09000007" || f.Code != sources.FaultCorrectionNotApplied {
			t.Errorf("%+v", f)
		}
	}
}

// A correction that withdraws a figure does not publish it: the new value is the text null, and the old one
// is left out, whether or not the correction was applied.
func TestWithdrawnFiguresAreNotListed(t *testing.T) {
	for value, withdrawn := range map[string]bool{"null": true, "270": false} {
		for _, now := range []int64{2700, 2800} {
			set := corrections.NewSet([]corrections.Correction{{Source: "dfe", Kind: "statistic", Field: "value",
				Record: "starts E92000001 2025-07-31 Total", Old: "2700", New: value, DecidedDay: "2026-11-01"}})
			set.Apply("dfe", sources.Statistic{Source: "dfe", Metric: "starts", RegionCode: "E92000001", SubjectArea: "Total",
				PeriodEnd: sources.DateOf(time.Date(2025, 7, 31, 0, 0, 0, 0, time.UTC)), Value: now})
			r := CorrectionRows(set, []sources.Info{{Key: "dfe", Terms: sources.Terms{MayRepublish: true}}})[0]
			if isShown := r.Old != nil; isShown == withdrawn || r.New == nil || *r.New != value {
				t.Errorf("%d becomes %s (%s): the old value is %v, the new one %v", now, value, r.Outcome, r.Old, r.New)
			}
		}
	}
}

// Steps are sorted by their order; those of equal order stay as they were delivered.
func TestStepsOfAPathwayAreInOrder(t *testing.T) {
	steps := []sources.PathwayStep{{Order: 20, Title: "c", Level: 3}, {Order: 10, Title: "a", SOC: "6135"},
		{Order: 20, Title: "d"}, {Order: 15, Title: "b"}}
	rows := pathwaySteps(sources.Pathway{ID: "care", Steps: steps})
	var titles string
	for i, r := range rows {
		titles += r.Title
		if r.Pathway != "care" || int(r.Position) != i+1 {
			t.Errorf("step %d is %+v", i+1, r)
		}
	}
	if titles != "abcd" || rows[2].Step != 20 || *rows[2].Level != 3 || rows[3].Level != nil ||
		*rows[0].SOC != "6135" || rows[1].SOC != nil {
		t.Errorf("the steps are %+v", rows)
	}
	if steps[0].Title != "c" {
		t.Error("the delivered steps were sorted in place")
	}
}

// A site counts for the platform, for its borough and for each served area with the borough. A site in no
// served borough counts for the platform only.
func TestSitesCountForTheirPlaces(t *testing.T) {
	boroughs := []sources.Borough{{Slug: "camden", Code: "E09000007"}, {Slug: "hackney", Code: "E09000012"},
		{Slug: "brent", Code: "E09000005"}}
	served := servedplaces.NewPlaces(boroughs, nil, []config.ServedArea{
		{Slug: "centre", Name: "Centre", Boroughs: []string{"camden", "hackney"}}})
	site := func(borough string, n int) sources.S106Development {
		return sources.S106Development{Borough: borough, Obligations: n, TrainingPlaces: 10 * n,
			ContributionsGBP: int64(100 * n)}
	}
	sums := developmentSums(served, []sources.S106Development{site("camden", 1), site("camden", 2), site("hackney", 4),
		site("elsewhere", 8)})
	row := func(place string, sites, n int64) snapshots.S106Row {
		return snapshots.S106Row{Place: place, Developments: sites, Obligations: n, TrainingPlaces: 10 * n,
			ContributionsGBP: 100 * n}
	}
	want := []snapshots.S106Row{row("", 4, 15), row("camden", 2, 3), row("hackney", 1, 4), row("brent", 0, 0),
		row("centre", 3, 7)}
	if len(sums) != len(want) {
		t.Fatalf("there are %d places", len(sums))
	}
	for _, w := range want {
		if sums[w.Place] == nil || *sums[w.Place] != w {
			t.Errorf("%q has %+v, not %+v", w.Place, sums[w.Place], w)
		}
	}
}
