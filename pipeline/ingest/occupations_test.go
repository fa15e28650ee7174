package ingest

import (
	"strings"
	"testing"

	"labour/pipeline/report"
	"labour/pipeline/staging"
	"labour/sources"
	"labour/sources/onsoccupations"
	"labour/sources/sourcetest"
)

// Titles of the office are used for coding, also if only reference data is read. Unknown groups are
// faults.
func TestOccupationsAreLearnt(t *testing.T) {
	const title = "Quixotic flange adjuster"
	records := []sources.Record{sources.OccupationTitle{Title: title, SOC: "2231"},
		sources.OccupationGroup{SOC: "9998", Name: "No such group"}, sources.OccupationGroup{SOC: "2231", Name: "Nurses"}}
	reference := recorded{info: sources.Info{Key: onsoccupations.Key, IsReference: true},
		objects: map[string][]sources.Record{"all1": records}}
	advert := advertOf("feed", "17")
	advert.Title = title
	feed := recorded{info: sources.Info{Key: "feed", Kind: sources.KindPlatform},
		objects: map[string][]sources.Record{"all1": {camden(), advert}}}
	for n := range 2 {
		var steps []string
		to, options := report.New(dayOf(0)), optionsOf(t, &steps)
		list := []SourceWithExtracts{{reference, []sources.Extract{extractOf("o", 0, "all1")}},
			{feed, []sources.Extract{extractOf("feed", 0, "all1")}}}[:n+1]
		got, err := Read(t.Context(), sourcetest.OpenArchive(t), list, options, to)
		if err != nil {
			t.Fatal(err)
		}
		if got.Registers.Occupations == options.Registers.Occupations || len(got.groups)+len(got.titles) != 0 {
			t.Error("the titles of the office are not added")
		}
		if f := to.EnsureSource(onsoccupations.Key).Samples; len(f) != 1 || f[0].Code != sources.FaultUnknownCode ||
			!strings.HasSuffix(f[0].Detail, "are not used: 9998") {
			t.Errorf("the faults are %+v, want one on the group 9998", f)
		}
		rows := stagedRows[staging.Advert](t, options.StagingDir, "adverts")
		if n == 1 && (len(rows) != 1 || rows[0].SOC != "2231") {
			t.Errorf("the advert is coded as %+v, want 2231", rows)
		}
	}
}

// Groups that are known are no faults.
func TestKnownOccupationsAreNoFaults(t *testing.T) {
	reference := recorded{info: sources.Info{Key: onsoccupations.Key, IsReference: true},
		objects: map[string][]sources.Record{"all1": {sources.OccupationGroup{SOC: "2231", Name: "Nurses"}}}}
	var steps []string
	to := report.New(dayOf(0))
	list := []SourceWithExtracts{{reference, []sources.Extract{extractOf("o", 0, "all1")}}}
	if _, err := Read(t.Context(), sourcetest.OpenArchive(t), list, optionsOf(t, &steps), to); err != nil {
		t.Fatal(err)
	}
	if s := to.EnsureSource(onsoccupations.Key); len(s.Samples)+len(s.Faults) != 0 {
		t.Errorf("the faults are %+v", s.Samples)
	}
}
