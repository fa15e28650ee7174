package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
)

const publishedAsOf = "2026-11-20"

func TestCourseDemand(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	s := mountOnce(t, publishedAsOf, c)
	ask := func(q api.CourseDemandQuery) api.Page[api.CourseDemandRow] {
		q.Limit = 1000
		page, err := s.CourseDemand(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	for name, f := range map[string]struct {
		q    api.CourseDemandQuery
		keep func(snapshots.CourseDemandRow) bool
	}{
		"national": {api.CourseDemandQuery{Country: "GB"},
			func(r snapshots.CourseDemandRow) bool { return r.RegionKind == "nation" }},
		"region": {api.CourseDemandQuery{Country: "GB", Region: "E12000007"},
			func(r snapshots.CourseDemandRow) bool { return r.RegionCode == "E12000007" }},
		"metric": {api.CourseDemandQuery{Country: "GB", Metric: "apprenticeship_starts"},
			func(r snapshots.CourseDemandRow) bool {
				return r.RegionKind == "nation" && r.Metric == "apprenticeship_starts"
			}},
		"subject in another case": {api.CourseDemandQuery{Country: "GB", SubjectArea: "toTAL"},
			func(r snapshots.CourseDemandRow) bool { return r.RegionKind == "nation" && r.SubjectArea == "Total" }},
		"no such country": {api.CourseDemandQuery{Country: "FR"},
			func(snapshots.CourseDemandRow) bool { return false }},
	} {
		page := ask(f.q)
		want := 0
		keys := map[string]bool{}
		for _, r := range c.CourseDemand {
			if r.Country == "GB" && f.keep(r) {
				want++
				keys[r.SourceKey] = true
			}
		}
		if len(page.Rows) != want || len(page.Sources) != len(keys) || page.More {
			t.Errorf("%s: %d rows of %d sources, want %d of %d", name, len(page.Rows), len(page.Sources), want,
				len(keys))
		}
		if !slices.IsSortedFunc(page.Rows, func(a, b api.CourseDemandRow) int {
			return strings.Compare(b.PeriodEnd.Time().Format("20060102"), a.PeriodEnd.Time().Format("20060102"))
		}) {
			t.Errorf("%s: not newest first", name)
		}
	}
	if page := ask(api.CourseDemandQuery{Country: "GB"}); len(page.Rows) < 2 {
		t.Error("too few rows to say anything")
	}
}

// TestCourseDemandTokens compares every figure with the row it was made from.
func TestCourseDemandTokens(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	s := mountOnce(t, publishedAsOf, c)
	seen := map[figure.Status]bool{}
	for _, r := range c.CourseDemand {
		page, err := s.CourseDemand(context.Background(),
			api.CourseDemandQuery{Country: r.Country, Region: r.RegionCode, Metric: r.Metric,
				SubjectArea: r.SubjectArea, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(page.Rows, func(got api.CourseDemandRow) bool {
			return got.PeriodEnd.Time().Equal(r.PeriodEnd) && got.SourceKey == r.SourceKey
		})
		if i < 0 {
			t.Errorf("no row for %+v", r)
			continue
		}
		value, err := figure.ParseCount(r.Value, r.ValueStatus)
		if err != nil {
			t.Fatal(err)
		}
		got := page.Rows[i]
		if got.Value.Count != value || got.RegionName != r.RegionName ||
			(got.YearOnYear.Change.Tenths == nil) != (r.ChangePct == nil) ||
			got.YearOnYear.Change.Tenths != nil && *got.YearOnYear.Change.Tenths != *r.ChangePct {
			t.Errorf("%+v came from %+v", got, r)
		}
		seen[got.Value.Status()], seen[got.YearOnYear.PreviousValue.Status()] = true, true
	}
	if len(seen) != 3 {
		t.Errorf("statuses seen: %v, want all three", seen)
	}
}

func TestSkillsGaps(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	england := slices.Clone(c.SkillsGaps)
	for i := range england { // the same of a nation: national figures too
		england[i].RegionCode = "E92000001"
	}
	table, _ := snapshots.FindTable("skills_gaps")
	c.SkillsGaps = snapshots.SortedRows(table,
		append(slices.DeleteFunc(england, func(r snapshots.SkillsGapsRow) bool { return r.Country != "GB" }),
			c.SkillsGaps...))
	c.SkillsGaps = slices.CompactFunc(c.SkillsGaps, func(a, b snapshots.SkillsGapsRow) bool {
		return a.SOC == b.SOC && a.RegionCode == b.RegionCode && a.SourceKey == b.SourceKey && a.Country == b.Country
	})
	s := mountOnce(t, publishedAsOf, c)
	national := func(r snapshots.SkillsGapsRow) bool { return r.RegionCode == "" || r.RegionCode == "E92000001" }
	for _, q := range []api.SkillsGapsQuery{
		{Country: "GB"}, {Country: "GB", Region: "E12000007"}, {Country: "US"}, {Country: "GB", SOC: "2"},
		{Country: "GB", Horizon: 2035}, {Country: "GB", Horizon: 2034}, {Country: "FR"},
	} {
		q.Limit = 1000
		page, err := s.SkillsGaps(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, r := range c.SkillsGaps {
			if r.Country == q.Country && (r.RegionCode == q.Region || q.Region == "" && national(r)) &&
				strings.HasPrefix(r.SOC, q.SOC) &&
				(q.Horizon == 0 || r.HorizonYear != nil && int(*r.HorizonYear) == q.Horizon) {
				want++
			}
		}
		if len(page.Rows) != want {
			t.Errorf("%+v: %d rows, want %d", q, len(page.Rows), want)
		}
		for i, r := range page.Rows {
			if i > 0 && page.Rows[i-1].SourcesAgreeing < r.SourcesAgreeing {
				t.Errorf("%+v: out of order at %d", q, i)
			}
			for _, key := range append([]string{r.SourceKey}, r.PointingSources...) {
				if !slices.ContainsFunc(page.Sources, func(e api.Source) bool { return e.Key == key }) {
					t.Errorf("%+v: source %s is not listed", q, key)
				}
			}
		}
	}
}

func TestEvidenceWalk(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	// Several on one day, so that the id decides.
	for i := range c.Evidence {
		if i%2 == 1 {
			c.Evidence[i].PublishedOn = c.Evidence[i-1].PublishedOn
		}
	}
	s := mountOnce(t, publishedAsOf, c)
	for _, q := range []api.EvidenceQuery{{Country: "GB"}, {Country: "GB", Kind: "news"}, {Country: "GB", SOC: "6"},
		{Country: "US"}} {
		var want []string
		for _, r := range c.Evidence {
			national := r.RegionCode == nil ||
				slices.ContainsFunc(c.Regions,
					func(n snapshots.RegionsRow) bool { return n.Kind == "nation" && n.Code == *r.RegionCode })
			if r.Country == q.Country && national && (q.Kind == "" || r.Kind == q.Kind) &&
				(q.SOC == "" || r.SOC != nil && strings.HasPrefix(*r.SOC, q.SOC)) {
				want = append(want, r.PublishedOn.Format("2006-01-02")+" "+r.ID)
			}
		}
		slices.Sort(want)
		slices.Reverse(want)
		for limit := 1; limit < 4; limit++ {
			var got []string
			q.Limit, q.After = limit, nil
			for {
				page, err := s.Evidence(context.Background(), q)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range page.Rows {
					got = append(got, r.PublishedOn.Time().Format("2006-01-02")+" "+r.ID)
					after := r.CursorPosition()
					q.After = &after
				}
				if !page.More {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v by %d: %v, want %v", q, limit, got, want)
			}
		}
	}
}

func TestSources(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	s := mountOnce(t, publishedAsOf, c)
	page, err := s.Sources(context.Background(), api.SourcesQuery{At: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Rows) != len(c.Sources) || len(page.Sources) != len(c.Sources) {
		t.Fatalf("%d rows and %d entries, want %d", len(page.Rows), len(page.Sources), len(c.Sources))
	}
	fresh := map[string]string{}
	for i, r := range page.Rows {
		j := slices.IndexFunc(c.Sources, func(want snapshots.SourcesRow) bool { return want.Key == r.Key })
		want := c.Sources[j]
		if string(r.Cadence) != want.Cadence || r.Rows != want.Rows || r.AdvertsCounted != want.AdvertsCounted ||
			r.Licence != want.Licence {
			t.Errorf("%+v came from %+v", r, want)
		}
		fresh[r.Key] = fmt.Sprintf("%d of %d stale, %t, %v", r.PartsStale, r.Parts, r.Stale, r.LastSuccessAt.T)
		if page.Sources[i].Key != r.Key || page.Sources[i].AttributionStatement != want.AttributionStatement {
			t.Errorf("entry %d is %+v", i, page.Sources[i])
		}
	}
	for key, want := range map[string]string{
		"employer_boards": "1 of 3 stale, false, 2026-11-20 05:00:00 +0000 UTC",
		"platform":        "0 of 2 stale, false, 2026-11-20 05:00:00 +0000 UTC",
		"bls_projections": "1 of 1 stale, true, <nil>",
	} {
		if fresh[key] != want {
			t.Errorf("%s: %s, want %s", key, fresh[key], want)
		}
	}
}

func TestRegionsByName(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	england := "E92000001"
	for code, name := range map[string]string{"E30000001": "King’s Lynn", "E30000002": "Stratford-upon-Avon",
		"E30000003": "Ynys Môn", "E30000004": "Stoke-on-Trent"} {
		c.Regions = append(c.Regions, snapshots.RegionsRow{Code: code, Name: name, Kind: "travel_to_work_area",
			NationCode: &england, SourceKey: "ons_geography"})
	}
	s := mountOnce(t, publishedAsOf, c)
	for words, want := range map[string]string{
		"kings": "King’s Lynn", "KING'S ly": "King’s Lynn", "upon": "Stratford-upon-Avon",
		"avon stratford-upon": "Stratford-upon-Avon",
		"mon":                 "Ynys Môn", "MÔN": "Ynys Môn", "st": "Stoke-on-Trent, Stratford-upon-Avon", "oke": "",
		"st avon trent": "",
		"":              "Cardiff, Chester, King’s Lynn, London, Stoke-on-Trent, Stratford-upon-Avon, Ynys Môn",
	} {
		page, err := s.Regions(context.Background(), api.RegionsQuery{Kind: "travel_to_work_area", Name: words,
			Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range page.Rows {
			names = append(names, r.Name)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
	page, err := s.Regions(context.Background(), api.RegionsQuery{Kind: "council", Name: "caer", Limit: 100})
	if err != nil || len(page.Rows) != 1 || page.Rows[0].Name != "Cardiff" {
		t.Errorf("by its Welsh name: %+v, %v", page.Rows, err)
	}
}

func TestResolveRegion(t *testing.T) {
	s := mountOnce(t, publishedAsOf, snaptest.DefaultContent(t, publishedAsOf))
	for param, want := range map[string]string{
		"E92000001": "E92000001", "e12000007": "E12000007", "E09000007": "E09000007", "E69000039": "E69000039",
		"central-london-forward": "E69000039", "Central-London-Forward": "E69000039",
		"E30000234": "E30000234", "TLI": "TLI", "tli3": "TLI3", "K02000001": "K02000001", "E06999999": "", "camden": "",
		"": "", "E09999907": "E09000007", "e09999907": "E09000007",
	} {
		if got, ok := s.ResolveRegion("GB", param); got.Code != want || ok != (want != "") {
			t.Errorf("%q: %+v, %v, want %q", param, got, ok, want)
		}
	}
	if _, ok := s.ResolveRegion("US", "E92000001"); ok {
		t.Error("regions cover the United Kingdom only")
	}
	names := s.Values(api.RegionNames)
	if !slices.IsSorted(names) || !slices.Contains(names, "central-london-forward") || !slices.Contains(names, "TLI") {
		t.Errorf("names of regions: %v", names)
	}
}

// Without official areas, the nations have figures all the same: those without region are national,
// and every nation is a region, and so is every borough of the platform.
func TestNationsWithoutOfficialAreas(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	england := "E92000001"
	c.Regions = nil
	for i := range c.Evidence {
		c.Evidence[i].RegionCode = &england
	}
	for i := range c.SkillsGaps {
		if c.SkillsGaps[i].RegionCode == "" {
			c.SkillsGaps[i].RegionCode = england
		}
	}
	figure := c.CourseDemand[0]
	figure.Country, figure.RegionCode, figure.RegionName, figure.RegionKind = "GB", "E12000002", "North West", "region"
	c.CourseDemand = append(c.CourseDemand, figure)
	s := mountOnce(t, publishedAsOf, c)
	if r, ok := s.ResolveRegion("GB", "E09000007"); !ok || r.Name != "Camden" || r.Kind != "council" {
		t.Errorf("a borough of the platform is %+v, %v", r, ok)
	}
	if r, ok := s.ResolveRegion("GB", "E12000002"); !ok || r.Name != "North West" || r.Kind != "region" {
		t.Errorf("an area of the figures on courses is %+v, %v", r, ok)
	}
	for code, name := range map[string]string{england: "England", "N92000002": "Northern Ireland",
		"S92000003": "Scotland", "W92000004": "Wales"} {
		if r, ok := s.ResolveRegion("GB", code); !ok || r.Name != name || r.Kind != "nation" {
			t.Errorf("%s: %+v, %t", code, r, ok)
		}
	}
	for _, region := range []string{"", england} {
		courses, err := s.CourseDemand(t.Context(), api.CourseDemandQuery{Country: "GB", Region: region, Limit: 100})
		evidence, evidenceErr := s.Evidence(t.Context(), api.EvidenceQuery{Country: "GB", Region: region, Limit: 100})
		gaps, gapsErr := s.SkillsGaps(t.Context(), api.SkillsGapsQuery{Country: "GB", Region: region, Limit: 100})
		if err := errors.Join(err, evidenceErr, gapsErr); err != nil {
			t.Fatal(err)
		}
		if len(courses.Rows) == 0 || len(evidence.Rows) == 0 || len(gaps.Rows) == 0 {
			t.Errorf("region %q: %d figures on courses, %d rows of evidence, %d gaps", region, len(courses.Rows),
				len(evidence.Rows), len(gaps.Rows))
		}
	}
}
