package query

import (
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
)

// TestGapsOfOneAgreementStandByTheirChange: of gaps on which as many sources agree, the one with the largest
// projected change stands first, and one without a change last.
func TestGapsOfOneAgreementStandByTheirChange(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	for i := range c.SkillsGaps { // the largest change for the last code
		change := figure.Tenths(10 * i)
		c.SkillsGaps[i].ProjectedChangePct = &change
		c.SkillsGaps[i].SourcesAgreeing = 1
	}
	c.SkillsGaps[0].ProjectedChangePct = nil
	page, err := mountOnce(t, publishedAsOf, c).SkillsGaps(t.Context(), api.SkillsGapsQuery{Country: "GB", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i := 1; i < len(page.Rows); i++ {
		before, after := page.Rows[i-1], page.Rows[i]
		if before.SourcesAgreeing != after.SourcesAgreeing {
			continue
		}
		compared++
		first, second := before.ProjectedChange.Tenths, after.ProjectedChange.Tenths
		if second != nil && (first == nil || *first < *second) {
			t.Errorf("%s stands before %s, whose change is larger", before.SOC, after.SOC)
		}
	}
	if compared == 0 {
		t.Error("no two gaps have as many sources")
	}
}

// TestEvidenceOfTheKingdom: that of the whole country, which most rows name by no code.
func TestEvidenceOfTheKingdom(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	want := 0
	for _, r := range c.Evidence {
		if r.Country == "GB" && (r.RegionCode == nil || *r.RegionCode == "K02000001") {
			want++
		}
	}
	page, err := mountOnce(t, publishedAsOf, c).Evidence(t.Context(),
		api.EvidenceQuery{Country: "GB", Region: "K02000001", Limit: 1000})
	if err != nil || len(page.Rows) != want || want == 0 {
		t.Errorf("%d rows, want %d: %v", len(page.Rows), want, err)
	}
}
