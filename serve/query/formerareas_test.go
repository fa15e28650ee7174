package query

import (
	"errors"
	"slices"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// formerAreasContent returns the published rows of two councils that became Camden, of one that was split into
// Camden and Islington, and of Camden itself.
func formerAreasContent(t *testing.T) snaptest.Content {
	t.Helper()
	c := snaptest.DefaultContent(t, publishedAsOf)
	for i := range c.Regions {
		switch c.Regions[i].Code {
		case "E09000007":
			c.Regions[i].FormerCodes = new("E07000901,E07000902,E07000903")
		case "E09000019":
			c.Regions[i].FormerCodes = new("E07000903")
		}
	}
	figure, told, gap := c.CourseDemand[0], c.Evidence[0], c.SkillsGaps[0]
	outlook, priority := c.Embargoed.Outlook[0], c.Embargoed.Priorities[0]
	c.CourseDemand, c.Evidence, c.SkillsGaps = nil, nil, nil
	c.Embargoed.Outlook, c.Embargoed.Priorities = nil, nil
	for i, code := range []string{"E07000901", "E07000902", "E07000903", "E09000007"} {
		figure.Country, figure.RegionCode, figure.RegionName, figure.RegionKind = "GB", code, "Council "+code, "council"
		figure.PeriodEnd = time.Date(2022+i, 7, 31, 0, 0, 0, 0, time.UTC)
		c.CourseDemand = append(c.CourseDemand, figure)
		told.Country, told.RegionCode, told.ID = "GB", new(code), "statistic:"+code
		c.Evidence = append(c.Evidence, told)
		gap.Country, gap.RegionCode = "GB", code
		c.SkillsGaps = append(c.SkillsGaps, gap)
		outlook.Country, outlook.RegionCode = "GB", code
		c.Embargoed.Outlook = append(c.Embargoed.Outlook, outlook)
		priority.RegionCode = code
		c.Embargoed.Priorities = append(c.Embargoed.Priorities, priority)
	}
	c.OpenEmbargoed = []string{"outlook", "priorities"}
	return c
}

// codesByTable returns the area codes of the rows that each table with a parameter region answers.
func codesByTable(t *testing.T, s *Snapshot, region string) map[string][]string {
	t.Helper()
	codes := map[string][]string{}
	add := func(table, code string) { codes[table] = append(codes[table], code) }
	courses, err := s.CourseDemand(t.Context(), api.CourseDemandQuery{Country: "GB", Region: region, Limit: 100})
	for _, r := range courses.Rows {
		add("course_demand", r.RegionCode)
		if r.RegionName != "Council "+r.RegionCode {
			t.Errorf("%s: the name is %q", r.RegionCode, r.RegionName)
		}
	}
	evidence, evidenceErr := s.Evidence(t.Context(), api.EvidenceQuery{Country: "GB", Region: region, Limit: 100})
	for _, r := range evidence.Rows {
		add("evidence", *r.RegionCode)
	}
	gaps, gapsErr := s.SkillsGaps(t.Context(), api.SkillsGapsQuery{Country: "GB", Region: region, Limit: 100})
	for _, r := range gaps.Rows {
		add("skills_gaps", *r.RegionCode)
	}
	q := api.EmbargoedQuery{Country: "GB", Region: region, Limit: 100}
	outlook, outlookErr := s.Outlook(t.Context(), q)
	for _, r := range outlook.Rows {
		add("outlook", *r.RegionCode)
	}
	priorities, prioritiesErr := s.PlanPriorities(t.Context(), q)
	for _, r := range priorities.Rows {
		add("priorities", r.RegionCode)
	}
	if err := errors.Join(err, evidenceErr, gapsErr, outlookErr, prioritiesErr); err != nil {
		t.Fatal(err)
	}
	return codes
}

// TestFormerAreasAreListed: the rows of councils that became part of another one are listed under its code, with
// their own codes and names, and those of a council that was split under its own former code.
func TestFormerAreasAreListed(t *testing.T) {
	s := mountOnce(t, publishedAsOf, formerAreasContent(t))
	for code, want := range map[string][]string{
		"E09000007": {"E07000901", "E07000902", "E09000007"},
		"E09000019": nil,
		"E07000901": {"E07000901", "E07000902", "E09000007"},
		"E07000903": {"E07000903"},
	} {
		region, _ := s.ResolveRegion("GB", code)
		got := codesByTable(t, s, region.Code)
		for _, table := range []string{"course_demand", "evidence", "skills_gaps", "outlook", "priorities"} {
			slices.Sort(got[table])
			if !slices.Equal(got[table], want) {
				t.Errorf("%s in %s: rows of %v, want %v", code, table, got[table], want)
			}
		}
	}
	region, ok := s.ResolveRegion("GB", "e07000903")
	if !ok || region.Name != "Council E07000903" || !slices.Equal(region.SplitInto, []string{"E09000007", "E09000019"}) {
		t.Errorf("a council that was split: %+v, %t", region, ok)
	}
	if slices.Contains(s.Values(api.RegionNames), "E07000903") {
		t.Error("a former code is offered")
	}
}

// TestListedCodeIsNotFormer: a code that is still listed means its own area, also if a change replaced it.
func TestListedCodeIsNotFormer(t *testing.T) {
	c := formerAreasContent(t)
	c.Regions = append(c.Regions, snapshots.RegionsRow{Code: "E07000901", Name: "Listed", Kind: "council",
		SourceKey: c.Regions[0].SourceKey})
	s := mountOnce(t, publishedAsOf, c)
	page, err := s.CourseDemand(t.Context(), api.CourseDemandQuery{Country: "GB", Region: "E09000007", Limit: 100})
	if err != nil || len(page.Rows) != 2 {
		t.Errorf("%d rows, %v", len(page.Rows), err)
	}
	if r, ok := s.ResolveRegion("GB", "E07000901"); !ok || r.Name != "Listed" {
		t.Errorf("%+v, %t", r, ok)
	}
}
