package ingest

import (
	"maps"
	"slices"
	"testing"

	"labour/pipeline/corrections"
	"labour/pipeline/report"
	"labour/pipeline/staging"
	"labour/sources"
	"labour/sources/sourcetest"
)

// startsOf is a figure of an area, with the name that its file gives the area.
func startsOf(kind, code, name string) sources.Record {
	return sources.Statistic{Source: "dfe", Metric: "apprenticeship_starts", Country: "GB", RegionCode: code,
		RegionName: name, RegionKind: kind, SubjectArea: "Total", PeriodEnd: dayOf(-90), Value: 12}
}

// namesOfFigures returns the names of the regions of the staged figures, by their codes.
func namesOfFigures(t *testing.T, areas, figures []sources.Record, set *corrections.Set) map[string]string {
	t.Helper()
	var steps []string
	options := optionsOf(t, &steps)
	options.Corrections = set
	list := []SourceWithExtracts{
		{recorded{info: sources.Info{Key: "dfe"}, objects: map[string][]sources.Record{"all1": figures}},
			[]sources.Extract{extractOf("dfe", 0, "all1")}},
		{recorded{info: sources.Info{Key: "ons", IsReference: true}, objects: map[string][]sources.Record{"all1": areas}},
			[]sources.Extract{extractOf("ons", 0, "all1")}}}
	got, err := Read(t.Context(), sourcetest.OpenArchive(t), list, options, report.New(dayOf(0)))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, row := range stagedRows[staging.Statistic](t, got.StagingDir, "statistics") {
		names[row.RegionCode] = row.RegionName
	}
	return names
}

// A figure has the name that the newest list of areas gives to its code, whatever its file says. The
// name of the file is used for a code that no list has, such as that of a merged council.
func TestFiguresHaveOfficialNames(t *testing.T) {
	areas := []sources.Record{sources.Area{Kind: "council", Code: "E09000003", Name: "Barnet", Edition: "2025"},
		sources.Area{Kind: "council", Code: "E09000003", Name: "former Barnet", Edition: "2023"},
		sources.Area{Kind: "council", Code: "E09000007", Name: "Camden"},
		sources.Area{Kind: "council", Code: "E08000038", Name: "Barnsley"},
		sources.Area{Kind: "region", Code: "E12000007", Name: "London"},
		sources.Area{Kind: "council", Code: "E12000006", Name: "a council"},
		sources.AreaCodeChange{From: "E08000016", To: "E08000038"},
		sources.AreaCodeChange{From: "E07000163", To: "E06000065"},
		sources.AreaCodeChange{From: "E07000164", To: "E06000065"}}
	figures := []sources.Record{startsOf("council", "E09000003", "Camden"), startsOf("council", "E09000007", "Barnet"),
		startsOf("council", "E08000016", "Barnsley of 2016"), startsOf("council", "E07000163", "Craven"),
		startsOf("region", "E12000007", "Greater London"), startsOf("region", "E12000006", "East of England"),
		startsOf("lsip", "E69000001", "Plan area")}
	want := map[string]string{"E09000003": "Barnet", "E09000007": "Camden", "E08000038": "Barnsley",
		"E07000163": "Craven", "E12000007": "London", "E12000006": "East of England", "E69000001": "Plan area"}
	if got := namesOfFigures(t, areas, figures, corrections.NewSet(nil)); !maps.Equal(got, want) {
		t.Errorf("with a list of areas: %v, want %v", got, want)
	}
	want = map[string]string{"E09000003": "Camden"}
	if got := namesOfFigures(t, nil, figures[:1], corrections.NewSet(nil)); !maps.Equal(got, want) {
		t.Errorf("without: %v, want %v", got, want)
	}
}

// The corrected name of an area shows in its figures. The name of one figure is corrected from the
// official name, not from that of its file.
func TestCorrectedNamesOfFigures(t *testing.T) {
	areas := []sources.Record{sources.Area{Kind: "council", Code: "E09000003", Name: "Barnett"},
		sources.Area{Kind: "council", Code: "E09000007", Name: "Camden"},
		sources.Area{Kind: "region", Code: "E12000007", Name: "London"}}
	figures := []sources.Record{startsOf("council", "E09000003", "Barnett"), startsOf("council", "E09000007", "Barnet"),
		startsOf("region", "E12000007", "London")}
	record := func(code string) string {
		return "apprenticeship_starts " + code + " " + dayOf(-90).String() + " Total"
	}
	set := corrections.NewSet([]corrections.Correction{
		{Source: "ons", Kind: "area", Record: "council E09000003", Field: "name", Old: "Barnett", New: "Barnet"},
		{Source: "dfe", Kind: "statistic", Record: record("E12000007"), Field: "region_name", Old: "London", New: "Capital"},
		{Source: "dfe", Kind: "statistic", Record: record("E09000007"), Field: "region_name", Old: "Barnet", New: "Brent"}})
	want := map[string]string{"E09000003": "Barnet", "E12000007": "Capital", "E09000007": "Camden"}
	if got := namesOfFigures(t, areas, figures, set); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var outcomes []corrections.Outcome
	set.ForEachOutcome(func(_ corrections.Correction, o corrections.Outcome) { outcomes = append(outcomes, o) })
	if !slices.Equal(outcomes, []corrections.Outcome{corrections.OutcomeApplied, corrections.OutcomeApplied,
		corrections.OutcomeOldValueDiffers}) {
		t.Errorf("the outcomes are %v", outcomes)
	}
}
